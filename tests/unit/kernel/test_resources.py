"""No certificate makes the kernel work beyond its limits, whatever it holds."""

import pytest

from tests.attack.hostile import HOSTILE
from tests.attack.resource_use import cost, sizes_measured

ANSWERS = {"ACCEPTED", "REJECTED", "UNDECIDED", "LimitError", "CertificateError", "InputError"}
SECONDS, MEGABYTES = 10, 1024


@pytest.mark.parametrize("name", HOSTILE)
def test_small_hostile_certificates_get_an_answer(name):
    assert cost(name, 2_000)[-1] in ANSWERS


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_no_megabyte_takes_ten_seconds_or_a_gigabyte(name):
    """From 1 MB down, and as near to the limits as an eighth; processor time."""
    for _, seconds, memory, answer in sizes_measured(name):
        assert answer in ANSWERS
        assert seconds < SECONDS
        assert memory < MEGABYTES
