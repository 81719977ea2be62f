"""No certificate makes the kernel work beyond its limits, whatever it holds."""

import pytest

from tests.attack.hostile import HOSTILE
from tests.attack.resource_use import cost, measured

ANSWERS = {"ACCEPTED", "REJECTED", "UNDECIDED", "LimitError", "CertificateError", "InputError"}
MEGABYTES = 1024


@pytest.mark.parametrize("name", HOSTILE)
def test_small_hostile_certificates_get_an_answer(name):
    assert cost(name, 2_000)[-1] in ANSWERS


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_no_megabyte_takes_a_gigabyte(name):
    *_, memory, answer = measured(name, 1_000_000)
    assert answer in ANSWERS
    assert memory < MEGABYTES
