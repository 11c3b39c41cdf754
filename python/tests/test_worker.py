"""How is the host served?"""

import asyncio
import os
import struct
import sys
import tempfile
import time
import unittest
from unittest import mock

import evenhand
from evenhand import worker
from evenhand.benchmarks import registered

from .host import Failed, Host


class Served(unittest.TestCase):
    def setUp(self):
        registered.clear()


class ABenchmarkIsServedFromHelloToBye(Served):
    def test_a_hello_says_who_we_are_with_which_clock(self):
        with Host() as host:
            magic, version, language, clock, (resolution, cost, iteration, page), rest = host.hello()
        self.assertEqual((magic, version, clock, page, rest), (b"evenhand", 1, "perf_counter_ns", False, b""))
        self.assertIn(".".join(map(str, sys.version_info[:3])), language)
        self.assertTrue(0 < resolution < 1e8 and 0 < cost < 1e5 and 0 < iteration < 1e4, (resolution, cost, iteration))

    def test_a_list_has_names_groups_and_parameters(self):
        evenhand.bench(group="sort", baseline=True, args=[10])(lambda size: None)
        with Host() as host:
            self.assertEqual(host.list(), [("<lambda>/10", "sort", True, [("size", "10"), ("@iteration_time", "100000.0")])])

    def test_turns_run_as_often_as_asked_for(self):
        calls = []
        evenhand.bench(name="counts", items=3, threads=2)(lambda: calls.append(0))
        with Host() as host:
            host.hello()
            once, threads, amounts = host.prepare("counts")
            calls.clear()
            verification, samples = host.run([1, 2, 3], iterations=5)
            host.finish()
        self.assertEqual((len(calls), len(samples), threads, amounts), (15, 3, 2, [("items", 3.0)]))
        self.assertEqual(verification, 0)
        self.assertTrue(once > 0 and all(wall > 0 for _, wall, _ in samples))
        begun = [started for started, _, _ in samples]
        self.assertEqual(begun, sorted(begun))

    def test_both_sides_get_the_same_new_input_in_each_round(self):
        got = []
        evenhand.bench(name="takes", setup=lambda rng: rng.random())(got.append)
        rounds = []
        for payloads in [[5, 6], [5, 6], [7]]:
            with Host() as host:
                host.prepare("takes")
                got.clear()
                host.run(payloads, iterations=2)
                rounds.append(list(got))
        self.assertEqual(rounds[0], rounds[1])
        self.assertEqual(len({*rounds[0], *rounds[2]}), 6, "each call has an input of its own")

    def test_coroutines_run_in_one_loop_that_is_kept_open(self):
        loops = []

        @evenhand.bench
        async def naps():
            loops.append(asyncio.get_running_loop())
            await asyncio.sleep(0)

        with Host() as host:
            host.prepare("naps")
            host.run([1, 2], iterations=3)
            self.assertFalse(loops[0].is_closed())
            host.finish()
        self.assertEqual(len(set(loops)), 1)
        self.assertTrue(loops[0].is_closed())

    def test_results_are_compared_only_if_that_is_wanted(self):
        def number(name, returns, check, payloads=(1,)):
            registered.clear()
            evenhand.bench(name=name, check=check)(lambda: returns)
            with Host() as host:
                host.prepare(name)
                return host.run(list(payloads))[0]

        self.assertEqual(number("a", [1], False), 0)
        self.assertNotEqual(number("a", [1], True), 0)
        self.assertEqual(number("a", [1.04], lambda all: round(all[0], 1)), number("b", [1.0], lambda all: round(all[0], 1)))
        self.assertNotEqual(number("a", [1], True), number("a", [2], True))
        self.assertNotEqual(number("a", [1], True, (1, 2)), number("a", [1], True, (1, 2, 3)))


class WaitingForOthersIsKnownForWhatLiesInTheTurn(Served):
    def test_it_is_told_only_if_it_was_asked_for(self):
        evenhand.bench(name="sums")(lambda: sum(range(100)))
        with Host() as host:
            host.prepare("sums")
            self.assertTrue(all(waited != waited for _, _, waited in host.run([1, 2])[1]))
            waits = [waited for _, _, waited in host.run([1, 2], waits=True)[1]]
        # The test is a program with two threads, so the system may say that they waited for each other.
        self.assertTrue(all(waited != waited or waited >= 0 for waited in waits), waits)

    def test_what_may_lie_outside_of_the_turn_is_not_taken_off(self):
        self.assertEqual([worker._inside(60.0, 10, 100.0), worker._inside(60.0, 100, 100.0)], [50.0, 0.0])
        self.assertEqual(worker._inside(130.0, 10, 100.0), 0.0, "more than the whole turn is not believed")
        self.assertNotEqual(worker._inside(float("nan"), 10, 100.0), 0.0)

    def test_time_between_asking_and_the_turn_is_taken_off(self):
        evenhand.bench(name="sums")(lambda: None)
        account = iter([100.0, 5100.0])
        # Asked at 1000, from 2000 to 9000 in the turn, asked again at 9500: 1500 of the 5000 may lie outside.
        with mock.patch.object(worker, "clock", iter([0, 1000, 9500]).__next__):
            served = worker.Worker(worker.Stream(-1, -1), [])
            ready = mock.Mock(turn=lambda *_: (2000, 9000, None), wall=lambda begun, ended: ended - begun)
            served._waited = lambda: next(account)
            sample, _ = served._sample(ready, 1, 1, True)
        self.assertEqual(sample, (2000, 7000, 3500.0))

    def test_threads_of_its_own_leave_all_its_waits_unknown(self):
        evenhand.bench(name="sums")(lambda: None)
        for own_work, known in [(worker.OWN_WORK + 1, False), (worker.OWN_WORK, True)]:
            account = iter([0, own_work])
            with mock.patch.object(worker, "_our_threads", lambda: next(account)), Host() as host:
                host.prepare("sums")
                waits = [waited for _, _, waited in host.run([1, 2], waits=True)[1]]
            self.assertEqual([waited == waited for waited in waits], [known] * 2)


class WhatGoesWrongIsSaidAndTheOthersGoOn(Served):
    def refused(self, function, words, **options):
        registered.clear()
        evenhand.bench(name="wrong", **options)(function)
        evenhand.bench(name="right")(lambda: None)
        with Host() as host:
            with self.assertRaisesRegex(Failed, words):
                host.prepare("wrong")
                host.run([1])
            host.prepare("right")
            self.assertEqual(len(host.run([1])[1]), 1)

    def test_an_exception_is_told_with_its_place(self):
        def fails():
            raise ValueError("bad size")

        self.refused(fails, r"^raised ValueError: bad size at .*test_worker.py:\d+$")
        self.refused(lambda x: None, r"raised ZeroDivisionError: .* at", setup=lambda rng: 1 // 0)

    def test_inputs_that_take_longer_than_the_host_waits_are_refused_with_the_next_step(self):
        def make(rng):
            time.sleep(0.02)

        self.refused(lambda x: None, r"its setup takes \d+ ms for an input, .* or give iterations=\d+$", setup=make)
        registered.clear()
        evenhand.bench(name="few", setup=make, iterations=5)(lambda x: None)
        with Host() as host:
            host.prepare("few")

    def test_a_function_that_ends_the_program_does_not(self):
        self.refused(lambda: sys.exit(2), r"called sys.exit\(2\) at .*: return from the function instead")

    def test_a_result_that_cannot_be_compared_is_told_with_the_next_step(self):
        self.refused(object, "cannot compare a object: give check= a function", check=True)

    def test_a_later_call_that_fails_is_told_too(self):
        calls = []

        def tires():
            calls.append(0)
            if len(calls) > 200_000:
                raise ValueError("tired")

        evenhand.bench(tires)
        with Host() as host:
            host.prepare("tires")
            with self.assertRaisesRegex(Failed, "raised ValueError: tired"):
                host.run([1], iterations=200_001)
            self.assertEqual(len(host.list()), 1)

    def test_what_never_became_ready_cannot_be_run(self):
        evenhand.bench(name="sums")(lambda: 1 // 0)
        with Host() as host:
            with self.assertRaisesRegex(Failed, "ZeroDivisionError"):
                host.prepare("sums")
            with self.assertRaisesRegex(Failed, "prepare one first"):
                host.run([1])

    def test_two_of_one_name_are_refused(self):
        evenhand.bench(name="sums")(lambda: 1)
        evenhand.bench(name="sums")(lambda: 2)
        with Host() as host, self.assertRaisesRegex(Failed, "two benchmarks are named sums"):
            host.list()

    def test_what_is_asked_for_too_early_is_refused(self):
        with Host() as host:
            with self.assertRaisesRegex(Failed, "prepare one first"):
                host.run([1])
            with self.assertRaisesRegex(Failed, "prepare one first"):
                host.finish()
            with self.assertRaisesRegex(Failed, "no benchmark 7 here"):
                host.ask(3, struct.pack("<I", 7))

    def test_turns_on_a_page_are_refused(self):
        evenhand.bench(name="sums")(lambda: None)
        with Host() as host:
            host.prepare("sums")
            with self.assertRaisesRegex(Failed, "no turns on a page"):
                host.ask(4, struct.pack("<QB?IQ?IB", 1, 0, False, 1, 7, True, 1, 1))


class CodeOfTheCheckoutIsNotTakenForThatOfARevision(Served):
    def test_a_module_from_the_checkout_is_named(self):
        evenhand.bench(name="sums")(lambda: None)
        with tempfile.TemporaryDirectory() as folder:
            checkout, tree = os.path.join(folder, "mine"), os.path.join(folder, "mine", "tree")
            for file, refused in [("a.py", True), ("tree/a.py", False), (".venv/lib/site-packages/a.py", False)]:
                module = mock.Mock(__file__=os.path.join(checkout, file))
                variables = {"EVENHAND_CHECKOUT": checkout, "EVENHAND_TREE": tree}
                with mock.patch.dict(os.environ, variables), mock.patch.dict(sys.modules, {"strays": module}):
                    with Host() as host:
                        if refused:
                            with self.assertRaisesRegex(Failed, "imports strays from .*a.py, not from the revision"):
                                host.prepare("sums")
                        else:
                            host.prepare("sums")


class DescriptorsComeFromTheEnvironment(unittest.TestCase):
    def descriptors(self, said):
        with mock.patch.dict(os.environ, {worker.VARIABLE: said} if said is not None else {}):
            found = worker.descriptors()
            self.assertNotIn(worker.VARIABLE, os.environ, "a program that a benchmark starts is no worker")
            return found

    def test_two_or_three_numbers_name_pipes_and_a_page(self):
        self.assertIsNone(self.descriptors(None))
        with mock.patch.object(worker.os, "set_inheritable") as closed:
            self.assertEqual(self.descriptors("7,8"), (7, 8))
            self.assertEqual(self.descriptors("7,8,9"), (7, 8))
        self.assertIn(mock.call(9, False), closed.mock_calls)

    def test_anything_else_is_refused(self):
        for said in ["", "3", "3,x", "3,4,5,6", "0,1", "-1,4"]:
            with self.assertRaisesRegex(worker.Refused, "does not name two file descriptors"):
                self.descriptors(said)
