"""Commands whose arguments are numbers: a negative one is a number, not an unknown option."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from typer.core import TyperCommand

__all__ = ["NumberArgumentsCommand"]

_NEGATIVE = re.compile(r"-\.?[0-9].*", re.DOTALL)


class NumberArgumentsCommand(TyperCommand):
    """A command that lets ``-1`` reach the check of its argument, which says what is wrong."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the arguments behind ``--`` if one of them is a negative number."""
        valued = {
            name
            for parameter in self.params
            if parameter.param_type_name == "option" and not getattr(parameter, "is_flag", False)
            for name in parameter.opts
        }
        options, arguments = _parted(args, valued)
        if any(map(_NEGATIVE.fullmatch, arguments)):
            args = [*options, "--", *arguments]
        return super().parse_args(ctx, args)


def _parted(words: Sequence[str], valued: Iterable[str]) -> tuple[list[str], list[str]]:
    """The options with their values, and the arguments.

    Args:
        words: the command line.
        valued: the options that take the next word as their value.
    """
    options: list[str] = []
    arguments: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            arguments += rest
        elif word.startswith("-") and word != "-" and not _NEGATIVE.fullmatch(word):
            options.append(word)
            if word in valued:
                options += [value for value in [next(rest, None)] if value is not None]
        else:
            arguments.append(word)
    return options, arguments
