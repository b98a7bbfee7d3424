"""Policies of one's own: orders, and functions that make them."""

from __future__ import annotations

import functools
import hashlib
import inspect
import pickle
import textwrap
from dataclasses import dataclass, replace
from typing import Any, Callable, Mapping, Optional, Protocol, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._program import Arrays, Asked, ConfigError, InputError


@dataclass(frozen=True)
class Instance:
    """An instance as a function of one's own sees it. Request i is at place i of each array.

    `lower` and `upper` are the prediction interval; a policy that is not to know true lengths
    reads these and not `outputs`. `seed` and `number` are what a random policy may draw from:
    numpy.random.default_rng((instance.seed, instance.number)).
    """

    prompts: NDArray[np.int32]
    outputs: NDArray[np.int32]
    lower: NDArray[np.int32]
    upper: NDArray[np.int32]
    memory: int
    seed: int = 0
    number: int = 0


Order = Union[ArrayLike, Callable[[Instance], ArrayLike]]
"""A policy of the ordering kind: the numbers of the requests, the one to be served first first, or
a function of an Instance that gives them.

Requests are served in that order by the prefix rule with true lengths: at each round those that
wait are admitted in order while memory holds for all that are active until each completes, and
the first that does not fit ends the round's admissions. Nothing is cancelled. All must arrive
at 0. numpy.argsort(keys, kind="stable") makes an order of keys, the least first.

A function must be one: the same instance, the same order. Python runs it once an instance, a
thousand times slower than a policy of the program.
"""


def order_array(name: str, order: Any) -> NDArray[np.int64]:
    """What a user gave as an order, as an array."""
    array = np.asarray(order)
    if array.ndim != 1 or (array.size > 0 and array.dtype.kind not in "iu"):
        raise InputError(
            f"{name}: an order is an array of the requests' numbers, not "
            f"{'an array of ' + str(array.ndim) + ' dimensions' if array.ndim != 1 else array.dtype}"
        )
    return np.ascontiguousarray(array, dtype=np.int64)


@dataclass(frozen=True)
class Requests:
    """Requests that wait or run, at place k of each array.

    `generated` counts the tokens of the present run; of a waiting request, the most that it ever
    had. `output` is None where the policy does not know true lengths.
    """

    id: NDArray[np.int64]
    arrival: NDArray[np.int64]
    prompt: NDArray[np.int32]
    lower: NDArray[np.int32]
    upper: NDArray[np.int32]
    generated: NDArray[np.int32]
    cancelled: NDArray[np.int32]
    output: Optional[NDArray[np.int32]] = None

    def take(self, places: Any) -> Requests:
        """Those at these places."""
        fields: dict[str, Any] = {name: None if v is None else v[places] for name, v in vars(self).items()}
        return Requests(**fields)


@dataclass(frozen=True)
class View:
    """What a policy that decides sees when it is asked: when requests have arrived or completed, when
    memory would overflow, and in the round that its `wake` named.

    `round` counts rounds; `time` is when the round begins, in rounds or, on a clock, nanoseconds.
    `free` is what is left of `memory` once every active request has its next token: negative where
    memory would overflow. Waiting requests stand by arrival, active ones by start. `first` is true for
    the first time in an instance; `seed` and `number` are what a random policy may draw from.
    """

    round: int
    time: int
    memory: int
    free: int
    waiting: Requests
    active: Requests
    first: bool
    seed: int
    number: int

    def without(self, cancelled: NDArray[np.int64]) -> View:
        """The view once these active requests are cancelled."""
        gone = np.isin(self.active.id, cancelled)
        back = self.active.take(gone)
        freed = int((back.prompt + back.generated + 1).sum())
        lists = [vars(self.waiting), vars(back)]
        fields: dict[str, Any] = {
            name: None if v is None else np.concatenate([each[name] for each in lists]) for name, v in lists[0].items()
        }
        joined = Requests(**fields)
        waiting = joined.take(np.lexsort((joined.id, joined.arrival)))
        return replace(self, free=self.free + freed, waiting=waiting, active=self.active.take(~gone))


class Decider(Protocol):
    """A policy that decides while requests are served: any object with `start`.

    `start(view)` gives the numbers (`view.waiting.id`) of the requests that begin now, in order; each
    needs prompt + 1 tokens of `view.free`. It may also have `cancel(view)`, which is called first and
    gives the numbers of active requests that are cancelled, and `wake(view)`, a later round in which to be
    asked again or None. `knows_lengths = True` lets it see true lengths. The program keeps the model:
    what does not fit ends the run, with round and request. It must be a function of what it sees:
    forget what was before where `view.first`. Its attributes tell it from others in a store, so give
    a new object to each sweep where it keeps state on itself.
    """

    def start(self, view: View) -> ArrayLike: ...


def decides(policy: Any) -> bool:
    """Whether a policy of the user's own decides; else it is a function that orders."""
    return callable(getattr(policy, "start", None)) and not callable(policy)


def _decision(name: str, policy: Any, head: dict[str, Any], arrays: Arrays) -> Arrays:
    names = {"arrival": "arrivals", "prompt": "prompts", "output": "outputs"}
    fields: dict[str, Any] = {field: arrays[names.get(field, field)] for field in Requests.__dataclass_fields__}
    if not getattr(policy, "knows_lengths", False):
        fields["output"] = None
    every = Requests(**fields)
    count = head["waiting"]
    keys = ("round", "time", "memory", "free", "first", "seed", "number")
    view = View(
        waiting=every.take(slice(None, count)), active=every.take(slice(count, None)), **{k: head[k] for k in keys}
    )
    nothing = np.zeros(0, np.int64)
    answer = {"cancel": nothing, "wake": nothing}
    if hasattr(policy, "cancel"):
        answer["cancel"] = order_array(name, policy.cancel(view))
        if answer["cancel"].size:
            view = view.without(answer["cancel"])
    answer["start"] = order_array(name, policy.start(view))
    wake = policy.wake(view) if hasattr(policy, "wake") else None
    if wake is not None:
        answer["wake"] = np.array([wake], np.int64)
    return answer


def answering(policies: Mapping[str, Any]) -> Asked:
    """What answers when the program asks for an order or a decision of one of these policies."""

    def answer(head: dict[str, Any], arrays: Arrays) -> Arrays:
        name = head["policy"]
        if head["ask"] == "decision":
            return _decision(f"policy {name}", policies[name], head, arrays)
        lengths = {name: arrays[name] for name in ("prompts", "outputs", "lower", "upper")}
        instance = Instance(**lengths, memory=head["memory"], seed=head["seed"], number=head["number"])
        return {"order": order_array(f"policy {name}", policies[name](instance))}

    return answer


def policy_table(label: str, policy: Any) -> dict[str, Any]:
    """The [[policy]] of an experiment that is this policy of the user's own."""
    if not decides(policy):
        if not callable(policy):
            raise ConfigError(
                f"policies: {label!r} is {policy!r}\n"
                "  not accepted: must be a function of an Instance, or an object with start(view)"
            )
        return {"id": "own-order", "label": label, "digest": digest(policy)}
    knows = bool(getattr(policy, "knows_lengths", False))
    return {"id": "own-decisions", "label": label, "digest": digest(policy), "knows_lengths": knows}


def digest(policy: Any) -> str:
    """Tells a policy from others: a hash of the source of its functions and of all that they hold,
    which is defaults, variables of enclosing functions, globals of the same file, attributes of the
    object and of its classes. Functions of other modules count by name."""
    return hashlib.sha256(repr(_parts(policy, {})).encode()).hexdigest()[:16]


def _parts(value: Any, seen: dict[int, int]) -> Any:
    """What a value is made of, as text and tuples; an object met before is its number."""
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return repr(value)
    if id(value) in seen:
        return ("met before", seen[id(value)])
    seen[id(value)] = len(seen)
    if isinstance(value, np.ndarray):
        values = value.tolist() if value.dtype.hasobject else value.tobytes()
        return ("array", str(value.dtype), value.shape, repr(values))
    if isinstance(value, Mapping):
        return ("mapping", [(_parts(key, seen), _parts(each, seen)) for key, each in value.items()])
    if isinstance(value, (set, frozenset)):
        return ("set", sorted(repr(_parts(each, dict(seen))) for each in value))
    if isinstance(value, (list, tuple)):
        return ("list", [_parts(each, seen) for each in value])
    if isinstance(value, functools.partial):
        return ("partial", [_parts(part, seen) for part in (value.func, value.args, value.keywords)])
    if inspect.ismethod(value):
        return ("method", _parts(value.__func__, seen), _parts(value.__self__, seen))
    if inspect.isfunction(value):
        return _parts_of_function(value, seen)
    if isinstance(value, (property, classmethod, staticmethod)):
        return [_parts(getattr(value, name, None), seen) for name in ("fget", "__func__")]
    if inspect.ismodule(value) or inspect.isbuiltin(value):
        return ("named", getattr(value, "__module__", None), value.__name__)
    if inspect.isclass(value):
        if value.__module__ in ("builtins", "typing", "abc", "numpy"):
            return ("named", value.__module__, value.__qualname__)
        held = [
            [(name, _parts(part, seen)) for name, part in vars(each).items() if _is_own(name)]
            for each in value.__mro__[:-1]
        ]
        return ("class", value.__qualname__, held)
    if hasattr(value, "__dict__"):
        return ("object", _parts(type(value), seen), _parts(vars(value), seen))
    try:
        return ("pickled", pickle.dumps(value))
    except Exception:  # what cannot be pickled tells itself by its text
        return ("text", type(value).__qualname__, repr(value))


def _is_own(name: str) -> bool:
    return name == "__call__" or not (name.startswith("__") and name.endswith("__"))


def _parts_of_function(function: Any, seen: dict[int, int]) -> Any:
    code = function.__code__
    try:
        text: Any = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        text = (code.co_code, repr(code.co_consts), code.co_names)
    cells = [cell.cell_contents for cell in function.__closure__ or () if not _is_empty(cell)]
    read = {name: function.__globals__[name] for name in _names(code) if name in function.__globals__}
    near = {
        name: value
        for name, value in sorted(read.items())
        if not hasattr(value, "__module__") or value.__module__ == function.__module__
    }
    held = (function.__defaults__, function.__kwdefaults__, cells, near)
    return ("function", text, [_parts(each, seen) for each in held])


def _is_empty(cell: Any) -> bool:
    try:
        cell.cell_contents
    except ValueError:
        return True
    return False


def _names(code: Any) -> set[str]:
    """Globals that a function, and functions within it, may read."""
    inner = (_names(each) for each in code.co_consts if inspect.iscode(each))
    return set(code.co_names).union(*inner)


def name_of(function: Any) -> str:
    """A function's name, for results and messages."""
    name = getattr(function, "__name__", type(function).__name__)
    return "own-order" if name == "<lambda>" else str(name)
