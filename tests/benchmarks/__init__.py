"""Benchmarks: `python -m tests.benchmarks [NAME...] [--full]` runs each module's `main(argv)`."""
