# Every target makes the virtual environment when it is missing; Python >= 3.11 and make suffice.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

KERNEL_TESTS := tests/unit/kernel tests/corpus tests/attack

.PHONY: demo test test-slow test-browser test-pythons coverage fuzz mutants bench lint clean
SECONDS ?= 60

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "exactdp needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

demo: $(READY)
	@$(BIN)/python examples/demo.py

test: $(READY)
	$(BIN)/python -m pytest -n 2

test-slow: $(READY)
	$(BIN)/python -m pytest -n 2 -m slow

test-browser: $(READY)
	@$(BIN)/python -m tests.support.browser
	$(BIN)/python -m pytest -m slow tests/browser

coverage: $(READY)
	$(BIN)/coverage run --branch --source=verify.kernel -m pytest $(KERNEL_TESTS)
	$(BIN)/coverage report --show-missing --include='verify/kernel/*' --fail-under=100

fuzz: $(READY)
	@$(BIN)/python -c 'import atheris' 2>/dev/null || $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[fuzz]'
	$(BIN)/python -m tests.attack.fuzz_decode $(SECONDS)

mutants: $(READY)
	@test -x $(BIN)/mutmut || $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[mutation]'
	$(BIN)/python -m tests.attack.mutants

# Certificates under other Pythons are the same bytes: make test-pythons PYTHONS="python3.12 python3.13"
PYTHONS ?= python3.12 python3.13
test-pythons: $(READY)
	@for python in $(PYTHONS); do \
	  place=$(VENV)/pythons/$$($$python -c 'import platform; print(platform.python_version())') && \
	  $$python -m venv $$place && \
	  $$place/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt . || exit 1; \
	done
	EXACTDP_PYTHONS='$(VENV)/pythons/*/bin/python' $(BIN)/python -m pytest -m slow -k other_interpreters tests/crosscheck

bench: $(READY)
	$(BIN)/python -m tests.benchmarks

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV) build *.egg-info
