//! How often are steps, drifts and modes found where there are none, and how often where they are?
//!
//! `calibration part levels` prints these tables; they are not rows of RESULTS.md, because no promise is made about them.

use crate::source::{Random, Source, normal, random, uniform};
use evenhand_stats::level::modality::modes;
use evenhand_stats::level::stationarity::{Movement, MovementKind, movements};

/// Draws a run of so many samples.
type Draw = fn(&mut Random, usize) -> Vec<f64>;

/// Runs whose level stays.
const STILL: [(&str, Draw); 6] = [
    ("independent, normal", |random, n| autoregression(random, n, 0.0)),
    ("independent, log-normal", |random, n| (0..n).map(|_| (0.3 * normal(random)).exp()).collect()),
    ("AR(1) phi 0.5", |random, n| autoregression(random, n, 0.5)),
    ("AR(1) phi 0.9", |random, n| autoregression(random, n, 0.9)),
    ("AR(1) phi 0.97", |random, n| autoregression(random, n, 0.97)),
    ("random walk", random_walk),
];
const SIZES: [usize; 5] = [30, 60, 100, 300, 1000];
/// Samples at each level, and the level.
const LEVELS: [(&str, &[(usize, f64)]); 8] = [
    ("two", &[(30, 100.0), (70, 110.0)]),
    ("two, the second short", &[(90, 100.0), (10, 110.0)]),
    ("three, rising", &[(20, 100.0), (50, 110.0), (30, 121.0)]),
    ("three, the middle one higher", &[(40, 100.0), (12, 110.0), (48, 100.0)]),
    ("four, rising", &[(10, 100.0), (40, 110.0), (25, 121.0), (25, 133.0)]),
    ("four, up and down", &[(10, 100.0), (12, 110.0), (15, 95.0), (10, 105.0)]),
    ("four, long", &[(1000, 100.0), (300, 110.0), (2000, 121.0), (700, 105.0)]),
    ("five", &[(60, 100.0), (20, 110.0), (100, 100.0), (40, 90.0), (80, 100.0)]),
];
/// A place counts as found when it is no farther off than this many samples.
const NEAR: usize = 3;

pub fn tables(sources: &[Source], draws: u64) -> Result<String, String> {
    let told = |error: evenhand_stats::InputError| error.to_string();
    let mut text = String::from("| still | samples | steps | drift |\n|---|---|---|---|\n");
    for (name, draw) in &STILL {
        for n in SIZES {
            text += &still_row(name, n, draws, |random| draw(random, n)).map_err(told)?;
        }
    }
    for source in sources {
        if let Source::Trace { pairs, .. } = source {
            for n in [100, 1000] {
                let part = |random: &mut Random| {
                    let start = (uniform(random) * (pairs.len().saturating_sub(n)) as f64) as usize;
                    pairs[start..].iter().take(n).map(|pair| pair.0).collect()
                };
                text += &still_row(&source.name(), n, draws / 4, part).map_err(told)?;
            }
        }
    }
    text += "\n| levels | noise | found, all in place |\n|---|---|---|\n";
    for (name, levels) in &LEVELS {
        for (noise, sd, phi) in
            [("none", 0.0, 0.0), ("1 %", 1.0, 0.0), ("2 %", 2.0, 0.0), ("1 %, AR(1) phi 0.5", 1.0, 0.5)]
        {
            let found = found_levels(levels, sd, phi, draws / 4).map_err(told)?;
            text += &format!("| {name} | {noise} | {:.1} % |\n", 100.0 * found);
        }
    }
    text += "\n| modes of | samples | more than one |\n|---|---|---|\n";
    for (name, draw) in &STILL[..2] {
        for n in [100, 1000, 10_000] {
            let several = several_modes(draws, |random| draw(random, n)).map_err(told)?;
            text += &format!("| {name} | {n} | {:.2} % |\n", 100.0 * several);
        }
    }
    text += "\n| equal modes, 8 sd apart | samples | found, neither more nor fewer |\n|---|---|---|\n";
    for count in [2, 3, 5, 8, 10] {
        for n in [100, 200, 500, 1000, 2000] {
            let found = found_modes(count, n, draws / 4).map_err(told)?;
            text += &format!("| {count} | {n} | {:.1} % |\n", 100.0 * found);
        }
    }
    Ok(text)
}

fn still_row(
    name: &str,
    n: usize,
    draws: u64,
    draw: impl Fn(&mut Random) -> Vec<f64>,
) -> Result<String, evenhand_stats::InputError> {
    let (mut steps, mut drifts) = (0.0, 0.0);
    for seed in 0..draws {
        let found = movements(&draw(&mut random(n as u64, seed)))?;
        match found.first().map(|movement| movement.kind) {
            Some(MovementKind::Step) => steps += 1.0,
            Some(MovementKind::Drift) => drifts += 1.0,
            None => {}
        }
    }
    let share = |count: f64| 100.0 * count / draws as f64;
    Ok(format!("| {name} | {n} | {:.2} % | {:.2} % |\n", share(steps), share(drifts)))
}

fn found_levels(
    levels: &[(usize, f64)],
    sd: f64,
    phi: f64,
    draws: u64,
) -> Result<f64, evenhand_stats::InputError> {
    let n = levels.iter().map(|level| level.0).sum();
    let places: Vec<usize> = levels[1..]
        .iter()
        .scan(levels[0].0, |at, level| {
            let place = *at;
            *at += level.0;
            Some(place)
        })
        .collect();
    let mut found = 0.0;
    for seed in 0..draws {
        let noise = autoregression(&mut random(n as u64, seed), n, phi);
        let level = levels.iter().flat_map(|(count, level)| std::iter::repeat_n(*level, *count));
        let samples: Vec<f64> = level.zip(noise).map(|(level, noise)| level + sd * (noise - 100.0)).collect();
        found += f64::from(u8::from(all_found(&movements(&samples)?, &places)));
    }
    Ok(found / draws as f64)
}

fn all_found(found: &[Movement], places: &[usize]) -> bool {
    let near = |(movement, place): (&Movement, &usize)| {
        movement.kind == MovementKind::Step && movement.index.abs_diff(*place) <= NEAR
    };
    found.len() == places.len() && found.iter().zip(places).all(near)
}

fn several_modes(
    draws: u64,
    draw: impl Fn(&mut Random) -> Vec<f64>,
) -> Result<f64, evenhand_stats::InputError> {
    let mut several = 0.0;
    for seed in 0..draws {
        let mut samples = draw(&mut random(77, seed));
        samples.sort_unstable_by(f64::total_cmp);
        several += f64::from(u8::from(modes(&samples)?.len() > 1));
    }
    Ok(several / draws as f64)
}

fn found_modes(count: usize, n: usize, draws: u64) -> Result<f64, evenhand_stats::InputError> {
    let mut found = 0.0;
    for seed in 0..draws {
        let mut random = random(count as u64, seed);
        let mut sample = || 100.0 + 8.0 * (uniform(&mut random) * count as f64).floor() + normal(&mut random);
        let mut samples: Vec<f64> = (0..n).map(|_| sample()).collect();
        samples.sort_unstable_by(f64::total_cmp);
        found += f64::from(u8::from(modes(&samples)?.len() == count));
    }
    Ok(found / draws as f64)
}

fn autoregression(random: &mut Random, n: usize, phi: f64) -> Vec<f64> {
    let mut value = normal(random);
    (0..n)
        .map(|_| {
            value = phi * value + (1.0 - phi * phi).sqrt() * normal(random);
            100.0 + value
        })
        .collect()
}

/// Of steps of 0.1 %.
fn random_walk(random: &mut Random, n: usize) -> Vec<f64> {
    let mut value = 0.0;
    (0..n)
        .map(|_| {
            value += 0.001 * normal(random);
            100.0 * f64::exp(value)
        })
        .collect()
}
