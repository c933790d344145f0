"""The examples run, and print what the command line prints for the same frames. ABUT_PROGRAM, ABUT_SOURCES and ABUT_README_OUTPUT come from CMake."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import abut

SOURCES = pathlib.Path(os.environ["ABUT_SOURCES"])
EXAMPLES = SOURCES / "bindings/python/examples"
PILE = SOURCES / "tools/demo/pile.abut"
PROGRAM = os.environ.get("ABUT_PROGRAM")


def output(*command, timeout=120):
    run = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=timeout)
    if run.returncode:
        raise AssertionError(f"{command} ends with {run.returncode}:\n{run.stdout}{run.stderr}")
    return run.stdout


def replayed(path, query):
    return json.loads(output(PROGRAM, "replay", path, "--query", query, "--repeat", "1", "--json"))


class Examples(unittest.TestCase):
    def test_the_readmes_example(self):
        expected = pathlib.Path(os.environ["ABUT_README_OUTPUT"]).read_text()
        self.assertEqual(output(sys.executable, SOURCES / "examples/python/first_steps.py"), expected)

    def test_first_steps(self):
        lines = output(sys.executable, EXAMPLES / "first_steps.py").splitlines()
        words = lines[0].split()
        self.assertEqual(words[0], "1,000")
        self.assertLess(float(words[words.index("hills,") + 1]), 50)
        self.assertIn("overlap", lines[1])

    def test_robot(self):
        lines = output(sys.executable, EXAMPLES / "robot.py").splitlines()
        self.assertEqual(lines[0], "arm: 8 joints, 11 bodies, 45 pairs, 1,000 configurations")
        self.assertRegex(lines[1], r"^1[0-9]\.[0-9]% collide")

    def test_footprint(self):
        lines = output(sys.executable, EXAMPLES / "footprint.py").splitlines()
        self.assertEqual(lines[0], "100,000 poses, 1.6 pairs each: 49.2% are free")
        self.assertEqual(lines[1], "the path keeps 0.416 m, least at x = 8.18 m")
        self.assertEqual(lines[2:], ["driving on along x, the robot touches obstacle 10 after 5.28 m"])

    def test_a_planner(self):
        spec = importlib.util.spec_from_file_location("rrt", EXAMPLES / "rrt.py")
        rrt = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(rrt)
        lines = output(sys.executable, EXAMPLES / "rrt.py").splitlines()
        self.assertRegex(lines[0], r"a path of \d+ configurations in ")
        self.assertRegex(lines[1], r"\d+ edges, \d+ microseconds each, \d+ pairs")

        scene, start, goal = rrt.post_and_table()
        path = rrt.plan(scene, start, goal, np.random.default_rng(5))
        np.testing.assert_array_equal(path[[0, -1]], [start, goal])
        for a, b in zip(path, path[1:]):
            d = scene.narrow.least_distance(scene.at(np.linspace(a, b, 400))).signed_distance
            self.assertGreater(d.min(), 0)
        self.assertFalse(scene.narrow.any_overlap(scene.at(np.stack([start, goal]))).hit.any())
        self.assertFalse(scene.is_free_edge(start, goal))

    @unittest.skipUnless(importlib.util.find_spec("scipy"), "scipy is not installed")
    def test_gradients(self):
        lines = output(sys.executable, EXAMPLES / "gradients.py").splitlines()
        self.assertLess(float(lines[0].split()[2]), 1e-3)
        words = lines[1].split()
        least, off = float(words[words.index("distance") + 1]), float(words[words.index("ends") + 1])
        self.assertGreater(least, 0.045)
        self.assertLess(off, 0.05)

    @unittest.skipUnless(abut.has_captures and PROGRAM, "needs captures and the command line")
    def test_distances(self):
        text = output(sys.executable, EXAMPLES / "distances.py", "--pairs", 3000, "--single", 100, "--repeat", 2, "--rounds", 1, "--abut", PROGRAM)
        self.assertIn("3,000 pairs", text)
        self.assertEqual(text.count("ns per pair"), 3)

    @unittest.skipUnless(abut.has_captures and PROGRAM, "needs captures and the command line")
    @unittest.skipUnless(importlib.util.find_spec("distributed"), "dask.distributed is not installed")
    def test_two_workers_make_the_checksum_of_one_machine(self):
        for query in ("collide", "distance"):
            expected = replayed(PILE, query)["checksum"]
            cluster = output(sys.executable, EXAMPLES / "cluster.py", "--query", query, "--workers", 2, PILE).splitlines()
            alone = output(sys.executable, EXAMPLES / "cluster.py", "--query", query, "--alone", "--frames", 4, PILE).splitlines()
            self.assertEqual(cluster[0].split()[0], expected)
            self.assertEqual(cluster[0], alone[0])
            self.assertIn("by 2 workers", cluster[1])


@unittest.skipUnless(abut.has_captures, "built without captures")
class Captures(unittest.TestCase):
    def test_frames_come_back(self):
        rng = np.random.default_rng(3)
        store = abut.ShapeStore()
        kinds = [store.add_sphere(0.5), store.add_box([0.5, 0.4, 0.3], rounding=0.1)]
        writer = abut.CaptureWriter()
        frames = []
        for i in range(3):
            bodies = abut.make_bodies(positions=rng.uniform(-1, 1, (10 + i, 3)), shapes=rng.choice(kinds, 10 + i))
            pairs = rng.integers(10, size=(20, 2)).astype(np.uint32)
            if i == 0:
                writer.add_frame(f"frame {i}", abut.Frame(store, bodies, pairs))
            elif i == 1:
                writer.add_frame(f"frame {i}", store, bodies, pairs)  # as collide takes it
            else:
                columns = {"positions": bodies["position"], "shapes": bodies["shape"], "orientations": bodies["orientation"]}
                writer.add_frame(f"frame {i}", store, pairs=pairs, **columns)
            frames.append((bodies, pairs))
        for bad in ((), (store, bodies), (abut.Frame(store, bodies, pairs), bodies)):
            with self.assertRaisesRegex(TypeError, "add_frame"):
                writer.add_frame("bad", *bad)
        self.assertEqual(len(writer), 3)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "frames.abut")
            writer.write(path)
            self.assertEqual(path.read_bytes(), writer.to_bytes())
            capture = abut.Capture(path)
            expected = replayed(path, "distance")["per_frame"] if PROGRAM else None
        again = abut.ShapeStore()
        ids = capture.add_shapes(again)
        self.assertEqual((len(capture), capture.shape_count, ids.shape), (3, 2, (2,)))
        narrow = abut.NarrowPhase()
        for i, frame in enumerate(capture):
            self.assertEqual(frame.label, f"frame {i}")
            np.testing.assert_array_equal(frame.pairs, frames[i][1])
            np.testing.assert_array_equal(frame.bodies["position"], frames[i][0]["position"])
            d = narrow.distance(again, frame.records(ids), frame.pairs)
            self.assertEqual(d.checksum(), narrow.distance(store, *frames[i]).checksum())
            if expected:
                self.assertEqual(d.checksum(), expected[i]["checksum"])
        pairs, copy = capture[-1].pairs, capture[-1].pairs.copy()
        del capture, frame
        np.testing.assert_array_equal(pairs, copy)
        self.assertFalse(pairs.flags.writeable)

    def test_damaged_captures(self):
        data = PILE.read_bytes()
        self.assertEqual(len(abut.Capture.from_bytes(data)), 6)
        for bad in (b"", data[:100], data[:-1], data + b"x", b"\0" * 100, data[:4] + b"NOPE" + data[8:]):
            with self.assertRaisesRegex(ValueError, "pile: offset"):
                abut.Capture.from_bytes(bad, name="pile")
        with self.assertRaises(FileNotFoundError):
            abut.Capture("/nowhere/frames.abut")
        with self.assertRaises(ValueError):
            abut.Capture(str(SOURCES))
        capture = abut.Capture(PILE)
        for index in (6, -7):
            with self.assertRaisesRegex(IndexError, str(index)):
                capture[index]
        with self.assertRaisesRegex(ValueError, "ids"):
            capture[0].records([])
        with self.assertRaisesRegex(abut.Error, "nowhere"):
            abut.CaptureWriter().write("/nowhere/frames.abut")

    def test_checksums_are_merged_in_the_order_of_frames(self):
        narrow, sums = abut.NarrowPhase(), []
        capture, store = abut.Capture(PILE), abut.ShapeStore()
        ids = capture.add_shapes(store)
        for frame in capture:
            sums.append(narrow.overlap(store, frame.records(ids), frame.pairs).checksum())
        if PROGRAM:
            report = replayed(PILE, "overlap")
            self.assertEqual([frame["checksum"] for frame in report["per_frame"]], sums)
            self.assertEqual(abut.merge_checksums(sums), report["checksum"])
        self.assertNotEqual(abut.merge_checksums(sums), abut.merge_checksums(sums[::-1]))
        for bad in ("", "0x" + "0" * 14, "g" * 16, "0" * 17):
            with self.assertRaises(ValueError):
                abut.merge_checksums([bad])


if __name__ == "__main__":
    unittest.main()
