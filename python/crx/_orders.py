"""Policies of one's own: orders, and functions that make them."""

from __future__ import annotations

import hashlib
import inspect
import textwrap
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Union

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


def answering(functions: Mapping[str, Callable[[Instance], ArrayLike]]) -> Asked:
    """What answers when the program asks for the order of one of these functions."""

    def answer(head: dict[str, Any], arrays: Arrays) -> NDArray[np.int64]:
        lengths = {name: arrays[name] for name in ("prompts", "outputs", "lower", "upper")}
        name = head["policy"]
        instance = Instance(**lengths, memory=head["memory"], seed=head["seed"], number=head["number"])
        return order_array(f"policy {name}", functions[name](instance))

    return answer


def digest(function: Callable[..., Any]) -> str:
    """Tells a function from others: a hash of its source, or of its code where there is none. What
    the function reads from elsewhere is no part of it."""
    try:
        text = textwrap.dedent(inspect.getsource(function)).encode()
    except (OSError, TypeError):
        code = getattr(function, "__code__", None)
        if code is None:
            raise ConfigError(
                f"policies: {function!r} has no source and no code\n"
                "  not accepted: must be a function that is written with def or lambda"
            ) from None
        text = code.co_code + repr(code.co_consts).encode() + repr(code.co_names).encode()
    return hashlib.sha256(text).hexdigest()[:16]


def name_of(function: Any) -> str:
    """A function's name, for results and messages."""
    name = getattr(function, "__name__", type(function).__name__)
    return "own-order" if name == "<lambda>" else str(name)
