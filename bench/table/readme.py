#!/usr/bin/env python3
"""Compares README.md's tables and the reports in bench/results with what abut_table makes from the JSON files there, and writes them again.

A table in README.md stands between two comments. The first one is the command, run in the root of the repository:

  <!-- abut_table --from bench/results/table/results.json --readme -->
  (the table)
  <!-- end of abut_table -->

Examples:
  python3 bench/table/readme.py build/release/bin/abut_table                             compare; exit code 1 where something differs
  python3 bench/table/readme.py build/release/bin/abut_table --update                    write them again
  python3 bench/table/readme.py build/release/bin/abut_table --measure bench/results/table
                                                          measure, write the report into that folder, then --update: a quiet machine, minutes
"""

import argparse
import difflib
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RESULTS = ROOT / "bench" / "results"
ELSEWHERE = "bench/results/zen3-peers.json"  # relative, as the command is part of the report
BLOCK = re.compile(r"(<!-- abut_table (?P<arguments>[^>]*?)-->\n)(?P<table>.*?)(<!-- end of abut_table -->)", re.S)


def run(program, arguments):
    """What the program prints; its messages go to the terminal."""
    done = subprocess.run([program, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"readme.py: abut_table {shlex.join(arguments)}: exit code {done.returncode}")
    return done.stdout


def renewed(page, printed):
    """The page with every table replaced by printed(arguments), and the number of tables."""
    return BLOCK.subn(lambda found: found[1] + printed(shlex.split(found["arguments"])) + found[4], page)


def write_report(program, results, folder):
    run(program, ["--from", str(results), "--elsewhere", ELSEWHERE, "--report", str(folder)])


def different_files(program, results):
    """The names of the files beside a results.json that are not as the program makes them."""
    with tempfile.TemporaryDirectory() as folder:
        write_report(program, results, folder)
        made = {path.name: path.read_text() for path in pathlib.Path(folder).iterdir()}
    there = {path.name: path.read_text() for path in results.parent.iterdir()}
    return sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))


def compare(program, page, new):
    """0 where the page and all reports are as the program makes them."""
    sys.stdout.writelines(difflib.unified_diff(page.splitlines(True), new.splitlines(True), "page", "abut_table"))
    right = page == new
    for results in sorted(RESULTS.glob("*/results.json")):
        for name in different_files(program, results):
            print(f"{results.parent.name}/{name} is not as abut_table writes it")
            right = False
    print("all is as abut_table makes it" if right else "readme.py: --update writes it again")
    return 0 if right else 1


def update(program, path, new):
    path.write_text(new)
    for results in sorted(RESULTS.glob("*/results.json")):
        write_report(program, results, results.parent)
    print(f"{path.name} and the reports are written")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="abut_table")
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "README.md", help="the page with the tables (default: README.md)")
    parser.add_argument("--update", action="store_true", help="write instead of comparing")
    parser.add_argument("--measure", metavar="FOLDER", help="measure into this folder first, relative to the root; implies --update")
    arguments = parser.parse_args()

    program = arguments.program.resolve()
    if arguments.measure:
        run(program, ["--report", arguments.measure, "--elsewhere", ELSEWHERE])
    page = arguments.page.read_text()
    new, tables = renewed(page, lambda words: run(program, words))
    if tables == 0:
        sys.exit(f"readme.py: {arguments.page.name} has no table of abut_table")
    if arguments.update or arguments.measure:
        return update(program, arguments.page, new)
    return compare(program, page, new)


if __name__ == "__main__":
    sys.exit(main())
