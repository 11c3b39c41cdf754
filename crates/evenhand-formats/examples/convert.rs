//! Reads a file of results and writes it in the form that the other file's ending stands for.
//!
//!     cargo run -p evenhand-formats --example convert -- results.json trial.csv trial.om
//!
//! `make check-exports` lets other programs read what it wrote.

use evenhand_formats::export::{Format, export};
use evenhand_formats::import::import_path;
use std::error::Error;
use std::fs::File;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let mut files = std::env::args_os().skip(1).map(PathBuf::from);
    let results = files.next().ok_or("which file of results, and into which files?")?;
    let trials = import_path(&results, None)?;
    let [trial] = trials.as_slice() else { return Err("more than one trial in it".into()) };
    for file in files {
        let format = Format::of_path(&file).ok_or_else(|| format!("{}: which form is that?", file.display()))?;
        export(trial, format, &mut File::create(&file)?)?;
    }
    Ok(())
}
