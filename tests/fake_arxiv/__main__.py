"""Run the fake arXiv alone: prints the settings that lead to it, then each request."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from tests.fake_arxiv import FakeArxiv, Shelf, corpus_shelf
from tests.fake_arxiv.faults import FAULTS
from tests.fake_arxiv.server import SERVICES


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fake_arxiv", description=__doc__)
    parser.add_argument("--port", type=int, default=8000, help="the first of five ports")
    parser.add_argument("--fault", choices=FAULTS, help="let every service misbehave")
    parser.add_argument("--service", choices=SERVICES, help="let only this service misbehave")
    parser.add_argument(
        "--corpus",
        default=os.environ.get("PAPERTRACK_CORPUS"),
        help="a folder with arxiv-metadata: serve its records",
    )
    options = parser.parse_args()
    shelf = corpus_shelf(Path(options.corpus)) if options.corpus else Shelf()
    with FakeArxiv(shelf, options.port) as fake:
        for service in SERVICES if options.service is None else (options.service,):
            if options.fault:
                fake.fail(service, options.fault)
        for name, value in fake.environment.items():
            print(f"export {name}={value}")
        print("export PAPERTRACK_ARXIV_INTERVAL_SECONDS=0", flush=True)
        shown = 0
        try:
            while True:
                time.sleep(0.2)
                for request in fake.asked()[shown:]:
                    shown += 1
                    line = f"{request.at:12.3f}  {request.service:8}  {request.path}"
                    print(line, file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
