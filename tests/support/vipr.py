"""A checker of VIPR files (format 1.0) without integer variables; shares no code with the project.

It reads the sections in order, checks each solution against all constraints, and each derived
constraint, which must be a suitable linear combination of earlier ones that dominates it. What it
does not know (rounding, assumptions, integer variables) it refuses.
"""

import operator
from dataclasses import dataclass
from fractions import Fraction

SENSES = {"L": operator.le, "G": operator.ge, "E": operator.eq}
INFINITE = {"-inf", "inf"}


class ViprError(Exception):
    """The file does not prove its claim."""


@dataclass(frozen=True)
class Constraint:
    terms: dict
    sense: str
    side: Fraction

    def holds(self, solution):
        return SENSES[self.sense](value_of(self.terms, solution), self.side)

    def dominates(self, other):
        """Whether this one implies the other by its side alone, or is absurd."""
        if not self.terms and not SENSES[self.sense](Fraction(0), self.side):
            return True
        if self.terms != other.terms or self.sense not in ("E", other.sense):
            return False
        compare = {"L": operator.le, "G": operator.ge, "E": operator.eq}[other.sense]
        return compare(self.side, other.side)


@dataclass(frozen=True)
class Program:
    """What a checked file proves: the range of the optimum."""

    variables: list
    is_maximum: bool
    lower: Fraction | None
    upper: Fraction | None


def value_of(terms, solution):
    return sum((a * solution.get(i, Fraction(0)) for i, a in terms.items()), Fraction(0))


def require(holds, message):
    if not holds:
        raise ViprError(message)


class Reader:
    """The words of a file, one after the other."""

    def __init__(self, text):
        lines = text.splitlines()
        first = next((i for i, line in enumerate(lines) if not line.startswith("%")), 0)
        self.words = iter(" ".join(lines[first:]).split())

    def word(self):
        found = next(self.words, None)
        require(found is not None, "the file ends too early")
        return found

    def expect(self, *words):
        for word in words:
            found = self.word()
            require(found == word, f"{word} expected, not {found}")

    def index(self, limit):
        found = self.word()
        require(found.isdecimal() and int(found) < limit, f"{found} is no index below {limit}")
        return int(found)

    def number(self):
        try:
            return Fraction(self.word())
        except (ValueError, ZeroDivisionError) as error:
            raise ViprError(str(error)) from None

    def sparse(self, size, limit):
        """``size`` pairs of different indices and values; zeros are dropped."""
        pairs = [(self.index(limit), self.number()) for _ in range(size)]
        require(len(dict(pairs)) == len(pairs), "an index stands twice")
        return {i: value for i, value in pairs if value}


def read_constraint(reader, n_variables, objective):
    reader.word()  # its name
    sense = reader.word()
    require(sense in SENSES, f"{sense} is no sense")
    side, size = reader.number(), reader.word()
    if size == "OBJ":
        return Constraint(objective, sense, side)
    require(size.isdecimal(), f"{size} is no count")
    return Constraint(reader.sparse(int(size), n_variables), sense, side)


def combined(constraints, multipliers):
    """The suitable linear combination, or ViprError if the signs do not fit together."""
    signs = {"L": -1, "G": 1, "E": 0}
    directions = {
        (signs[constraints[i].sense] > 0) == (multiplier > 0)
        for i, multiplier in multipliers.items()
        if signs[constraints[i].sense]
    }
    require(len(directions) <= 1, "the multipliers have signs that do not fit together")
    sense = "E" if not directions else "G" if directions == {True} else "L"
    terms, side = {}, Fraction(0)
    for i, multiplier in multipliers.items():
        side += multiplier * constraints[i].side
        for variable, a in constraints[i].terms.items():
            terms[variable] = terms.get(variable, Fraction(0)) + multiplier * a
    return Constraint({i: a for i, a in terms.items() if a}, sense, side)


def read_derived(reader, n_variables, objective, constraints):
    claimed = read_constraint(reader, n_variables, objective)
    reader.expect("{", "lin")
    size = reader.word()
    require(size.isdecimal(), f"{size} is no count")
    multipliers = reader.sparse(int(size), len(constraints))
    reader.expect("}")
    reader.number()  # from where on the constraint may be forgotten
    proved = combined(constraints, multipliers)
    require(proved.dominates(claimed), "a combination does not dominate its constraint")
    return claimed


def read_end(reader):
    word = reader.word()
    return None if word in INFINITE else Fraction(word)


def check(text):
    """The range that the file proves; ViprError if it does not."""
    reader = Reader(text)
    reader.expect("VER", "1.0", "VAR")
    n = reader.index(10**7)
    variables = [reader.word() for _ in range(n)]
    reader.expect("INT", "0", "OBJ")
    kind = reader.word()
    require(kind in ("min", "max"), f"{kind} is no kind of optimum")
    objective = reader.sparse(reader.index(n + 1), n)
    reader.expect("CON")
    n_constraints, n_bounds = reader.index(10**7), reader.index(10**7)
    constraints = [read_constraint(reader, n, objective) for _ in range(n_constraints)]
    bounds = constraints[:n_bounds]
    require(all(len(row.terms) == 1 for row in bounds), "a bound is about several variables")
    reader.expect("RTP", "range")
    lower, upper = read_end(reader), read_end(reader)
    reader.expect("SOL")
    values = []
    for _ in range(reader.index(10**7)):
        reader.word()
        solution = reader.sparse(reader.index(n + 1), n)
        require(all(row.holds(solution) for row in constraints), "a solution is not feasible")
        values.append(value_of(objective, solution))
    reader.expect("DER")
    for _ in range(reader.index(10**7)):
        constraints.append(read_derived(reader, n, objective, constraints))
    require(next(reader.words, None) is None, "something follows the derivations")
    goal, attained = (upper, lower) if kind == "max" else (lower, upper)
    compare = operator.ge if kind == "max" else operator.le
    reached = attained is None or any(compare(value, attained) for value in values)
    require(reached, "no solution reaches the claimed end")
    sense = "L" if kind == "max" else "G"
    wanted = None if goal is None else Constraint(objective, sense, goal)
    require(wanted is None or constraints[-1].dominates(wanted), "the other end is not proved")
    return Program(variables, kind == "max", lower, upper)
