# CONTRIBUTING.md lists the commands.
PYTHON ?= python3
VENV := .venv/bin
SHELL := /bin/bash
MAKEFLAGS += --no-print-directory
# With it set, each of the hundreds of processes that tests start would compile the project anew.
export PYTHONDONTWRITEBYTECODE :=
# Two at a time; a failure does not stop the others.
PARALLEL := $(MAKE) -j2 --keep-going --output-sync=target

# A stamp has the hash of its sources in its name, so an unchanged second run does nothing.
hash = $(shell cat $(1) 2>/dev/null | sha256sum | cut -c1-16)
SOURCES := $(shell cd frontend && find index.html simulator.html public src package-lock.json \
	vite.config.ts chunks.ts tsconfig.json -type f 2>/dev/null | LC_ALL=C sort)
RUNTIME := .venv/.runtime-$(call hash,requirements.txt)
DEVELOPMENT := .venv/.development-$(call hash,requirements.txt requirements-dev.txt)
MODULES := frontend/node_modules/.installed-$(call hash,frontend/package-lock.json)
BUILT := frontend/dist/.built-$(call hash,$(addprefix frontend/,$(SOURCES)))
GATEWAY_SOURCES := $(shell find gateway/src gateway/tsconfig*.json gateway/package-lock.json \
	-type f 2>/dev/null | LC_ALL=C sort)
GATEWAY_MODULES := gateway/node_modules/.installed-$(call hash,gateway/package-lock.json)
GATEWAY_BUILT := gateway/dist/.built-$(call hash,$(GATEWAY_SOURCES))
SOCKET_MODULES := tests/socket/node_modules/.installed-$(call hash,tests/socket/package-lock.json)

# Commands that only read the code: no data, no servers.
MANAGE := DATABASE_URL=sqlite://:memory: SECRET_KEY=unused DEBUG=1 SIMULATOR=1 \
	PYTHONWARNINGS=ignore $(VENV)/python manage.py

.PHONY: setup run setup-tests test-services quick hooks test test-deep ci test-postgres \
	test-alone test-pgbouncer test-sqlite test-frontend test-gateway test-journeys test-telephone \
	check check-sources check-python check-types check-layers \
	check-migrations check-openapi check-variables check-frontend-lint check-frontend-types \
	check-frontend-format check-gateway check-frontend-sources openapi variables version bench load clean tools

setup: $(RUNTIME) $(BUILT) $(GATEWAY_BUILT)

run: setup
	@DIE_WITH_PARENT=1 exec $(VENV)/python manage.py up

tools:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Balcão needs Python 3.11 or newer: set PYTHON=/path/to/python3."; exit 1; }
	@node -e 'process.exit(process.versions.node.split(".")[0] < 20 ? 1 : 0)' 2>/dev/null || \
		{ echo "Balcão needs Node 20 or newer to build its pages."; exit 1; }

.venv/bin/python: | tools
	@echo "Making the virtual environment"
	@$(PYTHON) -m venv .venv

$(RUNTIME): | .venv/bin/python
	@echo "Installing Python packages"
	@$(VENV)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@rm -f .venv/.runtime-* && touch $@

$(DEVELOPMENT): | $(RUNTIME)
	@echo "Installing Python packages for tests"
	@$(VENV)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@rm -f .venv/.development-* && touch $@

$(MODULES): | tools
	@echo "Installing the browser application's packages"
	@cd frontend && npm ci --no-audit --no-fund --loglevel=error
	@rm -f frontend/node_modules/.installed-* && touch $@

$(BUILT): | $(MODULES) $(RUNTIME)
	@echo "Building the browser application"
	@cd frontend && npx vite build --logLevel warn
	@$(VENV)/python -m whitenoise.compress --quiet frontend/dist/assets
	@touch $@

$(GATEWAY_MODULES): | tools
	@echo "Installing the gateway's packages"
	@cd gateway && npm ci --no-audit --no-fund --loglevel=error
	@rm -f gateway/node_modules/.installed-* && touch $@

$(GATEWAY_BUILT): | $(GATEWAY_MODULES)
	@echo "Building the gateway"
	@cd gateway && rm -rf dist && npm run --silent build
	@touch $@

$(SOCKET_MODULES): | tools
	@npm ci --prefix tests/socket --no-audit --no-fund --loglevel=error
	@touch $@

setup-tests: $(DEVELOPMENT) $(MODULES) $(GATEWAY_MODULES) $(SOCKET_MODULES) $(BUILT) $(GATEWAY_BUILT)

test-services:
	@bash tests/install-services.sh

# Checks and nearby tests of what changed; BASE=main takes a whole branch.
quick: $(DEVELOPMENT) $(MODULES)
	@$(VENV)/python -m tests.quick

# From then on git formats and lints each commit.
hooks: $(DEVELOPMENT) $(MODULES)
	@$(VENV)/pre-commit install

# Tests of money, messages, tenants and the wire; tests/gate.py says how each suite runs.
test:
	@$(PARALLEL) test-services setup-tests
	@exec $(VENV)/python -m tests.gate test

# All tests, before a version is given out: about an hour.
test-deep:
	@$(PARALLEL) test-services setup-tests
	@exec $(VENV)/python -m tests.gate deep

# Checks, tests, and the deep tests of what changed, as far as time allows: .ci/run.
ci:
	@$(PARALLEL) test-services setup-tests
	@exec $(VENV)/python -m tests.deep --ci

# One suite.
test-postgres test-alone test-pgbouncer test-sqlite test-frontend test-gateway test-journeys \
test-telephone: setup-tests
	@exec $(VENV)/python -m tests.gate $(@:test-%=%)

# The longest first, so that the others run in parallel.
check:
	@$(PARALLEL) $(DEVELOPMENT) $(MODULES) $(GATEWAY_MODULES)
	@$(PARALLEL) check-frontend-lint check-types check-frontend-types check-openapi \
		check-frontend-format check-gateway check-python check-layers check-migrations \
		check-sources check-frontend-sources check-variables
	@echo "All checks passed."

# Tests that only read the sources: no database, no servers.
check-sources:
	@DATABASE_URL=sqlite://:memory: REDIS_URL=redis://127.0.0.1:1/0 $(VENV)/pytest -q -m sources \
		$$(grep -rl "mark\.sources" --include="test_*.py" apps tests)

check-python:
	@$(VENV)/ruff format --check --quiet . || { echo "Run ruff format."; exit 1; }
	@$(VENV)/ruff check --quiet .

# The cache still asks for a deleted module of models; then it is removed.
check-types:
	@report=$$($(VENV)/mypy --no-error-summary) && exit; \
	grep -q import-not-found <<< "$$report" || { echo "$$report"; exit 1; }; \
	rm -rf .mypy_cache && $(VENV)/mypy --no-error-summary

check-layers:
	@report=$$($(VENV)/lint-imports) || { echo "$$report"; exit 1; }

check-migrations:
	@$(MANAGE) makemigrations --check --dry-run --verbosity 1 > /dev/null || \
		{ echo "A model has no migration: run manage.py makemigrations."; exit 1; }

check-variables:
	@$(VENV)/python -m config.variables --check

check-openapi:
	@fresh=$$(mktemp -d) && trap 'rm -rf '"$$fresh" EXIT && \
	$(MANAGE) spectacular --format openapi-json --validate --fail-on-warn \
		--file "$$fresh/openapi.json" && \
	cd frontend && npx openapi-typescript "$$fresh/openapi.json" \
		--output "$$fresh/raw.d.ts" > /dev/null && \
	npx prettier --stdin-filepath src/lib/api/schema.d.ts < "$$fresh/raw.d.ts" \
		> "$$fresh/schema.d.ts" && \
	cmp -s "$$fresh/openapi.json" openapi.json && \
	cmp -s "$$fresh/schema.d.ts" src/lib/api/schema.d.ts || \
		{ echo "The OpenAPI schema or its types are out of date: run make openapi."; exit 1; }

check-frontend-lint: $(MODULES)
	@cd frontend && npm run --silent lint

check-frontend-types:
	@cd frontend && npm run --silent typecheck

check-frontend-format:
	@cd frontend && npm run --silent format:check -- --log-level warn

check-gateway: $(GATEWAY_MODULES)
	@cd gateway && npm run --silent lint && npm run --silent typecheck && \
		npm run --silent format:check -- --log-level warn

# The languages compared, keys without a text, readers of texts that are not tried.
check-frontend-sources:
	@cd frontend && npm run --silent sources:check -- --reporter=dot

openapi: $(DEVELOPMENT) $(MODULES)
	@$(MANAGE) spectacular --format openapi-json --validate --fail-on-warn \
		--file frontend/openapi.json
	@cd frontend && npm run --silent types

# The operator's guide and Compose, from the one list of variables.
variables: $(DEVELOPMENT)
	@$(VENV)/python -m config.variables

# The tables of the version in VERSION, from which later ones are tested to upgrade.
version: test-services $(DEVELOPMENT)
	@$(VENV)/python -m tests.versions

bench: test-services setup-tests
	@$(VENV)/python -m tests.bench --strict

# Ten minutes of load with each part killed in turn, and both ends counted: docs/scaling.md.
load: test-services setup-tests
	@exec $(VENV)/python -m tests.load

clean:
	rm -rf .venv frontend/node_modules frontend/dist gateway/node_modules gateway/dist \
		tests/socket/node_modules static_root \
		.mypy_cache .ruff_cache .pytest_cache .import_linter_cache
