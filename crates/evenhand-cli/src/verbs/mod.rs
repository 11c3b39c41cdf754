//! The verbs, one file each: what it was asked (`Arguments`), and doing it (`run`).

pub(crate) mod analyze;
pub(crate) mod archive;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod label;
pub(crate) mod list;
pub(crate) mod rm;
pub(crate) mod run;
pub(crate) mod show;
