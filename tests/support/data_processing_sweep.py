"""Strong data processing on many random channels in float64, doubtful cases rechecked exactly.

Bounds and divergences are written from their formulas in NumPy. Whatever comes within ``DOUBT`` of
a bound (relative) is kept with its rational channel and laws, for an exact comparison.
"""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from solvers.leakage import kernel_setting, output_bounds
from solvers.leakage.binette import enclose_f_divergence, parse_measure
from solvers.output_law import output_law
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution

DOUBT = 1e-9
DIVERGENCES = ("tv", "kl", "chi2", "hellinger", "lecam", "js")
OPERATOR_CONVEX = DIVERGENCES[1:]


def _divergence(name, p, q):
    p, q = p[(p > 0) | (q > 0)], q[(p > 0) | (q > 0)]
    with np.errstate(divide="ignore", invalid="ignore"):
        if name == "tv":
            return np.abs(p - q).sum() / 2
        if name == "kl":
            return np.where(p > 0, p * np.log(p / q), 0).sum()
        if name == "chi2":
            return ((p - q) ** 2 / q).sum()
        if name == "hellinger":
            return ((np.sqrt(p) - np.sqrt(q)) ** 2).sum()
        if name == "lecam":
            return ((p - q) ** 2 / (p + q)).sum()
        m = (p + q) / 2
        return (_divergence("kl", p, m) + _divergence("kl", q, m)) / 2


def _bracket(name, R):
    """Binette's constant for ratios in [1/R, R]."""
    if R == 1:
        return 0.0
    return {
        "tv": lambda: 1.0,
        "kl": lambda: np.log(R),
        "chi2": lambda: R - 1 / R,
        "hellinger": lambda: 2 * np.tanh(np.log(R) / 4),
        "lecam": lambda: 2 * (R - 1) / (R + 1),
        "js": lambda: _js(1 / R) / (1 - 1 / R) + _js(R) / (R - 1),
    }[name]()


def _js(t):
    m = (1 + t) / 2
    return (t * np.log(t / m) - np.log(m)) / 2


@dataclass
class Trial:
    """One channel with two laws: what the float tier found."""

    rows: list
    p: list
    q: list
    c: Fraction
    bounds: dict = field(default_factory=dict)

    def exact(self):
        channel = Channel(tuple(map(tuple, self.rows)))
        return channel, Distribution(tuple(self.p)), Distribution(tuple(self.q))

    def agree_with_library(self):
        channel, p, q = self.exact()
        setting = kernel_setting(channel, self.c)
        for divergence in DIVERGENCES:
            library = {b.name: float(b.upper) for b in output_bounds(divergence, setting, p, q)}
            for (name, kind), value in self.bounds.items():
                if name == divergence:
                    assert abs(library[kind] - value) <= 1e-9 * max(value, 1e-6), (name, kind)


@dataclass
class Doubt:
    """A divergence too near a bound for floats to tell."""

    trial: Trial
    divergence: str
    kind: str

    def is_kept_exactly(self):
        """Whether the exact comparison finds the divergence at or below the bound."""
        channel, p, q = self.trial.exact()
        setting = kernel_setting(channel, self.trial.c)
        left, right = output_law(channel, p), output_law(channel, q)
        value = enclose_f_divergence(parse_measure(self.divergence), left, right)
        bounds = output_bounds(self.divergence, setting, p, q)
        upper = {bound.name: bound.upper for bound in bounds}[self.kind]
        return value.lower <= upper


class Sweep:
    """Random channels, sparse and dense, with random and extreme laws of masses >= c."""

    def __init__(self, rng, count, scale=1.0):
        self.rng, self.count, self.scale = rng, count, scale
        self.largest_ratio, self.doubtful, self.trials = {}, [], []

    def run(self):
        done = 0
        while done < self.count:
            trial = self._draw()
            if trial is None:
                continue
            self._check(trial)
            done += 1
            if len(self.trials) < 500:
                self.trials.append(trial)
        return done

    def _draw(self):
        rng = self.rng
        n, m = int(rng.integers(2, 6)), int(rng.integers(2, 6))
        weights = rng.integers(0, 20, (n, m)) * (rng.random((n, m)) < rng.choice([0.5, 0.8, 1]))
        if not weights.sum(axis=1).all():
            return None
        rows = [[Fraction(int(w), int(row.sum())) for w in row] for row in weights]
        c = Fraction(int(rng.integers(1, 12)), 12 * n)
        laws = []
        for corner in rng.choice(n, 2, replace=False):
            law = rng.integers(0, 10, n) * (rng.random() < 0.5)
            law[corner] += 1
            laws.append([c + (1 - n * c) * Fraction(int(w), int(law.sum())) for w in law])
        return None if laws[0] == laws[1] else Trial(rows, *laws, c)

    def _check(self, trial):
        K = np.array([[float(x) for x in row] for row in trial.rows])
        p, q, c, n = *(np.array([float(x) for x in v]) for v in (trial.p, trial.q)), trial.c, len(K)
        rest, keep = float(1 - n * c), K.max(axis=0) > 0
        high, low, total = K.max(axis=0)[keep], K.min(axis=0)[keep], float(c) * K.sum(axis=0)[keep]
        E = (high / (total + rest * low)).max()
        R = ((total + rest * high) / (total + rest * low)).max()
        eta = max(np.abs(a - b).sum() / 2 for a in K for b in K)
        d = np.abs(p - q).sum() / 2
        inner = [(law - float(c)) / rest for law in (p, q)] if rest else None
        for name in DIVERGENCES:
            value = _divergence(name, p @ K, q @ K)
            bounds = self._bounds(name, (n, E, R, eta, d, rest), p, q, inner)
            trial.bounds |= {(name, kind): bound for kind, bound in bounds.items()}
            for kind, bound in bounds.items():
                self._compare(trial, name, kind, value, bound * self.scale)

    def _compare(self, trial, name, kind, value, bound):
        if bound > 1e-9:
            ratio = value / bound
            self.largest_ratio[name, kind] = max(self.largest_ratio.get((name, kind), 0), ratio)
        if value > bound * (1 - DOUBT) - 1e-15:
            self.doubtful.append(Doubt(trial, name, kind))

    def _bounds(self, name, known, p, q, inner):
        n, E, R, eta, d, rest = known
        scaled = d / rest
        S = 1 + scaled * (R - 1)
        bounds = {
            f"binette-{letter}": min(eta * d, (r - 1) / (r + 1)) * _bracket(name, r)
            for letter, r in (("e", E), ("r", R), ("s", S))
        }
        bounds["dobrushin"] = eta * _divergence(name, p, q)
        if name in OPERATOR_CONVEX:
            inside = _divergence(name, *inner)
            if np.isfinite(inside):
                bounds["ldp-contraction"] = ((R - 1) / (R + 1)) ** 2 * inside
        factor = 1 / R if n == 2 else max(1 / R, 2 / (R + 2))
        chi2 = (R - 1) ** 2 * factor * scaled**2
        if name == "chi2":
            bounds["ldp-chi2"] = chi2
        if name in {"kl", "hellinger"}:
            bounds["ldp-chi2"] = np.log1p(chi2)
            bounds["ldp-kl"] = min(4, R**2) * (R - 1) ** 2 * scaled**2
        return bounds
