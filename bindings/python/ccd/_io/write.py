"""How a file is written: whole or not at all.

The content is composed first, written to a new file beside the target, brought to the disk and renamed to the target's name.
At any moment, and whatever ends this process, the target holds the old content or the new one. Where the system knows files
without a name (O_TMPFILE of Linux), the new one gets its name when it is complete, so a process that is killed leaves nothing.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat

from .. import errors
from .checks import file_name

_LINKS = 40  # Linux's own limit for symbolic links in one path (path_resolution(7))


def whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Let the file at path hold this content.

    A symbolic link stays one, and its target is written. An existing file keeps its owner and permissions; its other hard links
    keep the old content. Written in place, without this promise, are: what is no plain file, as a pipe, a terminal or
    /dev/stdout; a file whose owner cannot be kept; a file in a folder that takes no new ones.

    Raises ArgumentError for what is no name, and FileError, which is also PermissionError, FileNotFoundError ... by its cause.
    BrokenPipeError passes.
    """
    name = file_name("path", path)
    try:
        _write(name, content)
    except BrokenPipeError:
        raise  # the reader has gone: no fault of the file
    except OSError as error:
        raise errors.from_os(name, error) from None


def _write(path: str, content: bytes) -> None:
    target = _end(path)
    if target is None:
        return _over(path, content)
    try:
        # Opened, and not truncated: a file that may not be written stays as it is, although its folder would allow a rename.
        held: os.stat_result | None = _state(target)
    except FileNotFoundError:
        held = None
    if held is not None and not stat.S_ISREG(held.st_mode):
        return _over(path, content)
    folder = os.path.dirname(target)
    beside = os.path.join(folder, f".ccd-{secrets.token_hex(8)}.tmp")
    try:
        made = _unnamed(folder)
        if made is None:
            named, made = True, _new(beside)
        else:
            named = False
    except PermissionError:
        if held is None:
            raise
        return _over(path, content)
    try:
        with open(made, "wb") as file:
            if held is not None and not _alike(made, held):
                if named:
                    os.unlink(beside)
                return _over(path, content)
            file.write(content)
            file.flush()
            os.fsync(made)
            if not named:
                _name(made, beside)
        os.replace(beside, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        raise


def _new(path: str) -> int:
    """A new file, open for writing, with the permissions of the umask."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)


def beside(folder: str, prefix: str = "") -> tuple[int, str]:
    """A new file in a folder, open for writing, with the permissions of the umask; and its name, which ends with .tmp."""
    path = os.path.join(folder, f"{prefix}{secrets.token_hex(8)}.tmp")
    return _new(path), path


def _unnamed(folder: str) -> int | None:
    """A new file in a folder that has no name yet; None where the system or the file system has none."""
    if not hasattr(os, "O_TMPFILE") or os.link not in os.supports_dir_fd or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        return os.open(folder or ".", os.O_WRONLY | os.O_TMPFILE | os.O_CLOEXEC, 0o666)
    except PermissionError:
        raise
    except OSError:
        return None


def _name(file: int, path: str) -> None:
    """Give a file without a name one."""
    folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:  # a folder as origin makes Python call linkat(2), which follows the link in /proc
        os.link(f"/proc/self/fd/{file}", os.path.basename(path), src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)


def _alike(made: int, held: os.stat_result) -> bool:
    """Give a new file owner and permissions of another; reports whether that is allowed. Nothing has been written to it yet."""
    own = os.fstat(made)
    try:
        if (own.st_uid, own.st_gid) != (held.st_uid, held.st_gid):
            os.fchown(made, held.st_uid, held.st_gid)
    except PermissionError:
        return False
    os.fchmod(made, stat.S_IMODE(held.st_mode))  # after fchown, which may clear bits
    return True


def _state(target: str) -> os.stat_result:
    """What the target is, if it may be written. A pipe would wait here for its reader, so only plain files are opened."""
    held = os.stat(target)
    if stat.S_ISREG(held.st_mode):
        os.close(os.open(target, os.O_WRONLY | os.O_CLOEXEC))
    return held


def _end(path: str) -> str | None:
    """Where a chain of symbolic links ends; None when it enters /proc, as /dev/stdout does: that names an open file."""
    for _ in range(_LINKS):
        folder, name = os.path.split(path)
        folder = os.path.realpath(folder)
        if folder == "/proc" or folder.startswith("/proc/"):
            return None
        path = os.path.join(folder, name)
        try:
            path = os.path.join(folder, os.readlink(path))
        except OSError:  # no link, or nothing there
            return path
    return path


def _over(path: str, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)
