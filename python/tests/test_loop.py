"""What is timed?"""

import asyncio
import unittest
from itertools import repeat
from unittest import mock

import evenhand
from evenhand import loop
from evenhand.benchmarks import registered


def one_loop(function, **options):
    registered.clear()
    evenhand.bench(**options)(function)
    return loop.timed(registered[0])


class Ticking:
    """A clock that moves on by itself, and by whatever is done meanwhile."""

    def __init__(self):
        self.now = 0

    def __call__(self):
        self.now += 1
        return self.now


class TheLoopCallsTheFunctionAndNothingElse(unittest.TestCase):
    def timed(self, function, **options):
        self.clock = Ticking()
        with mock.patch.object(loop, "clock", self.clock):
            return one_loop(function, **options)

    def test_the_clock_is_read_right_before_and_right_after_all_calls(self):
        calls = []
        timed = self.timed(lambda: calls.append(self.clock()))
        self.assertEqual(timed(repeat(None, 3)), (1, 5, None))
        self.assertEqual(calls, [2, 3, 4])

    def test_arguments_are_those_of_the_case_in_the_right_places(self):
        calls = []

        def takes(x, size, *, kind="no"):
            calls.append((x, size, kind))

        timed = self.timed(takes, setup=lambda rng: 0, params={"kind": ["k"], "size": [5]})
        timed(["a", "b"])
        self.assertEqual(calls, [("a", 5, "k"), ("b", 5, "k")])

    def test_what_was_returned_is_kept_only_to_be_checked(self):
        self.assertEqual(self.timed(lambda: 7)(repeat(None, 2))[2], None)
        self.assertEqual(self.timed(lambda: 7, check=True)(repeat(None, 2))[2], 7)

    def test_a_coroutine_is_awaited_in_one_loop_of_events(self):
        loops = set()

        async def naps():
            loops.add(asyncio.get_running_loop())
            await asyncio.sleep(0)
            return 7

        timed = self.timed(naps, check=True)
        self.assertEqual(asyncio.run(timed(repeat(None, 5)))[2], 7)
        self.assertEqual((len(loops), self.clock.now), (1, 2))

    def test_without_arguments_the_body_is_a_bare_call(self):
        registered.clear()
        evenhand.bench(lambda: None)
        lines = [line.strip() for line in loop.source(registered[0]).splitlines()]
        self.assertEqual(lines[lines.index("for x in inputs:") + 1], "function()")


class TheClockIsKnown(unittest.TestCase):
    def test_its_step_and_its_cost_are_told_from_readings(self):
        readings = iter(range(0, 10**6, 40))
        with mock.patch.object(loop, "clock", lambda: next(readings)):
            self.assertEqual(loop.reading(), (40.0, 40.0))

    def test_an_empty_iteration_is_the_least_of_several_turns(self):
        took = iter([5000, 3020, 9000] + [4000] * 7)
        readings = [reading for length in took for reading in (0, length)]
        with mock.patch.object(loop, "clock", iter(readings).__next__):
            self.assertEqual(loop.empty_iteration(20.0), 3.0)
