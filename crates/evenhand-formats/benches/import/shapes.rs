//! What does a large file of each format look like? As the tool itself lays it out: its keys, its indentation and its way
//! to write a number, as in `tests/fixtures`, only with far more samples.

use evenhand_trial::{
    Arm, ArmId, LaunchId, Metric, Origin, RoundId, Sample, Schedule, Seed, Series, Trial, TrialId, Unit, json,
};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Name, what is in it, and the writer that goes on until so many bytes are written.
pub(crate) type Shape = (&'static str, &'static str, fn(&mut Sheet, u64) -> io::Result<()>);

pub(crate) const SHAPES: [Shape; 12] = [
    ("hyperfine", "hyperfine 1.x, two commands", hyperfine),
    ("hyperfine-2", "hyperfine 2.0, a measurement of five quantities a run", hyperfine_2),
    ("criterion", "sample.json on one line", criterion),
    ("google-benchmark", "100 repetitions a benchmark, two counters", google_benchmark),
    ("pyperf", "20 runs of 3 values a benchmark, metadata and a warmup each", pyperf),
    ("pytest-benchmark", "10,000 rounds a test", pytest_benchmark),
    ("jmh", "5 forks of 100 iterations a benchmark", jmh),
    ("benchmark-dotnet", "full JSON, 1,000 measurements a case, half of them results", benchmark_dotnet),
    ("evenhand", "our own JSON, rounds of two arms with position and start", evenhand),
    ("go-bench", "100 lines a benchmark, with -benchmem and MB/s", go_bench),
    ("columns", "long CSV, as our own export writes it", csv),
    ("numbers", "one number a line", numbers),
];

/// A file being written, and the noise of its numbers.
pub(crate) struct Sheet {
    out: BufWriter<std::fs::File>,
    pub(crate) bytes: u64,
    state: u64,
}

impl Sheet {
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        Ok(Self { out: BufWriter::new(std::fs::File::create(path)?), bytes: 0, state: 1 })
    }

    /// Uniform from 0 to 1 (splitmix64).
    fn draw(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// About `middle`, with a tail upwards.
    fn time(&mut self, middle: f64) -> f64 {
        let draw = self.draw();
        middle * (1.0 + 0.02 * self.draw() + 0.1 * draw.powi(8))
    }

    /// A list of numbers, one a line behind `indent`.
    fn list(
        &mut self,
        indent: &str,
        count: usize,
        mut one: impl FnMut(&mut Self) -> String,
    ) -> io::Result<()> {
        for index in 0..count {
            let number = one(self);
            let comma = if index + 1 < count { "," } else { "" };
            writeln!(self, "{indent}{number}{comma}")?;
        }
        Ok(())
    }
}

impl Write for Sheet {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// As C and Python write an exponent: at least two digits and always a sign.
fn exponent(number: f64, digits: Option<usize>) -> String {
    let text = match digits {
        Some(digits) => format!("{number:.digits$e}"),
        None => format!("{number:e}"),
    };
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    format!("{digits}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs())
}

/// Nanoseconds as seconds, as hyperfine has them.
fn seconds(sheet: &mut Sheet) -> String {
    format!("{:?}", sheet.time(6.2e6).round() * 1e-9)
}

fn hyperfine(sheet: &mut Sheet, bytes: u64) -> io::Result<()> {
    let runs = (bytes / 2 / 54).max(1) as usize;
    sheet.write_all(b"{\n  \"results\": [\n")?;
    for (command, comma) in [("sleep 0.005", ","), ("true", "")] {
        write!(
            sheet,
            "    {{\n      \"command\": \"{command}\",\n      \"mean\": 0.006259187,\n      \"stddev\": \
             0.000022272505193624004,\n      \"median\": 0.006258459000000001,\n      \"user\": \
             0.0010733333333333333,\n      \"system\": 0.0,\n      \"min\": 0.006228484,\n      \"max\": \
             0.006297568000000001,\n      \"times\": [\n"
        )?;
        sheet.list("        ", runs, seconds)?;
        sheet.write_all(b"      ],\n      \"memory_usage_byte\": [\n")?;
        sheet
            .list("        ", runs, |sheet| format!("{}", 3_059_712 + 4096 * (4.0 * sheet.draw()) as u64))?;
        sheet.write_all(b"      ],\n      \"exit_codes\": [\n")?;
        sheet.list("        ", runs, |_| "0".to_owned())?;
        write!(sheet, "      ]\n    }}{comma}\n")?;
    }
    sheet.write_all(b"  ]\n}\n")
}

fn hyperfine_2(sheet: &mut Sheet, bytes: u64) -> io::Result<()> {
    sheet.write_all(
        b"{\n  \"schema_version\": 2,\n  \"metadata\": {\n    \"hyperfine_version\": \"2.0.0\",\n    \"start_time\": \
          \"2026-11-21T08:03:47Z\",\n    \"platform\": {\n      \"os\": \"Linux\",\n      \"architecture\": \
          \"x86_64\"\n    }\n  },\n  \"primary_metric\": \"time_wall_clock\",\n  \"results\": [\n    {\n      \
          \"command\": \"sleep 0.005\",\n      \"measurements\": [",
    )?;
    let mut comma = "";
    while sheet.bytes < bytes {
        write!(sheet, "{comma}\n        {{\n")?;
        comma = ",";
        for (name, unit) in [
            ("time_wall_clock", "second"),
            ("time_cpu", "second"),
            ("time_user", "second"),
            ("time_system", "second"),
            ("memory_peak_resident", "byte"),
        ] {
            let value = if unit == "byte" { "3309568.0".to_owned() } else { seconds(sheet) };
            write!(
                sheet,
                "          \"{name}\": {{\n            \"value\": {value},\n            \"unit\": \"{unit}\"\n          }},\n"
            )?;
        }
        sheet.write_all(b"          \"exit_code\": 0\n        }")?;
    }
    sheet.write_all(b"\n      ]\n    }\n  ]\n}\n")
}

fn criterion(sheet: &mut Sheet, bytes: u64) -> io::Result<()> {
    let samples = (bytes / 31).max(1) as usize;
    sheet.write_all(b"{\"sampling_mode\":\"Linear\",\"iters\":[")?;
    for index in 1..=samples {
        write!(sheet, "{}{:?}", if index > 1 { "," } else { "" }, index as f64 * 53.0)?;
    }
    sheet.write_all(b"],\"times\":[")?;
    for index in 1..=samples {
        let time = sheet.time(123.4 * 53.0 * index as f64).round();
        write!(sheet, "{}{time:?}", if index > 1 { "," } else { "" })?;
    }
    sheet.write_all(b"]}")
}

fn google_benchmark(sheet: &mut Sheet, bytes: u64) -> io::Result<()> {
    sheet.write_all(
        b"{\n  \"context\": {\n    \"date\": \"2026-11-21T08:05:07+00:00\",\n    \"host_name\": \"vm\",\n    \"num_cpus\": \
          2,\n    \"mhz_per_cpu\": 2596,\n    \"cpu_scaling_enabled\": false,\n    \"load_avg\": \
          [0.236816,0.65625,1.1499],\n    \"library_build_type\": \"release\"\n  },\n  \"benchmarks\": [",
    )?;
    let (mut entry, mut comma) = (0, "");
    while sheet.bytes < bytes {
        let (family, repetition) = (entry / 100, entry % 100);
        let real = sheet.time(1.7551);
        let number = |value: f64| exponent(value, Some(16));
        write!(
            sheet,
            "{comma}\n    {{\n      \"name\": \"BM_Copy/{family}\",\n      \"family_index\": {family},\n      \
             \"per_family_instance_index\": 0,\n      \"run_name\": \"BM_Copy/{family}\",\n      \"run_type\": \
             \"iteration\",\n      \"repetitions\": 100,\n      \"repetition_index\": {repetition},\n      \"threads\": \
             1,\n      \"iterations\": 7981588,\n      \"real_time\": {},\n      \"cpu_time\": {},\n      \"time_unit\": \
             \"ns\",\n      \"bytes_per_second\": {},\n      \"items_per_second\": {}\n    }}",
            number(real),
            number(real * 0.999),
            number(64e9 / real),
            number(1e9 / real)
        )?;
        (entry, comma) = (entry + 1, ",");
    }
    sheet.write_all(b"\n  ]\n}\n")
}

fn pyperf(sheet: &mut Sheet, bytes: u64) -> io::Result<()> {
    sheet.write_all(b"{\"benchmarks\":[")?;
    let (mut benchmark, mut comma) = (0, "");
    while sheet.bytes < bytes {
        write!(sheet, "{comma}{{\"metadata\":{{\"loops\":32768,\"name\":\"bench_{benchmark}\"}},\"runs\":[")?;
        for run in 0..20 {
            let [warmup, first, second, third] = [(); 4].map(|()| exponent(sheet.time(3.3e-6), None));
            write!(
                sheet,
                "{}{{\"metadata\":{{\"date\":\"2026-11-21 08:01:05.{run:06}\",\"duration\":0.37527568000041356,\
                 \"load_avg_1min\":1.69,\"mem_max_rss\":19517440,\"runnable_threads\":1,\"uptime\":11177.382528543472}},\
                 \"values\":[{first},{second},{third}],\"warmups\":[[32768,{warmup}]]}}",
                if run > 0 { "," } else { "" }
            )?;
        }
        sheet.write_all(b"]}")?;
        (benchmark, comma) = (benchmark + 1, ",");
    }
    sheet.write_all(
        b"],\"metadata\":{\"cpu_count\":2,\"hostname\":\"host\",\"perf_version\":\"2.10.0\",\"python_version\":\
          \"3.11.7 (64-bit)\",\"unit\":\"second\"},\"version\":\"1.0\"}\n",
    )
}

fn pytest_benchmark(sheet: &mut Sheet, bytes: u64) -> io::Result<()> {
    sheet.write_all(
        b"{\n    \"machine_info\": {\n        \"node\": \"host\",\n        \"machine\": \"x86_64\",\n        \
          \"python_version\": \"3.11.7\"\n    },\n    \"commit_info\": {\n        \"id\": \"unversioned\"\n    },\n    \
          \"benchmarks\": [",
    )?;
    let (mut test, mut comma) = (0, "");
    while sheet.bytes < bytes {
        write!(
            sheet,
            "{comma}\n        {{\n            \"group\": null,\n            \"name\": \"test_sort[{test}]\",\n            \
             \"fullname\": \"test_lengths.py::test_sort[{test}]\",\n            \"params\": null,\n            \
             \"extra_info\": {{}},\n            \"stats\": {{\n                \"min\": 4.97444998472929e-06,\n                \
             \"rounds\": 10000,\n                \"data\": [\n"
        )?;
        // A round of 20 calls, read in nanoseconds from a clock that Python gives as seconds since the start.
        sheet.list("                    ", 10_000, |sheet| {
            let start = 11_177.382_528_543 + sheet.draw();
            exponent((start + sheet.time(1e-4) - start) / 20.0, None)
        })?;
        sheet
            .write_all(b"                ],\n                \"iterations\": 20\n            }\n        }")?;
        (test, comma) = (test + 1, ",");
    }
    sheet.write_all(
        b"\n    ],\n    \"datetime\": \"2026-11-21T08:02:08.093115+00:00\",\n    \"version\": \"5.3.1\"\n}",
    )
}

fn jmh(sheet: &mut Sheet, bytes: u64) -> io::Result<()> {
    sheet.write_all(b"[\n")?;
    let (mut benchmark, mut comma) = (0, "");
    while sheet.bytes < bytes {
        write!(
            sheet,
            "{comma}    {{\n        \"jmhVersion\" : \"1.37\",\n        \"benchmark\" : \"demo.Words.b{benchmark}\",\n        \
             \"mode\" : \"avgt\",\n        \"threads\" : 1,\n        \"forks\" : 5,\n        \"jvm\" : \
             \"/usr/bin/java\",\n        \"jvmArgs\" : [\n        ],\n        \"jdkVersion\" : \"17.0.15\",\n        \
             \"warmupIterations\" : 5,\n        \"warmupTime\" : \"1 s\",\n        \"measurementIterations\" : \
             100,\n        \"measurementTime\" : \"1 s\",\n        \"primaryMetric\" : {{\n            \"score\" : \
             9754.924111447637,\n            \"scoreError\" : 12972.558637307904,\n            \"scoreConfidence\" : [\n                \
             -3217.634525860267,\n                22727.48274875554\n            ],\n            \"scorePercentiles\" : {{\n"
        )?;
        for (percent, after) in [("0.0", ","), ("50.0", ","), ("99.0", ","), ("100.0", "")] {
            writeln!(sheet, "                \"{percent}\" : 9268.191258416835{after}")?;
        }
        sheet.write_all(
            b"            },\n            \"scoreUnit\" : \"ns/op\",\n            \"rawData\" : [\n",
        )?;
        for fork in 0..5 {
            sheet.write_all(b"                [\n")?;
            sheet.list("                    ", 100, |sheet| format!("{:?}", sheet.time(9268.2)))?;
            sheet.write_all(if fork < 4 { b"                ],\n" } else { b"                ]\n" })?;
        }
        sheet.write_all(b"            ]\n        },\n        \"secondaryMetrics\" : {\n        }\n    }")?;
        (benchmark, comma) = (benchmark + 1, ",\n");
    }
    sheet.write_all(b"\n]\n")
}

fn benchmark_dotnet(sheet: &mut Sheet, bytes: u64) -> io::Result<()> {
    sheet.write_all(
        b"{\n \"Title\": \"Demo.Words-20260101-120000\",\n \"HostEnvironmentInfo\": {\n  \"BenchmarkDotNetVersion\": \
          \"0.14.0\"\n },\n \"Benchmarks\": [",
    )?;
    let (mut case, mut comma) = (0, "");
    while sheet.bytes < bytes {
        write!(
            sheet,
            "{comma}\n  {{\n   \"DisplayInfo\": \"Words.Count: DefaultJob [Length={case}]\",\n   \"Parameters\": \
             \"Length={case}\",\n   \"FullName\": \"Demo.Words.Count(Length: {case})\",\n   \"Measurements\": [\n"
        )?;
        sheet.list("    ", 1000, |sheet| {
            let stage = if sheet.draw() < 0.5 { "Actual" } else { "Result" };
            let nanoseconds = (sheet.time(1_024_000.0) * 16.0).round() / 16.0;
            format!(
                "{{\n     \"IterationMode\": \"Workload\",\n     \"IterationStage\": \"{stage}\",\n     \"LaunchIndex\": \
                 1,\n     \"IterationIndex\": 7,\n     \"Operations\": 4096,\n     \"Nanoseconds\": {nanoseconds}\n    }}"
            )
        })?;
        sheet.write_all(b"   ]\n  }")?;
        (case, comma) = (case + 1, ",");
    }
    sheet.write_all(b"\n ]\n}\n")
}

/// Rounds of two arms in coin order, with what a measurement of ours records.
fn measured(sheet: &mut Sheet, rounds: u64) -> Trial {
    let mut trial = Trial::new(TrialId::from_number(1), Origin::Measured { version: "0.1.0".to_owned() });
    trial.schedule = Some(Schedule::new(Seed(1)));
    trial.metrics = vec![Metric::time("wall", Unit::nanoseconds())];
    trial.arms = ["old", "new"].map(|name| Arm { name: name.to_owned(), ..Arm::default() }).to_vec();
    trial.series = [0, 1].map(|arm| Series::new(ArmId(arm), LaunchId(0), 1)).to_vec();
    let schedule = Schedule::new(Seed(1));
    let mut clock = 0;
    for round in (0..rounds).map(RoundId) {
        for (position, arm) in (0..).zip(schedule.round(0, &[ArmId(0), ArmId(1)], LaunchId(0), round)) {
            let time = sheet.time(8.1e6).round();
            let sample = Sample {
                round,
                position: Some(position),
                started: Some(clock),
                iterations: 1,
                values: &[time],
            };
            trial.series[arm.index()].push(sample);
            clock += time as u64 + 60;
        }
    }
    trial
}

fn evenhand(sheet: &mut Sheet, bytes: u64) -> io::Result<()> {
    let trial = measured(sheet, bytes / 2 / 27);
    json::write(&trial, sheet)
}

fn csv(sheet: &mut Sheet, bytes: u64) -> io::Result<()> {
    let trial = measured(sheet, bytes / 2 / 46);
    let format = evenhand_formats::export::Format::Csv;
    evenhand_formats::export::export(&trial, format, sheet).map_err(io::Error::other)
}

fn numbers(sheet: &mut Sheet, bytes: u64) -> io::Result<()> {
    while sheet.bytes < bytes {
        let line = seconds(sheet);
        writeln!(sheet, "{line}")?;
    }
    Ok(())
}

fn go_bench(sheet: &mut Sheet, bytes: u64) -> io::Result<()> {
    sheet.write_all(b"goos: linux\ngoarch: amd64\npkg: example.com/textlen\ncpu: AMD EPYC\n")?;
    let mut line = 0_u64;
    while sheet.bytes < bytes {
        let (name, time) = (format!("BenchmarkRunes/size={}-2", line / 100), sheet.time(147.6));
        writeln!(
            sheet,
            "{name:<34}\t{:>8}\t{time:>12.1} ns/op\t{:>7.2} MB/s\t{:>8} B/op\t{:>8} allocs/op",
            149_221 + line % 1000,
            100_000.0 / time,
            112,
            1
        )?;
        line += 1;
    }
    sheet.write_all(b"PASS\nok  \texample.com/textlen\t12.3s\n")
}

/// One list, on one line.
pub(crate) fn list_of_numbers(sheet: &mut Sheet, bytes: u64) -> io::Result<()> {
    let mut open = "[";
    while sheet.bytes < bytes {
        let number = seconds(sheet);
        write!(sheet, "{open}{number}")?;
        open = ",";
    }
    sheet.write_all(b"]")
}
