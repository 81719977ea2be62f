"""Black boxes for thresholding mechanisms."""

import random

import numpy as np

__all__ = ["CountingBernoulli", "FailingBox", "bernoulli"]


def bernoulli(probability, seed=0):
    """A call that returns +1 with the probability, else -1."""
    rng = random.Random(seed)
    return lambda: 1 if rng.random() < probability else -1


class CountingBernoulli:
    """Many evaluations at once."""

    def __init__(self, probability, rng=None):
        self.probability = probability
        self.rng = np.random.default_rng(0) if rng is None else rng

    def count_successes(self, trials):
        return int(self.rng.binomial(trials, self.probability))


class FailingBox:
    """Raises, or returns something else, at its evaluation number ``at``."""

    def __init__(self, at=1, outcome=None):
        self.left = at
        self.outcome = outcome

    def __call__(self):
        self.left -= 1
        if self.left > 0:
            return -1
        if self.outcome is None:
            raise OSError("the training data are not there")
        return self.outcome
