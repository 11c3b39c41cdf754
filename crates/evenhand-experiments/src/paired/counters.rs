//! What is compared? Ways to count the characters of a text that lead to the same number, and one that counts fewer.

use std::hint::black_box;

/// A way to count.
pub(super) type Counter = fn(&str) -> usize;

/// By the standard library, which counts many at once.
pub(super) fn std(text: &str) -> usize {
    text.chars().count()
}

/// One after the other.
pub(super) fn std_count(text: &str) -> usize {
    let mut count = 0;
    for character in text.chars() {
        black_box(character);
        count += 1;
    }
    count
}

/// One after the other, from the end.
pub(super) fn std_count_rev(text: &str) -> usize {
    let mut count = 0;
    for character in text.chars().rev() {
        black_box(character);
        count += 1;
    }
    count
}

/// The first 5,000, one after the other.
pub(super) fn std_5000(text: &str) -> usize {
    first(text, black_box(5000))
}

/// The first 4,925: 1.5 % fewer.
pub(super) fn std_4925(text: &str) -> usize {
    first(text, black_box(4925))
}

/// One piece of code for both numbers. Compiled for each by itself they differ by a tenth to a half, either way round: luck of the layout,
/// which this experiment is not about.
#[inline(never)]
fn first(text: &str, characters: usize) -> usize {
    let mut count = 0;
    for character in text.chars().take(characters) {
        black_box(character);
        count += 1;
    }
    count
}
