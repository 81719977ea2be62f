"""The law of a report is exactly the channel: the random integers are enumerated, not sampled."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.estimation import (
    CryptographicWords,
    SeededWords,
    hadamard_response,
    randomized_response,
)
from solvers.estimation.random_words import bernoulli, uniform_below, words_of
from tests.support.estimation_schemes import SCHEMES, ScriptedWords, ScriptEndError
from verify.kernel.errors import InputError, LimitError

SMALL = {name: scheme for name, scheme in SCHEMES.items() if scheme.parameters.b <= 130}


def outcomes(run, bits, depth):
    """Every outcome of ``run(words)`` with at most so many words, and what stays unsettled."""
    settled, open_scripts = Counter(), [()]
    for length in range(depth + 1):
        longer = []
        for script in open_scripts:
            try:
                settled[run(ScriptedWords(list(script), bits))] += Fraction(1, 2 ** (bits * length))
            except ScriptEndError:
                longer += [(*script, word) for word in range(2**bits)]
        open_scripts = longer
    return settled, Fraction(len(open_scripts), 2 ** (bits * (depth + 1)))


@given(
    st.fractions(0, 1, max_denominator=10**6).filter(lambda p: p < 1),
    st.integers(1, 5),
    st.integers(1, 6),
)
def test_a_chance_is_its_digits(chance, bits, depth):
    """After d words the mass of True is the chance cut after d digits: exact in the limit."""
    base = 2**bits
    settled, _ = outcomes(lambda words: bool(bernoulli(words, 1, chance)[0]), bits, depth)
    cut = Fraction(int(chance * base**depth), base**depth)
    assert settled[True] == cut
    if cut == chance:
        assert settled[True] + settled[False] == 1
    else:
        assert settled[False] == 1 - cut - Fraction(1, base**depth)


@given(st.integers(1, 6), st.data())
def test_uniform_integers_are_uniform(bits, data):
    """One word: every value has the same number of words; the other words start anew."""
    bound = data.draw(st.integers(1, 2**bits))
    settled, _ = outcomes(lambda words: int(uniform_below(words, 1, bound)[0]), bits, 1)
    share = Fraction(2**bits // bound, 2**bits) if bound > 1 else Fraction(1)
    assert settled == dict.fromkeys(range(bound), share)


def test_a_vector_is_drawn_like_its_entries():
    words = SeededWords(np.random.default_rng(3))
    values = uniform_below(words, 60_000, 3 * 2**61)
    assert values.min() >= 0
    assert values.max() < 3 * 2**61
    assert abs((values < 2**61).mean() - 1 / 3) < 0.01  # a quarter of the words was refused


@pytest.mark.parametrize("name", SMALL)
def test_the_law_of_a_report_is_the_row_of_the_channel(name):
    """Enumerating the coin and the places gives every entry of the channel, as a rational."""
    scheme = SMALL[name]
    structure, parameters = scheme.structure, scheme.parameters
    alpha, _ = parameters.hit_probabilities(scheme.exp_epsilon)
    for symbol in range(parameters.v):
        law = Counter()
        for inside, chance in ((True, alpha), (False, 1 - alpha)):
            reports = enumerated(structure, symbol, inside=inside)
            for report, share in reports.items():
                law[report] += chance * share
        row = scheme.channel.rows[symbol]
        assert [law[report] for report in range(parameters.b)] == list(row)


def enumerated(structure, symbol, *, inside):
    """The exact law of a block drawn on or off the symbol: a tree of the integers drawn."""
    law = Counter()

    class Enumerator:
        bits = 62

        def __init__(self, prefix):
            self.prefix, self.asked = prefix, 0

        def take(self, n):
            assert n <= 1
            if self.asked + n > len(self.prefix):
                raise ScriptEndError
            values = self.prefix[self.asked : self.asked + n]
            self.asked += n
            return np.array(values, dtype=np.uint64)

    pending = [((), Fraction(1))]
    while pending:
        prefix, share = pending.pop()
        words = Enumerator(prefix)
        bounds = []
        try:
            with recorded_bounds(bounds):
                report = structure.draw(np.array([symbol]), np.array([inside]), words)
            law[int(report[0])] += share
        except ScriptEndError:
            bound = bounds[-1]
            pending += [((*prefix, value), share / bound) for value in range(bound)]
    assert sum(law.values()) == 1
    return law


class recorded_bounds:  # noqa: N801 - used as a function
    """Note the bound of every uniform integer that a structure asks for, inside a ``with``."""

    def __init__(self, bounds):
        self.bounds = bounds

    def __enter__(self):
        from solvers.estimation import structure, subsets

        self.modules = [structure, subsets]
        self.patch = pytest.MonkeyPatch()

        def noted(words, n, bound):
            if n and bound > 1:
                self.bounds.append(bound)
            return uniform_below(words, n, bound)

        for module in self.modules:
            self.patch.setattr(module, "uniform_below", noted)

    def __exit__(self, *_):
        self.patch.undo()


@pytest.mark.parametrize(
    ("scheme", "bits", "depth"),
    [
        (randomized_response(2, "log(3)"), 2, 1),
        (randomized_response(3, "log(6)"), 1, 3),
        (randomized_response(5, "log(12)"), 2, 2),
        (hadamard_response(3, "log(2)"), 1, 2),
        (randomized_response(9, "log(8)"), 3, 2),
    ],
    ids=str,
)
def test_from_words_to_reports_without_remainder(scheme, bits, depth):
    """Dyadic channels: all scripts of words settle, and their counts are the channel itself."""
    for symbol, row in enumerate(scheme.channel.rows):
        counts = Counter()
        for script in product(range(2**bits), repeat=depth):
            words = ScriptedWords(list(script), bits)
            counts[int(scheme.privatise([symbol], words)[0])] += 1
        assert [Fraction(counts[y], 2 ** (bits * depth)) for y in range(len(row))] == list(row)


@pytest.mark.parametrize("name", ["blocks", "subsets, single", "Hadamard response", "many blocks"])
def test_from_words_to_reports_encloses_the_channel(name):
    scheme = SCHEMES[name]
    row = scheme.channel.rows[1]
    settled, left = outcomes(lambda words: int(scheme.privatise([1], words)[0]), 4, 3)
    assert left < Fraction(1, 50)
    assert all(settled[y] <= row[y] <= settled[y] + left for y in range(len(row)))


def test_sources_of_words():
    assert words_of(None) == CryptographicWords()
    assert len(set(CryptographicWords().take(1000).tolist())) == 1000
    same = [words_of(7).take(5).tolist() for _ in range(2)]
    assert same[0] == same[1] != words_of(8).take(5).tolist()
    assert max(words_of(1).take(100).tolist()) > 2**63
    for wrong in ("7", 1.5, -1, True, object()):
        with pytest.raises(InputError, match="no source of randomness"):
            words_of(wrong)


def test_bounds_beyond_a_word_are_refused():
    for bits, bound in ((3, 9), (64, 2**63 + 1), (8, 0)):
        with pytest.raises(LimitError):
            uniform_below(ScriptedWords([0], bits), 1, bound)


@pytest.mark.parametrize("name", SMALL)
def test_a_seed_repeats_reports_and_the_default_does_not(name):
    scheme = SMALL[name]
    symbols = np.arange(400) % scheme.alphabet_size
    first, second = (scheme.privatise(symbols, np.random.default_rng(5)) for _ in range(2))
    assert (first == second).all()
    fresh = [scheme.privatise(symbols) for _ in range(2)]
    assert (fresh[0] != fresh[1]).any()
