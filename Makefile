PYTHON ?= python3
BIN := .venv/bin
# Files are UTF-8 whatever the locale says.
export PYTHONUTF8 := 1
# Python reads the place of an editable installation by the locale, and that of C has no letters beyond ASCII.
ifneq (,$(filter C POSIX,$(LC_ALL)))
export LC_ALL := C.UTF-8
endif
# Tests wait for processes and stores now and then: one worker more than there are cores keeps all cores busy.
WORKERS ?= $(shell expr $$(nproc) + 1)
# The tests start many processes: each would compile Punto anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run play pages web-check web-test lab test quick pure lint quick-lint format types layers collected tests browser clauses clause-links nightly wide-tests wide-browser smoke clause-faults teeth hook holes release mutants picture pictures bench soak evening torture lock clean env-run env-lab env-dev

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

run: env-run pages ## open a demonstration floor in the browser; PORT=8500 for another port
	@$(BIN)/punto serve --demonstration $(if $(PORT),--port $(PORT))

play: env-run ## play baccarat in the terminal; GAME=tiger for another game
	@$(BIN)/punto play $(GAME)

pages: env-run ## build the pages of the floor, where they have changed
	@$(BIN)/python -m tools.pages build

lab: env-lab ## all that `punto` needs for simulation, plots and reports; then .venv/bin/punto
	@$(BIN)/punto --version

test: env-dev ## everything that must hold: lint, types, layers, tests, coverage, browser
	@$(BIN)/python -m tools.gate test

quick: env-dev ## before a commit: lint, types, the pure rooms, the pages' unit tests; under 45 seconds
	@$(BIN)/python -m tools.gate quick

lint: env-dev ## rules and format: ruff for Python, eslint and prettier for the pages
quick-lint: env-dev
lint quick-lint:
	@status=0; \
	$(BIN)/ruff check --quiet . || status=1; \
	$(BIN)/ruff format --check --quiet . || status=1; \
	$(BIN)/python -m tools.pages $@ || status=1; \
	exit $$status

format: env-dev ## bring every source into the format that lint asks for
	@$(BIN)/ruff format --quiet .
	@$(BIN)/python -m tools.pages format

web-check: env-dev ## svelte-check: the types of the pages
	@$(BIN)/python -m tools.pages check

web-test: env-dev ## vitest: the logic of the pages, without a browser
	@$(BIN)/python -m tools.pages test

types: env-dev ## mypy, strict
	@$(BIN)/mypy --no-error-summary

layers: env-dev ## the order of the rooms, and the purity of the pure ones
	@$(BIN)/lint-imports --no-logo 2>&1 | tail -n 8; exit $${PIPESTATUS[0]}

collected: env-dev
	@$(BIN)/pytest --collect-only -qqq --no-cov

tests: env-dev ## tests and doctests, with the coverage of the pure rooms
	@$(BIN)/pytest -q -n $(WORKERS) --dist worksteal --cov --cov-report=term --ignore=tests/web

pure: env-dev ## the tests of the pure rooms, without coverage
	@$(BIN)/pytest -q -n $(WORKERS) --dist worksteal --no-cov tests/cards tests/rules tests/games tests/roads tests/table tests/ledger tests/proof tests/test_errors.py

browser: env-dev pages ## the pages in a real Chromium, every role
	@found=$$($(BIN)/python tools/browser.py) && PUNTO_BROWSER="$$found" $(BIN)/python -m tools.browser_tests

nightly: env-dev ## every search at full width with fresh seeds, other browsers, planted faults, mutants, torture, known vulnerabilities
	@$(BIN)/python -m tools.gate nightly

wide-tests: env-dev
	@PUNTO_NIGHTLY=1 $(BIN)/pytest -q -n $(WORKERS) --dist worksteal --no-cov --ignore=tests/web --ignore=tests/smoke

wide-browser: env-dev pages
	@found=$$($(BIN)/python tools/browser.py) && PUNTO_BROWSER="$$found" PUNTO_NIGHTLY=1 $(BIN)/python -m tools.browser_tests

teeth: env-dev pages ## plant faults over all rooms and the pages, and list which test of make test falls
	@$(BIN)/python -m tools.teeth $(FAULT)

smoke: env-dev pages ## terminal, console and verify in Firefox and in WebKit
	@PUNTO_NIGHTLY=1 $(BIN)/python -m tools.browser_tests -n 0 tests/smoke

clause-faults: env-dev ## break every clause once, and see the tests linked to it fall
	@$(BIN)/python -m tests.clause_faults

holes: env-dev ## look up known vulnerabilities of the dependencies, where a database can be reached
	@$(BIN)/python -m tools.holes

release: env-dev pages ## build a wheel and a source archive with fresh pages, a manifest and a bill of materials into dist/
	@$(BIN)/python -m tools.release

hook: ## run make quick before each commit in this clone; git config --unset core.hooksPath takes it back
	@tools/hooks/install

clauses: env-dev ## the 424 clauses and the tests that answer to them
	@$(BIN)/python -m tests.traceability print

clause-links: env-dev ## write the links to code and tests into docs/rules
	@$(BIN)/python -m tests.traceability write

mutants: env-dev ## mutation testing: the code of cards, rules and roads, then the declarations of the games
	@$(BIN)/python tools/mutants.py

picture: env-dev ## draw the picture of the table in the terminal anew
	@$(BIN)/python tools/picture.py

pictures: env-dev pages ## take the README's pictures of every page anew
	@$(BIN)/python -m tools.pictures

bench: env-dev ## the figures of speed, measured here and now
	@$(BIN)/python -m bench.core && $(BIN)/python -m bench.floor && $(BIN)/python -m bench.audits && $(BIN)/python -m bench.several && $(BIN)/python -m bench.server && $(BIN)/python -m bench.hostile && $(BIN)/python -m bench.signin && $(BIN)/python -m bench.lab

soak: env-dev ## 10,000 sequences of random commands on every store, and as many fresh ones on each run
	@PUNTO_SEQUENCES=10000 PUNTO_NIGHTLY=1 $(BIN)/pytest -q -n 2 tests/floor/test_machine.py

evening: env-dev ## twenty minutes at 200 terminals: memory stays flat, and the audit finds nothing
	@$(BIN)/python -m bench.evening

torture: env-dev ## 500 kills on each store, 300 crash images, 60 damaged stores, 1,000 seeds of the simulated casino (10,000 at night)
	@$(BIN)/python -m tests.torture kill --store sqlite --count 500
	@$(BIN)/python -m tests.torture kill --store postgres --count 500
	@$(BIN)/python -m tests.torture crash --count 300
	@$(BIN)/python -m tests.torture damage --count 60
	@$(BIN)/punto torture --seeds $(if $(PUNTO_NIGHTLY),10000,1000) --jobs 2

lock: env-dev ## resolve the dependencies anew, of Python and of the pages; PACKAGE=x moves that one only
	@$(BIN)/python -m tools.lock $(PACKAGE)

clean: ## remove everything that was built
	rm -rf .venv .venv-node web/node_modules web/coverage web/tests/shoetexts.json web/src/wire.ts web/src/pages/verify/catalogue.ts src/punto/server/pages .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache mutants .coverage .cache dist

env-run:
	@$(PYTHON) tools/env.py run

env-lab:
	@$(PYTHON) tools/env.py lab

env-dev:
	@$(PYTHON) tools/env.py dev

SHELL := /bin/bash
