//! Compares with the text kept in `tests/expected`; `EVENHAND_EXPECTED=1` writes it anew.

use std::fs;
use std::path::Path;

pub(crate) fn expect(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected").join(format!("{name}.txt"));
    if std::env::var_os("EVENHAND_EXPECTED").is_some() {
        fs::write(&path, found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    if let Some((line, (expected, found))) =
        expected.lines().zip(found.lines()).enumerate().find(|(_, (expected, found))| expected != found)
    {
        panic!("{name}.txt, line {}:\nexpected: {expected}\nfound:    {found}", line + 1);
    }
    assert_eq!(expected, found, "{name}.txt");
}
