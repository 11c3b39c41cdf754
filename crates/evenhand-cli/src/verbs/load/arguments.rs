//! What was said on the command line of `evenhand load`? What it means is in [`task`](super::task).

use super::promise::PromiseArgument;
use super::rate::RateArgument;
use crate::seconds::Seconds;
use crate::verbs::measured::deciding::{Deciding, VERDICT};
use crate::verbs::measured::telling::Telling;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  evenhand load --rate 2000 http://localhost:8001/ http://localhost:8002/
                                     compare two running services
  evenhand load --rate 500 --time 10s http://localhost:8001/items
                                     response times of one service
  evenhand load --clients 32 http://localhost:8001/ http://localhost:8002/
                                     compare what they can serve at most
  evenhand load --most 'p99 < 20ms, errors < 0.1%' http://localhost:8001/
                                     the highest rate that it can serve so
  evenhand load --rate 5000 --command 'GET user:1' redis://localhost redis://localhost:6380
  evenhand load --rate 2000 --start './old --port {port}' --start './new --port {port}'
                                     start two services and compare them
  evenhand load --rate 500 --git main --start 'python3 app.py {port}' http://127.0.0.1:{port}/items
                                     compare the work tree with a revision
  evenhand load shop.toml --rate 70%
                                     load, operations and services as a workload file describes them

With one service, evenhand prints response times and no verdict; nothing is stored. With several, the
first is the baseline; they are loaded in turns, one slice at a time, and compared by the highest
percentile that a slice has enough requests for (P99: 1,000), or by throughput with --clients.
A response counts from the moment at which its request was planned.

--start starts a service anew for each slice, so that the verdict is not about one start of it.

A path, header, body or command may vary from request to request, alike for all services:
{uniform:1..1000} and {zipf:1..1000} stand for a number, {letters:20} for random letters.

Defaults here: --margin 3%, --max-time 2min.

Exit status: 0 success; 1 the condition of --fail-if is proven; 2 usage or file error; 3 a service
failed; 4 a verdict is inconclusive and --require-verdict was given; 130 interrupted.")]
pub(crate) struct Arguments {
    /// Services to load, http://HOST:PORT/PATH, https:// or redis://HOST:PORT; the first is the baseline. With --start, one URL
    /// for all, with {port} in it [default: http://127.0.0.1:{port}/]. FILE.toml is a workload file
    #[arg(required_unless_present = "start", value_name = "URL|FILE")]
    pub urls: Vec<String>,

    /// Send N requests per second at random intervals, whether or not they are answered; N% is a part of what the weakest service can
    /// answer
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with = "clients", help_heading = LOAD)]
    pub rate: Option<RateArgument>,
    /// Keep N clients waiting: each sends its next request when it has its answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = LOAD)]
    pub clients: Option<u16>,
    /// Load a single service at each of these rates, in random order, and print a row for each
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', conflicts_with_all = ["rate", "clients"], help_heading = LOAD)]
    pub sweep: Vec<RateArgument>,
    /// Find the highest rate at which a condition holds, such as 'p99 < 20ms, errors < 0.1%', or compare services by it
    #[arg(long, value_name = "CONDITION", conflicts_with_all = ["rate", "clients", "sweep"], help_heading = LOAD)]
    pub most: Option<PromiseArgument>,
    /// Load a single service for this time [default: 10s; at each rate 5s with --sweep, 2s with --most]
    #[arg(long, value_name = "TIME", help_heading = LOAD)]
    pub time: Option<Seconds>,
    /// Length of a slice of load, after a lead-in that is not counted [default: 1s, up to 3s if that allows P99 or P95]
    #[arg(long, value_name = "TIME", help_heading = LOAD)]
    pub slice: Option<Seconds>,
    /// Load before each slice that is not counted [default: a fifth of the slice; 1s after a start]
    #[arg(long, value_name = "TIME", help_heading = LOAD)]
    pub lead_in: Option<Seconds>,
    /// Connections that --rate may use, each for one request at a time, or as many as --streams [default: 64]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), conflicts_with = "clients", help_heading = LOAD)]
    pub connections: Option<u16>,
    /// Wait at most this long for an answer; later ones count as failed [default: 5s]
    #[arg(long, value_name = "TIME", help_heading = LOAD)]
    pub timeout: Option<Seconds>,
    /// Send GET requests to this path, instead of one in the URLs, such as /items/{zipf:1..1000}
    #[arg(long, value_name = "PATH", conflicts_with_all = ["post", "method"], help_heading = LOAD)]
    pub get: Option<String>,
    /// Send POST requests to this path
    #[arg(long, value_name = "PATH", conflicts_with = "method", help_heading = LOAD)]
    pub post: Option<String>,
    /// Method of the HTTP requests [default: GET, or POST with --body]
    #[arg(long, value_name = "METHOD", help_heading = LOAD)]
    pub method: Option<String>,
    /// Header to add to the HTTP requests; repeatable
    #[arg(long, short = 'H', value_name = "NAME: VALUE", help_heading = LOAD)]
    pub header: Vec<String>,
    /// Body of the HTTP requests: a text, or @FILE for the content of a file
    #[arg(long, value_name = "BODY", help_heading = LOAD)]
    pub body: Option<String>,
    /// Use HTTP/2: agreed on with https://, assumed with http://
    #[arg(long, help_heading = LOAD)]
    pub http2: bool,
    /// Requests on their way at a time on each connection of HTTP/2 [default: 1]
    #[arg(long, value_name = "N", requires = "http2", value_parser = clap::value_parser!(u16).range(1..), help_heading = LOAD)]
    pub streams: Option<u16>,
    /// Trust the certificates in this file (PEM) instead of those of the system
    #[arg(long, value_name = "FILE", conflicts_with = "insecure", help_heading = LOAD)]
    pub cacert: Option<PathBuf>,
    /// Accept any certificate
    #[arg(long, help_heading = LOAD)]
    pub insecure: bool,
    /// Command to send to Redis [default: PING]
    #[arg(long, value_name = "COMMAND", help_heading = LOAD)]
    pub command: Option<String>,
    /// Load a host other than this machine, by the name used in its URL; repeatable
    #[arg(long, value_name = "HOST", help_heading = LOAD)]
    pub remote: Vec<String>,
    /// Allow more than 10,000 requests per second, or --clients, for a --remote host
    #[arg(long, requires = "remote", help_heading = LOAD)]
    pub remote_unlimited: bool,

    /// Send each request once to each service and print what came of it
    #[arg(long, conflicts_with = "dry_run", help_heading = LOAD)]
    pub check: bool,
    /// Print what would be loaded and how, and send nothing
    #[arg(long, help_heading = LOAD)]
    pub dry_run: bool,

    /// Name a service; the first NAME is for the first URL, and so on
    #[arg(long, short, value_name = "NAME", help_heading = LOAD)]
    pub name: Vec<String>,

    /// Start a service with this command; {port} stands for a free port, {dir} for an empty folder; repeatable
    #[arg(long, value_name = "COMMAND", help_heading = STARTING)]
    pub start: Vec<OsString>,
    /// Run this command before each start, with the same {port} and {dir}
    #[arg(long, value_name = "COMMAND", requires = "start", help_heading = STARTING)]
    pub prepare: Option<OsString>,
    /// Wait at most this long for the first answer of a service after its start [default: 60s]
    #[arg(long, value_name = "TIME", requires = "start", help_heading = STARTING)]
    pub ready_within: Option<Seconds>,
    /// Start each service only once, not for each slice; the verdict is then about these starts
    #[arg(long, requires = "start", help_heading = STARTING)]
    pub start_once: bool,
    /// Let the services use the CPU that evenhand keeps for itself
    #[arg(long, requires = "start", help_heading = STARTING)]
    pub no_pin: bool,
    /// Start the command in this revision, the baseline, and in the work tree; OLD..NEW compares two revisions
    #[arg(long, value_name = "REVISION", requires = "start", help_heading = STARTING)]
    pub git: Option<String>,
    /// Run this command in each revision before it is started
    #[arg(long, value_name = "COMMAND", requires = "git", help_heading = STARTING)]
    pub build: Option<OsString>,

    #[command(flatten)]
    pub deciding: Deciding,
    /// Measure exactly N rounds, unless --max-time ends first
    #[arg(long, short = 'r', value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = VERDICT)]
    pub rounds: Option<u64>,
    /// Load each service for N slices before the first round, unrecorded
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = LOAD)]
    pub warmup: u32,
    /// Measure the baseline a second time as a control, and warn if it differs from itself
    #[arg(long, help_heading = VERDICT)]
    pub control: bool,
    #[command(flatten)]
    pub telling: Telling,
}

impl Arguments {
    /// How many services are compared, or loaded.
    pub(super) fn services(&self) -> usize {
        match (&self.git, self.start.len()) {
            (Some(_), _) => 2,
            (None, 0) => self.urls.len(),
            (None, starts) => starts,
        }
    }
}

const LOAD: &str = "Load";
const STARTING: &str = "Services to start";
