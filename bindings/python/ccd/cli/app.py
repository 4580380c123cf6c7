"""The command `ccd` (also `python -m ccd`): step, audit, volume, rigid, pose, robot, cad, patch, query and others.

exit codes:
  0    done, and nothing was found
  1    something was found: a contact, or a pair that is not proven separate
       (step, volume, rigid, patch); an intersection (check); a step that is not
       separate, or a frame that crosses (audit); surfaces that meet or are in
       each other at a pose (pose); an edge of a path that is not proven free
       (robot); parts that cross, meet or are undecided (cad); a result that
       disagrees with the file's truth (query); a missed contact or a late time
       (verify)
  2    bad usage or bad input
  3    cancelled
  4    the library cannot be loaded, or has a defect
  141  broken pipe

'ccd COMMAND --help' prints the options of a command.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from .. import __version__, errors
from . import (
    audit,
    cad,
    check,
    completion,
    info,
    output,
    patch,
    plot,
    pose,
    query,
    remarks,
    rigid,
    robot,
    schema,
    step,
    verify,
    view,
    volume,
)
from .exit_codes import BAD_INPUT, CANCELLED, DEFECT, UNREAD

_COMMANDS = {
    "step": (step, "compute the impacts of a mesh over one step"),
    "audit": (audit, "find what crosses in recorded frames, and what passed between two"),
    "query": (query, "compute queries from files in the datasets' format"),
    "check": (check, "find where a mesh intersects itself, and its smallest distance"),
    "volume": (volume, "compute the contacts of a mesh of elements over one step"),
    "rigid": (rigid, "compute the earliest contact of rigid bodies that move and turn"),
    "pose": (pose, "compute how far apart two surfaces at poses are, or how far in each other"),
    "robot": (robot, "prove paths of a robot free of collisions, or find one"),
    "cad": (cad, "compute contacts and clearances of a CAD assembly that moves"),
    "patch": (patch, "compute when and where curved patches first touch"),
    "verify": (verify, "grade results, of this or another library, by the exact method"),
    "view": (view, "write a page for a browser that plays a step"),
    "plot": (plot, "draw charts of benchmark reports, or of any table, as SVG"),
    "info": (info, "print versions, SIMD level, threads, graphics processors, and where the library is"),
    "completion": (completion, "print a script that completes this command's words in a shell"),
    "schema": (schema, "print the JSON schema of a command's output with --json"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    try:
        given = _parsed(sys.argv[1:] if arguments is None else list(arguments))
        remarks.begin()
        output.quiet = getattr(given, "json", False)
        code: int = given.run(given)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader (head, say) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except (KeyboardInterrupt, errors.Cancelled):
        return _fail("cancelled", CANCELLED)
    except (errors.LibraryError, errors.InternalError, errors.ForkedError) as error:
        return _fail(str(error), DEFECT)
    except (errors.Error, OSError) as error:
        return _fail(str(error), BAD_INPUT)
    except MemoryError as error:
        return _fail(str(error) or "out of memory", BAD_INPUT)
    except Exception:  # Python's own exit code would be 1, which says that a contact was found or missed
        traceback.print_exc()
        return _fail("a defect; please report the text above", DEFECT)


def _fail(text: str, code: int) -> int:
    said = output.safe(f"ccd: {text}")
    print(f"\x1b[31m{said}\x1b[0m" if output.colors(sys.stderr) else said, file=sys.stderr)
    return code


# ---- usage


def _parsed(arguments: list[str]) -> argparse.Namespace:
    """The arguments by name. An unknown word is refused with the usage of its command.

    argparse passes it to the root parser, which would print its own usage.
    """
    root = parser()
    (commands,) = (action.choices for action in root._actions if isinstance(action, argparse._SubParsersAction))
    if not arguments:
        root.error(f"a command is missing; the commands are {', '.join(commands)}")
    if not arguments[0].startswith("-") and arguments[0] not in commands:
        close = difflib.get_close_matches(arguments[0], commands, 1)
        hint = f"did you mean {close[0]}? " if close else ""
        root.error(f"no command is called {arguments[0]!r}; {hint}the commands are {', '.join(commands)}")
    arguments = _joined(arguments)
    given, rest = root.parse_known_args(arguments)
    if rest:
        _refuse_files(commands[given.called], given.called, rest)
        before = arguments[: arguments.index(given.called)]
        one = root if rest[0] in before else commands[given.called]
        one.error(f"unrecognized arguments: {' '.join(rest)}{_meant(one, rest[0], commands)}")
    given.named = _named(commands[given.called], arguments[arguments.index(given.called) + 1 :])
    return given


def _named(one: argparse.ArgumentParser, words: list[str]) -> list[str]:
    """The options that the words name, be it with the value that they have anyway."""
    options = [action for action in one._actions if action.option_strings]
    found = argparse.Namespace()
    vars(found).update({action.dest: None for action in options})  # A default is not put in the place of None.
    one.parse_known_args(words, found)
    return list(dict.fromkeys(a.option_strings[-1] for a in options if getattr(found, a.dest, None) is not None))


def _joined(arguments: list[str]) -> list[str]:
    """The arguments with values that begin with a minus sign joined to their options, as --velocity=-1,0,0.

    argparse takes a word such as -1,0,0 for an option.
    """
    out: list[str] = []
    for word in arguments:
        if out and re.match(r"-\.?\d", word) and re.fullmatch(r"--[a-z][-a-z\d]*", out[-1]):
            out[-1] += f"={word}"
        else:
            out.append(word)
    return out


_CLEANED = "files are cleaned as they are read, and 'left out:' says of what; --weld joins points that are copies of each other"
_MEANT = {  # words that mean no option
    "--clean": _CLEANED,
    "--repair": _CLEANED,
    "--thickness": "--radius gives all vertices a thickness, --min-separation all pairs a gap",
    "--output": "results go to standard output; --json writes all of them",
}


_MORE_FILES = {  # what commands that take fewer files say of one more
    "check": "ccd check takes one mesh; ccd step takes it at two times, ccd audit at any number",
    "step": "ccd step takes a mesh at two times; ccd audit takes any number of frames",
    "volume": "ccd volume takes a mesh at two times; ccd audit takes any number of frames",
    "pose": "ccd pose takes two surfaces, or a scene of any number of bodies as JSON",
    "rigid": "ccd rigid takes two surfaces, or a scene of any number of bodies as JSON",
    "robot": "ccd robot takes a robot and a path; objects of the scene follow --scene",
    "info": "ccd info is about the library; ccd check FILE says what a mesh is",
}


def _refuse_files(one: argparse.ArgumentParser, name: str, rest: list[str]) -> None:
    """Say what takes more files, where no word is an option."""
    if name in _MORE_FILES and not any(word.startswith("-") for word in rest):
        one.error(f"{' '.join(rest)}: {'no file is taken' if name == 'info' else 'too many files'}; {_MORE_FILES[name]}")


def _meant(one: argparse.ArgumentParser, word: str, commands: Mapping[str, argparse.ArgumentParser]) -> str:
    """The option that was probably meant by a word, or the commands that have it, as the end of an error."""
    word = word.partition("=")[0]
    options = [name for action in one._actions for name in action.option_strings if name.startswith("--")]
    said, close = _MEANT.get(word), difflib.get_close_matches(word, options, 1, 0.75)
    others = [
        f"ccd {name}" for name, other in commands.items() if word.startswith("--") and word in other._option_string_actions
    ]
    if said or close or not others:
        return f"; {said}" if said else f"; did you mean {close[0]}?" if close else ""
    return f"; {word} is an option of {', '.join(others)}"


def _number(word: str) -> float:
    """A number in an option's value."""
    try:
        return float(word)
    except ValueError:
        united = re.fullmatch(r"\s*[-+.\d]+(e[-+]?\d+)?\s*[a-zµ°]+\s*", word, re.IGNORECASE)
        hint = "; it takes no unit: lengths are in that of the coordinates, times are parts of a step" if united else ""
        raise argparse.ArgumentTypeError(f"{word!r} is not a number{hint}") from None


def _whole_number(word: str) -> int:
    """A whole number in an option's value."""
    try:
        return int(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is not a whole number") from None


class _Parser(argparse.ArgumentParser):
    """A parser whose messages cannot control the terminal: they quote arguments. An error comes with one line of usage."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.register("type", float, _number)  # what reads the words of all options with type=float
        self.register("type", int, _whole_number)

    def error(self, message: str) -> NoReturn:
        formatter = self._get_formatter()
        formatter.add_usage(None, [action for action in self._actions if not action.option_strings], [], "")
        words = " ".join(formatter.format_help().split()).removeprefix(self.prog)
        usage = f"usage: {self.prog} [OPTION ...]{words}   ({self.prog} --help lists the options)"
        self.exit(2, f"{usage}\n{self.prog}: error: {message}\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        super()._print_message(output.safe(message), file)


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    root = _Parser(
        prog="ccd",
        description="Continuous collision detection: at what time two parts of a moving mesh first touch, with proof.",
        epilog=(__doc__ or "").split("\n\n", 1)[1],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    root.add_argument("--version", action="version", version=f"ccd-toi {__version__}")
    commands = root.add_subparsers(title="commands", required=True, metavar="COMMAND", dest="called")
    for name, (command, text) in _COMMANDS.items():
        one = commands.add_parser(name, help=text)
        command.add(one)
        one.set_defaults(parser=root)
        one.description = one.description or f"{text[:1].upper()}{text[1:]}."
    return root
