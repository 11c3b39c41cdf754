//! With which keys does this JSON file begin? For recognising a format without reading the file.
//!
//! The beginning may be cut anywhere. Whether a key occurs at all is the matter of `loose_json::has_key`.
//!
//! Tests: at the end.

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

#[cfg(test)]
mod tests {
    use super::first_keys;

    #[test]
    fn the_first_keys_stop_at_what_is_not_plain() {
        assert_eq!(first_keys(b" {\"a\": 1,\n \"b\": {\"c\": 2}}", 3), ["a", "b"]);
        assert_eq!(first_keys(br#"{"a": "x, y", "b": 2}"#, 2), ["a"]);
        assert_eq!(first_keys(br#"{"a": 1, "b"#, 2), ["a"]);
        assert_eq!(first_keys(b"[1]", 2), Vec::<&str>::new());
        assert_eq!(first_keys(b"", 2), Vec::<&str>::new());
    }
}
