//! Where does an interval lie between "faster" and "slower"? One line of characters:
//!
//! ```text
//! ├────┬────┼─[━■━]───┤        |----.----+-[=#=]---|
//!      │    │  interval and its estimate
//!      │    no difference
//!      the margin
//! ```
//!
//! An end that is not bounded yet, or lies beyond the axis, is `<` or `>` in place of its bracket. Nothing is computed
//! here but columns.
//!
//! Tests: `tests/plots.rs`, `tests/live.rs`.

use crate::Layout;
use evenhand_analysis::Effect;

/// From which effect to which the line goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// The effect at the left end.
    pub from: f64,
    /// The effect at the right end.
    pub to: f64,
    /// The margin, marked on both sides of "no difference".
    pub margin: f64,
    /// Columns on the screen.
    pub columns: usize,
}

/// The characters of a bar.
struct Characters {
    ends: [char; 2],
    axis: char,
    margin: char,
    none: char,
    inside: char,
    margin_inside: char,
    none_inside: char,
    estimate: char,
}

const UNICODE: Characters = Characters {
    ends: ['├', '┤'],
    axis: '─',
    margin: '┬',
    none: '┼',
    inside: '━',
    margin_inside: '┯',
    none_inside: '┿',
    estimate: '■',
};

const ASCII: Characters = Characters {
    ends: ['|', '|'],
    axis: '-',
    margin: '.',
    none: '+',
    inside: '=',
    margin_inside: '.',
    none_inside: '+',
    estimate: '#',
};

impl Axis {
    /// The axis with the interval on it.
    pub fn bar(self, interval: &Effect, layout: Layout) -> String {
        let characters = if layout.unicode { UNICODE } else { ASCII };
        let mut cells = self.empty(&characters);
        if interval.low.is_some() || interval.high.is_some() {
            self.mark(interval, &characters, &mut cells);
        }
        cells.into_iter().collect()
    }

    fn empty(self, characters: &Characters) -> Vec<char> {
        let mut cells = vec![characters.axis; self.columns];
        let ends = [(0, characters.ends[0]), (self.columns.saturating_sub(1), characters.ends[1])];
        let margins = [-self.margin, self.margin].map(|at| (self.inside(at), characters.margin));
        let ends = ends.map(|(column, character)| (Some(column), character));
        for (column, character) in
            ends.into_iter().chain(margins).chain([(self.inside(0.0), characters.none)])
        {
            if let Some(cell) = column.and_then(|column| cells.get_mut(column)) {
                *cell = character;
            }
        }
        cells
    }

    fn mark(self, interval: &Effect, characters: &Characters, cells: &mut [char]) {
        let low = interval.low.unwrap_or(f64::NEG_INFINITY);
        let high = interval.high.unwrap_or(f64::INFINITY);
        let (Some(left), Some(right)) = (self.column(low), self.column(high)) else { return };
        let estimate = interval.estimate.and_then(|estimate| self.inside(estimate));
        // An interval narrower than `[■]` is its estimate alone.
        let narrow = right - left < 2 && estimate.is_some();
        for column in (left..=right).filter(|_| !narrow) {
            let Some(cell) = cells.get_mut(column) else { continue };
            *cell = match *cell {
                mark if mark == characters.none => characters.none_inside,
                mark if mark == characters.margin => characters.margin_inside,
                _ => characters.inside,
            };
        }
        let mut put = |column: usize, character| {
            if let Some(cell) = cells.get_mut(column) {
                *cell = character;
            }
        };
        // An interval wholly beyond one end leaves its arrow there.
        if low <= self.to && !(narrow && low >= self.from) {
            put(left, if low >= self.from { '[' } else { '<' });
        }
        if high >= self.from && !(narrow && high <= self.to) {
            put(right, if high <= self.to { ']' } else { '>' });
        }
        if let Some(column) = estimate {
            put(column, characters.estimate);
        }
    }

    /// The column of an effect, one beyond the axis at its end. `None` where there is no axis.
    fn column(self, effect: f64) -> Option<usize> {
        let length = self.to - self.from;
        if !(length > 0.0 && length.is_finite()) || self.columns == 0 || effect.is_nan() {
            return None;
        }
        let share = ((effect - self.from) / length).clamp(0.0, 1.0);
        Some((share * (self.columns - 1) as f64).round() as usize)
    }

    /// The column of an effect that lies on the axis.
    pub fn inside(self, effect: f64) -> Option<usize> {
        self.column(effect).filter(|_| (self.from..=self.to).contains(&effect))
    }
}
