"""Do two functions return the same?"""

import os
import subprocess
import sys
import unittest
from collections import namedtuple

from evenhand.results import NotComparable, verification


class WhatIsTheSameHasTheSameNumber(unittest.TestCase):
    def assert_differ(self, *values):
        self.assertEqual(len({verification(value) for value in values}), len(values), values)

    def test_other_values_and_other_types_have_other_numbers(self):
        self.assert_differ(None, True, False, 0, 1, -1, 2**70, 0.0, 1.0, 0j, "", "1", b"", b"1", [], {}, set())
        self.assert_differ("ab", "ba", b"ab", [1, 2], [2, 1], [[1], 2], [1, [2]], {1: 2}, {2: 1}, {1, 2})

    def test_elements_do_not_run_into_each_other(self):
        self.assert_differ(["a", "bc"], ["ab", "c"], ["abc"], [["a"], "bc"], ["a", ["bc"]])
        self.assert_differ([1, 23], [12, 3], [123])

    def test_the_order_of_sets_and_dicts_does_not_count(self):
        self.assertEqual(verification({"b": 1, "a": 2}), verification({"a": 2, "b": 1}))
        self.assertEqual(verification(set("abc")), verification(frozenset("cba")))

    def test_lists_and_tuples_are_alike_also_named_ones(self):
        point = namedtuple("point", "x y")
        self.assertEqual(verification(point(1, [2])), verification([1, (2,)]))

    def test_it_is_never_nothing(self):
        self.assertTrue(all(verification(value) & 1 for value in range(50)))

    def test_it_does_not_depend_on_the_start(self):
        script = "from evenhand.results import verification; print(verification({'a', 'b', ('c', 1)}))"
        numbers = set()
        for seed in ["1", "2", "3"]:
            path = os.pathsep.join(sys.path)
            environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
            numbers.add(subprocess.check_output([sys.executable, "-c", script], env=environment))
        self.assertEqual(len(numbers), 1)

    def test_what_is_not_compared_is_named_with_the_next_step(self):
        with self.assertRaisesRegex(NotComparable, "cannot compare a object: give check= a function"):
            verification([object()])
