//! What must not be written down? Passwords and keys in command lines and in values of variables.
//!
//! A trial is shown to others, so a secret in it would be given away. Blanked with `***` are
//!
//! - the value of anything that is named like a secret: `--password=…`, `--token …`, `API_KEY=…`, `Authorization: …`,
//!   `?sig=…` in an address,
//! - the user's part of an address: `https://***@host/`, and of a database's: `***@tcp(host)`,
//! - the password of `-u name:password`,
//! - words that look like a key of a well-known service (`ghp_…`, `AKIA…`, JSON Web Tokens).
//!
//! It errs on the safe side: a harmless value may be blanked, too. It cannot know a bare password without a name.
//!
//! Tests: `tests/secrets.rs`.

/// What stands in place of a secret.
pub const BLANK: &str = "***";

/// A name with one of these in it names a secret, once all but letters and digits is left out.
const ANYWHERE: [&str; 12] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "credential",
    "apikey",
    "accesskey",
    "accountkey",
    "privatekey",
    "signingkey",
    "authorization",
    "authtoken",
];

/// A name with one of these as a word of its own names a secret.
const AS_WORD: [&str; 12] =
    ["auth", "bearer", "cookie", "jwt", "pass", "pat", "pw", "pwd", "sig", "signature", "oauth", "userpwd"];

/// How keys of well-known services begin.
const KEYS: [&str; 19] = [
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "xoxa-",
    "xoxs-",
    "sk-",
    "sk_",
    "AKIA",
    "ASIA",
    "AIza",
    "npm_",
    "pypi-",
    "hf_",
];

/// A key of a service is longer than this; a name of a file or a test that begins the same way is rarely.
const SHORTEST_KEY: usize = 20;

/// Words between the name of a header and its secret.
const SCHEMES: [&str; 5] = ["bearer", "basic", "digest", "token", "negotiate"];

/// A command line with its secrets blanked.
pub fn without_secrets<S: AsRef<str>>(arguments: impl IntoIterator<Item = S>) -> Vec<String> {
    let mut next = Next::Plain;
    arguments.into_iter().map(|argument| blanked(argument.as_ref(), &mut next)).collect()
}

/// A text with its secrets blanked.
pub fn without_secrets_in(text: &str) -> String {
    blanked(text, &mut Next::Plain)
}

/// Whether a name is that of a secret: `GITHUB_TOKEN`, `--db-password`, `keyStorePassword`.
pub fn names_a_secret(name: &str) -> bool {
    let joined: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    ANYWHERE.iter().any(|word| joined.contains(word))
        || words_of(name).iter().any(|word| AS_WORD.contains(&word.as_str()) || word.ends_with("token"))
}

/// The words of a name, in small letters: cut at what is no letter or digit, and where a capital follows a small letter.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_small = false;
    for character in name.chars() {
        if !character.is_alphanumeric() || (after_small && character.is_uppercase()) {
            words.push(String::new());
        }
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
        after_small = character.is_lowercase();
    }
    words
}

/// What the word before says of the next one.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    Plain,
    /// It is a secret.
    Secret,
    /// It is `name:password`.
    Login,
    /// It goes on to the closing quote.
    Until(char),
}

/// Blanks the secrets of one argument, which may be a whole command line of its own.
fn blanked(argument: &str, next: &mut Next) -> String {
    if *next == Next::Secret && !argument.starts_with("--") {
        if is_scheme(argument) {
            return argument.to_owned();
        }
        *next = Next::Plain;
        return BLANK.to_owned();
    }
    let mut kept = String::new();
    for (place, word) in argument.split_inclusive(char::is_whitespace).enumerate() {
        let bare = word.trim_end();
        let (shown, named) = blanked_word(bare, next);
        kept += &shown;
        if place == 0 && named != Named::Nothing {
            // `--password=two words`, `Authorization: Bearer …`: the rest belongs to it.
            let more = bare.len() < argument.trim_end().len();
            let value_missing = named == Named::WithoutValue;
            if more && value_missing {
                kept = format!("{kept} {BLANK}");
            }
            *next = if value_missing && !more { Next::Secret } else { Next::Plain };
            return kept;
        }
        kept += &word[bare.len()..];
    }
    if let Next::Until(_) = next {
        *next = Next::Plain;
    }
    kept
}

/// Whether a word names a secret by `=` or `:`.
#[derive(Clone, Copy, PartialEq)]
enum Named {
    Nothing,
    WithValue,
    WithoutValue,
}

/// Blanks the secrets of a word.
fn blanked_word(word: &str, next: &mut Next) -> (String, Named) {
    match *next {
        _ if word.is_empty() => return (String::new(), Named::Nothing),
        Next::Until(quote) => {
            if word.ends_with(quote) {
                *next = Next::Plain;
            }
            return (String::new(), Named::Nothing);
        }
        Next::Secret if is_scheme(word) => return (word.to_owned(), Named::Nothing),
        Next::Secret if !word.starts_with("--") => {
            *next = opened_quote(word);
            return (BLANK.to_owned(), Named::Nothing);
        }
        Next::Login => {
            *next = Next::Plain;
            return (without_password(word), Named::Nothing);
        }
        Next::Secret | Next::Plain => *next = Next::Plain,
    }
    match first_secret(word) {
        Some((start, end)) if start == end => {
            *next = Next::Secret;
            (without_login(word), Named::WithoutValue)
        }
        Some((start, end)) => {
            *next = opened_quote(&word[start..end]);
            let (before, after) = (without_login(&word[..start]), without_more_secrets(&word[end..]));
            (format!("{before}{BLANK}{after}"), Named::WithValue)
        }
        None => {
            *next = after_option(word);
            (without_keys(&without_login(word)), Named::Nothing)
        }
    }
}

/// What follows the value of a query: other parameters, of which some may be secret, too.
fn without_more_secrets(rest: &str) -> String {
    match first_secret(rest) {
        Some((start, end)) if start < end => {
            format!("{}{BLANK}{}", &rest[..start], without_more_secrets(&rest[end..]))
        }
        _ => rest.to_owned(),
    }
}

/// Where the value of the first name of a secret in a word stands.
fn first_secret(word: &str) -> Option<(usize, usize)> {
    for (place, separator) in word.char_indices().filter(|(_, c)| matches!(c, '=' | ':')) {
        let after = &word[place + 1..];
        if separator == ':' && (after.starts_with([':', '/']) || word[..place].ends_with(':')) {
            continue;
        }
        let before = word[..place].trim_end_matches(['"', '\'']);
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        let name = &before[before.trim_end_matches(is_name).len()..];
        // `-u=name:password`
        let login = is_login_flag(name) && after.contains(':') && without_password(after) != after;
        if names_a_secret(name) || login {
            let in_query = word[..place].contains(['?', '&']);
            let length = if in_query { after.find('&').unwrap_or(after.len()) } else { after.len() };
            return Some((place + 1, place + 1 + length));
        }
    }
    None
}

/// A flag without a value asks for the next word.
fn after_option(word: &str) -> Next {
    let flag = word.trim_matches(['"', '\'']);
    if flag.eq_ignore_ascii_case("bearer") {
        return Next::Secret;
    }
    match flag {
        _ if !flag.starts_with('-') || flag.contains(['=', ':', '/']) => Next::Plain,
        _ if is_login_flag(flag) => Next::Login,
        _ if names_a_secret(flag) => Next::Secret,
        _ => Next::Plain,
    }
}

fn is_scheme(word: &str) -> bool {
    SCHEMES.contains(&word.trim_matches(['"', '\'']).to_lowercase().as_str())
}

fn is_login_flag(name: &str) -> bool {
    name.starts_with('-') && ["u", "user", "proxy-user"].contains(&name.trim_start_matches('-'))
}

/// `name:***`, unless both are numbers (`--user 1000:1000` of containers).
fn without_password(word: &str) -> String {
    match word.split_once(':') {
        Some((name, password)) if !(is_number(name) && is_number(password)) => format!("{name}:{BLANK}"),
        _ => word.to_owned(),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A quote that the value opens and does not close.
fn opened_quote(value: &str) -> Next {
    let mut characters = value.chars();
    match characters.next() {
        Some(quote @ ('"' | '\'')) if !characters.as_str().ends_with(quote) => Next::Until(quote),
        _ => Next::Plain,
    }
}

/// Blanks the user's part of addresses: all between `://` and the `@` before the host.
fn without_login(word: &str) -> String {
    let Some((before, after)) = word.split_once("://") else { return without_database_login(word) };
    let authority = after.find(['/', '?', '#', '"', '\'']).unwrap_or(after.len());
    // A password may hold an unescaped slash: then there is no port after the colon.
    let is_port = |text: &str| text.is_empty() || is_number(text);
    let host = &after[..authority];
    let broken_off = !host.contains('@') && host.split_once(':').is_some_and(|(_, port)| !is_port(port));
    let end = if broken_off { after.len() } else { authority };
    match after[..end].rfind('@') {
        Some(at) => format!("{before}://{BLANK}{}", without_login(&after[at..])),
        None => format!("{before}://{}{}", &after[..authority], without_login(&after[authority..])),
    }
}

/// `***@tcp(host)` for `name:password@tcp(host)`. A digest, `image:tag@sha256:…`, is no login.
fn without_database_login(word: &str) -> String {
    match word.rsplit_once('@') {
        Some((login, host)) if login.contains(':') && !host.starts_with("sha256:") => {
            format!("{BLANK}@{host}")
        }
        _ => word.to_owned(),
    }
}

/// Blanks what looks like a key of a well-known service.
fn without_keys(word: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    word.split_inclusive(|c| !is_part(c))
        .map(|piece| {
            let part = piece.trim_end_matches(|c| !is_part(c));
            if is_key(part) { format!("{BLANK}{}", &piece[part.len()..]) } else { piece.to_owned() }
        })
        .collect()
}

fn is_key(part: &str) -> bool {
    let web_token = part.starts_with("eyJ") && part.matches('.').count() == 2;
    web_token || (part.len() >= SHORTEST_KEY && KEYS.iter().any(|key| part.starts_with(key)))
}
