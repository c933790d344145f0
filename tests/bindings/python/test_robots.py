"""Robots in scenes: pairs that need no check, obstacles, further robots, a moving base."""

import base64
import json
import os
import pathlib
import pickle
import subprocess
import tempfile
import unittest

import numpy as np

import abut

ARM = pathlib.Path(os.environ["ABUT_SOURCES"], "bindings/python/examples/arm.urdf")


def link(name, size, origin="0 0 0"):
    return f'<link name="{name}"><collision><origin xyz="{origin}"/><geometry><box size="{size}"/></geometry></collision></link>'


def joint(name, parent, child, origin, lower=-3, upper=3):
    ends = f'<parent link="{parent}"/><child link="{child}"/><origin xyz="{origin}"/><axis xyz="0 0 1"/><limit lower="{lower}" upper="{upper}"/>'
    return f'<joint name="{name}" type="revolute">{ends}</joint>'


# base - upper - middle - hand in a row along X; a ring about the first joint is in the base always; a wall that only a folded hand meets.
CHAIN = (
    '<robot name="chain">'
    + link("base", "1 1 1")
    + link("upper", "0.2 0.2 0.2", "1 0 0")
    + link("ring", "0.4 0.4 0.4", "-0.6 0 0")
    + link("hand", "0.2 0.2 0.2", "2.2 0 0")
    + joint("a", "base", "upper", "0 0 0")
    + joint("b", "upper", "ring", "0.6 0 0", -0.1, 0.1)
    + joint("c", "ring", "hand", "1 0 0", -3.1, 3.1)
    + "</robot>"
)


def at(x, y, z):
    m = np.eye(4)
    m[:3, 3] = x, y, z
    return m


def turned_about(axis, angle):
    u = np.asarray(axis, float) / np.linalg.norm(axis)
    cross = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    m = np.eye(4)
    m[:3, :3] += np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return m


class DisabledPairs(unittest.TestCase):
    def test_each_reason(self):
        robot = abut.urdf.parse(CHAIN)
        found = {pair: pair.reason for pair in abut.urdf.disabled_pairs(robot, samples=2000, seed=1, never=True)}
        expected = {("base", "upper"): "Adjacent", ("upper", "ring"): "Adjacent", ("ring", "hand"): "Adjacent", ("base", "ring"): "Default"}
        self.assertEqual({pair: found[pair] for pair in expected}, expected)
        self.assertNotIn(("base", "hand"), found)  # only when it is folded
        self.assertEqual(len(robot.self_collision_pairs(found)), 6 - len(found))
        # Without "Never" nothing is lost that overlaps anywhere.
        rare = [pair for pair in abut.urdf.disabled_pairs(robot, samples=2000, seed=1) if pair.reason == "Never"]
        self.assertEqual(rare, [])

    def test_always_is_found_where_the_default_is_apart(self):
        # At 0 a finger is beside its stop; it is in it wherever the joint is elsewhere.
        text = CHAIN.replace('"-0.6 0 0"', '"-0.6 0.71 0"').replace('lower="-0.1" upper="0.1"', 'lower="0" upper="1.2"')
        robot = abut.urdf.parse(text)
        reasons = {pair: pair.reason for pair in abut.urdf.disabled_pairs(robot, samples=4000)}
        self.assertEqual(reasons.get(("base", "ring")), "Always")

    def test_seeds_and_progress(self):
        robot = abut.urdf.load(ARM)
        steps = []
        first = abut.urdf.disabled_pairs(robot, 1200, 3, never=True, progress=lambda done, of: steps.append((done, of)))
        self.assertEqual(first, abut.urdf.disabled_pairs(robot, 1200, 3, never=True))
        self.assertEqual(steps, [(500, 1200), (1000, 1200), (1200, 1200)])
        with self.assertRaisesRegex(ValueError, "samples: 0"):
            abut.urdf.disabled_pairs(robot, 0)

    def test_srdf_is_written_and_read(self):
        robot = abut.urdf.parse(CHAIN.replace('"upper"', '"upper &amp; long"'))
        pairs = abut.urdf.disabled_pairs(robot, 500)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "chain.srdf")
            abut.urdf.write_srdf(path, robot, [*pairs, ("base", "hand")])
            again = abut.urdf.disabled_pairs(path)
        self.assertEqual(again, [*pairs, ("base", "hand")])
        self.assertEqual([pair.reason for pair in again], [pair.reason for pair in pairs] + ["User"])
        self.assertEqual(len(robot.self_collision_pairs(again)), 1)
        copy = pickle.loads(pickle.dumps(pairs[0]))
        self.assertEqual((copy, copy.reason), (pairs[0], pairs[0].reason))


class Scenes(unittest.TestCase):
    def setUp(self):
        self.robot, self.store, self.narrow = abut.urdf.parse(CHAIN), abut.ShapeStore(), abut.NarrowPhase()

    def distances(self, configurations):
        return self.narrow.distance_configurations(configurations).signed_distance.reshape(len(configurations), -1)

    def test_obstacles_are_paired_with_what_moves(self):
        obstacles = {"table": (abut.Box([5, 5, 0.1]), [0, 0, -2]), "ball": (abut.Sphere(0.5), (np.array([4, 0, 0]), (0, 0, 0, 1)))}
        all = self.robot.configurations(self.store, [[0, 0, 0], [1, 0, 0]], obstacles=obstacles)
        self.assertEqual(all.names, ["base", "upper", "ring", "hand", "table", "ball"])
        named = [tuple(all.names[body] for body in pair) for pair in all.pairs.tolist()]
        self.assertEqual(named[: len(self.robot.self_collision_pairs())], [("base", "ring"), ("base", "hand"), ("upper", "hand")])
        self.assertEqual(set(named[3:]), {(link, thing) for link in ("upper", "ring", "hand") for thing in ("table", "ball")})
        d = self.distances(all)
        hand = named.index(("hand", "ball"))
        self.assertAlmostEqual(d[0, hand], -0.4, 5)  # the hand reaches from 3.7 to 3.9, the ball from 3.5 on
        self.assertGreater(d[1, hand], 2)
        self.assertAlmostEqual(d[0, named.index(("hand", "table"))], 2 - 0.1 - 0.1, 5)
        self.assertEqual((all.positions.shape, all.orientations.shape), ((2, 6, 3), (2, 6, 4)))
        repeated = abut.Configurations(self.store, all.shapes, all.pairs, positions=all.positions, orientations=all.orientations)
        self.assertEqual(self.distances(repeated).tobytes(), d.tobytes())
        # An id of the store is an obstacle, too, and a base moves the robot, not the obstacles.
        ball = self.store.add_sphere(0.5)
        moved = self.robot.configurations(self.store, [0, 0, 0], base=at(0, 0, 1), obstacles=[(ball, [4, 0, 1])])
        self.assertEqual(moved.names[-1], "obstacle 0")
        self.assertAlmostEqual(self.distances(moved)[0, -1], -0.4, 5)
        with self.assertRaisesRegex(ValueError, "obstacles: obstacle 0: shape"):
            self.robot.configurations(self.store, [0, 0, 0], obstacles=[(ball, [1, 2])])

    def test_a_base_for_each_configuration(self):
        bases = np.stack([at(0, 0, 0), at(0, 0, 0.5), at(0, 0, 3)])
        all = self.robot.configurations(self.store, [0, 0, 0], base=bases, obstacles={"floor": (abut.Halfspace([0, 0, 1]), [0, 0, -1])})
        named = [tuple(all.names[body] for body in pair) for pair in all.pairs.tolist()]
        np.testing.assert_allclose(self.distances(all)[:, named.index(("base", "floor"))], [0.5, 1, 3.5], atol=1e-5)
        with self.assertRaisesRegex(ValueError, "base: shape"):
            self.robot.configurations(self.store, np.zeros((2, 3)), base=bases)

    def test_two_robots(self):
        q = np.random.default_rng(2).uniform(-1, 1, (5, 3))
        all = self.robot.configurations(self.store, q, others=[(self.robot, [0, 0, 0], at(0, 3, 0))])
        self.assertEqual(all.names[4:], ["chain:base", "chain:upper", "chain:ring", "chain:hand"])
        named = [tuple(all.names[body] for body in pair) for pair in all.pairs.tolist()]
        self.assertEqual(len(named), 3 + 3 + 15)  # their bases do not move against each other
        d = self.distances(all)
        ours, theirs = self.robot.body_transforms(q), self.robot.body_transforms([0, 0, 0], at(0, 3, 0))
        for i in (0, 4):
            one = abut.distance_between(self.robot.bodies[3].shape, ours[i, 3], self.robot.bodies[1].shape, theirs[0, 1])
            self.assertAlmostEqual(one.distance, d[i, named.index(("hand", "chain:upper"))], 5)
        with self.assertRaisesRegex(ValueError, "2 configurations of one robot, but 5"):
            self.robot.configurations(self.store, q, others=[(self.robot, np.zeros((2, 3)), None)])

    def test_poses_far_from_the_origin_keep_their_distances(self):
        near = self.distances(self.robot.configurations(self.store, [0.3, 0.05, 1]))
        far = self.distances(self.robot.configurations(self.store, [0.3, 0.05, 1], base=at(3e5, -2e5, 0)))
        np.testing.assert_allclose(far, near, atol=1e-5)

    def test_records_are_the_bodies_of_a_cast(self):
        robot = abut.urdf.load(ARM)
        all = robot.configurations(self.store, np.random.default_rng(7).uniform(-3, 3, (200, 8)), base=turned_about([1, 2, 3], 3.1))
        records = all.records()
        self.assertEqual(records.shape, (200, 11))
        for c in (0, 50, 199):
            d = self.narrow.distance(self.store, records[c], all.pairs).signed_distance
            np.testing.assert_allclose(d, self.distances(all)[c], atol=2e-6)

    @unittest.skipUnless(abut.has_captures, "built without captures")
    def test_a_page_of_a_robot_and_its_scene(self):
        robot = abut.urdf.load(ARM)
        all = robot.configurations(self.store, np.linspace(np.zeros(8), np.full(8, 0.5), 4), obstacles={"table": (abut.Box([1, 1, 0.05]), [0, 0, -0.06])})
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "arm.abut")
            all.write(path)
            self.assertEqual(len(abut.Capture(path)), 4)
            program = os.environ.get("ABUT_PROGRAM")
            if program:
                subprocess.run([program, "view", path, "-o", path.with_suffix(".html")], check=True, capture_output=True)
                self.assertGreater(path.with_suffix(".html").stat().st_size, 100_000)

    def test_the_poses_of_bodies_are_those_of_the_matrices(self):
        kinds = [
            ("revolute", '<axis xyz="1 2 -1"/>'),
            ("prismatic", '<axis xyz="0 -1 0"/>'),
            ("continuous", '<axis xyz="0 0 -1"/><mimic joint="j0" multiplier="-2" offset="0.3"/>'),
            ("fixed", ""),
            ("planar", '<axis xyz="0 1 1"/>'),
            ("floating", ""),
            ("revolute", '<axis xyz="0 1 0"/>'),
        ]
        text = link("l0", "1 1 1")
        for i, (kind, more) in enumerate(kinds):
            ends = f'<parent link="l{i // 3 if i == 5 else i}"/><child link="l{i + 1}"/><origin xyz="0.1 {i} 0.3" rpy="0.4 -1.2 {i}"/><limit lower="-3" upper="3"/>'
            text += link(f"l{i + 1}", "0.1 0.2 0.3", "0.2 0 0.1") + f'<joint name="j{i}" type="{kind}">{ends}{more}</joint>'
        robot = abut.urdf.parse(f'<robot name="all">{text}</robot>')
        self.assertEqual(len(robot.joint_names), 1 + 1 + 3 + 6 + 1)
        q = np.random.default_rng(3).uniform(-3, 3, (50, len(robot.joint_names)))
        for base in (None, turned_about([1, 1, 0], 2), np.stack([turned_about([i, 1, 0], 2) @ at(i, 0, 0) for i in range(50)])):
            exact = robot.body_transforms(q, base)
            positions, orientations = robot.body_poses(q, base)
            np.testing.assert_allclose(positions, exact[..., :3, 3], rtol=0, atol=1e-10)
            made = robot.configurations(self.store, q, base=base)
            np.testing.assert_allclose(made.poses, exact, atol=1e-6)
            self.assertEqual(made.orientations.dtype, np.float32)
        again = pickle.loads(pickle.dumps(robot))
        np.testing.assert_array_equal(again.body_poses(q)[0], robot.body_poses(q)[0])
        mirrored = np.diag([1.0, 1, -1, 1])
        self.assertTrue(np.isnan(robot.body_poses(q, mirrored)[0]).all())

    def test_a_page_with_sliders(self):
        robot = abut.urdf.load(ARM)
        cloud = self.store.add_point_cloud([[1, 0, 0], [1, 0, 0.5]], 0.1, pose=([0, 0, 0.2], [0, 0, 0, 1]))
        obstacles = {"cloud": (cloud, at(0, 1, 0)), "wall": (abut.Halfspace([1, 0, 0], -2), None)}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "arm.html")
            robot.view(path, obstacles=obstacles, store=self.store)
            text = path.read_text("utf-8")
        self.assertNotIn("@ABUT_", text)
        data = base64.b64decode(text.split('id="abut-scene">')[1].split("<")[0])
        scene = json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])
        page = scene["robot"]
        self.assertEqual([value["name"] for value in page["values"]], robot.joint_names)
        self.assertEqual([body["name"] for body in page["bodies"]], [*robot.body_names(), "cloud", "wall"])
        self.assertEqual([body["joint"] for body in page["bodies"][-2:]], [0xFFFFFFFE] * 2)
        np.testing.assert_allclose(page["bodies"][-2]["pose"], [0, 1, 0.2, 0, 0, 0, 1], atol=1e-6)
        shapes = [scene["shapes"][body["shape"]] for body in page["bodies"]]
        self.assertEqual([child["pos"] for child in shapes[-2]["children"]], [[1, 0, 0], [1, 0, 0.5]])
        self.assertEqual((shapes[-1]["shape"], shapes[-1]["offset"]), ("halfspace", -2))
        self.assertTrue(all(value["lower"] <= value["value"] <= value["upper"] for value in page["values"]))

    def test_pairs_of_other_types_are_refused(self):
        for pairs in ([[0.5, 1]], [[-1, 2]]):
            with self.assertRaisesRegex(TypeError, "pairs"):
                self.robot.configurations(self.store, [0, 0, 0], pairs)


if __name__ == "__main__":
    unittest.main()
