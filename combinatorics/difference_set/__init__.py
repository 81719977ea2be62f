"""Difference sets: one module for each kind of family, one function for each family."""
