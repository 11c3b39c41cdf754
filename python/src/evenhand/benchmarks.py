"""What does a benchmark say? Which function is measured, with which arguments, and what each call gets as its input.

Tests: `tests/test_benchmarks.py`.
"""

from __future__ import annotations

import sys
from itertools import product

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Optional, TypeVar, Union, overload

    Function = TypeVar("Function", bound=Callable[..., Any])
    Amount = Union[float, Callable[..., float]]
    Check = Union[bool, Callable[[Any], Any]]

#: How long a turn lasts unless its author says otherwise, in nanoseconds. A turn costs the worker about 11 µs, and from 50 µs on the
#: host knows which part of it other programs had the CPU.
USUAL_TURN = 100_000

# Of `inspect`, which takes longer to import than Python takes to start.
_VARIADIC, _COROUTINE = 0x04, 0x80


class Benchmark:
    """A function, and one set of arguments for it."""

    def __init__(self, function: Callable[..., Any], options: Options, case: dict[str, Any]) -> None:
        self.function = function
        self.options = options
        self.case = case
        #: Arguments that are given by name.
        self.by_name = _keyword_only(function)
        self.labels = [(name, _label(name, value)) for name, value in case.items()]
        self.name = "/".join([options.name, *(label for _, label in self.labels)])

    @property
    def is_async(self) -> bool:
        return _is_async(self.function)

    @property
    def where(self) -> str:
        """`bench.py:12`."""
        code = getattr(self.function, "__code__", None)
        return f"{_file_name(code.co_filename)}:{code.co_firstlineno}" if code else repr(self.function)

    def parameters(self) -> list[tuple[str, str]]:
        """Those that people see, and those that tell the host how long a turn is."""
        options = self.options
        if options.iterations is not None:
            wish = ("@iterations", str(options.iterations))
        else:
            wish = ("@iteration_time", repr(float(options.iteration_time or USUAL_TURN)))
        return [*self.labels, wish]

    def iterations_of(self, once: float) -> int:
        """How many calls a sample will have, if the host does as its author wants."""
        options = self.options
        return options.iterations or max(1, round((options.iteration_time or USUAL_TURN) / max(once, 1.0)))

    def amounts(self) -> list[tuple[str, float]]:
        """How much one call does."""
        given = [("items", self.options.items), ("bytes", self.options.bytes)]
        return [(what, self._amount(amount)) for what, amount in given if amount is not None]

    def _amount(self, amount: Amount) -> float:
        if callable(amount):
            return float(amount(**_those_of(amount, self.case)))
        return float(amount)

    def make_input(self, rng: Any) -> Any:
        """A new input for one call, from a source of random numbers that all sides of a comparison get alike."""
        setup = self.options.setup
        assert setup is not None
        return setup(rng, **_those_of(setup, self.case, skipped=1))


class Options:
    """What the decorator was given."""

    def __init__(
        self,
        name: str,
        group: str,
        baseline: bool,
        setup: Optional[Callable[..., Any]],
        items: Optional[Amount],
        bytes: Optional[Amount],
        check: Check,
        iterations: Optional[int],
        iteration_time: Optional[float],
        threads: int,
    ) -> None:
        self.name = name
        self.group = group
        self.baseline = baseline
        self.setup = setup
        self.items = items
        self.bytes = bytes
        self.check = check
        self.iterations = iterations
        self.iteration_time = iteration_time
        self.threads = threads


#: All benchmarks of this program, in the order in which they were defined.
registered: list[Benchmark] = []

if TYPE_CHECKING:

    @overload
    def bench(function: Function, /) -> Function: ...

    @overload
    def bench(
        *,
        name: Optional[str] = None,
        args: Optional[Iterable[Any]] = None,
        params: Optional[Mapping[str, Iterable[Any]]] = None,
        setup: Optional[Callable[..., Any]] = None,
        items: Optional[Amount] = None,
        bytes: Optional[Amount] = None,
        check: Check = False,
        group: str = "",
        baseline: bool = False,
        iterations: Optional[int] = None,
        iteration_time: Optional[float] = None,
        threads: int = 1,
    ) -> Callable[[Function], Function]: ...


def bench(function: Any = None, /, **options: Any) -> Any:
    """Makes a function a benchmark. The function itself stays as it is.

    `args=[10, 1000]` makes one benchmark for each value, `args=[(10, "x"), (20, "y")]` for each pair of a function of two arguments;
    `params={"size": [10, 1000], "kind": [list, tuple]}` for each combination.

    `setup=make` makes a new input for each call, outside the measured time: `make(rng)` gets a `random.Random` that is in another state in
    each round and in the same one on both sides of a comparison, and those of the benchmark's arguments that it names. The benchmark gets
    what it returns as its first argument.

    `items=1000`, `bytes=4096`: how much one call does, or a function of the arguments that says it.

    `check=True`: both sides have to return the same for the same input; `check=function` compares what this makes of it.

    `group="sort", baseline=True`: `evenhand bench` compares the other benchmarks of the group with this one.

    `iterations=1`: how many calls a sample has; `iteration_time=0.025`: or how many seconds they fill, a ten-thousandth by default.

    `threads=4`: the function starts so many threads or processes, and is kept to no single CPU.
    """
    if function is None:
        return lambda function: bench_of(function, **options)
    if options or not callable(function):
        raise TypeError("evenhand.bench: write @evenhand.bench or @evenhand.bench(args=[…])")
    return bench_of(function)


def bench_of(
    function: Any,
    *,
    name: Optional[str] = None,
    args: Optional[Iterable[Any]] = None,
    params: Optional[Mapping[str, Iterable[Any]]] = None,
    setup: Optional[Callable[..., Any]] = None,
    items: Optional[Amount] = None,
    bytes: Optional[Amount] = None,
    check: Check = False,
    group: str = "",
    baseline: bool = False,
    iterations: Optional[int] = None,
    iteration_time: Optional[float] = None,
    threads: int = 1,
) -> Any:
    name = name or getattr(function, "__name__", None) or repr(function)
    if not callable(function):
        raise TypeError(f"evenhand.bench: {name} is not a function")
    _refuse_setup(name, setup)
    _refuse_turn(name, iterations, iteration_time)
    nanoseconds = iteration_time * 1e9 if iteration_time is not None else None
    options = Options(name, group, baseline, setup, items, bytes, check, iterations, nanoseconds, threads)
    for case in _cases(name, function, args, params, has_input=setup is not None):
        _register(Benchmark(function, options, case))
    return function


def _refuse_setup(name: str, setup: Any) -> None:
    if setup is None:
        return
    if not callable(setup) or _is_async(setup):
        raise TypeError(f"evenhand.bench: setup of {name} is not a plain function, such as `def make(rng): …`")
    if _names_of(setup) == []:
        raise TypeError(f"evenhand.bench: setup of {name} takes no argument: it is called with a random.Random, as `def make(rng): …`")


def _refuse_turn(name: str, iterations: Optional[int], iteration_time: Optional[float]) -> None:
    if iterations is not None and iteration_time is not None:
        raise ValueError(f"evenhand.bench: {name} has both iterations and iteration_time: give one of them")
    if iterations is not None and not 1 <= iterations <= 1_000_000:
        raise ValueError(f"evenhand.bench: iterations of {name} is {iterations}: give a number from 1 to 1000000")
    if iteration_time is not None and not 1e-9 <= iteration_time <= 100.0:
        raise ValueError(f"evenhand.bench: iteration_time of {name} is {iteration_time}: give seconds, from 1e-9 to 100")


def _register(benchmark: Benchmark) -> None:
    """A file that is loaded twice, as `__main__` and as a module, has its benchmarks once."""
    for place, known in enumerate(registered):
        if (known.name, known.where) == (benchmark.name, benchmark.where):
            registered[place] = benchmark
            return
    registered.append(benchmark)


def duplicate() -> Optional[str]:
    """Says which two benchmarks have one name, so that nobody could tell them apart."""
    known: dict[str, Benchmark] = {}
    for benchmark in registered:
        other = known.setdefault(benchmark.name, benchmark)
        if other is not benchmark:
            return f"two benchmarks are named {benchmark.name}, at {other.where} and {benchmark.where}: rename one"
    return None


def _cases(
    name: str,
    function: Any,
    args: Optional[Iterable[Any]],
    params: Optional[Mapping[str, Iterable[Any]]],
    has_input: bool,
) -> list[dict[str, Any]]:
    """The arguments of each benchmark, by their names, in the order of the function."""
    if args is not None and params is not None:
        raise ValueError(f"evenhand.bench: {name} has both args and params: give one of them")
    names = _names_of(function)
    if names is not None and has_input:
        if not names:
            raise TypeError(f"evenhand.bench: {name} takes no argument, but its setup makes an input for it")
        names = names[1:]
    if args is not None:
        cases = [_of_args(name, names, value) for value in args]
    elif params is not None:
        cases = [dict(zip(params, values)) for values in product(*params.values())]
    else:
        cases = [{}]
    if names is not None:
        for case in cases:
            _refuse_case(name, names, _required_of(function), case)
        cases = [{known: case[known] for known in names if known in case} for case in cases]
    if not cases:
        raise ValueError(f"evenhand.bench: {name} has no values in args or params, so nothing would be measured")
    return cases


def _of_args(name: str, names: Optional[list[str]], value: Any) -> dict[str, Any]:
    if names is None:
        return {"value": value}
    if len(names) > 1 and isinstance(value, tuple):
        if len(value) > len(names):
            raise TypeError(f"evenhand.bench: {name} takes {len(names)} arguments, but args has {value!r}")
        return dict(zip(names, value))
    if not names:
        raise TypeError(f"evenhand.bench: args needs a function that takes an argument: def {name}(size): …")
    return {names[0]: value}


def _refuse_case(name: str, names: list[str], required: set[str], case: dict[str, Any]) -> None:
    for unknown in case:
        if unknown not in names:
            raise TypeError(f"evenhand.bench: {name} has no argument {unknown}; it has {', '.join(names) or 'none'}")
    for known in names:
        if known in required and known not in case:
            raise TypeError(f"evenhand.bench: nothing gives {name} its argument {known}: give args, params or setup")


def _code_of(function: Any) -> Any:
    """The code of a function, also below decorators that say what they wrap."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return getattr(function, "__code__", None)


def _is_async(function: Any) -> bool:
    code = _code_of(function)
    return code is not None and bool(code.co_flags & _COROUTINE)


def _names_of(function: Any) -> Optional[list[str]]:
    """The names of what a function takes. `None`: it takes anything, or does not say."""
    code = _code_of(function)
    if code is None or code.co_flags & _VARIADIC:
        return None
    names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    return names[1:] if hasattr(function, "__self__") else names


def _required_of(function: Any) -> set[str]:
    """Those without a default."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    code = function.__code__
    positional = list(code.co_varnames[: code.co_argcount])
    named = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    without = positional[: len(positional) - len(function.__defaults__ or ())]
    return {*without, *(name for name in named if name not in (function.__kwdefaults__ or {}))}


def _keyword_only(function: Any) -> set[str]:
    """The arguments of a function that have to be given by name."""
    code = _code_of(function)
    if code is None:
        return set()
    return set(code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])


def _those_of(function: Any, case: dict[str, Any], skipped: int = 0) -> dict[str, Any]:
    """Those of the arguments that a function names."""
    names = _names_of(function)
    wanted = case if names is None else names[skipped:]
    return {name: case[name] for name in wanted if name in case}


def _label(name: str, value: Any) -> str:
    """Names a value: short, the same on both sides, and without addresses."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return str(value)
    if isinstance(getattr(value, "__name__", None), str):
        return str(value.__name__)
    told = repr(value)
    return told if len(told) <= 40 and " at 0x" not in told else f"{name}:{type(value).__name__}"


def _file_name(path: str) -> str:
    """As it is shown: from the folder in which we are, if it lies there."""
    import os

    here = os.getcwd() + os.sep
    return path[len(here) :] if path.startswith(here) else path


def source_line(traceback: Any) -> str:
    """Where in the user's code something was raised: `bench.py:12`."""
    ours = sys.modules[__name__].__file__ or ""
    ours = ours[: -len("benchmarks.py")]
    found = ""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not code.co_filename.startswith((ours, "<")):
            found = f"{_file_name(code.co_filename)}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return found
