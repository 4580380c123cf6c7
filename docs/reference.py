"""Pages of the site that are made of the Python package itself: its manual, the command's words, what --json prints.

Docstrings are plain text, written for help(ccd): a paragraph with columns or indented lines is shown as it stands, others
as prose.
"""

from __future__ import annotations

import argparse
import functools
import inspect
import json
import re
from enum import Enum
from types import ModuleType
from typing import Any

import ccd
from ccd.cli import app, schema

MODULES = ("step", "pair", "broad", "proximity", "volume", "rigid", "patch", "verify", "view", "plot", "errors")


def prose(text: str) -> str:
    """A docstring as Markdown."""
    parts = []
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        columns = any(re.search(r"^ |\S {2,}\S", line) for line in paragraph.splitlines())
        shown = inspect.cleandoc(paragraph)
        parts.append(f"```text\n{shown}\n```" if columns else re.sub(r"[<*]", r"\\\g<0>", shown))
    return "\n\n".join(parts) + "\n\n"


def fenced(text: str, language: str = "python") -> str:
    return f"```{language}\n{text}\n```\n\n"


# ---- the Python interface


def signature(name: str, what: Any) -> str:
    """How it is called, with short names for types; a long one has an argument a line."""
    try:
        told = str(inspect.signature(what))
    except ValueError:
        return name
    told = re.sub(r"'([^']*)'", r"\1", told).replace("NDArray[Any]", "NDArray").replace("Unpack[Options]", "Options")
    told = re.sub(r"^\(self(, )?", "(", told)
    if len(name) + len(told) <= 100:
        return name + told
    head, _, back = told.rpartition(")")
    depth, parts = 0, [""]
    for letter in head[1:]:
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return f"{name}(\n" + "".join(f"    {part.strip()},\n" for part in parts) + f"){back}"


def function(name: str, what: Any, level: int) -> str:
    return f"{'#' * level} {name}\n\n{fenced(signature(name.rpartition('.')[2], what))}{prose(what.__doc__ or '')}"


def members(what: type) -> list[tuple[str, Any]]:
    """What a class defines itself, for everybody, and says something about."""
    return [(name, one) for name, one in vars(what).items() if not name.startswith("_") and getattr(one, "__doc__", None)]


def klass(name: str, what: type) -> str:
    """A class with its methods; an enumeration with its values."""
    text = f"### {name}\n\n"
    if issubclass(what, Enum):
        return text + prose(what.__doc__ or "") + fenced("\n".join(f"{one.name} = {one.value}" for one in what), "text")
    if not issubclass(what, Exception):
        fields = [line for line in source(what) if re.match(r"    \w+: ", line)]
        text += fenced("\n".join(line[4:] for line in fields)) if fields else fenced(signature(what.__name__, what))
    text += prose(what.__doc__ or "")
    for member, one in members(what):
        if isinstance(one, property):
            text += f"#### {name}.{member}\n\n{prose(one.__doc__ or '')}"
        elif isinstance(one, (staticmethod, classmethod)):
            text += function(f"{name}.{member}", getattr(what, member), 4)
        elif inspect.isfunction(one):
            text += function(f"{name}.{member}", one, 4)
    return text


def source(what: type) -> list[str]:
    """The lines of a class that declares its members one by one: a dataclass, a tuple or a dictionary with names."""
    return inspect.getsource(what).splitlines() if getattr(what, "__annotations__", None) else []


def contents(module: ModuleType) -> list[tuple[str, Any]]:
    """The public names of a module, functions first, in the order in which they stand."""
    here = {n: one for n, one in vars(module).items() if not n.startswith("_") and callable(one)}
    listed = getattr(module, "__all__", None)
    own = {n: one for n, one in here.items() if (n in listed if listed else one.__module__ == module.__name__)}

    def place(item: tuple[str, Any]) -> tuple[bool, str, int]:
        return inspect.isclass(item[1]), item[1].__module__, inspect.getsourcelines(item[1])[1]

    return sorted(own.items(), key=place)


def section(title: str, module: ModuleType, names: list[tuple[str, Any]]) -> str:
    text = f"## {title}\n\n{prose(module.__doc__ or '')}"
    for name, what in names:
        full = f"{title}.{name}"
        text += klass(full, what) if inspect.isclass(what) else function(full, what, 3)
    return text


def python() -> str:
    """The manual of the Python package."""
    errors = {name for name, _ in contents(ccd.errors)}
    text = "# The Python interface\n\nWhat `help(ccd)` says, on one page.\n\n"
    text += section("ccd", ccd, [(n, what) for n, what in contents(ccd) if n not in errors])
    return text + "".join(section(f"ccd.{name}", getattr(ccd, name), contents(getattr(ccd, name))) for name in MODULES)


# ---- the command


def type_of(schema: dict[str, Any]) -> str:
    """The type of a member, in a few words."""
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(word)}`" for word in schema["enum"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    size = f" of {schema['minItems']}" if "minItems" in schema else ""
    return " or ".join(kind + (size if kind == "array" else "") for kind in kinds)


def rows(schema: dict[str, Any], path: str, seen: dict[str, str]) -> list[tuple[str, str, str]]:
    """The members of an object, and of those inside of it; an object that stood before is named, not described again."""
    found = []
    for name, one in schema.get("properties", {}).items():
        missing = "" if name in schema.get("required", ()) else "may be missing"
        at, inner = f"{path}{name}", one.get("items", one)
        about = [missing, one.get("description", "")]
        if inner is not one and "properties" in inner:
            about.append(inner.get("description", ""))
            inner_path = f"{at}[]."
        else:
            inner_path = f"{at}."
        key = json.dumps(inner.get("properties"))
        if "properties" in inner and key in seen:
            about.append(f"members as of {seen[key]}")
            inner = {}
        elif "properties" in inner:
            seen[key] = f"`{at}`"
        found.append((at, type_of(one), "; ".join(dict.fromkeys(filter(None, about)))))
        found += rows(inner, inner_path, seen)
    return found


def tables(schema: dict[str, Any]) -> str:
    """One table for each form that an answer may have."""
    text = ""
    for form in schema.get("anyOf", [schema]):
        told = rows(form, "", {})
        if "anyOf" in schema:
            text += f"Of {form['description']}:\n\n"
        if told:
            text += "| member | type | what |\n|---|---|---|\n"
            text += "".join(f"| `{name}` | {kind} | {about} |\n" for name, kind, about in told) + "\n"
    return text


def usage(parser: argparse.ArgumentParser) -> str:
    """What --help says, as wide as a page."""
    parser.formatter_class = functools.partial(parser.formatter_class, width=110)  # type: ignore[assignment]
    return fenced(parser.format_help().strip(), "text")


def command() -> dict[str, str]:
    """The page of the command, and the schemas as files."""
    parser, files = app.parser(), {}
    text = "# The command\n\n" + usage(parser)
    text += (
        "Every command takes `--json` and prints one JSON object then. `ccd schema COMMAND` prints its schema, which is linked"
        " here; the tests hold what every command prints against it.\n\n"
    )
    (words,) = (action.choices for action in parser._actions if isinstance(action.choices, dict))
    for name, one in words.items():
        files[f"schema/{name}.json"] = json.dumps(schema.schema(name), indent=2) + "\n"
        text += f"## ccd {name}\n\n{usage(one)}"
        text += f"With `--json` ([schema](schema/{name}.json)):\n\n{tables(schema.schema(name))}"
    return {"command.md": text} | files
