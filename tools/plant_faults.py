#!/usr/bin/env python3
"""Plants faults in a copy of the sources, one at a time, and reports those that no test notices.

The table is tools/faults.toml. The sources are copied to build/faults and built there for one instruction set; the checkout is
only read. For each fault one file of the copy is changed, what depends on it is built again, and the test programs run until the first one fails:
that of the file's own folder, the golden checksums, then the other unit tests. A program is built when it is first wanted, and must pass without a
fault before it judges one.

examples:
  python3 tools/plant_faults.py                          # all faults; hours on two cores without a compiler cache
  python3 tools/plant_faults.py --list
  python3 tools/plant_faults.py --only 'exact-*' --only warm-taken
  python3 tools/plant_faults.py --no-golden --jobs 8     # what the unit tests find without the checksums
  python3 tools/plant_faults.py --shard 2/7              # every seventh fault, from the second on: a week for all
  python3 tools/plant_faults.py --random 5 --seed 42     # five, the same for every run; .cpp files are drawn more often
  python3 tools/plant_faults.py --budget 3600 --resume   # an hour more of what has no verdict yet

exit status: 0 every fault was noticed, 1 some survived, 2 a fault or the unchanged sources cannot be tested. Faults that a budget leaves out do not
count.
"""

import argparse
import fnmatch
import hashlib
import json
import os
import pathlib
import platform
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIELDS = {"name", "file", "find", "replace", "breaks", "tests"}
# Programs and their arguments, the quickest to fail first.
GOLDEN = ("abut_golden", ["--check", "tests/golden/golden.txt", "--threads", "1"])
PROGRAMS = [
    GOLDEN,
    ("abut_host_tests", ["--abort", "--reporter", "compact"]),
    ("abut_broad_tests", ["--abort", "--reporter", "compact"]),
    ("abut_c_tests", []),
    ("abut_custom_tests", ["--abort", "--reporter", "compact"]),
    ("abut_snapshot_tests", ["--abort", "--reporter", "compact"]),
    ("abut_tests", ["--abort", "--reporter", "compact"]),
    ("abut_ray_tests", ["--abort", "--reporter", "compact"]),
    ("abut_world_tests", ["--abort", "--reporter", "compact"]),
    ("abut_cast_tests", ["--abort", "--reporter", "compact"]),
    ("abut_robot_tests", ["--abort", "--reporter", "compact"]),
    ("abut_surface_tests", ["--abort", "--reporter", "compact"]),
    ("abut_solid_tests", ["--abort", "--reporter", "compact"]),
    ("abut_ground_tests", ["--abort", "--reporter", "compact"]),
    ("abut_mujoco_tests", ["--abort", "--reporter", "compact"]),
    ("abut_adapter_tests", ["--abort", "--reporter", "compact"]),
    ("abut_solver_tests", ["--abort", "--reporter", "compact"]),
    ("abut_hunt_tests", ["--abort", "--reporter", "compact"]),
    ("abut_cli_tests", ["--abort", "--reporter", "compact"]),
]
# Programs that judge no answer: the layout of the sources, and reports of measurements.
LEFT_OUT = {"abut_room_tests", "abut_report_tests"}
# The tests of a folder's files.
OWN_PROGRAMS = {
    "kernel/api/c": "abut_c_tests",
    "kernel/queries/boxes": "abut_broad_tests",
    "kernel/queries/casts": "abut_cast_tests",
    "kernel/queries/configurations": "abut_robot_tests",
    "kernel/queries/rays": "abut_ray_tests",
    "kernel/queries/world": "abut_world_tests",
    "kernel/surfaces/contacts": "abut_ground_tests",
    "kernel/surfaces/distances": "abut_surface_tests",
    "kernel/surfaces/solids": "abut_solid_tests",
    "integrations/mujoco": "abut_mujoco_tests",
    "tools/mesh": "abut_cli_tests",
}


# What no program is made of: a change of it leaves verdicts as they are.
NO_SOURCES = ["*.md", ".ci/*", "bench/results/*", "docs/*", "tools/faults.toml", "tools/plant_faults.py"]
# A fault in a header is drawn less often, because it costs minutes.
HEADER_WEIGHT = 0.25


class Unusable(Exception):
    """A fault, or the unchanged sources, that cannot be tested."""


class SourcesFail(Unusable):
    """The unchanged sources fail: no fault can be tested."""


class TimeIsUp(Exception):
    """A command that was ended at its time limit."""


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


def run_command(command, seconds, **options):
    """Status and output. Ends the command and all that it has started at the time limit: a compiler must not write on afterwards."""
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True, **options) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except BaseException as error:
            for number in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.killpg(process.pid, number)
                    process.communicate(timeout=10)
                    break
                except (ProcessLookupError, subprocess.TimeoutExpired):
                    pass
            if isinstance(error, subprocess.TimeoutExpired):
                raise TimeIsUp from None
            raise
    return process.returncode, output.decode(errors="replace")


class Scratch:
    """The copy of the sources, its build and its test programs."""

    def __init__(self, options):
        self.tree, self.build, self.jobs, self.limit = options.scratch.resolve(), options.scratch.resolve() / "build/release", options.jobs, options.limit
        self.deadline, self.building, self.checking = float("inf"), 0.0, 0.0  # of the fault in work, seconds
        files, sums = listed_files(), hashlib.sha256(options.isa.encode())
        for name in files:
            data = (ROOT / name).read_bytes()
            if not any(fnmatch.fnmatchcase(name, pattern) for pattern in NO_SOURCES):
                sums.update(name.encode() + b"\0" + data)
            write_if_changed(self.tree / name, data)
        self.sum = sums.hexdigest()
        wanted = set(files)
        for path in self.tree.rglob("*"):
            name = path.relative_to(self.tree)
            if path.is_file() and name.parts[0] != "build" and str(name) not in wanted:
                path.unlink()
        launcher = ["-D", "CMAKE_CXX_COMPILER_LAUNCHER=ccache", "-D", "CMAKE_DISABLE_PRECOMPILE_HEADERS=ON"] if shutil.which("ccache") else []
        settings = {"CMAKE_BUILD_TYPE": "Release", "ABUT_ISAS": options.isa, "ABUT_BUILD_BENCHMARKS": "OFF"}
        settings |= {"ABUT_BUILD_PYTHON": "OFF", "ABUT_INSTALL": "OFF"}
        self.quietly(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", *launcher, *(f"-D{k}={v}" for k, v in settings.items())])
        # Programs for libraries that this machine lacks are not built.
        targets = self.quietly(["ninja", "-C", self.build, "-t", "targets", "all"])
        self.programs = [program for program in PROGRAMS if f"bin/{program[0]}:" in targets and not (options.no_golden and program == GOLDEN)]
        if unnamed := set(re.findall(r"^bin/(abut_\w+_tests):", targets, re.MULTILINE)) - {name for name, _ in PROGRAMS} - LEFT_OUT:
            raise Unusable(f"PROGRAMS lacks {', '.join(sorted(unnamed))}")
        self.golden_first = options.golden_first
        # Seconds by program and arguments, of runs that passed without a fault.
        self.passed_file = self.build / "passed.json"
        passed = json.loads(self.passed_file.read_text()) if self.passed_file.is_file() else {}
        self.passed = passed["seconds"] if passed.get("sources") == self.sum else {}

    def left(self):
        """The seconds until the fault's time limit, or None."""
        return None if self.deadline == float("inf") else max(self.deadline - time.monotonic(), 0.0)

    def quietly(self, command):
        # Precompiled headers are cached only so; paths below the copy are those below any other checkout.
        environment = {"CCACHE_SLOPPINESS": "pch_defines,time_macros"} | os.environ | {"CCACHE_BASEDIR": str(self.tree)}
        name, start = " ".join(str(word) for word in command), time.monotonic()
        try:
            status, output = run_command(command, self.left(), env=environment)
        except TimeIsUp:
            raise Unusable(f"undecided within {self.limit} s: {name}") from None
        finally:
            self.building += time.monotonic() - start
        if status != 0:
            raise Unusable(f"{name} failed:\n" + output[-2000:])
        return output

    def run(self, program, arguments):
        """None where the program passes, else what it said. Built when it is wanted: most faults are noticed by the first one."""
        self.quietly(["cmake", "--build", self.build, "--parallel", self.jobs, "--target", f"bin/{program}"])
        known, left, start = self.passed.get(" ".join((program, *arguments)), 60), self.left(), time.monotonic()
        limit = 20 * known + 60
        try:
            status, output = run_command([self.build / "bin" / program, *arguments], limit if left is None else min(left, limit), cwd=self.tree)
        except TimeIsUp:
            if time.monotonic() - start < limit:
                raise Unusable(f"undecided within {self.limit} s: {program} had not ended") from None
            return f"no end within {limit:.0f} s"
        return None if status == 0 else what_failed(output, status)

    def check_unchanged(self, runs):
        """Once for the same sources. Precondition: no fault is planted."""
        begin, building, self.deadline = time.monotonic(), self.building, float("inf")
        for program, arguments in runs:
            name, start = " ".join((program, *arguments)), time.monotonic()
            if name in self.passed:
                continue
            try:
                failure = self.run(program, arguments)
            except Unusable as error:
                failure = error
            if failure is not None:
                raise SourcesFail(f"the sources fail without a fault: {program}: {failure}")
            self.passed[name] = time.monotonic() - start
            self.passed_file.write_text(json.dumps({"sources": self.sum, "seconds": self.passed}))
            print(f"        {name} passes without a fault: {self.passed[name]:.0f} s", flush=True)
        self.checking += time.monotonic() - begin
        self.building = building

    def stages(self, fault):
        """Lists of runs. A list is built only if those before it have not noticed the fault."""
        own = OWN_PROGRAMS.get(fault["file"].rpartition("/")[0])
        first = [program for program in self.programs if program[0] == own]
        if "tests" in fault:
            first = [("abut_tests", [fault["tests"], "--abort", "--reporter", "compact"])]
        golden = [program for program in self.programs if program == GOLDEN]
        others = [program for program in self.programs if program not in first + golden]
        return [*([golden, first] if self.golden_first else [first, golden]), *([program] for program in others)]

    def plant(self, fault):
        path = self.tree / fault["file"]
        unchanged, faulty = path.read_bytes(), with_fault(fault).encode()
        start, self.building, self.checking = time.monotonic(), 0.0, 0.0
        try:
            for runs in self.stages(fault):
                if any(" ".join((program, *arguments)) not in self.passed for program, arguments in runs):
                    write_if_changed(path, unchanged)
                    self.check_unchanged(runs)
                self.deadline = start + self.checking + self.limit
                write_if_changed(path, faulty)
                for program, arguments in runs:
                    if (failure := self.run(program, arguments)) is not None:
                        return f"{program}: {failure}"
            return None
        finally:
            self.deadline = float("inf")
            write_if_changed(path, unchanged)


class Journal:
    """The verdicts of former runs, one per line of a file, by a hash of the sources and the fault."""

    def __init__(self, path, sources, is_read):
        self.path, self.sources, self.known = path, sources, {}
        if is_read and path.is_file():
            for line in path.read_text().splitlines():
                entry = json.loads(line)
                self.known[entry["key"]] = (entry["verdict"], entry["seconds"])

    def key(self, fault):
        return hashlib.sha256((self.sources + json.dumps(fault, sort_keys=True)).encode()).hexdigest()

    def add(self, fault, verdict, seconds):
        with self.path.open("a") as file:
            file.write(json.dumps({"key": self.key(fault), "name": fault["name"], "verdict": verdict, "seconds": round(seconds, 1)}) + "\n")


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


def shard(text):
    part, _, parts = text.partition("/")
    if not (part.isdigit() and parts.isdigit() and 1 <= int(part) <= int(parts)):
        raise argparse.ArgumentTypeError(f"{text} is not K/N with 1 <= K <= N")
    return int(part), int(parts)


def arguments():
    summary, _, rest = __doc__.partition("\n\n")
    parser = argparse.ArgumentParser(description=summary, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="list the faults and end; an error where one has no place any more")
    parser.add_argument("--only", metavar="NAME", action="append", help="faults of this name, with * and ?; several times for several")
    parser.add_argument("--shard", metavar="K/N", type=shard, default=(1, 1), help="part K of N of these faults: every N-th one")
    parser.add_argument("--random", metavar="COUNT", type=int, help="as many of these faults, in random order")
    parser.add_argument("--seed", type=int, help="of --random (default: a new one, which is printed)")
    parser.add_argument("--budget", metavar="SECONDS", type=float, default=float("inf"), help="begin no fault after this time")
    parser.add_argument("--limit", metavar="SECONDS", type=int, default=3600, help="of one fault, without the checks of unchanged sources; past it the fault counts as not tested (default: %(default)s)")
    parser.add_argument("--resume", action="store_true", help="skip faults that have a verdict for the same sources from a former run in this scratch directory")
    parser.add_argument("--no-golden", action="store_true", help="leave the golden checksums out: what do unit tests notice?")
    parser.add_argument("--golden-first", action="store_true", help="run the golden checksums first: few faults need another program then")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time (default: %(default)s)")
    parser.add_argument("--isa", default=default_isa(), help="the instruction set that is built (default: %(default)s)")
    parser.add_argument("--scratch", type=pathlib.Path, default=ROOT / "build/faults", help="directory of the copy (default: build/faults)")
    parser.add_argument("--table", type=pathlib.Path, default=ROOT / "tools/faults.toml", help="the faults (default: tools/faults.toml)")
    return parser.parse_args()


def chosen(faults, options):
    for pattern in options.only or []:
        if not any(fnmatch.fnmatchcase(fault["name"], pattern) for fault in faults):
            raise Unusable(f"--only {pattern}: no fault has such a name")
    faults = [fault for fault in faults if any(fnmatch.fnmatchcase(fault["name"], pattern) for pattern in options.only or ["*"])]
    part, parts = options.shard
    faults = faults[part - 1 :: parts]
    if options.random is None:
        return faults
    seed = random.randrange(1 << 32) if options.seed is None else options.seed
    print(f"{options.random} of {len(faults)} faults: --random {options.random} --seed {seed}", flush=True)
    return drawn(faults, options.random, random.Random(seed))


def drawn(faults, count, source):
    """Weighted, without repetition [Efraimidis, Spirakis 2006]."""
    keys = {fault["name"]: source.random() ** (1 if fault["file"].endswith(".cpp") else 1 / HEADER_WEIGHT) for fault in faults}
    return sorted(faults, key=lambda fault: -keys[fault["name"]])[:count]


def plant_all(faults, scratch, journal, budget):
    """Verdict (what noticed the fault, None, or an Unusable) and seconds, by name. Faults beyond the budget are left out."""
    verdicts, begin = {}, time.monotonic()
    for number, fault in enumerate(faults, 1):
        start = time.monotonic()
        if start - begin > budget:
            print(f"the budget of {budget:.0f} s is used up: {len(faults) - number + 1} faults are left out", flush=True)
            break
        note = "before"
        if (known := journal.known.get(journal.key(fault))) is not None:
            verdict, seconds = known
        else:
            try:
                verdict = scratch.plant(fault)
            except SourcesFail:
                raise
            except Unusable as error:
                verdict = error
            seconds, note = time.monotonic() - start - scratch.checking, f"{scratch.building:.0f} s of building"
            if not isinstance(verdict, Unusable):
                journal.add(fault, verdict, seconds)
        verdicts[fault["name"]] = verdict, seconds
        text = "SURVIVED" if verdict is None else f"error: {verdict}" if isinstance(verdict, Unusable) else verdict
        print(f"{number:3}/{len(faults)} {fault['name']:28} {seconds:5.0f} s ({note})  {text}", flush=True)
    return verdicts


def summarise(faults, verdicts):
    """Prints the summary and returns the exit status."""
    survivors = [fault for fault in faults if verdicts.get(fault["name"], ("", 0))[0] is None]
    unusable = [name for name, (verdict, _) in verdicts.items() if isinstance(verdict, Unusable)]
    golden = sum(str(verdict).startswith("abut_golden") for verdict, _ in verdicts.values())
    noticed = len(verdicts) - len(survivors) - len(unusable)
    slowest = sorted(verdicts, key=lambda name: -verdicts[name][1])[:3]
    print(f"{len(verdicts)} faults in {sum(seconds for _, seconds in verdicts.values()):.0f} s: {noticed} noticed ({golden} by checksums), "
          f"{len(survivors)} survived, {len(unusable)} could not be tested, {len(faults) - len(verdicts)} left out")
    print("slowest: " + ", ".join(f"{name} {verdicts[name][1]:.0f} s" for name in slowest))
    for fault in survivors:
        print(f"survived: {fault['name']} ({fault['file']}): {fault['breaks']}")
    for name in unusable:
        print(f"could not be tested: {name}")
    return 2 if unusable else 1 if survivors else 0


def main():
    options = arguments()
    try:
        faults = chosen(read_table(options.table), options)
        for fault in faults:
            with_fault(fault)
        if options.list:
            for fault in faults:
                print(f"{fault['name']:28} {fault['file']:36} {fault['breaks']}")
            return 0
        scratch = Scratch(options)
        journal = Journal(scratch.tree / "build/verdicts.jsonl", scratch.sum + " ".join(name for name, _ in scratch.programs), options.resume)
        verdicts = plant_all(faults, scratch, journal, options.budget)
    except (Unusable, OSError, tomllib.TOMLDecodeError, subprocess.CalledProcessError) as error:
        print(f"plant_faults.py: {error}", file=sys.stderr)
        return 2
    return summarise(faults, verdicts)


if __name__ == "__main__":
    sys.exit(main())
