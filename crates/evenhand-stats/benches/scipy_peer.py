"""The full analysis of a trial with NumPy and SciPy: the same answers as `full_analysis.rs`, timed.

Reads the series and the answers that the Rust program left in a folder, computes the same with vectorised NumPy,
and fails unless the answers agree. The methods are the crate's own, so this is the strictest rival: it takes the
block-wise snapshot of ranks (which makes the e-process a few `searchsorted` calls), `brentq` for the interval,
one DCT for the error of the mean, and matrix products for the rank-space bootstrap. Beside it stands what one
would reach for without that idea: a paired bootstrap of the ten ratios by resampling.

Usage: scipy_peer.py FOLDER        all sizes, one process each, then the table
       scipy_peer.py FOLDER N      one size
"""

import json
import math
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from scipy import fft, optimize, special, stats

LEVELS, KNOTS = 512, 256
BETS = np.array([2.5, 1.0, 0.5, 0.25, 0.12, 0.05, 0.02, 0.007, 0.002])
BET_SHARES = np.array([1, 1, 1, 1, 0.5, 0.15, 0.1, 0.05, 0.05])
SCORE_SHARES = np.array([0.6, 0.2, 0.2])
PERCENTILES = np.array([0, 25, 50, 67, 80, 85, 90, 95, 99, 100.0])
CONFIDENCE, DRAWS = 0.95, 2000
RESAMPLES = {10_000: 2000, 100_000: 2000, 1_000_000: 100}


class Steps(dict):
    """Named steps and the seconds they took."""

    def time(self, name, step):
        start = time.perf_counter()
        answer = step()
        self[name] = time.perf_counter() - start
        return answer


# The evidence


def log_cosh(x):
    x = np.abs(x)
    return x + np.log1p(np.exp(-2 * x)) - math.log(2)


class Evidence:
    """The e-process of any effect, vectorised block by block against the snapshot before each block."""

    def __init__(self, effects):
        self.count = len(effects)
        u = (np.arange(LEVELS) + 0.5) / LEVELS
        self.weights = np.stack([np.sin(np.pi * u), np.ones(LEVELS), u])
        self.costs = log_cosh(BETS[None, :, None] * self.weights[:, None, :])
        self.shares = SCORE_SHARES[:, None] * (BET_SHARES / BET_SHARES.sum())[None, :]
        self.blocks = []
        taken = np.empty(0)
        while len(taken) < len(effects):
            start = len(taken)
            block = np.sort(effects[start : start + max(start // 8, 1)])
            knots = snapshot(taken)
            self.blocks.append((block, knots, twice_below(knots, block)))
            taken = np.sort(np.concatenate([taken, block]), kind="stable")
        self.sorted = taken

    def sums(self, effect):
        surplus, rounds = np.zeros(LEVELS), np.zeros(LEVELS)
        for block, knots, own in self.blocks:
            inside = np.abs(own - twice_below(knots, 2 * effect - block))
            level = (inside + 1) * LEVELS // (2 * (len(knots) + 1))
            first, after = np.searchsorted(block, effect, "left"), np.searchsorted(block, effect, "right")
            faster = np.bincount(level[:first], minlength=LEVELS)
            slower = np.bincount(level[after:], minlength=LEVELS)
            surplus += slower - faster
            rounds += slower + faster
        return self.weights @ surplus, self.costs @ rounds

    def log_e_value(self, effect):
        scores, costs = self.sums(effect)
        return special.logsumexp(log_cosh(BETS[None, :] * scores[:, None]) - costs, b=self.shares)

    def lean(self, effect):
        return SCORE_SHARES @ self.sums(effect)[0]

    def interval(self, alpha):
        """Brackets near the median: the ends are a few 1/sqrt(n) away in rank."""
        excess = lambda effect: self.log_e_value(effect) + math.log(alpha)
        centre = self.sorted[self.count // 2]

        def end(side):
            reach = 2 / math.sqrt(self.count)
            while reach < 0.5 and excess(self.sorted[int((0.5 + side * reach) * self.count)]) < 0:
                reach *= 2
            far = self.sorted[int(np.clip((0.5 + side * reach) * self.count, 0, self.count - 1))]
            return optimize.brentq(excess, far, centre, xtol=1e-3 * abs(far - centre))

        low, high = end(-1), end(1)
        return low, optimize.brentq(self.lean, low, high, xtol=1e-3 * (high - low)), high


def snapshot(ascending):
    n = len(ascending)
    return ascending if n <= KNOTS else ascending[(2 * np.arange(KNOTS) + 1) * n // (2 * KNOTS)]


def twice_below(knots, values):
    """Twice the number of knots below each value, ties counted half."""
    return np.searchsorted(knots, values, "left") + np.searchsorted(knots, values, "right")


# The levels


def level(ascending):
    p = np.percentile(ascending, [5, 10, 25, 50, 75, 90, 95, 99])
    names = ["p5", "p10", "p25", "median", "p75", "p90", "p95", "p99"]
    return dict(zip(names, p)) | {
        "min": ascending[0], "max": ascending[-1], "mean": ascending.mean(), "sd": ascending.std(ddof=1),
        "mad": np.median(np.abs(ascending - p[3])),
    }


def mean_error(times):
    """Prewhitened cosines (the crate's default rule): fold, fit an autoregression by AICc, carry to frequency 0."""
    mean, naive = times.mean(), times.var(ddof=1)
    fold = max(len(times) // 4096, 1)
    folded = (times - mean)[: len(times) // fold * fold].reshape(-1, fold).mean(axis=1)
    folded -= folded.mean() if fold > 1 else 0
    n = len(folded)
    phi, innovation, knowledge = fitted(folded)
    count = int(np.clip(int(n**0.6), 1, n - 1))
    squares = (fft.dct(folded)[1 : count + 1] / 2) ** 2 * 2 / n
    steps = np.exp(-1j * np.pi * np.outer(np.arange(1, count + 1), np.arange(1, len(phi) + 1)) / n)
    to_zero = max(1 - phi.sum(), 1 / n) ** -2
    variance = max((squares * np.abs(1 - steps @ phi) ** 2).mean() * to_zero * fold, naive)
    freedom = 1 / (1 / count + 2 * innovation * to_zero * knowledge / n)
    error = math.sqrt(variance / len(times))
    half = error * stats.t.ppf((1 + CONFIDENCE) / 2, freedom)
    return {"mean": mean, "standard_error": error, "naive": math.sqrt(naive / len(times)),
            "interval": [mean - half, mean + half]}


def fitted(x):
    n = len(x)
    order = min(int(10 * math.log10(n)), n // 5)
    lags = np.array([x[k:] @ x[: n - k] for k in range(order + 1)]) / n
    phi, innovation, _ = best_order(lags, n)
    long_run = innovation * max(1 - phi.sum(), 1 / n) ** -2
    lost = min(long_run, lags[0] * n / 4) / n
    k = np.arange(order + 1)
    return best_order((lags * n / (n - k) + lost) * np.where(k == 0, 1, 1 + 2 / n), n)


def best_order(lags, n):
    phi, innovation, knowledge, least, best = np.empty(0), lags[0], 0.0, np.inf, None
    for order in range(len(lags)):
        if order > 0:
            raw = (lags[order] - phi @ lags[order - 1 : 0 : -1]) / innovation
            if order > 1 and abs(raw) >= 0.999:
                break
            reflection = np.clip(raw, -0.999, 0.999)
            knowledge += (1 - phi.sum()) ** 2 / innovation
            phi = np.append(phi - reflection * phi[::-1], reflection)
            innovation *= 1 - reflection**2
        criterion = n * math.log(innovation) + 2 * (order + 1) * n / max(n - order - 2, 1)
        if criterion < least:
            least, best = criterion, (phi, innovation, knowledge)
    return best


# The percentiles


class RankNoise:
    """The projections of the indicator series on slow cosines, for all percentiles of one arm."""

    def __init__(self, times, ascending, values):
        n = len(times)
        wanted = PERCENTILES / 100 * n
        below, up_to = np.searchsorted(ascending, values, "left"), np.searchsorted(ascending, values, "right")
        before = np.where(below > 0, ascending[np.maximum(below - 1, 0)], -np.inf)
        thresholds = np.where(up_to - wanted <= wanted - below, values, before)
        self.cosines = min(int(np.clip(int(0.4 * n ** (2 / 3)), 8, 64)), n // 2)
        batches = min(n, 512)
        starts = np.arange(batches + 1) * n // batches
        counts = np.stack([np.add.reduceat(times <= t, starts[:-1], dtype=np.int64) for t in thresholds], axis=1)
        self.share = counts.sum(axis=0) / n
        deviations = counts - np.outer(np.diff(starts), self.share)
        middles = (starts[:-1] + starts[1:]) / (2 * n)
        waves = math.sqrt(2) * np.cos(np.pi * np.outer(np.arange(1, self.cosines + 1), middles))
        self.projections = (waves @ deviations).T
        variance = (self.projections**2).mean(axis=1)
        binomial = n * self.share * (1 - self.share)
        self.inflation = np.divide(variance, binomial, out=np.zeros_like(variance), where=binomial > 0)
        self.deviation = np.sqrt(variance)


def arm_intervals(ascending, values, noise):
    n, error = len(ascending), (1 - CONFIDENCE) / 2
    widening = (stats.t.ppf(error, noise.cosines) / stats.norm.ppf(error)) ** 2
    with np.errstate(divide="ignore"):
        effective = np.clip(n / (widening * noise.inflation), 1, n)
    samples, share = np.floor(effective), PERCENTILES / 100
    bounds = []
    for p, direction in ((share, 1), (1 - share, -1)):
        rank = stats.binom.ppf(error, samples, p)
        place = ((rank - 1) * n / samples).astype(int)
        ends = (ascending if direction > 0 else ascending[::-1])[np.clip(place, 0, n - 1)]
        ends = np.minimum(ends, values) if direction > 0 else np.maximum(ends, values)
        bounds.append([end if r >= 1 else None for end, r in zip(ends, rank)])
    return list(zip(*bounds))


def scaled_intervals(arms, noises, random):
    cosines = noises[0].cosines
    weights = random.standard_normal((DRAWS, cosines)) / np.sqrt(random.chisquare(cosines, (DRAWS, 1)))
    low_value, high_value = [], []
    for ascending, noise in zip(arms, noises):
        n = len(ascending)
        shift = weights @ noise.projections.T
        z = np.divide(shift, noise.deviation, out=np.ones_like(shift), where=noise.deviation > 0)
        skew = (1 - 2 * noise.share) * noise.inflation / 6
        rank = n * PERCENTILES / 100 - 0.5 + shift + skew * (np.minimum(z * z, 9) - 1)
        place = np.clip(rank, 0, n - 1)
        floor = place.astype(int)
        low, high = ascending[floor], ascending[np.minimum(floor + 1, n - 1)]
        value = low + (place - floor) * (high - low)
        low_value.append(np.where(rank < -0.5, 0, value))
        high_value.append(np.where(rank > n - 0.5, np.inf, value))
    with np.errstate(divide="ignore"):
        lows, highs = low_value[1] / high_value[0], high_value[1] / low_value[0]
    beyond = int((1 - CONFIDENCE) / 2 * DRAWS)
    low = np.partition(lows, beyond, axis=0)[beyond]
    high = np.partition(highs, DRAWS - 1 - beyond, axis=0)[DRAWS - 1 - beyond]
    return low, high


def percentiles(times, ascending):
    values = [np.percentile(arm, PERCENTILES) for arm in ascending]
    noises = [RankNoise(*arm) for arm in zip(times, ascending, values)]
    intervals = [arm_intervals(*arm) for arm in zip(ascending, values, noises)]
    ratio = values[1] / values[0]
    low, high = scaled_intervals(ascending, noises, np.random.default_rng(1))
    return values, intervals, ratio, np.minimum(low, ratio), np.maximum(high, ratio)


def analyse(times, steps, alpha):
    effects = steps.time("differences", lambda: np.log(times[1]) - np.log(times[0]))
    evidence = steps.time("evidence", lambda: Evidence(effects))
    log_e_value = steps.time("e-value of no difference", lambda: evidence.log_e_value(0.0))
    interval = steps.time("interval and verdict", lambda: evidence.interval(alpha))
    del evidence, effects
    ascending = steps.time("sort both arms", lambda: [np.sort(arm) for arm in times])
    levels = steps.time("levels", lambda: [level(arm) for arm in ascending])
    means = steps.time("errors of the means", lambda: [mean_error(arm) for arm in times])
    table = steps.time("percentiles, scaled", lambda: percentiles(times, ascending))
    return log_e_value, interval, levels, means, table


# Agreement


def check(ours, answers):
    """Fails unless both programs say the same. Returns the largest deviations, in the unit of each tolerance."""
    log_e_value, (low, estimate, high), levels, means, table = answers
    verdict = ours["verdict"]
    width = high - low
    deviations = {
        "ln e-value": (abs(ours["ln_e_value"] / log_e_value - 1), 1e-9),
        "interval ends, of its width": (max(abs(verdict["low"] - low), abs(verdict["high"] - high)) / width, 0.01),
        "estimate, of the width": (abs(verdict["estimate"] - estimate) / width, 0.01),
        "levels": (max(relative(left[k], right[k]) for left, right in zip(ours["levels"], levels) for k in left), 1e-9),
        "means": (max(relative(left["mean"], right["mean"]) for left, right in zip(ours["means"], means)), 1e-9),
        "errors of the means": (max(relative(left["standard_error"], right["standard_error"])
                                    for left, right in zip(ours["means"], means)), 0.01),
        "intervals of the means, of their width": (max(far_apart(left["interval"], right["interval"])
                                                       for left, right in zip(ours["means"], means)), 0.01),
    } | check_percentiles(ours["percentiles"], *table)
    for name, (deviation, tolerance) in deviations.items():
        verdict = "agrees" if deviation <= tolerance else "DIFFERS"
        print(f"  {verdict}: {name}: {deviation:.2g}, at most {tolerance:g} allowed")
    if any(not deviation <= tolerance for deviation, tolerance in deviations.values()):
        sys.exit("the answers differ: no comparison of speeds")


def check_percentiles(ours, values, intervals, ratio, low, high):
    arms = ["baseline", "candidate"]
    inner = range(1, len(ours) - 1)
    return {
        "percentiles": (max(relative(row[arm]["value"], values[a][i])
                            for i, row in enumerate(ours) for a, arm in enumerate(arms)), 1e-9),
        "scaled": (max(relative(row["ratio"], ratio[i]) for i, row in enumerate(ours)), 1e-9),
        "intervals of percentiles, of their width": (max(far_apart(row[arm]["interval"], intervals[a][i])
                            for i, row in enumerate(ours) for a, arm in enumerate(arms)), 0.01),
        # Both are drawn, with different luck: an end moves by 6 % of a standard error, 1.6 % of the width, each.
        "scaled intervals, of their width": (max(far_apart(ours[i]["ratio_interval"], (low[i], high[i]))
                                                 for i in inner), 0.1),
    }


def relative(left, right):
    return abs(left - right) / abs(right)


def far_apart(left, right):
    """The larger distance of two ends in widths of the interval; infinite when one is open and the other is not."""
    pairs = list(zip(left, right))
    if any((a is None) != (b is None) for a, b in pairs):
        return math.inf
    if None in left:
        return max(relative(a, b) for a, b in pairs if a is not None)
    width = right[1] - right[0]
    return max(abs(a - b) for a, b in pairs) / width if width > 0 else 0.0 if list(left) == list(right) else math.inf


# The program


def resampling_seconds(times):
    """Seconds for DRAWS resamples of the ten ratios, rounds drawn in pairs, from a few resamples."""
    random, n = np.random.default_rng(2), len(times[0])
    start = time.perf_counter()
    for _ in range(RESAMPLES.get(n, 3)):
        rounds = random.integers(0, n, n)
        np.percentile(times[1][rounds], PERCENTILES) / np.percentile(times[0][rounds], PERCENTILES)
    return (time.perf_counter() - start) * DRAWS / RESAMPLES.get(n, 3)


def measure(folder, n):
    ours = json.loads((folder / f"evenhand-{n}.json").read_text())
    times = np.fromfile(folder / f"pairs-{n}.bin", dtype="<f8").reshape(2, n)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answers = analyse(times, Steps(), ours["answers"]["alpha"])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    runs = []
    for _ in range(int(np.clip(10_000_000 // n, 11, 51))):
        steps = Steps()
        analyse(times, steps, ours["answers"]["alpha"])
        runs.append(steps)
    runs.sort(key=lambda run: sum(run.values()))
    steps, seconds, median = runs[0], sum(runs[0].values()), sum(runs[len(runs) // 2].values())
    print(f"{n} pairs: {seconds:.4f} s at best, {median:.4f} s in the median with NumPy and SciPy")
    print(f"  peak {peak} KiB, {before} KiB before the analysis")
    for name, step in steps.items():
        print(f"  {step:.4f} s  {name} ({step / ours['steps'][name]:.1f} times evenhand's)")
    check(ours["answers"], answers)
    report = {"seconds": seconds, "median": median, "peak_kib": peak, "before_kib": before, "resampling": resampling_seconds(times),
              "others": seconds - steps["percentiles, scaled"]}
    (folder / f"scipy-{n}.json").write_text(json.dumps(report))


def table(folder, sizes):
    print("\nSeconds of the fastest run, of the median run in brackets; ratios and growth of the fastest.")
    print(f"Resampling: the ratios' intervals by {DRAWS} paired resamples, carried over from "
          f"{', '.join(map(str, RESAMPLES.values()))} of them, instead of the rank-space draws.\n")
    print("| pairs | evenhand | NumPy/SciPy, same methods | ratio | NumPy/SciPy, resampling | ratio "
          "| evenhand peak | NumPy/SciPy peak | evenhand growth | NumPy/SciPy growth |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    before = None
    for n in sizes:
        ours = json.loads((folder / f"evenhand-{n}.json").read_text())
        theirs = json.loads((folder / f"scipy-{n}.json").read_text())
        left, right = ours["seconds"], theirs["seconds"]
        resampled = theirs["others"] + theirs["resampling"]
        grown = [f"{left / before[0]:.1f}×", f"{right / before[1]:.1f}×"] if before else ["", ""]
        before = (left, right)
        memory = lambda report, start: f"{report['peak_kib'] / 1024:.0f} MiB ({report[start] / 1024:.0f} before)"
        timed = lambda report: f"{report['seconds']:.4f} ({report['median']:.4f}) s"
        cells = [f"{n:,}", timed(ours), timed(theirs), f"{right / left:.1f}", f"{resampled:.1f} s",
                 f"{resampled / left:.0f}", memory(ours, "peak_of_trial_kib"), memory(theirs, "before_kib"), *grown]
        print("| " + " | ".join(cells) + " |")


def main():
    folder = Path(sys.argv[1])
    if len(sys.argv) > 2:
        return measure(folder, int(sys.argv[2]))
    sizes = sorted(int(path.stem.split("-")[1]) for path in folder.glob("evenhand-*.json"))
    for n in sizes:
        subprocess.run([sys.executable, __file__, str(folder), str(n)], check=True)
    table(folder, sizes)


if __name__ == "__main__":
    main()
