"""Run every benchmark module of this package, or those named: each has a `main`.

Other arguments (such as `--full`, for the sizes that take minutes) are passed on.
"""

import pkgutil
import sys
from importlib import import_module
from inspect import signature

import tests.benchmarks


def modules():
    """The names of the benchmark modules, in alphabetical order."""
    names = sorted(info.name for info in pkgutil.iter_modules(tests.benchmarks.__path__))
    return [name for name in names if not name.startswith("_")]


def main(argv):
    """Run the named benchmarks; 2 for a name that is none."""
    names = [argument for argument in argv if not argument.startswith("-")]
    options = [argument for argument in argv if argument.startswith("-")]
    for name in names:
        if name not in modules():
            print(f"{name}: no such benchmark; choose from {', '.join(modules())}", file=sys.stderr)
            return 2
    for name in names or modules():
        module = import_module(f"tests.benchmarks.{name}")
        if hasattr(module, "main"):
            print(f"\n== {name}: {module.__doc__.splitlines()[0]}", flush=True)
            module.main(*([options] if signature(module.main).parameters else []))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
