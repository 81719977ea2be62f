"""Questions and their solvers: the logic of two scripts, and that nothing agrees by default."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.canonical_form import encode
from verify.certify import certify_channel
from verify.kernel.privacy_level import PrivacyLevel
from verify.second_opinion import (
    MissingSolverError,
    OutOfReachError,
    require_solver,
    second_opinion,
    solver,
)
from verify.second_opinion.numerals import spell_integer
from verify.second_opinion.opinion import OpinionVerdict, decide_question
from verify.second_opinion.script import Question, all_of, any_of, apply, real, total, whole

SOLVERS = ("z3", "cvc5")


def asked(question, name="z3", timeout=20):
    return decide_question(question, name, timeout)


def question_about(lower, upper, bound):
    """Is a number between ``lower`` and ``upper`` at most ``bound``?"""
    question = Question("bound", "QF_LRA")
    question.clause("at-most", apply("<=", question.enclose("x", (lower, upper), "x"), real(bound)))
    return question


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize(
    ("bound", "verdict"),
    [(3, OpinionVerdict.ACCEPTED), (1, OpinionVerdict.REJECTED), (2, OpinionVerdict.NO_OPINION)],
)
def test_an_enclosure_settles_a_bound_or_does_not(name, bound, verdict):
    question = question_about(Fraction(3, 2), Fraction(5, 2), Fraction(bound))
    assert asked(question, name)[0] is verdict


@pytest.mark.parametrize("name", SOLVERS)
def test_facts_that_contradict_each_other_prove_nothing(name):
    question = question_about(Fraction(1), Fraction(2), Fraction(0))
    question.fact(apply(">", "x", "5.0"))
    verdict, reason = asked(question, name)
    assert verdict is OpinionVerdict.NO_OPINION
    assert "contradict" in reason


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("one_sided", [False, True])
def test_a_choice_is_fixed_where_the_claim_fails(name, one_sided):
    """x (x - 3) <= 0 for all x in [0, 5] is false, though true for some."""
    question = Question("choice", "QF_NRA", one_sided=one_sided)
    x = question.choice("x")
    question.fact(f"(<= 0.0 {x} 5.0)")
    question.clause("sign", f"(<= (* {x} (- {x} 3.0)) 0.0)")
    verdict, reason = asked(question, name)
    assert verdict is (OpinionVerdict.NO_OPINION if one_sided else OpinionVerdict.REJECTED)
    assert one_sided or "clause-sign" in reason


def channel_near_e(digits, step):
    """A channel whose ratio is that many digits of e and a step in the last, at one nat."""
    with mpmath.workdps(digits + 10):
        near = Fraction(int(mpmath.floor(mpmath.e * mpmath.mpf(10) ** digits)) + step, 10**digits)
    rows = [[near / (1 + near), 1 / (1 + near)], [1 / (1 + near), near / (1 + near)]]
    return encode(certify_channel(rows, PrivacyLevel(nats=Fraction(1))).certificate)


@pytest.mark.parametrize("digits", [20, 120, 600, 1500])
def test_enclosures_become_narrower_until_they_settle_a_clause(digits):
    for step, verdict in ((0, OpinionVerdict.ACCEPTED), (1, OpinionVerdict.REJECTED)):
        assert second_opinion(channel_near_e(digits, step)).verdict is verdict


def test_what_no_precision_settles_is_no_opinion():
    for step in (0, 1):
        opinion = second_opinion(channel_near_e(1900, step))
        assert opinion.verdict is OpinionVerdict.NO_OPINION
        assert "enclosures" in opinion.reason


def test_a_choice_with_a_worst_value_is_fixed_there():
    question = Question("choice", "QF_LRA")
    question.choice("x", Fraction(2, 3))
    question.clause("small", "(<= x 7.0)")
    assert "(assert (= x (/ 2.0 3.0)))" in question.affirmation({"x": "9.0"})


@pytest.mark.parametrize("name", SOLVERS)
def test_no_time_is_no_opinion(name):
    verdict, reason = asked(question_about(Fraction(1), Fraction(2), Fraction(3)), name, -1)
    assert verdict is OpinionVerdict.NO_OPINION
    assert "in time" in reason


@pytest.mark.parametrize("name", SOLVERS)
def test_a_hard_question_stops_in_time(name):
    """x^3 + y^3 = z^3 has no positive integers: unknown, but soon."""
    script = (
        "(set-logic QF_NIA)(declare-const x Int)(declare-const y Int)(declare-const z Int)"
        "(assert (and (> x 0) (> y 0) (> z 0)))"
        "(assert (= (+ (* x x x) (* y y y)) (* z z z)))(check-sat)"
    )
    found = solver.decide_script(script, "QF_NIA", {}, solver=name, timeout=0.3)
    assert found.status == "unknown"


@pytest.mark.parametrize("name", SOLVERS)
def test_values_of_a_model(name):
    script = (
        "(set-logic QF_NRA)(declare-const x Real)(declare-const r Real)(declare-const b Bool)"
        "(assert (= (* 3.0 x) (- 2.0)))(assert (and (> r 0.0) (= (* r r) 2.0)))(assert (not b))"
        "(check-sat)"
    )
    sorts = {"x": "Real", "r": "Real", "b": "Bool"}
    found = solver.decide_script(script, "QF_NRA", sorts, solver=name, timeout=20)
    assert found.status == "sat"
    assert found.values["b"] == "false"
    assert "r" not in found.values
    assert "2" in found.values["x"]
    assert "3" in found.values["x"]


def test_a_missing_solver_is_named_with_its_mend(monkeypatch):
    with pytest.raises(MissingSolverError, match="choose one of"):
        require_solver("yices")
    monkeypatch.setattr(solver, "find_spec", lambda _: None)
    with pytest.raises(MissingSolverError, match=r"pip install 'exactdp\[smt\]'"):
        require_solver("z3")


@given(st.integers(0, 10**60) | st.integers(3999, 4001).map(lambda n: 10**n + 7))
def test_numerals(number):
    assert int(spell_integer(number)) == number


def test_numerals_beyond_what_python_spells():
    text = spell_integer(10**9000 + 3)
    assert text[0] + text[-1] == "13"
    assert set(text[1:-1]) == {"0"}
    assert len(text) == 9001
    with pytest.raises(OutOfReachError):
        spell_integer(1 << 200_001)


def test_terms():
    assert real(Fraction(-3, 7)) == "(- (/ 3.0 7.0))"
    assert (real(5), whole(-5), whole(5)) == ("5.0", "(- 5)", "5")
    assert (total([]), total(["a"]), total(["a", "b"])) == ("0.0", "a", "(+ a b)")
    assert (all_of([]), any_of([])) == ("true", "false")
