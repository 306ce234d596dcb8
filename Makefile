# Two commands on a fresh machine with Python 3.11, git and make:
#   make demo    the main job on the sample library; results in exports/
#   make test    the tests
# Others: make lint, make test-latex, make bench, make pictures, make clean

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
DEMO = data/demo
PAPERTRACK = $(BIN)/papertrack --library $(DEMO)

.PHONY: demo test lint test-latex bench pictures clean
.DELETE_ON_ERROR:

demo: $(VENV)/.user
	@rm -rf $(DEMO)
	@echo "1. A library of the sample: a curated README, its notes, and what they say"
	@$(BIN)/papertrack init --demo $(DEMO)
	@echo
	@echo "2. The third pass through one paper, with what stayed"
	@$(PAPERTRACK) pass 2211.17192 3 --minutes 120 --takeaway "The acceptance rule keeps the distribution."
	@echo
	@echo "3. What that changes in the README: one line"
	@$(PAPERTRACK) export --md --diff --check > exports/README.diff || test $$? -eq 5
	@cat exports/README.diff
	@$(PAPERTRACK) export --md
	@echo
	@echo "4. Out: fresh tables, BibTeX, JSON, CSV"
	@$(PAPERTRACK) export --md -o exports/papers.md
	@$(PAPERTRACK) export --bib -o exports/references.bib
	@$(PAPERTRACK) export --json -o exports/papers.json
	@$(PAPERTRACK) export --csv -o exports/papers.csv
	@echo
	@echo "5. What to read next"
	@$(PAPERTRACK) next
	@echo
	@echo "Look at exports/ for the results and at $(DEMO)/README.md for the list."
	@echo "Go on: $(PAPERTRACK) --help"

test: $(VENV)/.dev
	$(BIN)/pytest -n auto --dist worksteal

lint: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

# Real bibtex, biber and pdflatex; elsewhere than on Debian, install them yourself (with pdftotext).
test-latex: $(VENV)/.dev
	@for program in biber bibtex pdflatex pdftotext; do command -v $$program >/dev/null || missing=1; done; \
	  test -z "$$missing" || { apt-get update && apt-get install -y --no-install-recommends biber \
	    texlive-bibtex-extra texlive-latex-base texlive-latex-recommended lmodern poppler-utils; }
	$(BIN)/pytest -rs tests/exporters/test_latex.py

bench: $(VENV)/.dev
	@for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

pictures: $(VENV)/.dev
	$(BIN)/python docs/pictures/draw.py

clean:
	rm -rf $(VENV) $(DEMO) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "papertrack needs Python 3.11 or later; name one with PYTHON=…")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/.user: $(VENV)/.pip pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.pip pyproject.toml
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $(VENV)/.user $@
