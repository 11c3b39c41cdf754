//! Nothing secret is written down: not from a command line, not from a variable.

use evenhand_measure::secrets::{names_a_secret, without_secrets, without_secrets_in};
use evenhand_measure::variables::kept;
use proptest::prelude::*;
use std::ffi::OsString;

#[test]
fn secrets_of_a_command_line_are_blanked() {
    let cases: [(&[&str], &[&str]); 40] = [
        (&["--password=hunter2"], &["--password=***"]),
        (&["--password", "hunter2", "x"], &["--password", "***", "x"]),
        (&["--token", "X", "--fast"], &["--token", "***", "--fast"]),
        (&["--token", "two words"], &["--token", "***"]),
        (&["--token", "-dash"], &["--token", "***"]),
        (&["--no-password", "--fast"], &["--no-password", "--fast"]),
        (&["--password=two words"], &["--password=***"]),
        (&["--password=", "hunter2"], &["--password=", "***"]),
        (&["API_KEY=abc", "run"], &["API_KEY=***", "run"]),
        (&["--env=API_TOKEN=abc"], &["--env=API_TOKEN=***"]),
        (&["-Djavax.net.ssl.keyStorePassword=changeit"], &["-Djavax.net.ssl.keyStorePassword=***"]),
        (&["pass:hunter2"], &["pass:***"]),
        (&["https://u:p@h/"], &["https://***@h/"]),
        (&["https://h/x@v2"], &["https://h/x@v2"]),
        (&["https://u:p@h/x@v2"], &["https://***@h/x@v2"]),
        (&["https://u:p/w@h/"], &["https://***@h/"]),
        (&["https://token@h:80/"], &["https://***@h:80/"]),
        (&["--url=postgres://me:pw@db:5432/x", "y"], &["--url=postgres://***@db:5432/x", "y"]),
        (&["http://a:b@h http://c:d@h"], &["http://***@h http://***@h"]),
        (&["https://h/?token=abc&x=1", "y"], &["https://h/?token=***&x=1", "y"]),
        (&["https://h/?x=1&sig=abc&y=2&api_key=k"], &["https://h/?x=1&sig=***&y=2&api_key=***"]),
        (&["root:pw@tcp(127.0.0.1)/db"], &["***@tcp(127.0.0.1)/db"]),
        (&["-H", "Authorization: Bearer abc"], &["-H", "Authorization: ***"]),
        (&["Authorization:", "Bearer", "abc", "x"], &["Authorization:", "Bearer", "***", "x"]),
        (&["X-Api-Key: abc def"], &["X-Api-Key: ***"]),
        (&["Bearer", "abc"], &["Bearer", "***"]),
        (&["-u", "me:pw", "x:y"], &["-u", "me:***", "x:y"]),
        (&["--user=me:pw"], &["--user=***"]),
        (&["--user", "1000:1000"], &["--user", "1000:1000"]),
        (&["curl --token abc https://u:p@h/ x"], &["curl --token *** https://***@h/ x"]),
        (&["sh", "-c", "run --password='a b c' --fast"], &["sh", "-c", "run --password=***   --fast"]),
        (&["curl -H 'Authorization: Bearer abc' h"], &["curl -H 'Authorization: Bearer *** h"]),
        (&[r#"{"a":1,"password":"x y"}"#], &[r#"{"a":1,"password":***"#]),
        (&["ghp_0123456789abcdefghijklmnopqrstuvwxyz"], &["***"]),
        (&["key=AKIAIOSFODNN7EXAMPLE;"], &["key=***;"]),
        (&["eyJhbGciOi.eyJzdWIiOi.SflKxwRJSM"], &["***"]),
        (&["image:tag@sha256:0123"], &["image:tag@sha256:0123"]),
        (&["auth::token::works", "--filter=auth::ok"], &["auth::token::works", "--filter=auth::ok"]),
        (&["--pin", "2", "--max-tokens", "100", "basic"], &["--pin", "2", "--max-tokens", "100", "basic"]),
        (
            &["evenhand", "--rounds=100", "./old -n 3", "C:\\x"],
            &["evenhand", "--rounds=100", "./old -n 3", "C:\\x"],
        ),
    ];
    for (given, wanted) in cases {
        assert_eq!(without_secrets(given), wanted);
    }
}

#[test]
fn names_of_secrets_are_known_in_every_spelling() {
    for name in [
        "SECRET_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "GITHUB_TOKEN",
        "--db-password",
        "keyStorePassword",
        "authToken",
        "dbPass",
        "x-api-key",
        "PGPASSWORD",
        "sshpass.pwd",
        "Cookie",
        "private.key",
        "NPM_AUTH",
    ] {
        assert!(names_a_secret(name), "{name}");
    }
    for name in
        ["", "--rounds", "tokenizer", "max-tokens", "author", "compass", "key", "PATH", "keyboard", "passes"]
    {
        assert!(!names_a_secret(name), "{name}");
    }
}

fn variables(pairs: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
    pairs.iter().map(|(name, value)| (name.into(), value.into())).collect()
}

#[test]
fn only_listed_variables_are_kept_and_without_secrets() {
    let kept = kept(variables(&[
        ("RUSTFLAGS", "-C target-cpu=native"),
        ("CARGO_PROFILE_RELEASE_LTO", "fat"),
        ("CARGO_PROFILE_X_TOKEN", "hunter2"),
        ("MALLOC_ARENA_MAX", "1"),
        ("JAVA_TOOL_OPTIONS", "-Xmx1g -Ddb.password=hunter2 -Dx=1"),
        ("NODE_OPTIONS", "--require https://u:p@h/x.js"),
        ("SECRET_TOKEN", "hunter2"),
        ("AWS_SECRET_ACCESS_KEY", "hunter2"),
        ("GITHUB_TOKEN", "hunter2"),
        ("CARGO_REGISTRY_TOKEN", "hunter2"),
        ("HOME", "/home/me"),
        ("PATH", "/bin"),
        ("rustflags", "x"),
    ]));
    let lines: Vec<String> = kept.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(
        lines,
        [
            "CARGO_PROFILE_RELEASE_LTO=fat",
            "CARGO_PROFILE_X_TOKEN=***",
            "JAVA_TOOL_OPTIONS=-Xmx1g -Ddb.password=*** -Dx=1",
            "MALLOC_ARENA_MAX=1",
            "NODE_OPTIONS=--require https://***@h/x.js",
            "RUSTFLAGS=-C target-cpu=native",
        ]
    );
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_no_text_is_kept_as_far_as_it_is() {
    use std::os::unix::ffi::OsStringExt;
    let strange = OsString::from_vec(b"C\xff".to_vec());
    let kept = kept([("LANG".into(), strange.clone()), (strange, "x".into())]);
    assert_eq!(kept.into_iter().collect::<Vec<_>>(), [("LANG".to_owned(), "C\u{fffd}".to_owned())]);
}

proptest! {
    #[test]
    fn no_spelling_lets_a_named_secret_through(
        name in "(--?|-D|)[a-z]{0,3}[-_.]?(password|token|secret|api[-_]key|PASSWORD|Passphrase)",
        separator in "[=:]",
        secret in "Q[A-Za-z0-9&,;:/@=?*'\" ]{0,20}Q",
    ) {
        let secret_gone = |shown: &[String]| !shown.join(" ").contains('Q');
        let joined = without_secrets([format!("{name}{separator}{secret}"), "end".to_owned()]);
        prop_assume!(!secret.starts_with("Q::"));
        prop_assert!(secret_gone(&joined), "{joined:?}");
        prop_assert_eq!(joined.last().unwrap(), "end");
        if name.starts_with('-') {
            let apart = without_secrets([name, secret, "end".to_owned()]);
            prop_assert!(secret_gone(&apart), "{apart:?}");
            prop_assert_eq!(apart.last().unwrap(), "end");
        }
    }

    #[test]
    fn any_text_can_be_looked_at(text in any::<String>(), words in "[a-z:=@/?&\"' -]{0,40}") {
        without_secrets_in(&text);
        let shown = without_secrets_in(&words);
        prop_assert!(shown.len() <= words.len() + 3 * words.len() + 4);
    }

    #[test]
    fn plain_words_stay(words in "[a-su-z0-9 ./,-]{0,40}") {
        prop_assume!(!["passw", "secr", "cred", "key", "auth", "bearer", "cookie", "pass", "pw", "sig", "-u", "jw"]
            .iter().any(|word| words.contains(word)));
        prop_assert_eq!(without_secrets_in(&words), words);
    }
}
