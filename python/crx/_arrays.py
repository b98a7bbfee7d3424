"""Numbers of one instance as arrays, checked: NumPy would let 3.7 or 2^32 pass as another number."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._program import ConfigError

LARGEST = 2**31 - 1
LAST_ARRIVAL = 10**12


def one_of(name: str, value: str, *accepted: str) -> str:
    """A word among those accepted, or ConfigError."""
    if value not in accepted:
        raise ConfigError(f"{name} = {value}\n  not accepted: must be one of {', '.join(a for a in accepted if a)}")
    return value


def whole(name: str, value: Any, low: int, high: int) -> int:
    """A whole number in [low, high], or ConfigError."""
    accepted = f"a whole number from {low} to {high}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise ConfigError(f"{name} = {value!r}\n  not accepted: must be {accepted}")
    if not low <= value <= high:
        raise ConfigError(f"{name} = {value}\n  not accepted: must be {accepted}")
    return int(value)


def whole_array(name: str, values: ArrayLike, low: int, high: int, dtype: Any) -> NDArray[Any]:
    """A one-dimensional array of whole numbers in [low, high]; not copied where it fits."""
    accepted = f"a whole number from {low} to {high}"
    array = np.asarray(values)
    if array.ndim != 1:
        raise ConfigError(f"{name}\n  not accepted: must be an array of one dimension, not {array.ndim}")
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(dtype)  # of []
    if array.dtype.kind == "f":
        wrong = np.flatnonzero(array != np.floor(array))
    elif array.dtype.kind in "iu":
        wrong = np.flatnonzero((array < low) | (array > high))
    else:
        raise ConfigError(f"{name} has elements of type {array.dtype}\n  not accepted: must be whole numbers")
    if array.dtype.kind == "f" and wrong.size == 0:
        wrong = np.flatnonzero(~((array >= low) & (array <= high)))
    if wrong.size > 0:
        i = int(wrong[0])
        raise ConfigError(f"{name}[{i}] = {array[i]}\n  not accepted: must be {accepted}")
    return np.ascontiguousarray(array, dtype=dtype)


class Arrays:
    """The arrays of an instance as the program takes them."""

    def __init__(
        self,
        prompts: ArrayLike,
        outputs: ArrayLike,
        memory: int,
        arrivals: Optional[ArrayLike],
        lower: Optional[ArrayLike],
        upper: Optional[ArrayLike],
        last_arrival: int = LAST_ARRIVAL,
    ) -> None:
        self.memory = whole("memory", memory, 1, LARGEST)
        self.output: NDArray[np.int32] = whole_array("outputs", outputs, 1, LARGEST, np.int32)
        n = self.output.size
        if n == 0:
            raise ConfigError("outputs = []\n  not accepted: must be one request or more")
        self.prompt = self._of("prompts", prompts, 0, n)
        self.arrival: NDArray[np.int64] = (
            np.zeros(n, np.int64)
            if arrivals is None
            else self._same(n, "arrivals", whole_array("arrivals", arrivals, 0, last_arrival, np.int64))
        )
        self.lower = self.output if lower is None else self._of("lower", lower, 1, n)
        self.upper = self.output if upper is None else self._of("upper", upper, 1, n)
        self._require("lower", self.lower, self.lower <= self.output, "at most outputs")
        self._require("upper", self.upper, self.upper >= self.output, "at least outputs")

    def _of(self, name: str, values: ArrayLike, low: int, n: int) -> NDArray[np.int32]:
        if np.ndim(values) == 0:  # the same for all
            values = np.full(n, values)
        return self._same(n, name, whole_array(name, values, low, LARGEST, np.int32))

    @staticmethod
    def _same(n: int, name: str, array: NDArray[Any]) -> NDArray[Any]:
        if array.size != n:
            raise ConfigError(
                f"{name} has {array.size} elements\n  not accepted: must be {n}, as many as outputs"
            )
        return array

    @staticmethod
    def _require(name: str, array: NDArray[Any], good: NDArray[np.bool_], accepted: str) -> None:
        wrong = np.flatnonzero(~good)
        if wrong.size > 0:
            i = int(wrong[0])
            raise ConfigError(f"{name}[{i}] = {array[i]}\n  not accepted: must be {accepted}")
