#!/usr/bin/env python3
"""Print reference vectors computed by numpy, scipy and statsmodels as one JSON document.

Run:  python3 scripts/scipy_vectors.py > crates/evenhand-stats/tests/fixtures/scipy/vectors.json
Needs: pip install numpy scipy statsmodels (the versions used are written into the document).

The inputs are drawn from fixed seeds and rounded, so that the document holds all that a test needs. Nothing here
is taken from those libraries but numbers.
"""

import json
import platform
import warnings

import numpy as np
import scipy
import statsmodels
from scipy import stats
from scipy.stats import mstats
from statsmodels.tsa.stattools import acf, acovf

METHODS = {
    1: "inverted_cdf",
    2: "averaged_inverted_cdf",
    3: "closest_observation",
    4: "interpolated_inverted_cdf",
    5: "hazen",
    6: "weibull",
    7: "linear",
    8: "median_unbiased",
    9: "normal_unbiased",
}
ALTERNATIVES = {"greater": "greater", "less": "less", "two_sided": "two-sided"}


def rounded(values, digits=6):
    return [float(v) for v in np.round(values, digits)]


def series():
    """Named series that the sections below refer to."""
    rng = np.random.default_rng(20230406)
    out = {
        "normal_50": rounded(rng.normal(10, 2, 50)),
        "lognormal_80": rounded(rng.lognormal(0, 0.5, 80)),
        "exponential_37": rounded(rng.exponential(3, 37)),
        "ties_40": rounded(rng.integers(0, 12, 40).astype(float)),
    }
    for phi in (0.0, 0.5, 0.9, -0.4):
        noise = rng.normal(0, 1, 250)
        values = [noise[0] / np.sqrt(1 - phi * phi)]
        for e in noise[1:]:
            values.append(phi * values[-1] + e)
        out[f"ar1_{phi}_250"] = rounded(100 + np.array(values))
    return out


def student():
    freedoms = [1, 1.5, 2, 3.7, 5, 10, 29, 61.7159270427441, 250, 1e4, 1e6, 1e8]
    tails = [1e-9, 5e-6, 0.0005, 0.005, 0.025, 0.1, 0.4]
    points = [0.1, 1, 2.5, 4.784, 12, 38.8]
    return {
        "quantiles": [{"df": d, "p": p, "value": stats.t.isf(p, d)} for d in freedoms for p in tails],
        "sf": [{"df": d, "t": t, "sf": stats.t.sf(t, d)} for d in freedoms for t in points],
    }


def binomial():
    cases = [(0, 1, 0.5), (3, 10, 0.5), (5, 10, 0.5), (9, 10, 0.5), (0, 20, 0.5), (55, 100, 0.5), (140, 235, 0.5),
             (510, 1000, 0.5), (50_400, 100_000, 0.5), (501_500, 1_000_000, 0.5), (0, 7, 0.3), (7, 7, 0.3),
             (2, 12, 0.05), (30, 200, 0.1), (12, 200, 0.1), (18, 60, 0.3), (99, 100, 0.9), (20_500, 100_000, 0.2)]
    return [{"successes": k, "trials": n, "chance": p, "p_value": stats.binomtest(k, n, p).pvalue} for k, n, p in cases]


def mann_whitney(named):
    pairs = {
        "untied 10 v 12": (named["normal_50"][:10], named["normal_50"][20:32]),
        "untied 3 v 8": (named["lognormal_80"][:3], named["lognormal_80"][10:18]),
        "untied 40 v 37": (named["lognormal_80"][:40], named["exponential_37"]),
        "shifted 20 v 25": ([v + 2 for v in named["normal_50"][:20]], named["normal_50"][25:]),
        "tied 15 v 25": (named["ties_40"][:15], named["ties_40"][15:]),
        "mostly tied 6 v 7": ([1, 1, 1, 2, 1, 1], [1, 1, 1, 1, 1, 3, 3]),
    }
    out = []
    for name, (x, y) in pairs.items():
        case = {"name": name, "x": x, "y": y, "u": stats.mannwhitneyu(x, y).statistic, "exact": None}
        untied = len(set(x + y)) == len(x) + len(y)
        for method in ["asymptotic"] + (["exact"] if untied else []):
            case[method] = {
                key: stats.mannwhitneyu(x, y, alternative=alternative, method=method, use_continuity=True).pvalue
                for key, alternative in ALTERNATIVES.items()
            }
        out.append(case)
    return out


def wilcoxon(named):
    samples = {
        "untied 12": [v - 9.5 for v in named["normal_50"][:12]],
        "untied 48": [v - 9.5 for v in named["normal_50"][:48]],
        "untied 80": [v - 1.3 for v in named["lognormal_80"]],
        "tied 40": [v - 5.5 for v in named["ties_40"]],
        "zeros and ties 40": [v - 5 for v in named["ties_40"]],
    }
    out = []
    for name, d in samples.items():
        d = rounded(d)
        moved = [abs(v) for v in d if v != 0]
        untied = len(set(moved)) == len(d)
        statistic = stats.wilcoxon(d, alternative="greater", zero_method="wilcox").statistic
        case = {"name": name, "differences": d, "w": statistic, "exact": None}
        for method in ["asymptotic"] + (["exact"] if untied and len(d) <= 63 else []):
            case[method] = {
                key: stats.wilcoxon(d, alternative=alternative, method=method, correction=True, zero_method="wilcox").pvalue
                for key, alternative in ALTERNATIVES.items()
            }
        out.append(case)
    return out


def welch(named):
    pairs = {
        "normal v lognormal": (named["normal_50"], named["lognormal_80"]),
        "two halves": (named["normal_50"][:25], named["normal_50"][25:]),
        "small": (named["exponential_37"][:3], named["normal_50"][:5]),
    }
    out = []
    for name, (x, y) in pairs.items():
        results = {k: stats.ttest_ind(x, y, equal_var=False, alternative=a) for k, a in ALTERNATIVES.items()}
        out.append({
            "name": name, "x": x, "y": y, "t": results["two_sided"].statistic, "df": results["two_sided"].df,
            "p": {k: r.pvalue for k, r in results.items()},
        })
    return out


def quantiles(named):
    probabilities = [0, 0.001, 0.01, 0.05, 0.1, 0.25, 1 / 3, 0.5, 0.67, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99, 0.999, 1]
    out = []
    for name in ("normal_50", "exponential_37", "ties_40", "lognormal_80"):
        for number, method in METHODS.items():
            values = np.quantile(named[name], probabilities, method=method)
            out.append({"series": name, "type": number, "probabilities": probabilities, "values": values.tolist()})
    return out


def harrell_davis(named):
    probabilities = [0.05, 0.1, 0.25, 0.5, 0.67, 0.85, 0.95, 0.99]
    return [{"series": name, "probabilities": probabilities,
             "values": np.asarray(mstats.hdquantiles(named[name], prob=probabilities)).tolist()}
            for name in ("normal_50", "exponential_37", "ties_40")]


def harrell_davis_of_many():
    """Six hundred values by a formula that the test repeats: enough for the branch for flat densities."""
    n, probabilities = 600, [0.2, 0.5, 0.75, 0.83]
    values = [-float(np.log1p(-(i + 0.5) / n)) for i in range(n)]
    return {"rule": "-ln(1 - (i + 0.5)/600), i = 0..599", "probabilities": probabilities,
            "values": np.asarray(mstats.hdquantiles(values, prob=probabilities)).tolist()}


def autocovariance(named):
    return [{"series": name, "divisor": "n", "acovf": acovf(values, nlag=20, fft=False).tolist(),
             "acf": acf(values, nlags=20, fft=False).tolist()}
            for name, values in named.items() if name.startswith("ar1")]


def anderson(named):
    out = []
    for name in ("normal_50", "exponential_37", "ties_40", "lognormal_80"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            out.append({"series": name, "law": "normal, mean and sd (n - 1) estimated", "statistic": stats.anderson(named[name], "norm").statistic})
    return out


def main():
    named = series()
    document = {
        "origin": "computed for this project by scripts/scipy_vectors.py",
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__,
                     "statsmodels": statsmodels.__version__},
        "series": named,
        "student": student(),
        "binomial_test": binomial(),
        "mann_whitney": mann_whitney(named),
        "wilcoxon": wilcoxon(named),
        "welch": welch(named),
        "quantiles": quantiles(named),
        "harrell_davis": harrell_davis(named),
        "harrell_davis_of_many": harrell_davis_of_many(),
        "autocovariance": autocovariance(named),
        "anderson_darling": anderson(named),
    }
    print(json.dumps(document, indent=1, default=float))


if __name__ == "__main__":
    main()
