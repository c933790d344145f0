#!/usr/bin/env python3
"""Plants faults in a copy of the sources, one at a time, and reports those that no test notices.

The table is tools/faults.toml. The sources are copied to build/faults and built there for one instruction set; the checkout is
only read. For each fault one file of the copy is changed, what depends on it is built again, and the test programs run until the first one fails:
that of the file's own folder, the golden checksums, then the other unit tests.

examples:
  python3 tools/plant_faults.py                          # all faults; hours on two cores without a compiler cache
  python3 tools/plant_faults.py --list
  python3 tools/plant_faults.py --only 'exact-*' --only warm-taken
  python3 tools/plant_faults.py --no-golden --jobs 8     # what the unit tests find without the checksums

exit status: 0 every fault was noticed, 1 some survived, 2 a fault or the unchanged sources cannot be tested
"""

import argparse
import fnmatch
import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIELDS = {"name", "file", "find", "replace", "breaks", "tests"}
# Programs and their arguments, the quickest to fail first.
PROGRAMS = [
    ("abut_golden", ["--check", "tests/golden/golden.txt", "--threads", "1"]),
    ("abut_host_tests", ["--abort", "--reporter", "compact"]),
    ("abut_broad_tests", ["--abort", "--reporter", "compact"]),
    ("abut_c_tests", []),
    ("abut_custom_tests", ["--abort", "--reporter", "compact"]),
    ("abut_snapshot_tests", ["--abort", "--reporter", "compact"]),
    ("abut_tests", ["--abort", "--reporter", "compact"]),
    ("abut_ray_tests", ["--abort", "--reporter", "compact"]),
    ("abut_cast_tests", ["--abort", "--reporter", "compact"]),
    ("abut_robot_tests", ["--abort", "--reporter", "compact"]),
    ("abut_surface_tests", ["--abort", "--reporter", "compact"]),
    ("abut_ground_tests", ["--abort", "--reporter", "compact"]),
    ("abut_mujoco_tests", ["--abort", "--reporter", "compact"]),
    ("abut_hunt_tests", ["--abort", "--reporter", "compact"]),
]
# The tests of a folder's files.
OWN_PROGRAMS = {
    "kernel/api/c": "abut_c_tests",
    "kernel/queries/boxes": "abut_broad_tests",
    "kernel/queries/casts": "abut_cast_tests",
    "kernel/queries/configurations": "abut_robot_tests",
    "kernel/queries/rays": "abut_ray_tests",
    "kernel/surfaces/contacts": "abut_ground_tests",
    "kernel/surfaces/distances": "abut_surface_tests",
    "tools/mujoco": "abut_mujoco_tests",
}


class Unusable(Exception):
    """A fault, or the unchanged sources, that cannot be tested."""


def read_table(path):
    faults = tomllib.loads(path.read_text())["fault"]
    names = set()
    for fault in faults:
        name = fault.get("name", "a fault without a name")
        if missing := FIELDS - {"tests"} - fault.keys():
            raise Unusable(f"{name}: lacks {', '.join(sorted(missing))}")
        if unknown := fault.keys() - FIELDS:
            raise Unusable(f"{name}: has unknown fields {', '.join(sorted(unknown))}")
        if name in names:
            raise Unusable(f"{name}: two faults have this name")
        names.add(name)
    return faults


def with_fault(fault):
    """The text of the fault's file with the fault in it."""
    path = ROOT / fault["file"]
    if not path.is_file():
        raise Unusable(f"{fault['name']}: there is no {fault['file']}")
    text = path.read_text()
    if (count := text.count(fault["find"])) != 1:
        raise Unusable(f"{fault['name']}: {fault['file']} has {count} times, expected once: {fault['find']}")
    return text.replace(fault["find"], fault["replace"])


def write_if_changed(path, data):
    """Keeps the time stamp of a file that is the same, so that nothing is built for it."""
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def listed_files():
    out = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True)
    return sorted(name for name in out.stdout.decode().split("\0") if name and (ROOT / name).is_file())


class Scratch:
    """The copy of the sources, its build and its test programs."""

    def __init__(self, directory, jobs, isa, programs):
        self.tree, self.build, self.jobs = directory, directory / "build/release", jobs
        self.seconds = {}  # by program and arguments, of the first run
        files, sums = listed_files(), hashlib.sha256()
        for name in files:
            data = (ROOT / name).read_bytes()
            sums.update(name.encode() + b"\0" + data)
            write_if_changed(self.tree / name, data)
        self.sum = sums.hexdigest()
        wanted = set(files)
        for path in self.tree.rglob("*"):
            name = path.relative_to(self.tree)
            if path.is_file() and name.parts[0] != "build" and str(name) not in wanted:
                path.unlink()
        launcher = ["-D", "CMAKE_CXX_COMPILER_LAUNCHER=ccache", "-D", "CMAKE_DISABLE_PRECOMPILE_HEADERS=ON"] if shutil.which("ccache") else []
        options = {"CMAKE_BUILD_TYPE": "Release", "ABUT_ISAS": isa, "ABUT_BUILD_BENCHMARKS": "OFF"}
        options |= {"ABUT_BUILD_PYTHON": "OFF", "ABUT_INSTALL": "OFF"}
        self.quietly(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", *launcher, *(f"-D{k}={v}" for k, v in options.items())])
        # Programs for libraries that this machine lacks are not built.
        targets = self.quietly(["ninja", "-C", self.build, "-t", "targets", "all"])
        self.programs = [program for program in programs if f"bin/{program[0]}:" in targets]

    def quietly(self, command):
        # Precompiled headers are cached only so; paths below the copy are those below any other checkout.
        environment = {"CCACHE_SLOPPINESS": "pch_defines,time_macros"} | os.environ | {"CCACHE_BASEDIR": str(self.tree)}
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
        if done.returncode != 0:
            raise Unusable(f"{' '.join(str(word) for word in command)} failed:\n" + done.stdout.decode(errors="replace")[-2000:])
        return done.stdout.decode(errors="replace")

    def run(self, program, arguments):
        """None where the program passes, else what it said. Built when it is wanted: most faults are noticed by the first one."""
        self.quietly(["cmake", "--build", self.build, "--parallel", self.jobs, "--target", f"bin/{program}"])
        run = (program, *arguments)
        limit, start = 20 * self.seconds.get(run, 60) + 60, time.monotonic()
        try:
            done = subprocess.run([self.build / "bin" / program, *arguments], cwd=self.tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit)
        except subprocess.TimeoutExpired:
            return f"no end within {limit:.0f} s"
        self.seconds.setdefault(run, time.monotonic() - start)
        return None if done.returncode == 0 else what_failed(done.stdout.decode(errors="replace"), done.returncode)

    def first_failure(self, first):
        for program, arguments in first + [program for program in self.programs if program not in first]:
            if (failure := self.run(program, arguments)) is not None:
                return f"{program}: {failure}"
        return None

    def check_unchanged(self):
        """Once for the same sources and programs."""
        stamp = self.build / "passed"
        key = self.sum + " " + " ".join(program for program, _ in self.programs)
        if stamp.is_file() and stamp.read_text() == key:
            return
        if failure := self.first_failure([]):
            raise Unusable(f"the sources fail without a fault: {failure}")
        stamp.write_text(key)

    def plant(self, fault):
        path = self.tree / fault["file"]
        unchanged = path.read_bytes()
        path.write_text(with_fault(fault))
        try:
            own = OWN_PROGRAMS.get(fault["file"].rpartition("/")[0])
            first = [program for program in self.programs if program[0] == own]
            if "tests" in fault:
                first = [("abut_tests", [fault["tests"], "--abort", "--reporter", "compact"])]
            return self.first_failure(first)
        finally:
            path.write_bytes(unchanged)


def what_failed(output, status):
    """The place of the first failed assertion, or how many checksums differ."""
    if found := re.search(r"^(?:.*/)?(tests/\S+:\d+): failed", output, re.MULTILINE):
        return found[1]
    if found := re.search(r"(\d+) checksums, (\d+) differ", output):
        return f"{found[2]} of {found[1]} checksums"
    lines = output.strip().splitlines()
    return lines[-1][:90] if status > 0 and lines else f"ends with status {status}"


def default_isa():
    if platform.machine() not in ("x86_64", "AMD64"):
        return "neon"
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    return "avx2" if cpuinfo.is_file() and " avx2 " in cpuinfo.read_text() else "sse2"


def arguments():
    summary, _, rest = __doc__.partition("\n\n")
    parser = argparse.ArgumentParser(description=summary, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="list the faults and end; an error where one has no place any more")
    parser.add_argument("--only", metavar="NAME", action="append", help="faults of this name, with * and ?; several times for several")
    parser.add_argument("--no-golden", action="store_true", help="leave the golden checksums out: what do unit tests notice?")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time (default: %(default)s)")
    parser.add_argument("--isa", default=default_isa(), help="the instruction set that is built (default: %(default)s)")
    parser.add_argument("--scratch", type=pathlib.Path, default=ROOT / "build/faults", help="directory of the copy (default: build/faults)")
    parser.add_argument("--table", type=pathlib.Path, default=ROOT / "tools/faults.toml", help="the faults (default: tools/faults.toml)")
    return parser.parse_args()


def chosen(faults, patterns):
    if not patterns:
        return faults
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(fault["name"], pattern) for fault in faults):
            raise Unusable(f"--only {pattern}: no fault has such a name")
    return [fault for fault in faults if any(fnmatch.fnmatchcase(fault["name"], pattern) for pattern in patterns)]


def plant_all(faults, scratch):
    """Name and verdict of each: what noticed it, None, or an Unusable."""
    verdicts = {}
    for number, fault in enumerate(faults, 1):
        start = time.monotonic()
        try:
            verdict = scratch.plant(fault)
        except Unusable as error:
            verdict = error
        verdicts[fault["name"]] = verdict
        text = "SURVIVED" if verdict is None else f"error: {verdict}" if isinstance(verdict, Unusable) else verdict
        print(f"{number:3}/{len(faults)} {fault['name']:28} {time.monotonic() - start:5.0f} s  {text}", flush=True)
    return verdicts


def main():
    options = arguments()
    try:
        faults = chosen(read_table(options.table), options.only)
        for fault in faults:
            with_fault(fault)
        if options.list:
            for fault in faults:
                print(f"{fault['name']:28} {fault['file']:36} {fault['breaks']}")
            return 0
        programs = PROGRAMS[1:] if options.no_golden else PROGRAMS
        scratch = Scratch(options.scratch.resolve(), options.jobs, options.isa, programs)
        scratch.check_unchanged()
    except (Unusable, OSError, tomllib.TOMLDecodeError, subprocess.CalledProcessError) as error:
        print(f"plant_faults.py: {error}", file=sys.stderr)
        return 2
    verdicts = plant_all(faults, scratch)
    survivors = [fault for fault in faults if verdicts[fault["name"]] is None]
    unusable = [name for name, verdict in verdicts.items() if isinstance(verdict, Unusable)]
    golden = sum(str(verdict).startswith("abut_golden") for verdict in verdicts.values())
    noticed = len(faults) - len(survivors) - len(unusable)
    print(f"{len(faults)} faults: {noticed} noticed ({golden} by checksums), {len(survivors)} survived, {len(unusable)} could not be tested")
    for fault in survivors:
        print(f"survived: {fault['name']} ({fault['file']}): {fault['breaks']}")
    for name in unusable:
        print(f"could not be tested: {name}")
    return 2 if unusable else 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
