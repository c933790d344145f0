#!/usr/bin/env python3
"""Counts the instructions of abut's calls under callgrind and compares them with the record.

A figure more than 3% above the record fails: the change made something slower, or it is meant and its commit updates the record. A figure more
than 3% below fails as well, so that the record stays true: run with --update.

The record is of one compiler (its first line). With another one nothing is compared, and the program says so.

Examples:
  python3 bench/instructions/count.py build/release/bin/abut_instructions
  python3 bench/instructions/count.py build/release/bin/abut_instructions --update
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RECORD = HERE / "record.txt"
PILE = HERE.parent.parent / "tools" / "demo" / "pile.abut"
MARGIN = 0.03
LEAST = 2.0  # instructions per pair that decide nothing


def counted(program, isas):
    """{(isa, row, query): instructions per pair}, of one run under callgrind, in the order of the calls."""
    command = [program, str(PILE), "--isa", isas]
    # Rows are made and kept in a file first: under callgrind that would take minutes.
    labels = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        valgrind = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={out}"]
        subprocess.run(valgrind + command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        figures = {}
        for dump in pathlib.Path(folder).glob("out.*"):
            figures.update(figure_of(dump.read_text(errors="replace")))
    order = [tuple(label.split()[:3]) for label in labels]
    return {key: figures[key] for key in order if key in figures}


def figure_of(dump):
    """The figure of one dump; nothing where a dump has no label of ours."""
    label = re.search(r"^desc: Trigger: Client Request: (\S+) (\S+) (\S+) (\d+)$", dump, re.M)
    total = re.search(r"^(?:totals|summary): (\d+)", dump, re.M)
    if not label or not total:
        return {}
    isa, row, query, pairs = label.groups()
    return {(isa, row, query): int(total[1]) / int(pairs)}


def read_record(path):
    """The compiler, and {(isa, row, query): instructions per pair}."""
    lines = path.read_text().splitlines()
    figures = {}
    for line in lines:
        if line and not line.startswith("#"):
            isa, row, query, value = line.split()
            figures[isa, row, query] = float(value)
    return lines[0].removeprefix("# compiler: "), figures


def write_record(path, compiler, figures):
    lines = [f"# compiler: {compiler}", "# Instructions per pair, whole call, counted by callgrind (count.py): instruction set, row, query."]
    lines += [f"{' '.join(key)} {value:.1f}" for key, value in figures.items()]
    path.write_text("\n".join(lines) + "\n")


def differences(record, figures):
    """What is off by more than the margin, as lines."""
    lines = []
    for key in sorted(record.keys() | figures.keys()):
        was, now = record.get(key), figures.get(key)
        name = " ".join(key)
        if was is None:
            lines.append(f"{name}: {now:.1f}, not in the record")
        elif now is None:
            lines.append(f"{name}: in the record, but not counted")
        elif abs(now - was) > max(MARGIN * was, LEAST):
            lines.append(f"{name}: {now:.1f}, the record says {was:.1f} ({100 * (now / was - 1):+.1f}%)")
    return lines


def compiler_of(program):
    """As the program's own comment section has it, e.g. "GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"."""
    text = subprocess.run(["readelf", "-p", ".comment", program], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"\]\s+(.*)", text)
    return ", ".join(sorted(set(found)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="abut_instructions")
    parser.add_argument("--isa", default="avx2,sse2", help="instruction sets (default: %(default)s)")
    parser.add_argument("--record", type=pathlib.Path, default=RECORD, help="the record (default: the repository's)")
    parser.add_argument("--update", action="store_true", help="write the record instead of comparing with it")
    arguments = parser.parse_args()

    if shutil.which("valgrind") is None:
        print("count.py: there is no valgrind here, so nothing is counted", file=sys.stderr)
        return 77
    compiler = compiler_of(arguments.program)
    if not arguments.update and (recorded := read_record(arguments.record)[0]) != compiler:
        print(f"count.py: the record is of {recorded}, this is {compiler}: nothing is compared", file=sys.stderr)
        return 77
    figures = counted(arguments.program, arguments.isa)
    if arguments.update:
        write_record(arguments.record, compiler, figures)
        print(f"{len(figures)} figures written to {arguments.record}")
        return 0
    isas = arguments.isa.split(",")
    record = {key: value for key, value in read_record(arguments.record)[1].items() if key[0] in isas}
    lines = differences(record, figures)
    print("\n".join(lines) if lines else f"{len(figures)} figures, none more than {100 * MARGIN:g}% off the record")
    if lines:
        print("A change that is meant updates the record in its commit: count.py --update", file=sys.stderr)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
