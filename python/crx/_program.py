"""The program `crx`: where it is, how a command of it is run, and the server that answers quick
calls. Exit statuses and refusals become exceptions with the program's words."""

from __future__ import annotations

import atexit
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Optional, Union

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]


class InputError(ValueError):
    """What was given is not accepted, and nothing was written."""

    __module__ = "crx"


class ConfigError(InputError):
    """A value or a name that is not accepted; the text says what is."""

    __module__ = "crx"


class RunError(RuntimeError):
    """A run failed; the text says what was kept and how to go on."""

    __module__ = "crx"


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _candidates() -> Iterator[Path]:
    package = Path(__file__).resolve().parent
    yield package / "crx"
    yield package.parent.parent / "crx"  # of the bundle
    noted = package / "clone.txt"  # pip notes there what it installed from
    clone = Path(noted.read_text("utf-8").strip()) if noted.exists() else package.parent.parent
    yield clone / "build" / "program" / "crx"
    yield clone / "build" / "release" / "crx"
    yield from sorted((clone / "build").glob("*/crx"))


def find_program() -> str:
    """The path of the program: what CRX names, else beside the package, in the clone's build
    folders, on PATH. Raises RunError where there is none."""
    named = os.environ.get("CRX")
    if named:
        if not _is_program(Path(named)):
            raise RunError(f"CRX = {named}: there is no program")
        return named
    for path in _candidates():
        if _is_program(path):
            return str(path)
    found = shutil.which("crx")
    if found is None:
        raise RunError(
            "the program crx was not found\n"
            "  build it (scripts/demo), put it on PATH, or name it: export CRX=.../build/program/crx"
        )
    return found


def _error(text: str, status: int, kind: str = "") -> Exception:
    """The exception of a refusal. A status below 0 is a signal."""
    if status < 0:
        name = signal.Signals(-status).name
        return RunError(f"the program ended by {name}; the next call starts it again\n  {text}".rstrip("\n "))
    if kind == "config" or (kind in ("", "usage") and ("not accepted" in text or "unknown key" in text)):
        return ConfigError(text)
    return InputError(text) if status == 2 else RunError(text)


def _say(text: str) -> None:
    if text and sys.stderr is not None:
        sys.stderr.write(text)
        sys.stderr.flush()


def run(*arguments: Any, check: bool = True) -> str:
    """Standard output of a command of the program. Its warnings go to sys.stderr.

    Ctrl-C stops the program and raises KeyboardInterrupt with what it says of it."""
    command = [find_program(), *(str(a) for a in arguments)]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    stopped = False
    while True:
        try:
            out, err = process.communicate()
            break
        except KeyboardInterrupt:
            stopped = True
            process.send_signal(signal.SIGINT)
    before, mark, words = ("\n" + err.decode("utf-8", "replace")).rpartition("\ncrx: ")
    text = (words if mark else before).strip("\n")
    if stopped:
        raise KeyboardInterrupt(text)
    if process.returncode == 0 or not check:
        _say(err.decode("utf-8", "replace"))
        return out.decode("utf-8")
    _say(before.lstrip("\n") + "\n" if mark and before.strip() else "")
    raise _error(text, process.returncode)


def run_json(*arguments: Any) -> Any:
    """What a command prints with --json."""
    return json.loads(run(*arguments, "--json"))


class _Server:
    """One `crx serve`: a line of JSON and the bytes of arrays each way, one call at a time."""

    def __init__(self, place: tuple[int, str, str]) -> None:
        self.place = place
        self.process = subprocess.Popen(
            [place[2], "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.to, self.out, self.err = (
            self.process.stdin.fileno(),
            self.process.stdout.fileno(),
            self.process.stderr.fileno(),
        )
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.out, selectors.EVENT_READ)
        self.selector.register(self.err, selectors.EVENT_READ)
        self.held = bytearray()
        self.stopped = False

    def send(self, head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        described = [{"name": k, "type": str(a.dtype), "length": a.size} for k, a in arrays.items()]
        data = json.dumps({**head, "arrays": described}).encode() + b"\n"
        data += b"".join(a.tobytes() for a in arrays.values())
        at = 0
        while at < len(data):
            at += os.write(self.to, data[at : at + 2**20])

    def _more(self) -> None:
        """Waits for bytes; passes what the program says on to sys.stderr."""
        try:
            ready = [key.fd for key, _ in self.selector.select()]
            if self.err in ready:
                said = os.read(self.err, 2**16)
                _say(said.decode("utf-8", "replace"))
                if not said:
                    self.selector.unregister(self.err)
            if self.out in ready:
                got = os.read(self.out, 2**20)
                if not got:
                    raise EOFError
                self.held += got
        except KeyboardInterrupt:
            self.stop()

    def stop(self) -> None:
        self.stopped = True
        self.process.send_signal(signal.SIGINT)

    def _take(self, count: int) -> bytearray:
        while len(self.held) < count:
            self._more()
        taken = self.held[:count]
        del self.held[:count]
        return taken

    def receive(self) -> tuple[dict[str, Any], Arrays]:
        end = self.held.find(b"\n")
        while end < 0:
            self._more()
            end = self.held.find(b"\n")
        head = json.loads(self._take(end + 1))
        arrays = {}
        for array in head.pop("arrays", ()):
            dtype = np.dtype(array["type"])
            arrays[array["name"]] = np.frombuffer(self._take(dtype.itemsize * array["length"]), dtype)
        return head, arrays

    def close(self) -> None:
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        if self.place[0] == os.getpid():
            self.process.wait()


_idle: list[_Server] = []
_lock = threading.Lock()


@contextmanager
def _server() -> Iterator[_Server]:
    """A server that no other call uses, of this process and working directory. One that fails within
    is ended."""
    place = (os.getpid(), os.getcwd(), find_program())
    server = None
    with _lock:
        while _idle and server is None:
            last = _idle.pop()
            if last.place == place and last.process.poll() is None:
                server = last
            else:
                last.close()
    server = server or _Server(place)
    try:
        yield server
    except BaseException:
        server.process.kill()
        server.close()
        raise
    with _lock:
        _idle.append(server)


@atexit.register
def _end() -> None:
    while _idle:
        _idle.pop().close()


Asked = Callable[[dict[str, Any], Arrays], Arrays]


def call(
    what: str,
    arrays: Mapping[str, NDArray[Any]] = {},
    asked: Optional[Asked] = None,
    /,
    **keys: Any,
) -> tuple[Any, Arrays]:
    """(result, arrays) of a call of `crx serve`. `asked` answers when the program asks for an order
    or a decision of a policy of the user's own; what it raises becomes the cause of RunError."""
    raised: Optional[BaseException] = None
    try:
        with _server() as server:
            server.stopped = False
            server.send({"call": what, **keys}, arrays)
            while True:
                head, got = server.receive()
                if "ask" not in head:
                    break
                try:
                    if server.stopped or asked is None:
                        raise KeyboardInterrupt
                    server.send({}, asked(head, got))
                except BaseException as error:  # also Ctrl-C while the function runs
                    raised = raised or error
                    if isinstance(error, KeyboardInterrupt) and not server.stopped:
                        server.stop()
                    words = f"{type(error).__name__}: {error}"
                    server.send({"error": f"policy {head.get('policy', '')} raised {words}".split("\n")[0]}, {})
    except (EOFError, BrokenPipeError) as error:
        status = server.process.returncode or 1
        raise _error("the program ended during a call", status) from error
    for message in head.get("messages", ()):
        _say(f"crx: {message}\n")
    if server.stopped:
        raise KeyboardInterrupt(head.get("text", ""))
    if head["ok"]:
        return head["result"], got
    raise _error(head["text"], head["status"], head["error"]) from raised


def version() -> str:
    """Version, commit and build type of the program, as `crx --version` prints them."""
    return run("--version").strip()


PathLike = Union[str, "os.PathLike[str]"]
