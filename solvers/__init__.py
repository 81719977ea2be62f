"""Searches and computes; nothing it says is believed until the kernel has checked it."""

from solvers.epsilon import Epsilon, parse_epsilon

__all__ = ["Epsilon", "parse_epsilon"]
