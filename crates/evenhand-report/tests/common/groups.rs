//! A measured trial of several benchmarks, made up.

use evenhand_analysis::{Analysis, Settings, analyse};
use evenhand_trial::{Arm, ArmId, LaunchId, Metric, Origin, Schedule, Seed, Series, Trial, TrialId, Unit};

pub(crate) fn analysis(groups: &[(&str, f64)]) -> Analysis {
    analysed(&trial(groups))
}

pub(crate) fn analysed(trial: &Trial) -> Analysis {
    analyse(trial, &Settings::default()).unwrap()
}

/// Pairs of arms in groups of these names; the candidate of each takes so much longer. Round for round, with luck of its own.
pub(crate) fn trial(groups: &[(&str, f64)]) -> Trial {
    let mut trial = Trial::new(TrialId::from_number(7), Origin::Measured { version: "0.1.0".to_owned() });
    trial.schedule = Some(Schedule::new(Seed(7)));
    trial.seconds = Some(2.0);
    trial.metrics = vec![Metric::time("wall", Unit::nanoseconds())];
    for (place, (group, effect)) in groups.iter().enumerate() {
        for (side, name) in [(0, "old"), (1, "new")] {
            let name = if groups.len() > 1 { format!("{group} ({name})") } else { name.to_owned() };
            trial.arms.push(Arm { name, group: (*group).to_owned(), ..Arm::default() });
            let mut series = Series::new(ArmId((2 * place + side) as u32), LaunchId(0), 1);
            let (factor, apart) = if side == 0 { (1.0, 7919) } else { (1.0 + effect, 5417) };
            series.values[0] =
                (0..120_u32).map(|round| factor * (1e6 + f64::from(round * apart % 103) * 10.0)).collect();
            trial.series.push(series);
        }
    }
    trial.check().unwrap();
    trial
}
