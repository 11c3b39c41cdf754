"""A host for tests: it asks a worker over two pipes, and reads its answers field by field."""

from __future__ import annotations

import os
import struct
import threading

from evenhand.benchmarks import registered
from evenhand.messages import Stream
from evenhand.worker import Worker

PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "protocol.md")


def transcript():
    """The frames of `docs/protocol.md`, in order: `>` to the worker, `<` from it."""
    with open(PAGE, encoding="utf-8") as page:
        lines = [line[4:].rstrip("\n") for line in page if line.startswith(("    > ", "    < "))]
    return [(line[0], bytes.fromhex(line[2:])) for line in lines]


class Body:
    """What is left of an answer's body."""

    def __init__(self, held):
        self.held = held

    def take(self, shape):
        shape = "<" + shape
        found = struct.unpack_from(shape, self.held)
        self.held = self.held[struct.calcsize(shape) :]
        return found[0] if len(found) == 1 else found

    def text(self):
        length = self.take("I")
        found, self.held = self.held[:length], self.held[length:]
        return found.decode()

    def listed(self, one):
        return [one() for _ in range(self.take("I"))]

    def pair(self):
        return self.text(), self.text()


class Failed(Exception):
    """The worker said that something could not be done."""


class Host:
    """Serves as a context: within it a worker with all registered benchmarks runs on a thread."""

    def __enter__(self):
        requests, self.to_worker = os.pipe()
        self.from_worker, answers = os.pipe()
        self.ends = [requests, answers]
        worker = Worker(Stream(requests, answers), list(registered))
        self.thread = threading.Thread(target=worker.serve)
        self.thread.start()
        self.heard = Stream(self.from_worker, -1)
        return self

    def __exit__(self, *_):
        os.close(self.to_worker)
        self.thread.join(10)
        for end in [*self.ends, self.from_worker]:
            os.close(end)
        assert not self.thread.is_alive()

    def ask(self, kind, body=b""):
        os.write(self.to_worker, struct.pack("<IB", 1 + len(body), kind) + body)
        answered, body = self.heard.next()
        body = Body(body)
        if answered == 255:
            raise Failed(body.text())
        assert answered == kind | 128, answered
        return body

    def hello(self):
        body = self.ask(1, b"evenhand" + struct.pack("<H", 1))
        magic, version = body.take("8sH")
        language, clock = body.text(), body.text()
        return magic, version, language, clock, body.take("ddd?"), body.held

    def list(self):
        body = self.ask(2)
        found = body.listed(lambda: (body.text(), body.text(), body.take("?"), body.listed(body.pair)))
        assert not body.held
        return found

    def prepare(self, name):
        """Whatever its place in the list is."""
        place = [one[0] for one in self.list()].index(name)
        body = self.ask(3, struct.pack("<I", place))
        once, threads = body.take("dI")
        amounts = body.listed(lambda: (body.text(), body.take("d")))
        assert body.take("I") == 0 and not body.held
        return once, threads, amounts

    def run(self, payloads, iterations=1, waits=False):
        """The verification, and the samples: when it started, wall, waited."""
        turns = b"".join(struct.pack("<Q?", payload, False) for payload in payloads)
        body = self.ask(4, struct.pack("<QB?I", iterations, 0, waits, len(payloads)) + turns)
        verification = body.take("Q")
        samples = body.listed(lambda: body.take("QddI")[:3])
        assert not body.held
        return verification, samples

    def finish(self):
        assert not self.ask(5).held
