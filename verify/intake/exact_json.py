"""JSON with exact numbers: a number is kept as its text, so that 0.1 is 1/10."""

import json
from collections.abc import Mapping
from fractions import Fraction

from verify.intake.source import Source
from verify.kernel.errors import InexactNumberError, InputError
from verify.kernel.exact import as_rational, excerpt

__all__ = ["Number", "parse_json", "read_entries", "read_keys", "read_names"]


class Number(str):
    """The text of a JSON number, kept apart from a JSON string."""

    __slots__ = ()


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    content = dict(pairs)
    if len(content) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise InputError(f"the key {excerpt(twice)} stands twice in one object; keep one")
    return content


def parse_json(source: Source) -> object:
    """The content of the source, with every number as `Number`.

    Raises:
        InputError: if it is not JSON, has a key twice or is nested too deeply.
    """
    try:
        return json.loads(
            source.text(),
            object_pairs_hook=_unique,
            parse_int=Number,
            parse_float=Number,
            parse_constant=Number,
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{source.name}: {place}: is not JSON ({error.msg}); mend it") from None
    except RecursionError:
        raise InputError(f"{source.name}: is nested too deeply; see --help for the form") from None
    except InputError as error:
        if str(error).startswith(source.name):
            raise
        raise InputError(f"{source.name}: {error}") from None


def read_keys(
    source: Source, content: object, required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> Mapping[str, object]:
    """The content as an object with these keys and no others.

    Raises:
        InputError: naming the key that is missing or unknown.
    """
    form = ", ".join(f'"{key}": ...' for key in required)
    if not isinstance(content, dict):
        raise InputError(f"{source.name}: is not an object; write {{{form}}}")
    for key in required:
        if key not in content:
            raise InputError(f"{source.name}: lacks the key {key!r}; write {{{form}}}")
    for key in content:
        if key not in required + optional:
            known = ", ".join(required + optional)
            raise InputError(
                f"{source.name}: has the unknown key {excerpt(key)}; the keys are {known}"
            )
    return content


def read_entries(source: Source, value: object, where: str) -> list[Fraction]:
    """The value as a list of exact numbers.

    Raises:
        InputError: naming the place of the first entry that is not an exact number.
    """
    if not isinstance(value, list):
        raise InputError(f'{source.name}: {where} is not a list; write ["1/2", 0.25, ...]')
    return [_entry(source, item, f"{where}[{i}]") for i, item in enumerate(value)]


def _entry(source: Source, item: object, where: str) -> Fraction:
    try:
        return as_rational(item, f"{source.name}: {where}")
    except InexactNumberError:
        shown = "null" if item is None else type(item).__name__.replace("dict", "object")
        raise InputError(
            f"{source.name}: {where} is a {shown}, not a number such as 3, '2/7' or 0.25"
        ) from None


def read_names(source: Source, value: object, where: str, count: int) -> tuple[str, ...]:
    """The value as ``count`` distinct names.

    Raises:
        InputError: for another type or number of names, or a name that stands twice.
    """
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise InputError(f'{source.name}: {where} is not a list of names; write ["a", "b", ...]')
    if len(value) != count:
        raise InputError(f"{source.name}: {where} has {len(value)} names for {count}; give {count}")
    return distinct(source, tuple(map(str, value)), where)


def distinct(source: Source, names: tuple[str, ...], where: str) -> tuple[str, ...]:
    """The names, if no two are equal.

    Raises:
        InputError: naming the one that stands twice.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"{source.name}: {where}: {excerpt(name)} stands twice; rename one")
        seen.add(name)
    return names
