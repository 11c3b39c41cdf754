#!/usr/bin/env python3
"""Writes crates/evenhand-stats/tests/fixtures/e_process/vectors.json: the e-process computed from its definition,
one round at a time, in another language and without any of the library's tables or shortcuts.

    python3 scripts/e_process_vectors.py
"""
import json
import math
import pathlib
import random

BETS = [(2.5, 1.0), (1.0, 1.0), (0.5, 1.0), (0.25, 1.0), (0.12, 0.5), (0.05, 0.15), (0.02, 0.1), (0.007, 0.05),
        (0.002, 0.05)]
WEIGHTS = {"hump": lambda u: math.sin(math.pi * u), "rank": lambda u: u, "sign": lambda u: 1.0}
MIXTURES = {"rounds": {"hump": 0.6, "sign": 0.2, "rank": 0.2}, "launches": {"rank": 0.5, "sign": 0.5}}
LEVELS, KNOTS = 512, 256


def snapshot(earlier):
    ordered = sorted(earlier)
    n = len(ordered)
    return ordered if n <= KNOTS else [ordered[(2 * k + 1) * n // (2 * KNOTS)] for k in range(KNOTS)]


def e_value(differences, effect, mixture):
    members = {}
    taken, knots = 0, []
    for i, d in enumerate(differences):
        if i - taken >= max(1, taken // 8):
            taken, knots = i, snapshot(differences[:i])
        rest = d - effect
        if rest == 0:
            continue
        inside = sum(2 if abs(k - effect) < abs(rest) else 1 if abs(k - effect) == abs(rest) else 0 for k in knots)
        level = (inside + 1) * LEVELS // (2 * (len(knots) + 1))
        u = (level + 0.5) / LEVELS
        sign = 1 if rest > 0 else -1
        for name in MIXTURES[mixture]:
            w = WEIGHTS[name](u)
            for bet, _ in BETS:
                for side in (-bet, bet):
                    key = (name, side)
                    members[key] = members.get(key, 0.0) + side * sign * w - math.log(math.cosh(side * w))
    total = sum(share for _, share in BETS)
    return sum(0.5 * MIXTURES[mixture][name] * dict(BETS)[abs(side)] / total * math.exp(v)
               for (name, side), v in members.items())


def main():
    rng = random.Random(20261121)
    cases = []
    for name, n, draw in [
        ("no difference, normal", 40, lambda: rng.gauss(0, 0.05)),
        ("one percent slower, normal", 60, lambda: rng.gauss(0.01, 0.02)),
        ("spikes", 80, lambda: rng.gauss(0.004, 0.01) + (rng.choice([-1, 1]) * 3 if rng.random() < 0.1 else 0)),
        ("clock ticks, many ties", 60, lambda: rng.choice([-2, -1, -1, 0, 0, 1, 1, 2]) / 64),
        ("long enough for knots", 700, lambda: rng.gauss(0.002, 0.02)),
    ]:
        differences = [draw() for _ in range(n)]
        for mixture in MIXTURES:
            for effect in (0.0, 0.01, -0.03125):
                cases.append({"name": name, "mixture": mixture, "effect": effect, "differences": differences,
                              "ln_e_value": math.log(e_value(differences, effect, mixture))})
    path = pathlib.Path(__file__).parent.parent / "crates/evenhand-stats/tests/fixtures/e_process/vectors.json"
    origin = "computed by scripts/e_process_vectors.py from the definition of the e-process"
    path.write_text(json.dumps({"origin": origin, "cases": cases}) + "\n")


main()
