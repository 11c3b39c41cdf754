# `make demo` and `make test` are all a newcomer needs: each installs what is missing and then does its job.

CARGO ?= cargo
DENY_VERSION := 0.20.2

.PHONY: help demo dist test-dist wheel test-wheel test-long test tests python-package test-python check format-check lint docs licences unit test-timing schema check-exports parquet-bytes quick-calibration calibration bench bench-trials bench-commands bench-functions bench-go bench-load bugs fuzz sanitize loom vectors book tools page

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: tools ## is B faster than A? two commands on this machine, a look at the machine, then other tools' results
	$(CARGO) build --release --quiet --locked -p evenhand-cli
	scripts/demo.sh target/release/evenhand

dist: ## what is handed out, in target/packages: an archive, a package for Debian, install.sh and checksums (minutes)
	python3 scripts/dist.py

test-dist: dist ## does what is handed out work where nothing else is?
	scripts/test_dist.sh

wheel: dist ## the wheel of the Python package, with the static program in it, in target/packages
	python3 scripts/wheel.py

test-wheel: wheel ## does it work in empty environments of every Python here?
	scripts/test_wheel.sh

test-long: test test-dist test-wheel ## what CI runs, and what is handed out

test: tools check tests python-package page schema quick-calibration ## everything that CI runs

# One selection of packages: cargo chooses the features of a dependency by what is selected, and with another selection builds it again.
ALL := --workspace --locked
FEATURES := evenhand-formats/parquet,evenhand-cli/tls,evenhand/tokio

tests: ## all tests in Rust, then those of features
	$(CARGO) test $(ALL) --no-fail-fast
	$(CARGO) test $(ALL) --no-fail-fast --features $(FEATURES) \
	    --test formats --test generator --test program --test futures -- parquet shared recognising tls secure futures

check: format-check lint docs licences ## formatting, lints, documentation, licences

format-check:
	$(CARGO) fmt --all --check
	rustfmt --check --edition 2024 crates/evenhand-measure/starter/main.rs

lint:
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

docs:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked --document-private-items

licences: ## licences, bans and sources of all dependencies
	@command -v cargo-deny >/dev/null || $(CARGO) install --locked --version $(DENY_VERSION) cargo-deny
	$(CARGO) deny --features evenhand-cli/tls check licenses bans sources

# Crates whose tests measure real processes or wait for them, and the parts of the whole-program tests that do.
MEASURING := evenhand evenhand-experiments evenhand-measure evenhand-protocol
MEASURING_PROGRAM := book:: compare:: doctor:: experiment:: faults:: golang:: load:: machines:: python:: resume:: run:: slow:: workload::

unit: ## of them, those that do not measure
	$(CARGO) test --workspace $(addprefix --exclude ,$(MEASURING) evenhand-cli) --locked
	$(CARGO) test -p evenhand-cli --locked -- $(addprefix --skip ,$(MEASURING_PROGRAM))

test-timing: ## and those that measure or wait; they pass on a busy machine, too
	$(CARGO) test --no-fail-fast $(addprefix -p ,$(MEASURING)) --locked
	$(CARGO) test --locked -p evenhand --features tokio --test futures
	$(CARGO) test -p evenhand-cli --test program --locked -- $(filter-out python::,$(MEASURING_PROGRAM))

python-package: ## the Python package, with every Python here
	scripts/test_python.sh

test-python: python-package ## the same, then the built program with benchmarks in Python
	$(CARGO) test --locked -p evenhand-cli --test program -- python::

page: tools ## the report page: types, the built file against its sources, and all of it in a real browser
	scripts/install-tools.sh page
	$(CARGO) build --quiet $(ALL) --bins --tests
	scripts/reports.sh $${CARGO_TARGET_DIR:-target}/debug/evenhand target/reports
	cd web && npm ci --silent --no-audit --no-fund && npm run --silent check && \
	    EVENHAND_REPORTS=$(CURDIR)/target/reports npm test --silent

schema: tools ## hold trials and planted defects against the JSON Schema, with an independent validator
	python3 -m venv .venv
	.venv/bin/pip install --quiet -r scripts/requirements-schema.txt
	.venv/bin/python scripts/check_schema.py

check-exports: tools ## other programs read what we export: pyarrow the Parquet, Prometheus' parser the OpenMetrics (minutes)
	python3 -m venv target/exports/venv
	target/exports/venv/bin/pip install --quiet -r scripts/requirements-exports.txt
	$(CARGO) run --quiet --locked -p evenhand-formats --features parquet --example convert -- \
	    crates/evenhand-formats/tests/fixtures/export/trial.json $(addprefix target/exports/trial.,parquet csv om)
	target/exports/venv/bin/python scripts/check_parquet.py target/exports/trial.parquet target/exports/trial.csv
	target/exports/venv/bin/python scripts/check_openmetrics.py
	target/exports/venv/bin/python scripts/check_openmetrics.py target/exports/trial.om

parquet-bytes: tools ## the room that recorded traces take as Parquet, beside docs/archive.md
	python3 -m venv .venv
	.venv/bin/pip install --quiet -r scripts/requirements-parquet.txt
	.venv/bin/python scripts/parquet_bytes.py

quick-calibration: ## a seeded subset of the proof that false verdicts stay at or below nominal (a minute)
	$(CARGO) build --quiet $(ALL) --bins --tests
	$${CARGO_TARGET_DIR:-target}/debug/calibration quick

calibration: tools ## the whole proof; rewrites calibration/RESULTS.md and results.json (some 100 minutes of processor time; goes on where it was stopped)
	$(CARGO) run --release --locked -p calibration -- full

bench: tools ## full analysis of up to a million pairs, against NumPy and SciPy in the same run
	scripts/bench.sh

bench-trials: tools ## import, export and analysis of large trials, against pandas and pyperf in the same run
	scripts/bench-trials.sh

bench-commands: tools ## evenhand run beside hyperfine and perf stat; rewrites benchmarks/commands/RESULTS.md (hours)
	benchmarks/commands/run.sh > target/bench-commands.md
	cp target/bench-commands.md benchmarks/commands/RESULTS.md

bench-go: ## Go: evenhand beside go test and benchstat; rewrites benchmarks/go/RESULTS.md (hours; leave the machine alone, or say MACHINE=loaded)
	benchmarks/go/run.sh $(or $(MACHINE),quiet) > target/bench-go.md
	cp target/bench-go.md benchmarks/go/RESULTS.md

bench-load: ## evenhand load on nginx and Redis, beside wrk; rewrites benchmarks/load/RESULTS.md (hours; leave the machine alone)
	benchmarks/load/run.sh > target/bench-load.md
	cp target/bench-load.md benchmarks/load/RESULTS.md

bench-functions: tools ## functions: evenhand beside criterion and tango (hours; leave the machine alone)
	benchmarks/functions/run.sh > target/bench-functions.md
	cp target/bench-functions.md benchmarks/functions/RESULTS.md

sanitize: ## address and thread sanitizers over the unsafe parts, on nightly (minutes)
	scripts/sanitize.sh

bugs: tools ## do the tests catch every bug of the kept list?
	python3 scripts/bugs.py

fuzz: tools ## ten minutes of hostile bytes for each parser, two at a time (an hour and a half, nightly toolchain)
	scripts/fuzz.sh 600

loom: tools ## every interleaving of the turn page (a minute)
	RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=target/loom $(CARGO) test --release --locked -p evenhand-protocol --test loom

book: tools ## the book in docs/ as a site, in target/book (mdBook is built first: minutes)
	scripts/book.sh target/book

.PHONY: picture
picture: ## a real run in a terminal, drawn for the README (leave the machine alone)
	$(CARGO) build --release --quiet --locked -p evenhand-cli
	scripts/picture.sh target/release/evenhand

vectors: tools ## write the reference vectors of the tests again, with Python
	scripts/vectors.sh

tools:
	@scripts/install-tools.sh
