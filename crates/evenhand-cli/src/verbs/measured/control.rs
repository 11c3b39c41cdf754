//! How is the baseline measured once more? As a further arm at the end of its group, which runs the same.
//!
//! Tests: below, `tests/program/run.rs` and `tests/program/compare.rs`.

use evenhand_trial::Arm;

/// Adds a control to each group; the arms of a group stand one behind the other. `runs`: what each arm runs, in the same order;
/// `rename` gives it another name.
pub(crate) fn add_controls<R: Clone>(
    arms: &mut Vec<Arm>,
    runs: &mut Vec<R>,
    rename: impl Fn(&mut R) -> &mut String,
) {
    let sizes: Vec<usize> = arms.chunk_by(|one, next| one.group == next.group).map(<[Arm]>::len).collect();
    let mut first = 0;
    for size in sizes {
        let end = first + size;
        let baseline = first + arms[first..end].iter().position(|arm| arm.baseline).unwrap_or(0);
        let name = free_name(&arms[baseline].name, arms);
        let mut run = runs[baseline].clone();
        rename(&mut run).clone_from(&name);
        runs.insert(end, run);
        arms.insert(end, Arm { name, baseline: false, control: true, ..arms[baseline].clone() });
        first = end + 1;
    }
}

/// `NAME (control)`, with a number if an arm is called so.
fn free_name(baseline: &str, arms: &[Arm]) -> String {
    let taken = |name: &String| arms.iter().any(|arm| arm.name == *name);
    let plain = format!("{baseline} (control)");
    let numbered = (2_usize..).map(|number| format!("{baseline} (control {number})"));
    std::iter::once(plain).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name, group, and whether it is the chosen baseline.
    fn with_controls(arms: &[(&str, &str, bool)]) -> (Vec<Arm>, Vec<String>) {
        let arm = |(name, group, baseline): &(&str, &str, bool)| Arm {
            name: (*name).to_owned(),
            group: (*group).to_owned(),
            baseline: *baseline,
            parameters: [("size".to_owned(), (*group).to_owned())].into(),
            ..Arm::default()
        };
        let mut arms: Vec<Arm> = arms.iter().map(arm).collect();
        let mut runs: Vec<(String, String)> =
            arms.iter().map(|arm| (arm.name.clone(), format!("runs {}", arm.name))).collect();
        add_controls(&mut arms, &mut runs, |(name, _)| name);
        assert!(arms.iter().zip(&runs).all(|(arm, (name, _))| arm.name == *name));
        (arms, runs.into_iter().map(|(_, what)| what).collect())
    }

    #[test]
    fn each_group_ends_with_its_baseline_once_more() {
        let (arms, runs) =
            with_controls(&[("a", "1", false), ("b", "1", false), ("c", "2", false), ("d", "2", true)]);
        assert_eq!(runs, ["runs a", "runs b", "runs a", "runs c", "runs d", "runs d"]);
        let names: Vec<&str> = arms.iter().map(|arm| arm.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "a (control)", "c", "d", "d (control)"]);
        let controls: Vec<bool> = arms.iter().map(|arm| arm.control).collect();
        assert_eq!(controls, [false, false, true, false, false, true]);
        assert_eq!(
            (arms[5].group.as_str(), arms[5].baseline),
            ("2", false),
            "the baseline stays the baseline"
        );
        assert_eq!(arms[5].parameters, arms[4].parameters);
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let (arms, _) = with_controls(&[("a", "", false), ("a (control)", "", false)]);
        assert_eq!(arms[2].name, "a (control 2)");
    }
}
