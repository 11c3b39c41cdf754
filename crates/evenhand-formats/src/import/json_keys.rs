//! Which keys does this beginning of a JSON file have? For recognising a format without reading the file.
//!
//! The beginning may be cut anywhere. A quoted word cannot be found by mistake inside a string: there its quotes are
//! escaped.
//!
//! Tests: at the end.

/// Whether an object somewhere in `head` has this key.
pub(super) fn has_key(head: &[u8], key: &str) -> bool {
    let quoted = [b"\"", key.as_bytes(), b"\""].concat();
    let mut rest = head;
    while let Some(at) = find(rest, &quoted) {
        rest = &rest[at + quoted.len()..];
        if rest.trim_ascii_start().first() == Some(&b':') {
            return true;
        }
    }
    false
}

/// The first keys of the outermost object, at most `count`. Only plain values (no object, no list) are stepped over.
pub(super) fn first_keys(head: &[u8], count: usize) -> Vec<&str> {
    let mut keys = Vec::new();
    let Some(mut rest) = head.trim_ascii_start().strip_prefix(b"{") else { return keys };
    while keys.len() < count {
        let Some((key, after)) = take_key(rest) else { break };
        keys.push(key);
        let Some(comma) = after.iter().position(|byte| matches!(byte, b',' | b'{' | b'[' | b'"')) else {
            break;
        };
        if after[comma] != b',' {
            break;
        }
        rest = &after[comma + 1..];
    }
    keys
}

fn take_key(text: &[u8]) -> Option<(&str, &[u8])> {
    let text = text.trim_ascii_start().strip_prefix(b"\"")?;
    let end = text.iter().position(|byte| *byte == b'"')?;
    let after = text[end + 1..].trim_ascii_start().strip_prefix(b":")?;
    Some((std::str::from_utf8(&text[..end]).ok()?, after))
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window == word)
}

#[cfg(test)]
mod tests {
    use super::{first_keys, has_key};

    #[test]
    fn a_key_is_found_and_a_value_or_a_quotation_is_not() {
        let head = br#"{"a": 1, "b" : {"deep":2}, "c": "key", "d": "\"quoted\": 1", "cut"#;
        for key in ["a", "b", "deep", "c"] {
            assert!(has_key(head, key), "{key}");
        }
        for key in ["key", "quoted", "cut", "e"] {
            assert!(!has_key(head, key), "{key}");
        }
    }

    #[test]
    fn the_first_keys_stop_at_what_is_not_plain() {
        assert_eq!(first_keys(b" {\"a\": 1,\n \"b\": {\"c\": 2}}", 3), ["a", "b"]);
        assert_eq!(first_keys(br#"{"a": "x, y", "b": 2}"#, 2), ["a"]);
        assert_eq!(first_keys(br#"{"a": 1, "b"#, 2), ["a"]);
        assert_eq!(first_keys(b"[1]", 2), Vec::<&str>::new());
        assert_eq!(first_keys(b"", 2), Vec::<&str>::new());
    }
}
