# One verb each: run, test, bench, lint, fmt.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
GOCLAW := $(BIN)/goclaw

.PHONY: run test bench lint fmt clean
.DEFAULT_GOAL := run

$(VENV)/.run: requirements.txt pyproject.toml
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || { echo "Python 3.11 or newer is needed; name it with PYTHON=..."; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements-dev.txt requirements-dev-alone.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements-dev-alone.txt
	@touch $@

run: $(VENV)/.run
	@exec $(GOCLAW) up $(if $(DEMO),--demo)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run --settings tests.settings

fmt: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

test: lint
	$(BIN)/python -m tests.run

bench: $(VENV)/.dev
	$(BIN)/python -m bench $(if $(QUICK),--quick) $(if $(DATA),--data $(DATA))

clean:
	rm -rf $(VENV) staticfiles
