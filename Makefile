# On a fresh machine with Python 3.11 or later, git and make: `make demo`, `make test`, `make help`.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
DEMO = data/demo
PAPERTRACK = $(BIN)/papertrack --library $(DEMO)

.PHONY: help demo dev hooks test test-whole lint test-latex bench docs man dist pictures constraints clean
.DELETE_ON_ERROR:
# Each worker would compile the tests anew.
unexport PYTHONDONTWRITEBYTECODE
.DEFAULT_GOAL = demo

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

demo: $(VENV)/.user ## Run the main job on the sample library; results in exports/
	@rm -rf $(DEMO)
	@echo "1. Make a library from the sample: a curated README and its notes"
	@$(BIN)/papertrack init --demo $(DEMO)
	@echo
	@echo "2. Record a third pass, with a takeaway"
	@$(PAPERTRACK) pass 2211.17192 3 --minutes 120 --takeaway "The acceptance rule keeps the distribution."
	@echo
	@echo "3. Update the README: one line changes"
	@$(PAPERTRACK) export --md --diff --check > exports/README.diff || test $$? -eq 5
	@cat exports/README.diff
	@$(PAPERTRACK) export --md
	@echo
	@echo "4. Export tables, BibTeX, JSON and CSV"
	@$(PAPERTRACK) export --md -o exports/papers.md
	@$(PAPERTRACK) export --bib -o exports/references.bib
	@$(PAPERTRACK) export --json -o exports/papers.json
	@$(PAPERTRACK) export --csv -o exports/papers.csv
	@echo
	@echo "5. See what to read next"
	@$(PAPERTRACK) queue --next
	@echo
	@echo "The results are in exports/, and the list is $(DEMO)/README.md."
	@echo "Next: $(PAPERTRACK) --help"

dev: $(VENV)/.dev ## Make the virtual environment for development

hooks: $(VENV)/.dev ## Check style, format and types before each commit
	$(BIN)/python -m pip install --quiet --group hooks
	$(BIN)/pre-commit install

test: $(VENV)/.dev ## Run the tests, on all cores
	$(BIN)/pytest -n auto --dist worksteal

test-whole: $(VENV)/.dev ## Run them over all real files, and with more random examples
	TESTS_WHOLE=1 HYPOTHESIS_PROFILE=search $(BIN)/pytest -n auto --dist worksteal

lint: $(VENV)/.dev ## Check style, format and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

# Installs LaTeX on Debian; elsewhere install bibtex, biber, pdflatex and pdftotext yourself.
test-latex: $(VENV)/.dev ## Test the BibTeX exports with real LaTeX
	@for program in biber bibtex pdflatex pdftotext; do command -v $$program >/dev/null || missing=1; done; \
	  test -z "$$missing" || { apt-get update && apt-get install -y --no-install-recommends biber \
	    texlive-bibtex-extra texlive-latex-base texlive-latex-recommended lmodern poppler-utils; }
	$(BIN)/pytest -rs tests/exporters/test_latex.py

bench: $(VENV)/.dev ## Run the benchmarks
	@for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

docs: $(VENV)/.docs ## Build the documentation site in site/, and check its links
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

man: $(VENV)/.user ## Write the man pages to man/
	$(BIN)/python docs/reference.py man

dist: $(VENV)/.dev ## Build the wheel and the sdist in dist/, and check them
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/twine check --strict dist/*

pictures: $(VENV)/.dev ## Draw the pictures of the README and the documentation
	$(BIN)/python docs/pictures/draw.py

constraints: $(VENV)/.docs ## Write the versions in use to constraints.txt
	@{ echo "# Versions that the tests passed with; \`make constraints\` writes this file."; \
	  $(BIN)/python -m pip freeze --exclude-editable; } > constraints.txt

clean: ## Remove everything that the other targets make
	rm -rf $(VENV) $(DEMO) build dist man site .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "papertrack needs Python 3.11 or later; choose one with PYTHON=…")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/.user: $(VENV)/.pip pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.pip pyproject.toml
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $(VENV)/.user $@

$(VENV)/.docs: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --group docs
	@touch $@
