# Needs make and Python 3.11 or newer; `make test` and `make demo` install the rest into .venv on first use.
#
#   make test BASE_PYTHON=python3.12       makes .venv with that Python
#   make test PYTHON=python                runs in the current environment as it is, and installs nothing
#   make test ARGS="-k all_fives"          passes arguments on
#   make test WORKERS=8                    runs the tests in 8 processes

VENV := .venv
PYTHON := $(VENV)/bin/python
BASE_PYTHON := python3 python3.13 python3.12 python3.11
ARGS :=
WORKERS := 2
CACHE := $(CURDIR)/.cache

# The tests of one family of games go to one process, which compiles its kernels once (tests/conftest.py).
PYTEST = $(PYTHON) -m pytest -n $(WORKERS) --dist loadgroup
PIP_INSTALL = -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# The stamp is younger than what was installed from; there is none to make in an environment of the user's own.
ifneq ($(origin PYTHON),command line)
INSTALLED := $(VENV)/.installed
endif

.DEFAULT_GOAL := help
.PHONY: help install demo test lint format pages nojit boundscheck soak bench bench-peers clean

help: ## list these targets
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

install: $(INSTALLED) ## make .venv and install the project into it, in place

demo: $(INSTALLED) ## train an agent on All Fives for about a minute and rank it
	@$(PYTHON) train/demo.py $(ARGS)

test: $(INSTALLED) ## run the test suite
	@$(PYTEST) tests $(ARGS)

lint: $(INSTALLED) ## check style and formatting
	@$(PYTHON) -m ruff check .
	@$(PYTHON) -m ruff format --check .

format: $(INSTALLED) ## mend style and formatting
	@$(PYTHON) -m ruff check --fix-only --quiet .
	@$(PYTHON) -m ruff format .

pages: $(INSTALLED) ## write the tables and hands of docs/games from the code
	@$(PYTHON) docs/write_pages.py

nojit: $(INSTALLED) ## run the smaller tests uncompiled
	@NUMBA_DISABLE_JIT=1 $(PYTEST) tests -m nojit $(ARGS)

boundscheck: $(INSTALLED) ## run the smaller tests with array bounds checked
	@NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR="$(CACHE)/numba-boundscheck" $(PYTEST) tests -m boundscheck $(ARGS)

soak: $(INSTALLED) ## run the long random tests (about an hour on two cores)
	@$(PYTEST) tests --soak $(ARGS)

bench: $(INSTALLED) ## measure throughput
	@$(PYTHON) benchmarks/throughput.py $(ARGS)

bench-peers: $(INSTALLED) ## measure throughput beside other libraries, installed on first use
	@echo "Installing the peers of benchmarks/peers.txt ..."
	@$(PYTHON) $(PIP_INSTALL) --requirement benchmarks/peers.txt
	@$(PYTHON) benchmarks/throughput.py --peers $(ARGS)

clean: ## remove build output and caches, but neither .venv nor training runs
	@rm -rf build dist .cache .pytest_cache .ruff_cache *.egg-info agents/*.egg-info
	@find . -path ./$(VENV) -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +

# torch first and alone: the pin takes the CPU build wherever pip is offered one, and nothing after it may move it.
$(VENV)/.installed: pyproject.toml constraints.txt
	@test -x $(VENV)/bin/python || { \
		for python in $(BASE_PYTHON); do \
			"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
				&& echo "Making $(VENV) with $$python ..." && exec "$$python" -m venv $(VENV); \
		done; \
		echo "No Python 3.11 or newer among: $(BASE_PYTHON). Name one: make BASE_PYTHON=/path/to/python"; exit 1; }
	@echo "Installing into $(VENV) (about 1.5 GB; some minutes the first time) ..."
	@$(VENV)/bin/python $(PIP_INSTALL) torch
	@$(VENV)/bin/python $(PIP_INSTALL) --editable '.[dev]'
	@touch $@
