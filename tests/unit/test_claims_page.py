"""Every example of the page on claims gives what it says."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "claims.md"


def test_the_examples_of_the_page():
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted > 15
    assert results.failed == 0
