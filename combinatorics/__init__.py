"""Constructs designs, difference sets and Hadamard matrices; knows nothing of privacy."""
