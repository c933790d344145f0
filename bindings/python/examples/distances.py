"""100,000 distances in one call, and beside it one call per pair. With --abut also what the C++ library needs for the same frame.

    python3 distances.py
    python3 distances.py --abut build/release/bin/abut

`abut replay` gets the frame as a capture. Python and C++ take turns, the best of --repeat calls counts, and the checksums of all results must be equal.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

import abut


def random_rotations(rng, count):
    """Quaternions (count, 4) of unit length, as float32."""
    q = rng.standard_normal((count, 4))
    return (q / np.linalg.norm(q, axis=1, keepdims=True)).astype(np.float32)


def make_frame(pair_count, seed=1):
    """Pairs of boxes, capsules and hulls at random, a good half of them apart."""
    rng = np.random.default_rng(seed)
    store = abut.ShapeStore()
    shapes = np.array(
        [
            store.add_box([0.5, 0.4, 0.3]),
            store.add_capsule(0.3, 0.4),
            store.add_hull(rng.standard_normal((24, 3)) * 0.4),
        ],
        np.uint32,
    )
    count = 2 * pair_count
    bodies = abut.make_bodies(
        positions=np.zeros((count, 3)),
        shapes=shapes[rng.integers(len(shapes), size=count)],
        orientations=random_rotations(rng, count),
    )
    bodies["position"][::2] = rng.uniform(-100, 100, (pair_count, 3))
    bodies["position"][1::2] = bodies["position"][::2] + rng.uniform(-1.2, 1.2, (pair_count, 3))
    pairs = np.arange(count, dtype=np.uint32).reshape(-1, 2)
    return store, bodies, pairs


def recorded(path, store, bodies, pairs):
    """Records the frame for `abut replay`, and reads it back: a recorded hull has the vertices that were cooked."""
    writer = abut.CaptureWriter()
    writer.add_frame("distances", abut.Frame(store, bodies, pairs))
    writer.write(path)
    capture = abut.Capture(path)
    store = abut.ShapeStore()
    bodies = capture[0].records(capture.add_shapes(store))
    return store, bodies, capture[0].pairs


def seconds_of(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def replay(program, path, repeat):
    """Best nanoseconds per pair of the C++ library, and the checksum of the frame."""
    command = [program, "replay", path, "--query", "distance", "--threads", "1", "--repeat", str(repeat), "--json"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    frame = report["per_frame"][0]
    return frame["ns_per_pair_min"], frame["checksum"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--repeat", type=int, default=20, help="calls of which the best counts")
    parser.add_argument("--rounds", type=int, default=3, help="turns of Python and C++")
    parser.add_argument("--single", type=int, default=20_000, help="pairs that are asked one by one")
    parser.add_argument("--abut", help="the command line program, for the figure of C++")
    options = parser.parse_args()

    store, bodies, pairs = make_frame(options.pairs)
    narrow = abut.NarrowPhase(threads=1)
    best, native, checksum = np.inf, np.inf, None
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder, "frame.abut"))
        if options.abut:
            store, bodies, pairs = recorded(path, store, bodies, pairs)
        frame = abut.Frame(store, bodies, pairs)
        d = narrow.distance(frame)
        for _ in range(options.rounds):
            for _ in range(options.repeat):
                best = min(best, seconds_of(lambda: narrow.distance(frame, out=d)))
            if options.abut:
                found, checksum = replay(options.abut, path, options.repeat)
                native = min(native, found)
    best *= 1e9 / options.pairs

    single = min(options.single, options.pairs)
    answers = np.empty(single, np.float32)

    def one_by_one():
        for i in range(single):
            answers[i] = narrow.distance(store, bodies, pairs[i : i + 1]).signed_distance[0]

    each = seconds_of(one_by_one) * 1e9 / single
    if not np.array_equal(answers, d.signed_distance[:single]):
        sys.exit("the answers one by one differ from those of one call")

    apart = np.mean(d.signed_distance > 0)
    print(f"{options.pairs:,} pairs, {apart:.0%} apart, {narrow.isa}, one thread, checksum {d.checksum()}")
    print(f"one call:          {best:8.1f} ns per pair")
    print(f"one call per pair: {each:8.1f} ns per pair, {each / best:.0f} times as much")
    if options.abut:
        print(f"C++ library:       {native:8.1f} ns per pair; Python needs {best / native - 1:+.1%}")
        if checksum != d.checksum():
            sys.exit(f"C++ has the checksum {checksum}")


if __name__ == "__main__":
    main()
