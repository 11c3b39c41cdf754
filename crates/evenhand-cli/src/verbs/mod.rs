//! The verbs, one file each: what it was asked (`Arguments`), and doing it (`run`).

pub(crate) mod analyze;
pub(crate) mod archive;
#[cfg(target_os = "linux")]
pub(crate) mod bench;
#[cfg(target_os = "linux")]
pub(crate) mod compare;
pub(crate) mod doctor;
pub(crate) mod experiment;
pub(crate) mod export;
#[cfg(target_os = "linux")]
pub(crate) mod functions;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod label;
pub(crate) mod list;
pub(crate) mod load;
pub(crate) mod manual;
pub(crate) mod measured;
pub(crate) mod plot;
pub(crate) mod report;
pub(crate) mod rm;
pub(crate) mod run;
pub(crate) mod show;
pub(crate) mod worker;
