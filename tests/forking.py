"""Fast start of `kiebitz` in tests: forked from a process that has imported everything, which saves a second.

The new process is a child of its caller, with the same arguments, environment, folder, open files, group and signals as if it were
executed; so are the processes that it starts itself. Only on Linux; elsewhere, and with ``preexec_fn``, it is executed.
"""

import atexit
import ctypes
import fcntl
import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from inspect import signature
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar

import click

_KIEBITZ = Path(sys.executable).with_name("kiebitz")
_PROGRAMS = ([sys.executable, "-P", "-m"], [sys.executable, "-P", "-c"])
_DIE_WITH_PARENT, _ADOPT_ORPHANS = 1, 36  # PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER of prctl(2)
_NAME = "fork server of "
_LIBRARY = ctypes.CDLL(None)
_ALONE = Lock()
"""Threads may start processes at the same time; there is one fork server, and one thread at a time adopts the fork."""
_CALL = 1 << 17  # bytes
_HELD = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
_NOT_RESET = {signal.SIGKILL, signal.SIGSTOP, signal.SIGPIPE, signal.SIGXFSZ}  # Python ignores the last two
_LATE = (
    *("uvicorn.lifespan.on", "uvicorn.loops.uvloop", "litestar.plugins.pydantic", "rich.progress"),
    *("anyio._backends._asyncio", "encodings.idna", "eventsourcing.popo"),
)
_HIGH = 500  # a number above all of files that are passed
_LOWER = signature(subprocess.Popen._execute_child)  # pyrefly: ignore[missing-attribute]


class ForkServer:
    """Process that forks, at the other end of a socket. It ends with the holder of this end, and so do its forks, except with
    ``orphans``.
    """

    def __init__(self, line: socket.socket, *, orphans: bool) -> None:
        self._line = line
        self._orphans = orphans

    def start(self, files: list[int], **how: Any) -> int:
        """Start a process; return its id. The fork of a fork loses its parent and is adopted by this process."""
        call = json.dumps({**how, "orphan": self._orphans}).encode()
        _set(_ADOPT_ORPHANS, 1)
        try:
            socket.send_fds(self._line, [call], files)
            return int(self._line.recv(32))
        finally:
            _set(_ADOPT_ORPHANS, 0)


class Process(subprocess.Popen[Any]):
    """Replacement of ``subprocess.Popen`` that forks where it can."""

    server: ClassVar[ForkServer | None] = None

    def _execute_child(self, args: Any, *more: Any) -> None:
        how = _LOWER.bind(self, args, *more).arguments
        words = [args] if isinstance(args, str) else [os.fsdecode(word) for word in args]
        if sys.platform != "linux" or not is_forked(words) or how["preexec_fn"]:
            super()._execute_child(args, *more)  # pyrefly: ignore[missing-attribute]
            return
        pipes = ("p2cread", "c2pwrite", "errwrite")
        files = [number if how[pipe] == -1 else how[pipe] for number, pipe in enumerate(pipes)]
        with _ALONE:
            self.pid = (Process.server or _begin()).start(
                [*files, *how["pass_fds"]],
                words=words,
                folder=os.fspath(how["cwd"] or Path.cwd()),
                environment=dict(os.environ if how["env"] is None else how["env"]),
                session=how["start_new_session"],
                group=how["process_group"],
                numbers=[0, 1, 2, *how["pass_fds"]],
            )
        self._child_created = True
        self._close_pipe_fds(*(how[pipe] for pipe in ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")))  # pyrefly: ignore[missing-attribute]


def is_forked(words: Sequence[str]) -> bool:
    """Return whether these are words of a command that is forked on Linux: `kiebitz`, or `python -P` and a module or a program."""
    return words[0] == str(_KIEBITZ) or list(words[:3]) in _PROGRAMS


def forks(process: int) -> bool:
    """Return whether a process is the fork server of another one."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{process}/cmdline").read_text().startswith(_NAME)
    return False


def die_with_parent() -> None:
    """Let this process die with its parent: with the thread that executed it, or with the process that forked it."""
    if sys.platform == "linux":
        _set(_DIE_WITH_PARENT, signal.SIGKILL)


def _begin() -> ForkServer:
    """Start the fork server, once for each test process."""
    ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
    with theirs:
        command = [sys.executable, "-P", __file__, str(theirs.fileno()), " " * 4096]  # room for other words
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[theirs.fileno()])
    atexit.register(process.wait)
    atexit.register(ours.close)
    Process.server = ForkServer(ours, orphans=False)
    return Process.server


def _set(option: int, value: int) -> None:
    _LIBRARY.prctl(option, value)


def _import_all() -> None:
    import api.app
    from deploy.cli.main import COMMANDS, main
    from deploy.system.startup import preload_codecs
    from tests.migrated import copy_into_new_files

    for name in COMMANDS:
        main.get_command(click.Context(main), name)
    for late in _LATE:
        import_module(late)
    api.app.register_routes = cache(api.app.register_routes)  # for the one application that a process serves
    api.app.register_routes()
    preload_codecs()
    copy_into_new_files()  # reads the scripts, too
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # as in the test processes: scans take a twentieth of the time of commands


def _serve(line: socket.socket) -> None:
    """Fork for each call that arrives. A signal to a fork that is not yet what it will be waits for it; ignored, it would be lost."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _HELD)
    while True:
        told, files, _, _ = socket.recv_fds(line, _CALL, 64)
        if not told:
            os._exit(0)
        ours, theirs = socket.socketpair()
        if (parent := os.fork()) == 0:
            if child := os.fork():
                theirs.send(str(child).encode())
                os._exit(0)
            ours.close()
            theirs.recv(1)  # wait until the parent is another one
            return _run(json.loads(told), files)
        os.waitpid(parent, 0)
        line.send(ours.recv(32))
        for opened in (ours, theirs):
            opened.close()
        for file in files:
            os.close(file)


def _run(call: dict[str, Any], files: list[int]) -> None:
    if not call["orphan"]:
        die_with_parent()
    if call["session"]:
        os.setsid()
    elif call["group"] not in (None, -1):
        os.setpgid(0, call["group"])
    _take_files(call["numbers"], files)
    for reset in signal.valid_signals() - _NOT_RESET:
        with suppress(OSError):
            signal.signal(reset, signal.default_int_handler if reset == signal.SIGINT else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _HELD)
    os.chdir(call["folder"])
    os.environ.clear()
    os.environ.update(call["environment"])
    _rename(call["words"])
    _serve_own()
    try:
        _run_words(call["words"])
        _leave(0)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            _leave(end.code or 0)
        raise


def _run_words(words: list[str]) -> None:
    if words[0] == sys.executable:
        _run_program(*words[2:])
    else:
        sys.argv = words
        from deploy.cli.main import main

        main()


def _run_program(kind: str, program: str, *arguments: str) -> None:
    sys.argv = [program if kind == "-m" else kind, *arguments]
    if kind == "-m":
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    else:
        exec(program, {"__name__": "__main__"})


def _leave(code: int) -> None:
    """End as the interpreter does, but leave the memory to the kernel, which is shared with the fork server: a third of a second."""
    threading._shutdown()  # pyrefly: ignore[missing-attribute]
    atexit._run_exitfuncs()
    with suppress(OSError, ValueError):
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(code)


def _take_files(numbers: list[int], files: list[int]) -> None:
    """Install the passed files under their numbers, and close all others."""
    high = [fcntl.fcntl(file, fcntl.F_DUPFD, _HIGH) for file in files]
    for file, number in zip(high, numbers, strict=True):
        os.dup2(file, number)
    for other in {int(file.name) for file in Path("/proc/self/fd").iterdir()} - set(numbers):
        with suppress(OSError):
            os.close(other)


def _rename(words: list[str]) -> None:
    """Set the command line that other processes see."""
    begin, end = map(int, Path("/proc/self/stat").read_text().rpartition(") ")[2].split()[45:47])
    ctypes.memmove(begin, b"\0".join(map(os.fsencode, words))[: end - begin - 1].ljust(end - begin, b"\0"), end - begin)


def _serve_own() -> None:
    """Start a fork server for the processes that this one starts: they may outlive it, as executed ones would."""
    ours, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
    if os.fork() == 0:
        _take_files([0, 1, 2, theirs.fileno()], [os.open(os.devnull, os.O_RDWR)] * 3 + [theirs.fileno()])
        _rename([_NAME])
        _serve(theirs)
        sys.exit()
    theirs.close()
    Process.server = ForkServer(ours, orphans=True)
    subprocess.Popen = Process


if __name__ == "__main__":
    _import_all()
    _serve(socket.socket(fileno=int(sys.argv[1])))
