"""Differentially private optimisation under continual observation, from batch algorithms."""
