"""abut.d2: answers against an oracle in numpy, columns, bad inputs, and the command line. ABUT_PROGRAM comes from CMake."""

import copy
import doctest
import json
import math
import os
import pickle
import subprocess
import tempfile
import threading
import unittest

import numpy as np

import abut
from abut import d2

PROGRAM = os.environ.get("ABUT_PROGRAM")


def scene(count=300, seed=5):
    """A store, bodies, pairs, and for each body the oracle's shape: corners in world space (counter-clockwise) and a radius."""
    rng = np.random.default_rng(seed)
    store = d2.ShapeStore()
    shapes, cores = [], []
    for kind in range(40):
        corners, radius = np.zeros((1, 2)), 0.0
        if kind % 4 == 0:
            radius = float(np.float32(rng.uniform(0.1, 0.5)))
            shapes.append(store.add_circle(radius))
        elif kind % 4 == 1:
            radius, half = float(np.float32(rng.uniform(0.0, 0.3))), float(np.float32(rng.uniform(0.1, 0.5)))
            corners = np.array([[0, -half], [0, half]])
            shapes.append(store.add_capsule(radius, half))
        elif kind % 4 == 2:
            x, y = np.float32(rng.uniform(0.1, 0.5, 2)).tolist()
            corners = np.array([[-x, -y], [x, -y], [x, y], [-x, y]])
            shapes.append(store.add_box([x, y]))
        else:
            shapes.append(store.add_polygon(rng.standard_normal((12, 2)) * 0.3, rounding=0.05))
            corners, radius = store.corners(shapes[-1]).astype(np.float64), float(np.float32(0.05))
        cores.append((corners, radius))
    of = rng.integers(len(shapes), size=count)
    bodies = d2.make_bodies(positions=rng.uniform(-2, 2, (count, 2)), shapes=np.array(shapes)[of], angles=rng.uniform(-9, 9, count))
    pairs = rng.integers(count, size=(2 * count, 2)).astype(np.uint32)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    placed = []
    for body, kind in zip(bodies, of):
        c, s = body["rotation"].astype(np.float64) / np.linalg.norm(body["rotation"].astype(np.float64))
        corners, radius = cores[kind]
        placed.append((corners @ np.array([[c, s], [-s, c]]) + body["position"], radius))
    return store, bodies, pairs, placed


def from_edges(edges, points):
    """The least distance of points from the edges, which may be one point."""
    start, along = edges, np.roll(edges, -1, axis=0) - edges
    t = np.einsum("pec,ec->pe", points[:, None] - start, along) / np.maximum(np.einsum("ec,ec->e", along, along), 1e-300)
    nearest = start + np.clip(t, 0, 1)[..., None] * along
    return np.linalg.norm(points[:, None] - nearest, axis=2).min()


def signed_distance(a, b):
    (p, radius_a), (q, radius_b) = a, b
    most = -math.inf
    for edges, others in ((p, q), (q, p)):
        along = np.roll(edges, -1, axis=0) - edges
        for start, (x, y) in zip(edges, along):
            if x or y:
                most = max(most, ((others - start) @ (np.array([y, -x]) / math.hypot(x, y))).min())
    core = most if math.inf > -most and most < 0 else min(from_edges(p, q), from_edges(q, p))
    return core - radius_a - radius_b


class Answers(unittest.TestCase):
    def setUp(self):
        self.store, self.bodies, self.pairs, self.placed = scene()
        self.narrow = d2.NarrowPhase(threads=1, contact_slack=0)
        self.frame = d2.Frame(self.store, self.bodies, self.pairs)

    def test_distances_overlaps_and_contacts_are_those_of_the_oracle(self):
        wanted = np.array([signed_distance(self.placed[a], self.placed[b]) for a, b in self.pairs])
        d, o, m = self.narrow.distance(self.frame), self.narrow.overlap(self.frame), self.narrow.collide(self.frame)
        self.assertGreater((wanted < 0).sum(), 30)
        self.assertGreater((wanted > 0).sum(), 60)
        np.testing.assert_allclose(d.signed_distance, wanted, atol=1e-5)
        self.assertTrue((o.hit == (wanted <= 0))[np.abs(wanted) > 1e-5].all())
        np.testing.assert_array_equal(o.hits, np.flatnonzero(o.hit))
        np.testing.assert_allclose(np.linalg.norm(d.normal, axis=1), 1, atol=1e-5)
        np.testing.assert_allclose(d.point_b - d.point_a, d.signed_distance[:, None] * d.normal, atol=2e-6)
        found = np.diff(m.first_manifold)
        self.assertTrue((found == (wanted <= 0.02))[np.abs(wanted - 0.02) > 1e-5].all())
        manifolds = m.manifolds
        np.testing.assert_array_equal(manifolds["pair"], np.repeat(np.arange(len(self.pairs)), found))
        np.testing.assert_allclose(manifolds["contacts"]["separation"][:, 0], wanted[manifolds["pair"]], atol=1e-5)
        self.assertTrue(((manifolds["contact_count"] == 1) | (manifolds["contact_count"] == 2)).all())
        self.assertEqual(set(d.status.tolist() + o.status.tolist() + m.status.tolist()), {d2.Status.ok})
        self.assertIsInstance(o, abut.Overlaps)
        self.assertEqual(self.narrow.counters.pairs, len(self.pairs))

    def test_points_and_rays(self):
        rng = np.random.default_rng(3)
        pairs = np.stack([np.arange(200), rng.integers(len(self.bodies), size=200)], 1).astype(np.uint32)
        origins = (self.bodies["position"][pairs[:, 1]] + rng.uniform(-1, 1, (200, 2))).astype(np.float32)
        ways = (self.bodies["position"][pairs[:, 1]] - origins + 0.5 * rng.standard_normal((200, 2))).astype(np.float32)
        points = self.narrow.measure(self.store, self.bodies, pairs, points=origins)
        wanted = [signed_distance(self.placed[b], (origins[i : i + 1].astype(np.float64), 0)) for i, b in pairs]
        np.testing.assert_allclose(points.signed_distance, wanted, atol=1e-5)
        rays = self.narrow.raycast(self.store, self.bodies, pairs, origins=origins, directions=ways)
        self.assertTrue(50 < rays.hit.sum() < 180)
        for i, b in pairs:  # no sample before the hit is inside, and the hit is on the surface or begins inside
            for f in np.linspace(0, 1, 25):
                inside = signed_distance(self.placed[b], (origins[i : i + 1] + f * ways[i : i + 1].astype(np.float64), 0)) < -1e-5
                self.assertFalse(inside and f < rays.fraction[i], (i, f))
            at = (origins[i : i + 1] + rays.fraction[i] * ways[i : i + 1].astype(np.float64), 0)
            if rays.hit[i]:
                self.assertLess(signed_distance(self.placed[b], at), 1e-5)

    def test_casts_meet_at_the_first_time(self):
        ends = self.bodies.copy()
        ends["position"] += np.random.default_rng(8).uniform(-2, 2, ends["position"].shape).astype(np.float32)
        c = self.narrow.cast(self.frame, ends=ends)
        self.assertTrue(50 < c.hit.sum() < len(self.pairs))
        moved = (ends["position"] - self.bodies["position"]).astype(np.float64)
        for i in range(0, len(self.pairs), 12):
            a, b = self.pairs[i]
            at = lambda t: signed_distance(*((self.placed[k][0] + t * moved[k], self.placed[k][1]) for k in (a, b)))
            if c.time[i] == 0:
                self.assertLess(at(0), 1e-5, i)
                continue
            for t in np.linspace(0, c.time[i], 20, endpoint=False):
                self.assertGreater(at(t), -1e-5, i)
            if c.hit[i]:
                self.assertLess(at(c.time[i]), 1e-4, i)
        first = self.narrow.cast(self.frame, ends=ends, reduction="first_of_body", latest=np.full(len(self.pairs), 0.5))
        self.assertLess(first.hit.sum(), c.hit.sum())

    def test_a_cast_counts_the_turns_of_angles(self):
        store = d2.ShapeStore()
        stick, ball = store.add_segment([0, -1], [0, 1]), store.add_circle(0.1)
        records = np.zeros(2, [("position", "f4", (2,)), ("angle", "f4"), ("shape", "u4")])
        records["shape"], records["position"][1] = [stick, ball], [-0.9, 0]
        ends = records.copy()
        ends["angle"][0] = 4 * math.pi
        time = self.narrow.cast(store, records, [[0, 1]], ends=ends).time[0]
        self.assertAlmostEqual(time, 0.125 - math.asin(1 / 9) / (4 * math.pi), delta=1e-4)

    def test_a_chain_is_one_sided_and_names_its_segment(self):
        store = d2.ShapeStore()
        ground, ball = store.add_chain([[3, 0], [0, 1], [-3, 0]]), store.add_circle(0.5)
        bodies = d2.make_bodies(positions=[[-1, 1.1], [0, -4], [0, 0]], shapes=[ball, ball, ground])
        d = self.narrow.distance(store, bodies, [[0, 2], [1, 2]])
        self.assertLess(d.signed_distance[0], 0.1)
        self.assertEqual(d.signed_distance[1], math.inf)
        m = self.narrow.collide(store, bodies, [[0, 2]], margins=[0.5])
        self.assertEqual(m.manifolds["child_b"].tolist(), [1])
        np.testing.assert_array_equal(store.corners(ground), [[3, 0], [0, 1], [-3, 0]])
        self.assertEqual(store.view(ground).children, 2)
        doubled = store.add_chain([[3, 0], [3, 0], [0, 1], [0, 1], [-3, 0]])
        self.assertEqual((len(store.corners(doubled)), store.view(doubled).corners), (5, 5))


class Columns(unittest.TestCase):
    def setUp(self):
        self.store, self.bodies, self.pairs, _ = scene(60)
        self.narrow = d2.NarrowPhase(threads=1)
        self.expected = self.narrow.distance(self.store, self.bodies, self.pairs).signed_distance

    def same(self, bodies=None, **columns):
        d = self.narrow.distance(self.store, bodies, self.pairs, **columns)
        np.testing.assert_array_equal(d.signed_distance, self.expected)

    def test_layouts_have_equal_bits(self):
        b = self.bodies
        self.same(positions=b["position"], rotations=b["rotation"], shapes=b["shape"])
        self.same(positions=b["position"], rotations=b["rotation"].astype(np.float64), shapes=b["shape"].astype(np.int64))
        self.same(positions=b["position"].astype(np.float32), rotations=b["rotation"], shapes=b["shape"].tolist())
        wide = np.zeros(len(b), [("tag", "u4"), ("shape", "u4"), ("rotation", "f4", (2,)), ("position", "f4", (2,))])
        for name in ("shape", "rotation", "position"):
            wide[name] = b[name]
        self.same(wide)
        strided = np.zeros(2 * len(b), d2.body_dtype)[::2]
        strided[:] = b
        self.same(strided)
        angles = np.linspace(-20, 20, len(b)).astype(np.float32)
        turned = b.copy()
        turned["rotation"] = d2.rotations_of(angles)
        self.expected = self.narrow.distance(self.store, turned, self.pairs).signed_distance
        self.same(positions=b["position"], angles=angles, shapes=b["shape"])

    def test_arrays_are_read_in_place_and_world_points_are_double(self):
        bodies = self.bodies.copy()
        frame = d2.Frame(self.store, bodies, [[0, 1]])
        before = float(self.narrow.distance(frame).signed_distance[0])
        self.assertIs(frame.arrays["bodies"], bodies)
        bodies["position"][1] += 100
        self.assertGreater(float(self.narrow.distance(frame).signed_distance[0]), before + 50)
        self.assertEqual((len(frame), frame.body_count, frame.pair_count), (1, 60, 1))
        far = d2.Frame(self.store, None, [[1, 0]], positions=[[0, 0], [1e8 + 0.25, 3]], angles=[0, 0], shapes=bodies["shape"][:2])
        np.testing.assert_array_equal(far.world_points([0], [[0.5, 0]]), [[1e8 + 0.75, 3]])
        self.assertRaises(IndexError, lambda: far.world_points([1], [[0, 0]]))

    def test_far_from_the_origin_doubles_lose_nothing(self):
        near, b = self.bodies["position"].astype(np.float64), self.bodies
        self.expected = self.narrow.distance(self.store, None, self.pairs, positions=near, rotations=b["rotation"], shapes=b["shape"]).signed_distance
        self.same(positions=near + [2.0**20, -(2.0**19)], rotations=b["rotation"], shapes=b["shape"])
        wide = np.zeros(len(b), [("position", "f8", (2,)), ("rotation", "f4", (2,)), ("shape", "u4")])
        wide["position"], wide["rotation"], wide["shape"] = near + [-(2.0**20), 0], b["rotation"], b["shape"]
        self.same(wide)

    def test_results_keep_their_memory_and_can_be_pickled(self):
        d = self.narrow.distance(self.store, self.bodies, self.pairs)
        column = d.signed_distance
        again = self.narrow.distance(self.store, self.bodies, self.pairs[:3], out=d)
        self.assertIs(again, d)
        np.testing.assert_array_equal(column, self.expected)
        self.assertEqual(len(d), 3)
        m = self.narrow.collide(self.store, self.bodies, self.pairs)
        for copied in (pickle.loads(pickle.dumps(m)), copy.deepcopy(m)):
            np.testing.assert_array_equal(copied.manifolds, m.manifolds)
            self.assertEqual(repr(copied), f"<abut.d2.Manifolds of {len(self.pairs)} pairs>")
        self.assertEqual(m.manifolds.dtype, d2.manifold_dtype)

    def test_threads_share_a_store(self):
        wrong = []

        def run():
            narrow = d2.NarrowPhase(threads=1)
            for _ in range(20):
                if not np.array_equal(narrow.distance(self.store, self.bodies, self.pairs).signed_distance, self.expected):
                    wrong.append(1)

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(50):
            self.store.add_circle(1)
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Frames(unittest.TestCase):
    """From frame to frame: bounds, candidate pairs, impulses."""

    def test_bounds_hold_the_bodies_and_their_motions(self):
        store, bodies, _, placed = scene(60)
        bounds = d2.world_bounds(store, bodies)
        self.assertEqual((bounds.shape, bounds.dtype), ((60, 2, 3), np.float32))
        np.testing.assert_array_equal(bounds[:, :, 2], 0)
        for box, (corners, radius) in zip(bounds, placed):
            np.testing.assert_allclose(box[:, :2], [corners.min(0) - radius, corners.max(0) + radius], atol=1e-6)
        out = np.empty_like(bounds)
        columns = {"positions": bodies["position"], "rotations": bodies["rotation"], "shapes": bodies["shape"]}
        self.assertIs(d2.world_bounds(store, **columns, origin=[1, 2], out=out), out)
        np.testing.assert_allclose(out[:, :, :2], bounds[:, :, :2] - [1, 2], atol=1e-6)
        ends = bodies.copy()
        ends["position"] += [3, -1]
        ends["rotation"] = bodies["rotation"][:, ::-1]
        swept, at_end = d2.swept_bounds(store, bodies, ends=ends), d2.world_bounds(store, ends)
        self.assertTrue((swept[:, 0] <= np.minimum(bounds, at_end)[:, 0]).all() and (swept[:, 1] >= np.maximum(bounds, at_end)[:, 1]).all())
        about = d2.swept_bounds(store, bodies, ends=ends, centers=np.full((60, 2), 5))
        self.assertTrue((about[:, 1] - about[:, 0])[:, :2].sum() > (swept[:, 1] - swept[:, 0])[:, :2].sum())
        np.testing.assert_array_equal(d2.BroadPhase().find_pairs(bounds).pairs, self.expected_pairs(bounds))
        for error, call in (
            (TypeError, lambda: d2.world_bounds(abut.ShapeStore(), bodies)),
            (TypeError, lambda: d2.world_bounds(store, bodies, ends=ends)),
            (TypeError, lambda: d2.world_bounds(store, bodies, pairs=[[0, 1]])),
            (TypeError, lambda: d2.swept_bounds(store, bodies)),
            (ValueError, lambda: d2.world_bounds(store, bodies, origin=[0, 0, 0])),
            (ValueError, lambda: d2.world_bounds(store, bodies, out=np.empty((60, 2, 2), np.float32))),
            (abut.Error, lambda: d2.swept_bounds(store, bodies, ends=ends[:3])),
        ):
            self.assertRaises(error, call)

    def expected_pairs(self, bounds):
        low, high = bounds[:, 0], bounds[:, 1]
        return np.argwhere(np.triu(((low[:, None] <= high[None]) & (low[None] <= high[:, None])).all(2), 1))

    def test_impulses_follow_their_contacts(self):
        store = d2.ShapeStore()
        box, ground = store.add_box([0.5, 0.5]), store.add_chain([[20, 0], [3, 0], [-20, 0]])
        bodies = d2.make_bodies(positions=[[0, 0], [0, 0.499], [3, 0.499]], shapes=[ground, box, box])
        pairs = np.array([[0, 1], [0, 2]], np.uint32)
        narrow, table, m = d2.NarrowPhase(), d2.WarmTable(), None
        for step in range(4):
            bodies["position"][1:, 0] += 0.01  # the second box slides over a joint
            table.begin(pairs)
            frame = d2.Frame(store, bodies, pairs)
            m = narrow.collide(frame, out=m)
            table.carry_over(frame, m)
            impulses = table.impulses.reshape(-1, 2)
            self.assertEqual(impulses.shape, m.manifolds["contacts"].shape)
            self.assertEqual(len(impulses), 2)
            if step:
                np.testing.assert_array_equal(impulses["normal"].ravel(), 10 * (step - 1) + np.arange(4))
                self.assertTrue((table.carried_by != d2.CarriedBy.nothing).all())
            impulses["normal"] = 10 * step + np.arange(4).reshape(2, 2)
        copied = table.copy()
        far = bodies.copy()
        far["position"][1:, 1] += 9
        frame = d2.Frame(store, far, pairs)
        table.begin(pairs)
        table.carry_over(frame, narrow.collide(frame))
        self.assertEqual(len(table.impulses), 0)
        self.assertEqual(copied.impulses["normal"].tolist(), [30, 31, 32, 33])
        with self.assertRaises(abut.Error):  # the pairs of another frame
            table.carry_over(d2.Frame(store, bodies, pairs[:1]), m)
        with self.assertRaises(TypeError):
            table.carry_over(frame, abut.Manifolds())


class Planning(unittest.TestCase):
    def setUp(self):
        self.store, self.obstacles, _, _ = scene(30)
        rng = np.random.default_rng(2)
        self.robot = np.array([self.store.add_box([0.3, 0.2]), self.store.add_circle(0.15)])
        self.positions = rng.uniform(-5, 5, (200, 2, 2)).astype(np.float32)
        self.angles = rng.uniform(-9, 9, (200, 2)).astype(np.float32)
        self.pairs = [[0, 1]] + [[i, 2 + k] for k in range(30) for i in (0, 1)]
        self.narrow = d2.NarrowPhase(threads=1)

    def test_answers_are_those_of_separate_calls(self):
        all = d2.Configurations(self.store, self.robot, self.pairs, positions=self.positions, angles=self.angles, obstacles=self.obstacles)
        self.assertEqual((len(all), all.pair_count, repr(all)), (200, 61, "<abut.d2.Configurations: 200 of 2 bodies and 61 pairs>"))
        any, least = self.narrow.any_overlap(all), self.narrow.least_distance(all)
        self.assertIsInstance(any, abut.AnyOverlaps)
        self.assertTrue(20 < any.hit.sum() < 190)
        for c in range(200):
            own = d2.make_bodies(positions=self.positions[c], shapes=self.robot, angles=self.angles[c])
            frame = d2.Frame(self.store, np.concatenate([own, self.obstacles]), self.pairs)
            d, hits = self.narrow.distance(frame), self.narrow.overlap(frame).hits
            self.assertEqual(any.pair[c], hits[0] if len(hits) else 0xFFFFFFFF)
            k = d.signed_distance.argmin()
            self.assertEqual((least.pair[c], least.signed_distance[c]), (k, d.signed_distance[k]))
            for name in ("normal", "point_a", "point_b"):
                np.testing.assert_array_equal(getattr(least, name)[c], getattr(d, name)[k])
        self.assertEqual(least.unanswered.sum() + any.unanswered.sum(), 0)
        near = self.narrow.least_distance(all, max_distance=0.1, out=least)
        self.assertIs(near, least)
        self.assertTrue(np.isinf(near.signed_distance).any())
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(near)).pair, near.pair)

    def test_columns(self):
        given = {"positions": self.positions, "angles": self.angles, "obstacles": self.obstacles}
        expected = self.narrow.any_overlap(d2.Configurations(self.store, self.robot, self.pairs, **given)).pair
        wide = {"positions": self.positions.astype(np.float64), "rotations": d2.rotations_of(self.angles.ravel()).reshape(200, 2, 2), "obstacles": self.obstacles}
        np.testing.assert_array_equal(self.narrow.any_overlap(d2.Configurations(self.store, self.robot, self.pairs, **wide)).pair, expected)
        alone = self.narrow.any_overlap(d2.Configurations(self.store, self.robot, [[0, 1]], positions=self.positions, angles=self.angles))
        self.assertEqual(len(alone), 200)
        for error, change in (
            (ValueError, {"positions": self.positions[:, :1]}),
            (ValueError, {"positions": self.positions[:, 0]}),
            (ValueError, {"angles": self.angles[..., None]}),
            (TypeError, {"obstacles": self.positions}),
            (abut.Error, {"angles": self.angles[:9]}),
            (abut.Error, {"angles": None}),
        ):
            with self.assertRaises(error):
                self.narrow.any_overlap(d2.Configurations(self.store, self.robot, self.pairs, **{**given, **change}))
        with self.assertRaises(abut.Error):
            self.narrow.any_overlap(d2.Configurations(self.store, [], [], positions=np.zeros((3, 0, 2))))


class Shapes(unittest.TestCase):
    def test_kinds_and_views(self):
        store, kind = d2.ShapeStore(), d2.ShapeKind
        turn = np.linspace(0, 2 * math.pi, 12, endpoint=False)
        ring = np.stack([np.cos(turn), np.sin(turn)], 1)
        ids = [
            (store.add_circle(1), kind.circle, 1),
            (store.add_capsule(0.5, 1), kind.capsule, 2),
            (store.add_box([1, 2]), kind.box, 4),
            (store.add_polygon(ring[::4]), kind.polygon4, 3),
            (store.add_polygon(ring[::2]), kind.polygon8, 6),
            (store.add_polygon(ring), kind.polygon, 12),
            (store.add_halfplane([0, 2]), kind.halfplane, 0),
            (store.add_chain(ring, loop=True), kind.chain, 12),
        ]
        ids.append((store.add_compound([(ids[0][0], [3, 0]), (ids[2][0], [0, 0], math.pi / 2)]), kind.compound, 0))
        for shape, wanted, corners in ids:
            self.assertIs(store.view(shape).kind, wanted)
            self.assertEqual(len(store.corners(shape)), corners)
            self.assertEqual(shape >> 28, wanted)
            self.assertIn(shape, store)
        children = store.compound_children(ids[-1][0])
        np.testing.assert_array_equal(children["position"], [[3, 0], [0, 0]])
        np.testing.assert_array_equal(children["rotation"], d2.rotations_of(np.float32([0, math.pi / 2])))
        turned = store.add_instance(ids[2][0], scale=[2, 1], rounding=0.5, pose=([1, 0], math.pi / 2))
        view = store.view(turned)
        np.testing.assert_allclose(view.bounds_min + view.bounds_max, (-1.5, -2.5, 3.5, 2.5), atol=1e-6)
        self.assertEqual(len(store), 10)
        self.assertTrue(store.remove(turned))
        self.assertFalse(store.remove(turned))
        self.assertRaises(KeyError, lambda: store.view(turned))
        mass = d2.mass_properties(store, ids[2][0], 2.0)
        self.assertEqual((mass.mass, mass.centre), (16, (0, 0)))
        self.assertAlmostEqual(mass.inertia, 16 * (4 + 16) / 12, places=4)

    def test_examples_of_docstrings(self):
        result = doctest.testmod(d2, extraglobs={"abut": abut})
        self.assertEqual((result.failed, result.attempted > 0), (0, True))

    def test_one_pair(self):
        d = d2.distance_between(d2.Box([1, 1]), ([1, 2], math.pi / 4), d2.Circle(0.5, rounding=0.5), [4, 2])
        self.assertAlmostEqual(d.distance, 2 - math.sqrt(2), places=6)
        np.testing.assert_allclose(d.point_b, [3, 2], atol=1e-6)
        self.assertTrue(d2.distance_between(d2.Segment([0, 0], [1, 1]), None, d2.Polygon([[0, 1], [1, 0], [1, 1]])).overlaps)
        self.assertEqual(d2.distance_between(d2.HalfPlane([0, 1]), None, d2.Capsule(0.5, 1), ([0, 3], math.pi / 2)).distance, 2.5)
        self.assertEqual(d2.distance_between(d2.Chain([[3, 0], [-3, 0]]), None, d2.Circle(0.5), [0, -3]).distance, math.inf)
        with self.assertRaises(abut.Error) as caught:
            d2.distance_between(d2.HalfPlane([0, 1]), None, d2.HalfPlane([1, 0]))
        self.assertIs(caught.exception.code, abut.ErrorCode.unsupported)
        self.assertRaises(ValueError, lambda: d2.distance_between(d2.Circle(1), [math.nan, 0], d2.Circle(1)))
        self.assertRaises(ValueError, lambda: d2.distance_between(d2.Circle(1), [0, 0, 0], d2.Circle(1)))
        self.assertRaises(TypeError, lambda: d2.Shape())


class BadInputs(unittest.TestCase):
    def setUp(self):
        self.store, self.bodies, self.pairs, _ = scene(8)
        self.narrow = d2.NarrowPhase()

    def refuses(self, kind, call, *words, code=None):
        with self.assertRaises(kind) as caught:
            call()
        for word in words:
            self.assertIn(word, str(caught.exception))
        if code is not None:
            self.assertIs(caught.exception.code, code)

    def test_shapes(self):
        add, bad = self.store, abut.ErrorCode.bad_shape
        for call, words in (
            (lambda: add.add_circle(-1), ["radius", "-1"]),
            (lambda: add.add_circle(math.nan), ["radius", "nan"]),
            (lambda: add.add_circle(1, rounding=-1), ["rounding", "-1"]),
            (lambda: add.add_circle(1, scale=[1, 2]), ["scale"]),
            (lambda: add.add_box([1, math.inf]), ["inf"]),
            (lambda: add.add_box([1, 1], scale=0), ["scale", "0"]),
            (lambda: add.add_polygon(np.zeros((0, 2))), ["points", "empty"]),
            (lambda: add.add_polygon([[0, 0], [0, math.nan]]), ["1", "nan"]),
            (lambda: add.add_halfplane([0, 0]), ["normal"]),
            (lambda: add.add_chain([[0, 0]]), []),
            (lambda: add.add_compound([]), []),
            (lambda: add.add_circle(1, pose=([math.nan, 0],)), ["pose"]),
        ):
            self.refuses(abut.Error, call, *words, code=bad)
        self.refuses(abut.Error, lambda: d2.mass_properties(add, add.add_halfplane([0, 1])))
        self.refuses(abut.Error, lambda: add.add_instance(0xFFFFFFFF))
        self.refuses(ValueError, lambda: add.add_box([1, 2, 3]), "half_extents", "3 numbers; two")
        self.refuses(ValueError, lambda: add.add_polygon(np.zeros((2, 3))), "points", "(2, 3)")
        self.refuses(TypeError, lambda: add.add_polygon("abc"), "points", "str")
        self.refuses(TypeError, lambda: add.add_circle(1, pose=3), "pose", "(position, angle)")
        self.refuses(TypeError, lambda: add.add_circle(1, pose=([0, 0], "x")), "pose[1]", "str")
        self.refuses(TypeError, lambda: add.add_compound({}), "children", "dict")
        self.refuses(TypeError, lambda: add.add_compound([(1.5,)]), "children[0].shape", "float")
        self.refuses(ValueError, lambda: add.add_compound([(1, [0, 0, 0])]), "children[0].position", "3 numbers")
        self.refuses(TypeError, lambda: add.view(-1))

    def test_arguments(self):
        def ask(**given):
            columns = {"positions": self.bodies["position"], "rotations": self.bodies["rotation"], "shapes": self.bodies["shape"]}
            return self.narrow.distance(self.store, pairs=self.pairs, **{**columns, **given})

        n = len(self.bodies)
        self.refuses(ValueError, lambda: ask(positions=np.zeros((n, 3), np.float32)), "positions", f"({n}, 3)")
        self.refuses(TypeError, lambda: ask(positions=np.zeros((n, 2), complex)), "positions", "complex")
        self.refuses(ValueError, lambda: ask(rotations=np.zeros((n, 4), np.float32)), "rotations", f"({n}, 4)")
        self.refuses(ValueError, lambda: ask(rotations=None, angles=np.zeros((n, 1))), "angles", f"({n}, 1)")
        self.refuses(ValueError, lambda: ask(shapes=[-1] * n), "shapes", "-1")
        self.refuses(TypeError, lambda: ask(shapes=None), "shapes")
        self.refuses(TypeError, lambda: ask(orientations=[1]), "orientations")
        self.refuses(TypeError, lambda: ask(caches=[1]), "caches")
        self.refuses(TypeError, lambda: self.narrow.distance(self.store, self.bodies, self.pairs, angles=[0] * n), "both")
        self.refuses(TypeError, lambda: self.narrow.distance(self.store, abut.make_bodies(positions=[[0, 0, 0]], shapes=0)[["position"]], self.pairs), "shape")
        self.refuses(ValueError, lambda: self.narrow.distance(self.store, self.bodies[::-1], self.pairs), "bodies", "bytes apart")
        self.refuses(TypeError, lambda: self.narrow.distance(abut.ShapeStore(), self.bodies, self.pairs), "ShapeStore")
        self.refuses(TypeError, lambda: abut.NarrowPhase().distance(self.store, self.bodies, self.pairs), "ShapeStore")
        self.refuses(TypeError, lambda: self.narrow.distance(self.store, self.bodies), "pairs")
        self.refuses(TypeError, lambda: ask(out=abut.Distances()), "out")
        size, argument = abut.ErrorCode.bad_size, abut.ErrorCode.bad_argument
        self.refuses(abut.Error, lambda: ask(positions=np.zeros((2, 2), np.float32)), code=size)
        self.refuses(abut.Error, lambda: ask(positions=None))
        self.refuses(abut.Error, lambda: ask(angles=np.zeros(n, np.float32)))  # beside rotations
        self.refuses(abut.Error, lambda: ask(margins=[1]), "margins", code=size)
        self.refuses(abut.Error, lambda: ask(max_distance=-1), "-1", code=argument)
        self.refuses(abut.Error, lambda: d2.NarrowPhase(speculative_margin=-1), "-1", code=argument)
        self.refuses(abut.Error, lambda: d2.NarrowPhase(isa="mmx"), "mmx")
        frame = d2.Frame(self.store, self.bodies, self.pairs)
        self.refuses(TypeError, lambda: self.narrow.cast(frame), "ends")
        self.refuses(abut.Error, lambda: self.narrow.cast(frame, ends=self.bodies[:2]), code=size)
        self.refuses(ValueError, lambda: self.narrow.cast(frame, ends=self.bodies, start="go"), "start", "go")
        self.refuses(TypeError, lambda: self.narrow.raycast(frame, origins=[[0, 0]]), "directions")
        self.refuses(TypeError, lambda: self.narrow.raycast(frame, origins=[[0, 0]], directions=[[0, 1]], solid_meshes=True), "solid_meshes")
        self.refuses(ValueError, lambda: self.narrow.measure(frame, points=[[0, 0, 0]]), "points", "(1, 3)")
        self.refuses(ValueError, lambda: d2.make_bodies(positions=[[0, 0, 0]], shapes=0), "positions", "(n, 2)")
        self.refuses(ValueError, lambda: d2.rotations_of([[1]]), "angles")
        for positions in ({}, {"positions": np.zeros((1, 2), np.float32)}, {"positions": np.zeros((1, 2))}):
            short = d2.Frame(self.store, None, [[2, 0]], angles=np.zeros(n, np.float32), shapes=self.bodies["shape"], **positions)
            self.refuses(IndexError, lambda: short.world_points([0], [[0, 0]]), "body 2")

    def test_bad_data_gets_a_status_and_changes_no_other_pair(self):
        store = d2.ShapeStore()
        ball, gone, ground = store.add_circle(0.5), store.add_circle(0.5), store.add_halfplane([0, 1])
        store.remove(gone)
        bodies = d2.make_bodies(positions=np.arange(16).reshape(8, 2), shapes=[ball, ball, ball, ball, ball, gone, ground, ground])
        bodies["position"][1, 1], bodies["position"][2, 0], bodies["rotation"][3] = np.nan, np.inf, 0
        pairs = np.array([[0, 4], [0, 1], [2, 0], [0, 3], [0, 5], [0, 99], [6, 7], [4, 4]], np.uint32)
        s = d2.Status
        expected = [s.ok, s.bad_pose, s.bad_pose, s.bad_pose, s.bad_index, s.bad_index, s.unsupported, s.ok]
        d = self.narrow.distance(store, bodies, pairs)
        self.assertEqual(d.status.tolist(), expected)
        self.assertTrue(np.isfinite(d.signed_distance).all())
        self.assertEqual(float(d.signed_distance[0]), float(self.narrow.distance(store, bodies, pairs[:1]).signed_distance[0]))
        self.assertEqual(self.narrow.overlap(store, bodies, pairs).status.tolist(), expected)
        self.assertEqual(self.narrow.collide(store, bodies, pairs).status.tolist(), expected)
        self.assertEqual(len(self.narrow.collide(store, None, [])), 0)


@unittest.skipUnless(PROGRAM, "needs the command line")
class CommandLine(unittest.TestCase):
    def test_distances_are_those_of_abut_query(self):
        rng, store, narrow = np.random.default_rng(2), d2.ShapeStore(), d2.NarrowPhase()
        box, ground = {"shape": "box", "half_extents": [1, 0.5]}, {"shape": "chain", "vertices": [[3, 0], [0, 1], [-3, 0]], "loop": False}
        ids = [store.add_box(box["half_extents"]), store.add_chain(ground["vertices"])]
        at, angle = rng.uniform(-3, 3, (50, 2)).astype(np.float32), rng.uniform(-9, 9, 50).astype(np.float32)
        lines = [{"id": i, "a": box, "a_pos": at[i].tolist(), "a_angle": float(angle[i]), "b": ground, "b_pos": [0, 0], "b_angle": 0} for i in range(50)]
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write("".join(json.dumps(line) + "\n" for line in lines))
            file.flush()
            out = subprocess.run([PROGRAM, "query", "--2d", file.name], capture_output=True, text=True, check=True).stdout
        told = [json.loads(line)["signed_distance"] for line in out.splitlines()]
        pairs = np.stack([np.arange(50), np.full(50, 50)], 1)
        d = narrow.distance(store, None, pairs, positions=np.vstack([at, [[0, 0]]]), angles=np.append(angle, 0), shapes=[ids[0]] * 50 + [ids[1]])
        self.assertTrue(0 < sum(x is None for x in told) < 45)
        wanted = np.array([math.inf if x is None else x for x in told], np.float32)
        np.testing.assert_array_equal(d.signed_distance, wanted)


if __name__ == "__main__":
    unittest.main()
