"""Are the bytes those of `docs/protocol.md`?"""

import os
import unittest

from evenhand import messages
from evenhand.messages import Malformed, Stream

from .host import transcript


def in_pieces(pieces):
    """A stream into which these pieces are written, one after the other, and which then ends."""
    requests, end = os.pipe()
    for piece in pieces:
        os.write(end, piece)
    os.close(end)
    return Stream(requests, -1)


class TheBytesAreThoseOfThePage(unittest.TestCase):
    def test_requests_are_read_from_the_transcript(self):
        requests = [frame for way, frame in transcript() if way == ">"]
        stream = in_pieces([b"".join(requests)])
        found = [stream.next() for _ in requests]
        self.assertEqual([kind for kind, _ in found], [1, 2, 3, 4, 4, 5, 6])
        self.assertEqual(messages.version_of(found[0][1]), 1)
        self.assertEqual(messages.place_of(found[2][1]), 1)
        self.assertEqual(messages.run_of(found[3][1]), (1, False, [0x0123456789ABCDEF], False))
        self.assertEqual(messages.run_of(found[4][1]), (100, True, [7, 8], True))
        self.assertIsNone(stream.next())

    def test_answers_are_written_as_in_the_transcript(self):
        answers = [frame for way, frame in transcript() if way == "<"]
        hello = messages.hello("Rust 1.95.0", "tsc", 0.5, 9.25, 0.25)
        # The worker of the page takes turns on the page; this one does not.
        self.assertEqual(hello, answers[0][:-1] + b"\0")
        described = [
            messages.benchmark("sort/1000", "sort", True, [("size", "1000")]),
            messages.benchmark("größe", "", False, []),
        ]
        self.assertEqual(messages.benchmarks(described), answers[1])
        self.assertEqual(messages.done(), answers[4])
        self.assertEqual(messages.failed("panicked: index out of bounds"), answers[5])

    def test_prepared_and_results_differ_from_the_transcript_in_its_metric_only(self):
        answers = [frame for way, frame in transcript() if way == "<"]
        prepared = messages.prepared(1312.5, 1, [("items", 1000.0)])
        self.assertEqual(prepared[5:-4], answers[2][5 : len(prepared) - 4])
        results = messages.results(0x0200_0000_0000_FEED, [(1_000_000, 1_024.0, 12.5)])
        self.assertEqual(results[5:13], answers[3][5:13][:2] + b"\0\0\0\0\0\x02")
        self.assertEqual(results[17:33], answers[3][17:25] + results[25:33])


class WhatIsNoMessageIsRefused(unittest.TestCase):
    def test_frames_come_in_pieces_of_any_length(self):
        whole = messages.frame(3, b"\1\0\0\0") + messages.frame(5)
        stream = in_pieces([whole[:1], whole[1:6], whole[6:]])
        self.assertEqual([stream.next(), stream.next(), stream.next()], [(3, b"\1\0\0\0"), (5, b""), None])

    def test_a_frame_of_an_impossible_length_is_refused(self):
        for length in [0, messages.LONGEST + 1, 0xFFFF_FFFF]:
            with self.assertRaisesRegex(Malformed, str(length)):
                in_pieces([length.to_bytes(4, "little") + b"\1"]).next()

    def test_an_end_within_a_frame_is_no_end(self):
        with self.assertRaisesRegex(Malformed, "within"):
            in_pieces([messages.frame(3, b"\1\0\0\0")[:-1]]).next()

    def test_bodies_of_a_wrong_length_are_refused(self):
        run = [frame for way, frame in transcript() if way == ">"][4][5:]
        for wrong in [run[:-1], run + b"\0", run[:5]]:
            with self.assertRaises(Malformed):
                messages.run_of(wrong)
        with self.assertRaises(Malformed):
            messages.place_of(b"\1\0\0")
        with self.assertRaisesRegex(Malformed, "no hello"):
            messages.version_of(b"evenhanD\1\0")
