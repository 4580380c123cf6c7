"""The command `ccd completion`: scripts for bash, zsh and fish, made from the parser, so that they know every word."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from . import output
from .exit_codes import FOUND_NOTHING


class Option(NamedTuple):
    """An option, or a positional argument, which has no flags."""

    flags: tuple[str, ...]
    words: tuple[str, ...]  # what may follow
    value: bool  # whether something follows
    file: bool  # whether it is a file
    help: str


class Command(NamedTuple):
    """A command of the parser."""

    name: str
    help: str
    options: list[Option]
    arguments: list[Option]


def commands(parser: argparse.ArgumentParser) -> Iterator[Command]:
    """Every command, with everything it takes."""
    (sub,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    helps = {action.dest: action.help or "" for action in sub._choices_actions}
    for name, inner in sub.choices.items():
        taken = [_option(action) for action in inner._actions]
        yield Command(name, helps[name], [o for o in taken if o.flags], [o for o in taken if not o.flags])


def _option(action: argparse.Action) -> Option:
    words = tuple(map(str, action.choices or ()))
    value = action.nargs != 0
    shown = action.metavar if isinstance(action.metavar, str) else ""
    file = value and not words and (shown.startswith("FILE") or (not action.option_strings and shown.isupper()))
    return Option(tuple(action.option_strings), words, value, file, (action.help or "").replace("%%", "%"))


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script for a shell."""
    return SHELLS[shell](parser)


# ---- bash


def _bash(parser: argparse.ArgumentParser) -> str:
    values, flags, words = [], [], []
    for c in commands(parser):
        for o in c.options:
            named = "|".join(f"{c.name},{flag}" for flag in o.flags)
            if o.words:
                values.append(f"        {named}) {_words(o.words)}; return ;;")
            elif o.value:
                values.append(f"        {named}) {_FILES + '; ' if o.file else ''}return ;;")
        flags.append(f"        {c.name}) flags='{' '.join(flag for o in c.options for flag in o.flags)}' ;;")
        words.append(f"        {c.name}) {_bash_argument(c)} ;;")
    names = [*(c.name for c in commands(parser)), "--help", "--version"]
    lines = [
        "# ccd in bash: source this, or put it into ~/.local/share/bash-completion/completions/ccd",
        "_ccd() {",
        '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}" flags=""',
        "    COMPREPLY=()",
        '    if [ "$COMP_CWORD" -eq 1 ]; then',
        f"        {_words(names)}",
        "        return",
        "    fi",
        '    case "$command,$before" in',
        *values,
        "    esac",
        '    case "$command" in',
        *flags,
        "    esac",
        '    if [ "${word#-}" != "$word" ]; then',
        '        COMPREPLY=($(compgen -W "$flags" -- "$word"))',
        "        return",
        "    fi",
        '    case "$command" in',
        *words,
        "    esac",
        "}",
        "complete -o filenames -F _ccd ccd",
    ]
    return "\n".join(lines)


_FILES = 'COMPREPLY=($(compgen -f -- "$word"))'


def _words(words: Iterable[str]) -> str:
    return f"COMPREPLY=($(compgen -W '{' '.join(words)}' -- \"$word\"))"


def _bash_argument(command: Command) -> str:
    words = [w for o in command.arguments for w in o.words]
    return _words(words) if words else _FILES if any(o.file for o in command.arguments) else ":"


# ---- zsh


def _zsh(parser: argparse.ArgumentParser) -> str:
    described = [f"        '{c.name}:{_plain(c.help)}'" for c in commands(parser)]
    cases = []
    for c in commands(parser):
        specs = [_zsh_spec(o, flag) for o in c.options for flag in o.flags]
        if c.arguments:
            specs.append(_zsh_argument(c))
        joined = " \\\n                ".join(specs)
        cases += [f"        {c.name})", f"            _arguments \\\n                {joined} ;;"]
    return "\n".join(
        [
            "#compdef ccd",
            "# ccd in zsh: source this after compinit, or put it as _ccd into a folder of $fpath",
            "_ccd() {",
            "    local -a names",
            "    names=(",
            *described,
            "    )",
            "    if (( CURRENT == 2 )); then",
            "        _describe -t commands 'ccd command' names",
            "        _arguments '--help[help]' '--version[version]'",
            "        return",
            "    fi",
            "    local command=$words[2]",
            "    shift words; (( CURRENT-- ))",
            "    case $command in",
            *cases,
            "    esac",
            "}",
            'if [ "$funcstack[1]" = "_ccd" ]; then _ccd "$@"; elif (( $+functions[compdef] )); then compdef _ccd ccd; fi',
        ]
    )


def _zsh_argument(command: Command) -> str:
    """All positional arguments in one: a second such specification is an error."""
    words = [w for o in command.arguments for w in o.words]
    return f"'*:word:({' '.join(words)})'" if words else "'*:file:_files'"


def _zsh_spec(option: Option, flag: str) -> str:
    follows = ":file:_files" if option.file else ":value:" if option.value else ""
    if option.words:
        follows = f":value:({' '.join(option.words)})"
    return f"'{flag}[{_plain(option.help)}]{follows}'"


def _plain(text: str) -> str:
    """Help without what a zsh specification reads."""
    for mark in "'[]:\\":
        text = text.replace(mark, " ")
    return " ".join(text.split())


# ---- fish


def _fish(parser: argparse.ArgumentParser) -> str:
    lines = [
        "# ccd in fish: ccd completion fish > ~/.config/fish/completions/ccd.fish",
        "complete -c ccd -f",
        "complete -c ccd -n __fish_use_subcommand -l help -s h",
        "complete -c ccd -n __fish_use_subcommand -l version",
    ]
    for c in commands(parser):
        lines.append(f"complete -c ccd -n __fish_use_subcommand -a {c.name} -d {_quoted(c.help)}")
        on = f"complete -c ccd -n '__fish_seen_subcommand_from {c.name}'"
        for o in c.options:
            names = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in o.flags)
            follows = f" -x -a '{' '.join(o.words)}'" if o.words else " -r -F" if o.file else " -x" if o.value else ""
            lines.append(f"{on} {names}{follows} -d {_quoted(o.help)}")
        for o in c.arguments:
            lines.append(f"{on} -a '{' '.join(o.words)}'" if o.words else f"{on} -F")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


SHELLS: dict[str, Callable[[argparse.ArgumentParser], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments of `ccd completion`."""
    parser.add_argument("shell", choices=list(SHELLS), help='e.g. in ~/.bashrc: eval "$(ccd completion bash)"')
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Print the script."""
    text = script(given.parser, given.shell)
    if given.json:
        output.emit_json({"shell": given.shell, "script": text})
    else:
        print(text)
    return FOUND_NOTHING
