"""Verdicts and solutions for readers: tables in the terminal, JSON objects, HTML in notebooks.

``numbers`` spells numbers, ``tables`` lays out facts; each kind of result has a module with
``*_facts`` (pairs of name and number), ``*_text`` (tables) and ``*_object`` (JSON).
"""

from verify.report.channel import channel_facts, channel_object, channel_text
from verify.report.numbers import (
    digits,
    enclosure_digits,
    enclosure_object,
    exact_text,
    log_ratio,
)
from verify.report.tables import (
    check_table,
    columns_table,
    facts_html,
    facts_table,
    printable,
    shortened,
    verdict_facts,
)
from verify.report.testing import testing_facts, testing_object, testing_text

__all__ = [
    "channel_facts",
    "channel_object",
    "channel_text",
    "check_table",
    "columns_table",
    "digits",
    "enclosure_digits",
    "enclosure_object",
    "exact_text",
    "facts_html",
    "facts_table",
    "log_ratio",
    "printable",
    "shortened",
    "testing_facts",
    "testing_object",
    "testing_text",
    "verdict_facts",
]
