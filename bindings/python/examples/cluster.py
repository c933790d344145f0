"""Shards the frames of captures over the workers of a dask.distributed cluster, and merges one checksum, equal to one machine's.

    python3 cluster.py tools/demo/pile.abut                        # two workers on this machine
    python3 cluster.py --scheduler tcp://host:8786 /shared/*.abut  # workers that have abut and read the same paths

A task is a range of frames of one capture. It gives the checksum of each frame's results (docs/formats.md, "The checksum"), which has the same bits on every
machine. The client puts them in the order of the frames, whatever the order in which they came, and makes the capture's checksum of them: the one that
`abut replay FILE.abut` prints. --alone computes it in this process, for comparison.
"""

import argparse
import os

import abut


def open_capture(path):
    capture = abut.Capture(path)
    store = abut.ShapeStore()
    return capture, store, capture.add_shapes(store)


def run_frames(path, first, end, query):
    """The checksums of the frames [first, end) of a capture, and how many pairs they have. One core."""
    capture, store, ids = open_capture(path)
    narrow = abut.NarrowPhase(threads=1)
    result, checksums, pairs = None, [], 0
    for index in range(first, end):
        frame = capture[index]
        result = getattr(narrow, query)(store, frame.records(ids), frame.pairs, out=result)
        checksums.append(result.checksum())
        pairs += len(frame.pairs)
    return path, first, checksums, pairs


def shards(paths, frames):
    """(path, first, end) of all tasks: at most `frames` frames each."""
    for path in paths:
        count = len(abut.Capture(path))
        for first in range(0, count, frames):
            yield path, first, min(first + frames, count)


def merge(parts):
    """The checksum of each capture, from the parts in any order: {path: checksum}, and the number of pairs."""
    found, pairs = {}, 0
    for path, first, checksums, count in parts:
        found.setdefault(path, {})[first] = checksums
        pairs += count
    return {path: abut.merge_checksums(c for first in sorted(of) for c in of[first]) for path, of in sorted(found.items())}, pairs


def on_cluster(client, tasks, query):
    from dask.distributed import as_completed

    futures = [client.submit(run_frames, *task, query, pure=False) for task in tasks]
    return (future.result() for future in as_completed(futures))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("captures", nargs="+", help="paths that every worker can read")
    parser.add_argument("--query", choices=["overlap", "distance", "collide"], default="collide")
    parser.add_argument("--frames", type=int, default=1, help="frames per task")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--scheduler", help="address of a running scheduler")
    where.add_argument("--workers", type=int, default=2, help="processes of a cluster on this machine")
    where.add_argument("--alone", action="store_true", help="no cluster")
    options = parser.parse_args()

    tasks = list(shards([os.path.abspath(path) for path in options.captures], options.frames))
    if options.alone:
        checksums, pairs = merge(run_frames(*task, options.query) for task in tasks)
        by = "this process"
    else:
        from dask.distributed import Client, LocalCluster

        local = None
        if not options.scheduler:
            local = LocalCluster(n_workers=options.workers, threads_per_worker=1, dashboard_address=None)
        with Client(options.scheduler or local) as client:
            checksums, pairs = merge(on_cluster(client, tasks, options.query))
            by = f"{len(client.scheduler_info()['workers'])} workers"
        if local:
            local.close()
    for path, checksum in checksums.items():
        print(f"{checksum}  {path}")
    print(f"{options.query}: {len(tasks)} tasks, {pairs:,} pairs, by {by}")


if __name__ == "__main__":
    main()
