"""The command's page: the shape of what every command prints with `--json`, and the schemas as files.

What `--help` says is on the same page, by sphinx-argparse.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from ccd.cli import app as command
from ccd.cli import schema


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


def json_pages() -> dict[str, str]:
    """The page on what `--json` prints, and one file for each schema, by their paths in the site."""
    parser, files = command.parser(), {}
    text = (
        "# Output as JSON\n\nEvery command takes `--json` and prints one JSON object then. `ccd schema COMMAND` prints its"
        " schema, which is linked here.\n\n"
    )
    (words,) = (action.choices for action in parser._actions if isinstance(action.choices, dict))
    for name in words:
        files[f"schema/{name}.json"] = json.dumps(schema.schema(name), indent=2) + "\n"
        text += f"## ccd {name}\n\n{{download}}`schema <schema/{name}.json>`\n\n{tables(schema.schema(name))}"
    return {"json.md": text} | files


def page_parser() -> argparse.ArgumentParser:
    """The parser for the page of commands: `*` in a help text is a star there, not the start of emphasis."""

    def escape(parser: argparse.ArgumentParser) -> None:
        parser.description = parser.description and parser.description.replace("*", r"\*")
        for action in parser._actions:
            for inner in action.choices.values() if isinstance(action.choices, dict) else ():
                escape(inner)

    parser = command.parser()
    parser.epilog = None  # the exit codes, which are a table on the page of errors
    escape(parser)
    return parser


def write(app) -> None:
    for name, text in json_pages().items():
        path = Path(app.srcdir) / "generated" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def setup(app) -> dict[str, bool]:
    write(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
