//! How fast do files become trials and trials files, and how much memory does it take?
//!
//!     cargo bench -p evenhand-formats --bench import [-- --folder DIR] [--megabytes 100] [--only jmh,pyperf] [--large 1000]
//!
//! Each format gets a file of `--megabytes`, laid out as its tool does it (`shapes.rs`), and a process of its own, because
//! the peak of the memory is one of the process. The file is read three times from the page cache. `MB/s` is by the clock;
//! `MB/cpu s` by the time that the process had a core, so it hardly depends on who else wanted one. `over` is the
//! peak of the first import less what was there before and less eight bytes for every number of the trial's metrics.
//! The last row of the first table is the floor: a list of numbers read by serde_json into a vector, and nothing else.
//!
//! `--write DIR` only writes the files and leaves them there, for other programs to read. `--large` is the size in MB of
//! one more hyperfine file; 0 leaves it out.
#![expect(clippy::unwrap_used, reason = "a benchmark may stop at the first surprise")]

mod shapes;

use evenhand_formats::export::{self, export};
use evenhand_formats::import::import_path;
use evenhand_trial::Trial;
use shapes::{SHAPES, Shape, Sheet};
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const IMPORTS: usize = 3;
const EXPORTS: [export::Format; 4] =
    [export::Format::Json, export::Format::Csv, export::Format::OpenMetrics, export::Format::Hyperfine];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["import", name, file, times] => import_one(name, Path::new(file), times.parse().unwrap()),
        ["floor", file] => floor(Path::new(file)),
        ["export", file] => export_one(Path::new(file)),
        // `cargo test --all-targets` starts this program too, without `--bench`: it measures nothing there.
        words if words.contains(&"--bench") => all(&arguments),
        _ => println!("run by `cargo bench`"),
    }
}

fn all(arguments: &[String]) {
    let option = |name: &str| {
        arguments.iter().position(|argument| argument == name).and_then(|at| arguments.get(at + 1)).cloned()
    };
    let megabytes = |name, default| option(name).map_or(default, |text| text.parse::<u64>().unwrap());
    let (bytes, large) = (megabytes("--megabytes", 100) * 1_000_000, megabytes("--large", 1000) * 1_000_000);
    let wanted = option("--only");
    let wanted = |name: &str| wanted.as_ref().is_none_or(|names| names.split(',').any(|one| one == name));
    let shapes: Vec<&Shape> = SHAPES.iter().filter(|(name, ..)| wanted(name)).collect();
    if let Some(folder) = option("--write") {
        let folder = PathBuf::from(folder);
        fs::create_dir_all(&folder).unwrap();
        return shapes.iter().for_each(|shape| drop(written(shape, &folder, bytes)));
    }
    let parent = option("--folder").map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = parent.join(format!("evenhand-import-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    println!("load average {}", load());
    imports(&shapes, &folder, bytes);
    if wanted("export") {
        exports(&folder, bytes);
    }
    if large > 0 && wanted("large") {
        println!("\na large file, read once");
        head();
        let path = written(&SHAPES[0], &folder, large);
        child(&["import", "hyperfine", path.to_str().unwrap(), "1"]);
    }
    println!("\nload average {}", load());
    fs::remove_dir_all(&folder).unwrap();
}

fn imports(shapes: &[&Shape], folder: &Path, bytes: u64) {
    for (name, what, _) in shapes {
        println!("{name}: {what}");
    }
    println!("\nimport");
    head();
    for shape in shapes {
        let path = written(shape, folder, bytes);
        child(&["import", shape.0, path.to_str().unwrap(), &IMPORTS.to_string()]);
        fs::remove_file(path).unwrap();
    }
    let path = folder.join("floor.json");
    let mut sheet = Sheet::new(&path).unwrap();
    shapes::list_of_numbers(&mut sheet, bytes).unwrap();
    sheet.flush().unwrap();
    child(&["floor", path.to_str().unwrap()]);
    fs::remove_file(path).unwrap();
}

fn exports(folder: &Path, bytes: u64) {
    let evenhand = SHAPES.iter().find(|(name, ..)| *name == "evenhand").unwrap();
    let path = written(evenhand, folder, bytes);
    println!("\nexport of the trial in evenhand's JSON above, to nowhere");
    println!("| form | MB | samples | best MB/s | median MB/s | best MB/cpu s | samples/s |");
    println!("|---|---|---|---|---|---|---|");
    child(&["export", path.to_str().unwrap()]);
    fs::remove_file(path).unwrap();
}

fn head() {
    println!(
        "| format | MB | samples | best MB/s | median MB/s | best MB/cpu s | samples/s | numbers MB | over MB |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
}

fn written((name, _, write): &Shape, folder: &Path, bytes: u64) -> PathBuf {
    let path = folder.join(name);
    let mut sheet = Sheet::new(&path).unwrap();
    write(&mut sheet, bytes).unwrap();
    sheet.flush().unwrap();
    path
}

fn child(arguments: &[&str]) {
    let status = Command::new(std::env::current_exe().unwrap()).args(arguments).status().unwrap();
    assert!(status.success(), "{arguments:?}: {status}");
}

fn import_one(name: &str, path: &Path, times: usize) {
    let bytes = warmed(path);
    let before = memory("VmRSS:");
    let mut rates = Rates::default();
    let (mut samples, mut numbers, mut peak) = (0, 0.0, 0.0);
    for turn in 0..times {
        let trials = rates.time(bytes, || import_path(path, None).unwrap());
        if turn == 0 {
            peak = memory("VmHWM:");
            samples = trials.iter().map(Trial::sample_count).sum();
            let series = trials.iter().flat_map(|trial| &trial.series);
            numbers = series.flat_map(|series| &series.values).map(|column| column.len() as f64 * 8e-6).sum();
        }
    }
    print!("| {name} | {:.0} | {samples} | {} |", bytes / 1e6, rates.cells(bytes, samples as f64));
    println!(" {numbers:.0} | {:.0} |", peak - before - numbers);
}

fn floor(path: &Path) {
    let bytes = warmed(path);
    let mut rates = Rates::default();
    let mut count = 0;
    for _ in 0..IMPORTS {
        let numbers: Vec<f64> = rates.time(bytes, || {
            serde_json::from_reader(BufReader::with_capacity(1 << 16, File::open(path).unwrap())).unwrap()
        });
        count = numbers.len();
    }
    println!("| floor | {:.0} | {count} | {} | | |", bytes / 1e6, rates.cells(bytes, count as f64));
}

fn export_one(path: &Path) {
    let trial = import_path(path, None).unwrap().swap_remove(0);
    for format in EXPORTS {
        let mut rates = Rates::default();
        let mut counted = Counted(0);
        for _ in 0..IMPORTS {
            counted.0 = 0;
            // The size is known afterwards only, so it is set into the rates then.
            rates.time(1.0, || export(&trial, format, &mut counted).unwrap());
        }
        let (bytes, samples) = (counted.0 as f64, trial.sample_count() as f64);
        rates.scale(bytes);
        println!("| {format} | {:.2} | {samples} | {} |", bytes / 1e6, rates.cells(bytes, samples));
    }
}

/// Throws bytes away and counts them.
struct Counted(u64);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        black_box(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes a second by the clock and by the processor, turn by turn.
#[derive(Default)]
struct Rates {
    clock: Vec<f64>,
    processor: Vec<f64>,
}

impl Rates {
    fn time<T>(&mut self, bytes: f64, work: impl FnOnce() -> T) -> T {
        let (start, busy) = (Instant::now(), processor_seconds());
        let result = black_box(work());
        self.clock.push(bytes / start.elapsed().as_secs_f64());
        self.processor.push(bytes / (processor_seconds() - busy));
        result
    }

    fn scale(&mut self, bytes: f64) {
        self.clock.iter_mut().chain(&mut self.processor).for_each(|rate| *rate *= bytes);
    }

    fn cells(&mut self, bytes: f64, samples: f64) -> String {
        self.clock.sort_by(f64::total_cmp);
        self.processor.sort_by(f64::total_cmp);
        let best = self.clock[self.clock.len() - 1];
        let median = self.clock[self.clock.len() / 2];
        let of_core = self.processor[self.processor.len() - 1];
        format!(
            "{:.0} | {:.0} | {:.0} | {:.2} million",
            best / 1e6,
            median / 1e6,
            of_core / 1e6,
            best / bytes * samples / 1e6
        )
    }
}

/// Puts the file into the page cache and says how long it is.
fn warmed(path: &Path) -> f64 {
    io::copy(&mut File::open(path).unwrap(), &mut io::sink()).unwrap() as f64
}

/// How long this thread had a core, from the kernel's scheduler.
fn processor_seconds() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(f64::NAN) / 1e9
}

/// A line of the kernel's account of this process, in MB; 0 where there is none.
fn memory(line: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let number =
        status.lines().find_map(|l| l.strip_prefix(line)?.split_whitespace().next()?.parse::<f64>().ok());
    number.unwrap_or(0.0) * 1024.0 / 1e6
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}
