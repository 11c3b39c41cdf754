#!/usr/bin/env python3
"""Writes crates/evenhand-trial/tests/fixtures/schedule.json: orders and payloads from the rule of the coin, written
again from its description (crates/evenhand-trial/src/schedule.rs) with whole numbers only and a generator of its own.

    python3 scripts/schedule_vectors.py           # write the file
    python3 scripts/schedule_vectors.py --check   # say whether the file is what would be written

The generator is xoshiro256++ by Blackman and Vigna, seeded by four outputs of SplitMix64, after
https://prng.di.unimi.it/xoshiro256plusplus.c and https://prng.di.unimi.it/splitmix64.c.
"""
import json
import pathlib
import sys

FILE = pathlib.Path(__file__).resolve().parent.parent / "crates/evenhand-trial/tests/fixtures/schedule.json"
MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
ROUNDS, LAUNCHES, PAYLOAD = 1, 2, 3


def finish(z):
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def rotated(x, k):
    return (x << k | x >> (64 - k)) & MASK


class Coins:
    """xoshiro256++ for one (seed, stream, group, launch, round)."""

    def __init__(self, *numbers):
        mixed = 0
        for number in numbers:
            mixed = finish((mixed + (number + 1) * GOLDEN) & MASK)
        self.state = []
        for _ in range(4):
            mixed = (mixed + GOLDEN) & MASK
            self.state.append(finish(mixed))

    def next(self):
        s = self.state
        result = (rotated((s[0] + s[3]) & MASK, 23) + s[0]) & MASK
        shifted = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotated(s[3], 45)
        return result

    def below(self, bound):
        while True:
            product = self.next() * bound
            if product & MASK >= 2**64 % bound:
                return product >> 64


def shuffled(arms, coins):
    order = list(arms)
    for i in range(len(order) - 1, 0, -1):
        j = coins.below(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def case(seed, group, launch, round_, arms):
    return {
        "seed": f"{seed:016x}",
        "group": group,
        "launch": launch,
        "round": str(round_),
        "arms": list(arms),
        "round_order": shuffled(arms, Coins(seed, ROUNDS, group, launch, round_)),
        "launch_order": shuffled(arms, Coins(seed, LAUNCHES, group, launch, 0)),
        "payload": f"{Coins(seed, PAYLOAD, group, launch, round_).next():016x}",
    }


def cases():
    for seed in (0, 1, 0xAA, 0x9F1C6A03D2B87E55, MASK):
        for arms in ([0], [0, 1], [0, 1, 2], [7, 3, 5, 1], range(12)):
            yield case(seed, 0, 0, 0, arms)
        for round_ in (1, 2, 3, 1000, 2**53 + 1, MASK):
            yield case(seed, 0, 0, round_, range(5))
        yield case(seed, 1, 0, 0, range(5))
        yield case(seed, 0, 1, 0, range(5))
        yield case(seed, 2**32 - 1, 2**32 - 1, MASK, range(5))
    # A draw from 2^64 values is redrawn about once in 2^64 / bound, so no list of arms ever is: `below` has unit tests.
    yield case(42, 3, 17, 123456789, range(100))
    yield case(42, 3, 17, 123456789, [])


def main():
    text = "[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases()) + "\n]\n"
    if "--check" in sys.argv[1:]:
        same = FILE.read_text(encoding="utf-8") == text
        print("the same" if same else f"{FILE.name} is not what the rule gives")
        sys.exit(not same)
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
