"""A dictionary as the TOML text of an experiment."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import contextmanager
from typing import Any, Iterator, Mapping, Optional, Union

import numpy as np

from ._program import ConfigError


def scalar(value: Any, key: str) -> str:
    """A value as TOML writes it."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        text = repr(value)
        return text if any(c in text for c in ".en") else text + ".0"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(scalar(element, f"{key}.{i}") for i, element in enumerate(value)) + "]"
    if isinstance(value, Mapping):
        inside = (f"{quoted(str(k))} = {scalar(v, f'{key}.{k}')}" for k, v in value.items())
        return "{ " + ", ".join(inside) + " }"
    raise ConfigError(
        f"experiment: {key} = {value!r}\n"
        "  not accepted: must be a number, a text, a truth value, a list or a dictionary"
    )


def quoted(key: str) -> str:
    """A key, in quotes where TOML needs them."""
    bare = key != "" and key.isascii() and all(c.isalnum() or c in "-_" for c in key)
    return key if bare else json.dumps(key, ensure_ascii=False)


def _is_tables(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(v, Mapping) for v in value)


def to_toml(document: Mapping[str, Any], path: str = "") -> str:
    """The text of a document: what stands in no table first, as TOML needs it.

    >>> print(to_toml({"stop": {"instances": 2}, "policy": [{"id": "mc-sf"}]}), end="")
    [stop]
    instances = 2
    [[policy]]
    id = "mc-sf"
    """
    lines = []
    tables = []
    for key, value in document.items():
        full = f"{path}.{quoted(str(key))}" if path else quoted(str(key))
        if isinstance(value, Mapping):
            tables.append(f"[{full}]\n{to_toml(value, full)}")
        elif _is_tables(value):
            tables.extend(f"[[{full}]]\n{to_toml(element, full)}" for element in value)
        else:
            lines.append(f"{quoted(str(key))} = {scalar(value, full)}\n")
    return "".join(lines + tables)


def overrides(given: Optional[Mapping[str, Any]], option: str = "") -> list[str]:
    """KEY=VALUE of each, as --set takes them, after `option` where it is given."""
    texts = [f"{key}={scalar(value, key)}" for key, value in (given or {}).items()]
    return [part for text in texts for part in ([option, text] if option else [text])]


@contextmanager
def experiment_file(experiment: Union[str, "os.PathLike[str]", Mapping[str, Any]]) -> Iterator[str]:
    """The name of an experiment's file; of a dictionary one in the working directory, for as long."""
    if not isinstance(experiment, Mapping):
        yield os.fspath(experiment)
        return
    handle, name = tempfile.mkstemp(".toml", "experiment-", ".")
    try:
        with open(handle, "w", encoding="utf-8") as stream:
            stream.write(to_toml(experiment))
        yield name
    finally:
        os.remove(name)
