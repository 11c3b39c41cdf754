//! What would be done? The plan, for `--dry-run`.

use crate::{CliError, Stage, error};
use evenhand_analysis::words::duration;
use evenhand_measure::plan::{Group, MeasurePlan};
use evenhand_report::plain::plain;
use evenhand_report::table::Table;
use evenhand_trial::{ArmId, LaunchId, RoundId, Schedule, Trial};

/// How many rounds of the schedule are shown.
const SHOWN_ROUNDS: u64 = 5;

pub(crate) fn print(trial: &Trial, plan: &MeasurePlan, stage: &mut Stage<'_>) -> Result<u8, CliError> {
    let layout = stage.world.layout();
    let mut arms = Table::new(&["name", "command"], layout).of_words();
    for arm in &trial.arms {
        arms.row(vec![arm.name.clone(), arm.command.join(" ")]);
    }
    writeln!(stage.out, "{arms}")?;
    for group in &plan.groups {
        write!(stage.out, "{}", schedule(trial, plan, group))?;
    }
    let stop = match plan.stop.rounds {
        Some(rounds) => format!("{rounds} rounds"),
        None if trial.arms.len() > 1 => "until the verdict is clear".to_owned(),
        None => "for at least 3 s and 10 rounds".to_owned(),
    };
    let fewest = Some(plan.stop.fewest).filter(|fewest| *fewest > 0);
    let fewest = fewest.map_or_else(String::new, |fewest| format!(", at least {fewest} rounds"));
    let most = plan.stop.most.map_or_else(String::new, |most| format!(", at most {most} rounds"));
    let time = plan.stop.max_time.as_secs_f64();
    let slow = match plan.stop.is_chosen() {
        true => String::new(),
        false => format!("; up to {} for slow commands", duration(plan.stop.longest.as_secs_f64())),
    };
    writeln!(stage.out, "\n{stop}{fewest}{most}, at most {time} s for each group{slow}")?;
    writeln!(stage.out, "{}", plain(&trial.plan.to_string()))?;
    Ok(error::DONE)
}

/// The order of the first rounds, by the numbers of the commands.
fn schedule(trial: &Trial, plan: &MeasurePlan, group: &Group) -> String {
    let Schedule { seed } = plan.schedule;
    let name = |arm: ArmId| trial.arm(arm).map_or_else(String::new, |arm| plain(&arm.name).into_owned());
    let number = |arm: ArmId| (arm.0 + 1).to_string();
    let rounds = SHOWN_ROUNDS.min(plan.stop.rounds.unwrap_or(SHOWN_ROUNDS));
    let order = |round| {
        let order = plan.schedule.round(group.number, &group.arms, LaunchId(0), RoundId(round));
        order.into_iter().map(number).collect::<Vec<_>>().join(" ")
    };
    let orders: Vec<String> = (0..rounds).map(order).collect();
    let more = if rounds < SHOWN_ROUNDS { "" } else { ", ..." };
    let baseline = if group.arms.len() > 1 {
        format!("{} is the baseline; ", name(group.arms[0]))
    } else {
        String::new()
    };
    format!("{baseline}order with seed {seed}: {}{more}\n", orders.join(", "))
}
