#!/usr/bin/env python3
"""How far is each row from what the processor's ports and the memory allow?

Counts the instructions, loads and stores of a call and the lines that miss the first cache, under callgrind, times the same calls, and prints for each
row and query the cycles per pair and, in percent of them, how many cycles each of these would take if it alone were in the way:

  issue   instructions, six a cycle
  loads   loads, two a cycle
  stores  stores, one a cycle
  memory  missed lines of 64 bytes, at the speed at which one core reads memory in order

The first three are of current x86 cores (Zen 3 and 4, Golden Cove; Agner Fog, "The microarchitecture of Intel, AMD and VIA CPUs"): vectors of 32 bytes.
100% would be a bound that is reached. A row that is near none of them waits for results: chains of dependent operations and wrong guesses of branches.

Example:
  python3 bench/instructions/bounds.py build/release/bin/abut_instructions --rows pile,box-box,hull8-hull8
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from count import PILE

ISSUE, LOADS, STORES, LINE = 6.0, 2.0, 1.0, 64


def counts_of(dump):
    """{(row, query): (instructions, loads, stores, missed lines) per pair} of one dump."""
    label = re.search(r"^desc: Trigger: Client Request: \S+ (\S+) (\S+) (\d+)$", dump, re.M)
    events = re.search(r"^events: (.*)$", dump, re.M)
    totals = re.search(r"^(?:totals|summary): (.*)$", dump, re.M)
    if not label or not events or not totals:
        return {}
    values = [int(v) for v in totals[1].split()]
    names = events[1].split()
    of = dict(zip(names, values + [0] * (len(names) - len(values))))
    pairs = int(label[3])
    return {(label[1], label[2]): tuple(x / pairs for x in (of["Ir"], of["Dr"], of["Dw"], of["D1mr"] + of["D1mw"]))}


def times_of(text):
    """{(row, query): (nanoseconds, cycles) per pair}, and bytes a second of the memory."""
    times = {}
    for row, query, ns, cycles in re.findall(r"^\S+ (\S+) (\S+) \d+ (\S+) ns (\S+) cycles$", text, re.M):
        times[row, query] = float(ns), float(cycles)
    return times, float(re.search(r"^memory (\S+) bytes/s$", text, re.M)[1])


def bounds_of(counts, ns, cycles, bandwidth):
    """Percent of the measured time that issue, loads, stores and memory alone would take."""
    instructions, loads, stores, lines = counts
    of_cycles = [100 * x / cycles for x in (instructions / ISSUE, loads / LOADS, stores / STORES)]
    return of_cycles + [100 * lines * LINE / bandwidth * 1e9 / ns]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="abut_instructions")
    parser.add_argument("--isa", default="avx2", help="one instruction set, narrower than AVX-512 (default: avx2)")
    parser.add_argument("--rows", help="of these names alone")
    parser.add_argument("--time", default="0.2", metavar="SECONDS", help="of each row (default: 0.2)")
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("bounds.py: valgrind is not installed (Debian: valgrind)", file=sys.stderr)
        return 77
    command = [options.program, str(PILE), "--isa", options.isa] + (["--rows", options.rows] if options.rows else [])
    timed = subprocess.run(command + ["--time", options.time], check=True, capture_output=True, text=True).stdout
    times, bandwidth = times_of(timed)
    counts = {}
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        valgrind = ["valgrind", "--tool=callgrind", "--cache-sim=yes", "--instr-atstart=no", f"--callgrind-out-file={out}"]
        subprocess.run(valgrind + command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for dump in pathlib.Path(folder).glob("out.*"):
            counts.update(counts_of(dump.read_text(errors="replace")))
    print(f"memory: {bandwidth / 1e9:.1f} GB/s in order, one core")
    print(f"{'row':<22} {'query':<13} {'ns':>8} {'cycles':>8} {'IPC':>5} {'issue':>6} {'loads':>6} {'stores':>6} {'memory':>6}   percent")
    for key, (ns, cycles) in times.items():
        if key not in counts:
            continue
        percent = " ".join(f"{p:6.0f}" for p in bounds_of(counts[key], ns, cycles, bandwidth))
        print(f"{key[0]:<22} {key[1]:<13} {ns:8.1f} {cycles:8.0f} {counts[key][0] / cycles:5.2f} {percent}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
