//! What is a sentence made of? Our own text, names that anyone may have chosen, and the word of the verdict. One behind the other
//! they are the sentence; a view may colour the verdict and set names apart.
//!
//! Tests: `tests/analysis/worded.rs`.

use serde::Serialize;
use std::borrow::Cow;
use std::fmt;

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part<'a> {
    /// The name of an arm.
    Name(&'a str),
    /// The word that says which way it went; there is no space in it.
    Verdict(&'static str),
    /// Our own words.
    #[serde(untagged)]
    Text(Cow<'a, str>),
}

impl Part<'_> {
    /// As it is read.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Name(text) | Self::Verdict(text) => text,
        }
    }
}

/// Our own words.
pub(super) fn text<'a>(text: impl Into<Cow<'a, str>>) -> Part<'a> {
    Part::Text(text.into())
}

/// A sentence, or a piece of one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Phrase<'a>(pub Vec<Part<'a>>);

impl<'a> Phrase<'a> {
    /// The template with a part in place of each `{}`.
    pub(super) fn of<const N: usize>(template: &'static str, parts: [Part<'a>; N]) -> Self {
        debug_assert_eq!(template.matches("{}").count(), N, "{template}");
        let mut texts = template.split("{}").map(text);
        let first = texts.next().into_iter();
        let all = first.chain(parts.into_iter().zip(texts).flat_map(|(part, text)| [part, text]));
        Self(all.filter(|part| !part.as_str().is_empty()).collect())
    }

    /// All of them, with this between them.
    pub(super) fn joined(phrases: impl IntoIterator<Item = Self>, between: &'static str) -> Self {
        let join = |mut all: Self, next: Self| {
            all.0.push(text(between));
            all.0.extend(next.0);
            all
        };
        phrases.into_iter().reduce(join).unwrap_or_default()
    }
}

impl<'a> From<Part<'a>> for Phrase<'a> {
    fn from(part: Part<'a>) -> Self {
        Self(vec![part])
    }
}

impl From<&'static str> for Phrase<'_> {
    fn from(words: &'static str) -> Self {
        text(words).into()
    }
}

impl From<String> for Phrase<'_> {
    fn from(words: String) -> Self {
        text(words).into()
    }
}

impl fmt::Display for Phrase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|part| f.write_str(part.as_str()))
    }
}
