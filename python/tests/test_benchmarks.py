"""What does a benchmark say?"""

import functools
import unittest

import evenhand
from evenhand.benchmarks import Benchmark, duplicate, registered


def names():
    return [benchmark.name for benchmark in registered]


class Benchmarks(unittest.TestCase):
    def setUp(self):
        registered.clear()

    def refused(self, words, function, **options):
        with self.assertRaisesRegex((TypeError, ValueError), words):
            evenhand.bench(**options)(function)
        self.assertEqual(registered, [])


class AFunctionIsMeasuredWithItsArguments(Benchmarks):
    def test_the_function_stays_as_it_is(self):
        def sums():
            return 6

        self.assertIs(evenhand.bench(sums), sums)
        self.assertIs(evenhand.bench(name="again")(sums), sums)
        self.assertEqual(names(), ["sums", "again"])

    def test_each_value_is_a_benchmark(self):
        @evenhand.bench(args=[10, 1000])
        def fills(size):
            pass

        self.assertEqual(names(), ["fills/10", "fills/1000"])
        self.assertEqual([one.labels for one in registered], [[("size", "10")], [("size", "1000")]])

    def test_a_pair_is_spread_over_two_arguments_and_kept_for_one(self):
        evenhand.bench(args=[(1, "a")], name="two")(lambda size, kind: None)
        evenhand.bench(args=[(1, "a")], name="one")(lambda pair: None)
        self.assertEqual([one.case for one in registered], [{"size": 1, "kind": "a"}, {"pair": (1, "a")}])

    def test_params_are_combined_in_the_order_of_the_function(self):
        @evenhand.bench(params={"kind": [list, tuple], "size": [1, 2]})
        def makes(size, *, kind):
            pass

        self.assertEqual(names(), ["makes/1/list", "makes/2/list", "makes/1/tuple", "makes/2/tuple"])

    def test_labels_have_no_addresses(self):
        class Thing:
            pass

        evenhand.bench(args=[Thing(), [1, 2]])(lambda what: None)
        self.assertEqual(names(), ["<lambda>/what:Thing", "<lambda>/[1, 2]"])

    def test_a_default_need_not_be_given(self):
        evenhand.bench(args=[1], name="one")(lambda size, kind="x": None)
        self.assertEqual(registered[0].case, {"size": 1})

    def test_below_a_decorator_the_wrapped_function_counts(self):
        def around(function):
            @functools.wraps(function)
            def inner(*args):
                return function(*args)

            return inner

        @evenhand.bench(args=[3])
        @around
        def fills(size):
            pass

        self.assertEqual(registered[0].case, {"size": 3})

    def test_a_setup_gets_the_arguments_that_it_names(self):
        @evenhand.bench(args=[(2, "x")], setup=lambda rng, size: [rng] * size, items=lambda size: 3 * size)
        def sorts(numbers, size, kind):
            pass

        (one,) = registered
        self.assertEqual((one.case, one.make_input("r"), one.amounts()), ({"size": 2, "kind": "x"}, ["r", "r"], [("items", 6.0)]))

    def test_amounts_and_the_length_of_a_turn_are_told(self):
        evenhand.bench(bytes=4096, name="usual")(lambda: None)
        evenhand.bench(iterations=7, name="seven")(lambda: None)
        evenhand.bench(iteration_time=0.025, name="filled")(lambda: None)
        self.assertEqual(registered[0].amounts(), [("bytes", 4096.0)])
        wishes = [one.parameters() for one in registered]
        self.assertEqual(wishes, [[("@iteration_time", "100000.0")], [("@iterations", "7")], [("@iteration_time", "25000000.0")]])


class WhatCannotBeMeasuredIsSaidAtOnce(Benchmarks):
    def test_arguments_have_to_fit(self):
        self.refused("nothing gives <lambda> its argument size", lambda size: None)
        self.refused("args needs a function that takes an argument", lambda: None, args=[1])
        self.refused("takes 2 arguments, but args has", lambda a, b: None, args=[(1, 2, 3)])
        self.refused("no argument kind; it has size", lambda size: None, params={"kind": [1]})
        self.refused("both args and params", lambda size: None, args=[1], params={"size": [1]})
        self.refused("nothing would be measured", lambda size: None, args=[])

    def test_a_setup_has_to_be_called_with_a_source_of_random_numbers(self):
        async def later(rng):
            pass

        self.refused("takes no argument: it is called with a random.Random", lambda x: None, setup=lambda: 1)
        self.refused("not a plain function", lambda x: None, setup=later)
        self.refused("its setup makes an input for it", lambda: None, setup=lambda rng: 1)

    def test_a_turn_has_one_length(self):
        self.refused("both iterations and iteration_time", lambda: None, iterations=1, iteration_time=1)
        self.refused("from 1 to 1000000", lambda: None, iterations=0)
        self.refused("from 1e-9 to 100", lambda: None, iteration_time=-1.0)

    def test_the_decorator_needs_a_function(self):
        with self.assertRaisesRegex(TypeError, r"write @evenhand.bench or @evenhand.bench\(args"):
            evenhand.bench([1, 2])


class NamesTellBenchmarksApart(Benchmarks):
    def test_two_of_one_name_are_named_with_their_places(self):
        evenhand.bench(name="sums")(lambda: 1)
        self.assertIsNone(duplicate())
        evenhand.bench(name="sums")(lambda: 2)
        self.assertRegex(duplicate(), r"two benchmarks are named sums, at .*test_benchmarks.py:\d+ and .*: rename one")

    def test_a_file_that_is_loaded_twice_has_its_benchmarks_once(self):
        for _ in range(2):
            evenhand.bench(name="sums")(eval("lambda: 1"))
        self.assertEqual(len(registered), 1)
        self.assertIsInstance(registered[0], Benchmark)
