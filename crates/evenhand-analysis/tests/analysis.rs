//! From trials whose truth is known to what is claimed of them.

#[path = "analysis/charts.rs"]
mod charts;
#[path = "analysis/claims.rs"]
mod claims;
#[path = "analysis/clock.rs"]
mod clock;
#[path = "analysis/control.rs"]
mod control;
#[path = "analysis/form.rs"]
mod form;
#[path = "analysis/levels.rs"]
mod levels;
#[path = "analysis/next.rs"]
mod next;
#[path = "analysis/paired.rs"]
mod paired;
#[path = "analysis/pairing.rs"]
mod pairing;
#[path = "analysis/pictures.rs"]
mod pictures;
#[path = "analysis/planted.rs"]
pub(crate) mod planted;
#[path = "analysis/read.rs"]
mod read;
#[path = "analysis/service.rs"]
mod service;
#[path = "analysis/set_up.rs"]
mod set_up;
#[path = "analysis/signs.rs"]
mod signs;
mod slices;
#[path = "analysis/together.rs"]
mod together;
#[path = "analysis/unpaired.rs"]
mod unpaired;
#[path = "analysis/warned.rs"]
mod warned;
#[path = "analysis/worded.rs"]
mod worded;
