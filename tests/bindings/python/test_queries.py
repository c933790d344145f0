"""The queries on numpy arrays: answers, layouts of bodies, threads, warm frames."""

import gc
import pickle
import threading
import unittest

import numpy as np

import abut
from scenes import matrices, scene


class Answers(unittest.TestCase):
    def test_two_boxes_one_metre_apart(self):
        store = abut.ShapeStore()
        box = store.add_box([0.5, 0.5, 0.5])
        bodies = abut.make_bodies(positions=[[0, 0, 0], [2, 0, 0]], shapes=box)
        narrow = abut.NarrowPhase()
        d = narrow.distance(store, bodies, [[0, 1], [1, 0], [0, 0]])
        self.assertEqual(d.signed_distance.dtype, np.float32)
        np.testing.assert_allclose(d.signed_distance, [1, 1, -1], atol=1e-6)
        np.testing.assert_allclose(d.normal[:2], [[1, 0, 0], [-1, 0, 0]], atol=1e-6)
        np.testing.assert_allclose(d.point_b - d.point_a, d.signed_distance[:, None] * d.normal, atol=1e-6)
        self.assertTrue((d.status == abut.Status.ok).all())
        o = narrow.overlap(store, bodies, [[0, 1], [1, 0], [0, 0]])
        self.assertEqual(o.hit.tolist(), [False, False, True])
        self.assertEqual(o.hits.tolist(), [2])
        self.assertEqual(int(o.bits[0]), 4)

    def test_from_bodies_to_contacts_in_three_calls(self):
        store, bodies, _ = scene()
        bounds = abut.world_bounds(store, bodies)
        found = abut.BroadPhase().find_pairs(bounds, margin=0.01)
        low, high = bounds[:, 0] - np.float32(0.01), bounds[:, 1] + np.float32(0.01)
        meet = ((low[:, None] <= high[None]) & (low[None] <= high[:, None])).all(axis=2)
        expected = np.argwhere(np.triu(meet, 1))
        self.assertGreater(len(expected), 20)
        self.assertEqual(found.pairs.dtype, np.uint32)
        np.testing.assert_array_equal(found.pairs, expected)
        self.assertEqual(len(found), len(expected))
        self.assertEqual((found.bad_a.tolist(), found.bad_b.tolist()), ([], []))
        contacts = abut.NarrowPhase(speculative_margin=0.01).collide(store, bodies, found.pairs)
        self.assertTrue((contacts.status == abut.Status.ok).all())

    def test_filters_sets_rays_and_matches(self):
        broad = abut.BroadPhase(threads=1)
        bounds = np.array([[[i, 0, 0], [i + 1, 1, 1]] for i in range(4)])
        self.assertEqual(broad.find_pairs(bounds).pairs.tolist(), [[0, 1], [1, 2], [2, 3]])
        self.assertEqual(broad.find_pairs(bounds, moving=[True, False, False, False]).pairs.tolist(), [[0, 1]])
        self.assertEqual(broad.find_pairs(bounds, groups=[1, 2, 2, 2], masks=[2, 1, 2, 2]).pairs.tolist(), [[0, 1], [2, 3]])
        self.assertEqual(broad.find_pairs_of_sets(bounds[:1], bounds).pairs.tolist(), [[0, 0], [0, 1]])
        bounds[2, 0, 0] = 9
        self.assertEqual(broad.find_pairs(bounds).bad_a.tolist(), [2])
        rays = broad.find_ray_pairs([[-1, 0.5, 0.5], [0, 5, 0]], [[1, 0, 0], [1, 0, 0]], [2.5, 9], bounds)
        self.assertEqual(rays.pairs.tolist(), [[0, 0], [0, 1]])
        self.assertEqual(rays.bad_b.tolist(), [2])
        self.assertEqual(abut.match_pairs([[0, 1], [1, 2]], [[0, 2], [1, 2]]).tolist(), [-1, 1])
        with self.assertRaisesRegex(abut.Error, "margin"):
            broad.find_pairs(bounds, margin=-1)
        with self.assertRaisesRegex(ValueError, "bounds"):
            broad.find_pairs([[1, 2, 3]])

    def test_the_three_queries_agree(self):
        store, bodies, pairs = scene()
        frame = abut.Frame(store, bodies, pairs)
        narrow = abut.NarrowPhase(speculative_margin=0.01)
        d, o, m = narrow.distance(frame), narrow.overlap(frame), narrow.collide(frame)
        self.assertGreater(o.hit.mean(), 0.2)
        self.assertLess(o.hit.mean(), 0.9)
        clear = np.abs(d.signed_distance) > 1e-4
        np.testing.assert_array_equal(o.hit[clear], d.signed_distance[clear] <= 0)
        touching = np.diff(m.first_manifold) > 0
        clear = np.abs(d.signed_distance - 0.01) > 1e-3
        np.testing.assert_array_equal(touching[clear], d.signed_distance[clear] <= 0.01)
        self.assertEqual(int(m.first_manifold[-1]), len(m.manifolds))
        self.assertEqual(int(m.manifolds["contact_count"].sum()), len(m.contacts))
        np.testing.assert_array_equal(m.contact_pairs(), np.repeat(m.manifolds["pair"], m.manifolds["contact_count"]))
        world = frame.world_points(m.contact_pairs(), m.contacts["position"])
        a = bodies["position"][pairs[m.contact_pairs(), 0]].astype(np.float64)
        np.testing.assert_allclose(world, a + m.contacts["position"], atol=1e-12)
        self.assertEqual(narrow.counters.pairs, len(pairs))

    def test_casts(self):
        store = abut.ShapeStore()
        ball, box = store.add_sphere(0.5), store.add_box([0.5, 0.25, 0.5])
        bodies = abut.make_bodies(positions=[[0, 3, 0], [0, 0, 0], [9, 3, 0]], shapes=[ball, box, ball])
        ends = bodies.copy()
        ends["position"][0, 1] = 0
        ends["position"][2, 1] = 0
        pairs = [[0, 1], [2, 1]]
        narrow = abut.NarrowPhase()
        c = narrow.cast(store, bodies, pairs, ends=ends)
        self.assertEqual(c.hit.tolist(), [True, False])
        self.assertEqual(c.hits.tolist(), [0])
        np.testing.assert_allclose(c.time, [0.75, 1], atol=1e-4)
        self.assertEqual(c.time.dtype, np.float64)
        self.assertTrue(0 <= c.signed_distance[0] < 1e-3)
        np.testing.assert_allclose(c.normal[0], [0, -1, 0], atol=1e-6)
        self.assertTrue(np.isinf(c.signed_distance[1]))
        frame = abut.Frame(store, bodies, pairs)
        near = narrow.cast(frame, ends=ends, target=0.25, out=abut.Casts())
        np.testing.assert_allclose(near.time[0], 2 / 3, atol=1e-4)
        each = narrow.cast(frame, ends=ends, targets=[0.5, 20], latest=[0.5, 1])
        self.assertEqual(each.hit.tolist(), [False, True])
        self.assertEqual(each.time.tolist(), [0.5, 0])
        self.assertEqual(narrow.cast(frame, ends=ends, targets=[0, 20], start="ignore").hit.tolist(), [True, False])
        path = narrow.cast(frame, ends=[bodies, ends], reduction="first_of_body", centers=np.zeros((3, 3), np.float32))
        np.testing.assert_allclose(path.time[0], 0.875, atol=1e-4)
        with self.assertRaisesRegex(TypeError, "ends is missing"):
            narrow.cast(frame)
        with self.assertRaisesRegex(ValueError, "start: never"):
            narrow.cast(frame, ends=ends, start="never")
        with self.assertRaisesRegex(abut.Error, "has 2 bodies, the frame has 3"):
            narrow.cast(frame, ends=ends[:2])

    def test_rays(self):
        store = abut.ShapeStore()
        ball, box = store.add_sphere(0.5), store.add_box([0.5, 0.25, 0.5])
        bodies = abut.make_bodies(positions=[[0, 3, 0], [0, 0, 0]], shapes=[ball, box])
        origins = np.array([[0, 9, 0], [2, 0, 0], [0, 3, 0]], np.float32)
        directions = np.array([[0, -10, 0], [0, 1, 0], [1, 0, 0]], np.float32)
        pairs = [[0, 0], [0, 1], [1, 1], [2, 0]]
        narrow = abut.NarrowPhase()
        r = narrow.raycast(store, bodies, pairs, origins=origins, directions=directions)
        self.assertEqual(r.hit.tolist(), [True, True, False, True])
        self.assertEqual(r.hits.tolist(), [0, 1, 3])
        np.testing.assert_allclose(r.fraction, [0.55, 0.875, 1, 0], atol=1e-6)
        self.assertEqual(r.fraction.dtype, np.float64)
        np.testing.assert_allclose(r.normal[1], [0, 1, 0], atol=1e-6)
        np.testing.assert_allclose(r.point[0], [0, 0.5, 0], atol=1e-6)
        self.assertEqual(r.inside.tolist(), [0, 0, 0, 1])
        self.assertEqual(r.face.tolist(), [65535, 2, 65535, 65535])
        frame = abut.Frame(store, bodies, pairs)
        first = narrow.raycast(frame, origins=origins.astype(np.float64), directions=directions, reduction="first_of_ray", out=abut.RayHits())
        self.assertEqual(first.hit.tolist(), [True, False, False, True])
        short = narrow.raycast(frame, origins=origins, directions=directions, lengths=[1, 1, 1])
        self.assertEqual(short.hits.tolist(), [3])
        with self.assertRaisesRegex(TypeError, "origins and directions are needed"):
            narrow.raycast(frame, origins=origins)
        with self.assertRaisesRegex(ValueError, "reduction: all"):
            narrow.raycast(frame, origins=origins, directions=directions, reduction="all")

    def test_points(self):
        store = abut.ShapeStore()
        box = store.add_box([1, 1, 1])
        corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        mesh = store.add_mesh(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
        self.assertEqual([store.has_inside(box), store.has_inside(mesh)], [False, True])
        bodies = abut.make_bodies(positions=[[5, 0, 0], [0, 0, 0]], shapes=[box, mesh])
        points = [[8, 0, 0], [5.5, 0, 0], [0.1, 0.2, 0.3]]
        pairs = [[0, 0], [1, 0], [2, 1]]
        narrow = abut.NarrowPhase()
        m = narrow.measure(store, bodies, pairs, points=points)
        np.testing.assert_allclose(m.signed_distance, [2, -0.5, np.inf], atol=1e-6)
        np.testing.assert_allclose(m.normal[:2], [[1, 0, 0], [1, 0, 0]], atol=1e-6)
        np.testing.assert_allclose(m.nearest[0], [1, 0, 0], atol=1e-6)
        solid = narrow.measure(abut.Frame(store, bodies, pairs), points=points, solid_meshes=True, max_distance=1, out=abut.PointDistances())
        np.testing.assert_allclose(solid.signed_distance, [np.inf, -0.5, -0.1], atol=1e-6)
        with self.assertRaisesRegex(TypeError, "points is missing"):
            narrow.measure(store, bodies, pairs)
        with self.assertRaisesRegex(abut.Error, "max_distance is -1"):
            narrow.measure(store, bodies, pairs, points=points, max_distance=-1)

    def test_gradients(self):
        store, bodies, pairs = scene()
        frame, narrow = abut.Frame(store, bodies, pairs), abut.NarrowPhase()
        d = narrow.distance(frame)
        g = abut.distance_gradients(frame, d)
        self.assertEqual(len(g), len(pairs))
        np.testing.assert_array_equal(g.position_a, -g.position_b)
        arm = d.point_b + bodies["position"][pairs[:, 0]] - bodies["position"][pairs[:, 1]]
        # Boxes and hulls alone: the normals of cylinders are found anew.
        plain = np.isin(bodies["shape"][pairs] >> 28, [int(abut.ShapeKind.cylinder)]).sum(1) == 0
        self.assertGreater(plain.sum(), 100)
        np.testing.assert_array_equal(g.position_b[plain], d.normal[plain])
        np.testing.assert_allclose(g.rotation_b[plain], np.cross(arm, d.normal)[plain], atol=1e-6)
        coarse = abut.distance_gradients(frame, d, refine=False)
        np.testing.assert_array_equal(coarse.position_b, d.normal)
        self.assertIs(abut.distance_gradients(frame, d, out=coarse), coarse)
        np.testing.assert_array_equal(coarse.rotation_a, g.rotation_a)
        with self.assertRaisesRegex(ValueError, "distances: of 1 pairs, the frame has 400"):
            abut.distance_gradients(frame, narrow.distance(store, bodies, pairs[:1]))
        with self.assertRaises(TypeError):
            abut.distance_gradients(store, d)

    def test_configurations(self):
        store, bodies, pairs = scene(30)
        rng = np.random.default_rng(2)
        positions = (bodies["position"] + rng.uniform(-0.5, 0.5, (40, 30, 3))).astype(np.float32)
        orientations = np.repeat(bodies["orientation"][None], 40, 0)
        all = abut.Configurations(store, bodies["shape"], pairs, positions=positions, orientations=orientations)
        self.assertEqual((len(all), all.pair_count), (40, len(pairs)))
        narrow = abut.NarrowPhase()
        d, o = narrow.distance_configurations(all), narrow.overlap_configurations(all)
        least, any = narrow.least_distance(all), narrow.any_overlap(all)
        distances, hits = d.signed_distance.reshape(40, -1), o.hit.reshape(40, -1)
        for c in range(40):
            own = bodies.copy()
            own["position"] = positions[c]
            self.assertEqual(narrow.distance(store, own, pairs).signed_distance.tobytes(), distances[c].tobytes())
            self.assertEqual(narrow.overlap(store, own, pairs).hit.tolist(), hits[c].tolist())
        np.testing.assert_array_equal(least.signed_distance, distances.min(1))
        np.testing.assert_array_equal(least.pair, distances.argmin(1))
        np.testing.assert_array_equal(any.hit, hits.any(1))
        np.testing.assert_array_equal(any.pair[any.hit], hits.argmax(1)[any.hit])
        paths = narrow.any_overlap_of_paths(all, [0, 16, 40])
        self.assertEqual((len(paths), paths.hit[0]), (3, False))
        for path, rows in ((1, hits[:16]), (2, hits[16:])):
            self.assertEqual(paths.hit[path], rows.any())
            if paths.hit[path]:
                self.assertEqual(paths.pair[path], hits[paths.configuration[path]].argmax())
        with self.assertRaisesRegex(abut.Error, r"ConfigurationPaths::ends\[0\] is 41"):
            narrow.any_overlap_of_paths(all, [41])
        for bad_ends in (3, [[1]], ["a"]):
            with self.assertRaises((TypeError, ValueError)):
                narrow.any_overlap_of_paths(all, bad_ends)
        self.assertIs(narrow.least_distance(all, out=least), least)
        # The last bodies as obstacles, where the first configuration has them.
        resting = bodies[20:].copy()
        resting["position"], positions[:, 20:] = positions[0, 20:], positions[0, 20:]
        repeated = narrow.distance_configurations(all).signed_distance.tobytes()
        columns = {"positions": positions[:, :20].copy(), "orientations": orientations[:, :20].copy()}
        once = abut.Configurations(store, bodies["shape"][:20], pairs, obstacles=resting, **columns)
        self.assertEqual((len(once), once.pair_count), (40, len(pairs)))
        self.assertEqual(narrow.distance_configurations(once).signed_distance.tobytes(), repeated)
        doubles = np.dtype([("position", "f8", 3), ("shape", "u4"), ("orientation", "f4", 4)])
        of_doubles = abut.Configurations(store, bodies["shape"][:20], pairs, obstacles=resting.astype(doubles), **columns)
        np.testing.assert_allclose(narrow.least_distance(of_doubles).signed_distance, narrow.least_distance(once).signed_distance, atol=1e-5)
        with self.assertRaisesRegex(TypeError, "bodies: .*structured array"):
            abut.Configurations(store, bodies["shape"][:20], pairs, obstacles=[1, 2], **columns)
        with self.assertRaisesRegex(abut.Error, "Configurations::obstacles"):
            narrow.any_overlap(abut.Configurations(store, bodies["shape"][:20], pairs, obstacles=resting[["shape", "position"]], **columns))
        with self.assertRaisesRegex(ValueError, "positions: .*it must be .configurations, 30, 3"):
            abut.Configurations(store, bodies["shape"], pairs, positions=positions[:, :29], orientations=orientations)
        bad = abut.Configurations(store, bodies["shape"], pairs, positions=positions[:39], orientations=orientations)
        with self.assertRaisesRegex(abut.Error, "Configurations::positions has 1170 poses"):
            narrow.any_overlap(bad)

    def test_triangles_of_contacts(self):
        store = abut.ShapeStore()
        box = store.add_box([0.5, 0.2, 0.5])
        mesh = store.add_mesh([[-1, 0, -1], [-1, 0, 1], [1, 0, -1], [1, 0, 1]], [[0, 1, 2], [2, 1, 3]])
        bodies = abut.make_bodies(positions=[[0, 0.199, 0], [0, 0, 0]], shapes=[box, mesh])
        m = abut.NarrowPhase().collide(store, bodies, [[0, 1]])
        self.assertEqual(m.triangles.dtype, np.uint32)
        self.assertEqual(len(m.triangles), len(m.contacts))
        self.assertEqual(set(m.triangles.tolist()), {0, 1})

    def test_every_instruction_set_and_thread_count_gives_the_same_bits(self):
        store, bodies, pairs = scene(400)
        sums = set()
        for isa in abut.supported_isas():
            for threads in (1, 2):
                narrow = abut.NarrowPhase(isa=isa, threads=threads)
                self.assertEqual(narrow.isa, isa)
                self.assertGreater(abut.lanes(isa), 0)
                frame = abut.Frame(store, bodies, pairs)
                sums.add((narrow.overlap(frame).checksum(), narrow.distance(frame).checksum(), narrow.collide(frame).checksum()))
        self.assertEqual(len(sums), 1)
        self.assertIn(abut.best_isa(), abut.supported_isas())

    def test_options_of_distance(self):
        store, bodies, pairs = scene()
        narrow = abut.NarrowPhase()
        frame = abut.Frame(store, bodies, pairs)
        full = narrow.distance(frame).signed_distance
        near = narrow.distance(frame, max_distance=0.1).signed_distance
        self.assertTrue(np.isinf(near[full > 0.11]).all())
        limits = np.where(np.arange(len(pairs)) % 2, 0.1, np.inf).astype(np.float32)
        each = narrow.distance(frame, max_distances=limits).signed_distance
        np.testing.assert_array_equal(each, np.where(np.arange(len(pairs)) % 2, near, full))
        flat = narrow.distance(frame, separation_only=True).signed_distance
        self.assertEqual(float(flat.min()), 0)

    def test_margins_per_pair(self):
        store = abut.ShapeStore()
        ball = store.add_sphere(0.5)
        bodies = abut.make_bodies(positions=[[0, 0, 0], [1.5, 0, 0]], shapes=ball)
        m = abut.NarrowPhase().collide(store, bodies, [[0, 1], [0, 1]], margins=np.float32([0.1, 0.6]))
        self.assertEqual(m.first_manifold.tolist(), [0, 0, 1])

    def test_depth_and_child_pair_settings(self):
        store, bodies, pairs = scene()
        exact = abut.NarrowPhase(depth="exact")
        a, b = exact.distance(store, bodies, pairs), abut.NarrowPhase().distance(store, bodies, pairs)
        np.testing.assert_allclose(a.signed_distance, b.signed_distance, atol=1e-5)
        self.assertGreater(exact.counters.exact, len(pairs) // 4)
        ball = store.add_sphere(0.5)
        two = store.add_compound([(ball, [0, 0, 0]), (ball, [0.2, 0, 0])])
        bodies = abut.make_bodies(positions=[[0, 0, 0], [0.1, 0, 0]], shapes=two)
        few = abut.NarrowPhase(max_child_pairs=2)
        self.assertEqual(few.collide(store, bodies, [[0, 1]]).status.tolist(), [abut.Status.no_room])
        self.assertEqual(few.counters.most_child_pairs, 4)


class Layouts(unittest.TestCase):
    """However the bodies lie, the bits are the same."""

    def setUp(self):
        self.store, self.bodies, self.pairs = scene()
        self.narrow = abut.NarrowPhase()
        self.expected = self.narrow.distance(self.store, self.bodies, self.pairs).checksum()

    def same(self, *args, **columns):
        self.assertEqual(self.narrow.distance(self.store, *args, **columns).checksum(), self.expected)

    def test_columns(self):
        b = self.bodies
        shapes, orientations = np.ascontiguousarray(b["shape"]), np.ascontiguousarray(b["orientation"])
        self.same(pairs=self.pairs, positions=b["position"].copy(), shapes=shapes, orientations=orientations)
        self.same(None, self.pairs, positions=b["position"], shapes=b["shape"], orientations=b["orientation"])
        self.same(pairs=self.pairs, positions=b["position"].astype(np.float64), shapes=shapes, orientations=orientations.astype(np.float64))

    def test_strided_records(self):
        wide = np.zeros(3 * len(self.bodies), abut.body_dtype)
        wide[::3] = self.bodies
        self.same(wide[::3], self.pairs)
        own = np.dtype([("name", "S12"), ("orientation", "f4", (4,)), ("mass", "f8"), ("position", "f8", (3,)), ("shape", "u4"), ("id", "u4")])
        mine = np.zeros(len(self.bodies), own)
        for field in ("position", "shape", "orientation"):
            mine[field] = self.bodies[field]
        self.same(mine, self.pairs)
        self.same(mine[::1], np.repeat(self.pairs, 2, axis=0)[::2])

    def test_integers_and_lists_are_converted(self):
        self.same(self.bodies, self.pairs.astype(np.int64))
        self.same(self.bodies, self.pairs.tolist())

    def test_transforms(self):
        # The rotation is rounded otherwise: compared by value.
        expected = self.narrow.distance(self.store, self.bodies, self.pairs).signed_distance
        m = matrices(self.bodies)
        columns = np.ascontiguousarray(m.transpose(0, 2, 1), np.float32).transpose(0, 2, 1)
        self.assertEqual(columns.strides[1:], (4, 16))
        answers = [
            self.narrow.distance(self.store, pairs=self.pairs, shapes=self.bodies["shape"], transforms=t).signed_distance.copy()
            for t in (m, m.astype(np.float32), columns)
        ]
        for answer in answers:
            np.testing.assert_allclose(answer, expected, atol=1e-5)
            np.testing.assert_array_equal(answer, answers[0])

    def test_relative_poses(self):
        count = len(self.pairs)
        a, b = self.bodies[self.pairs[:, 0]], self.bodies[self.pairs[:, 1]]
        identity = abut.make_bodies(positions=np.zeros((2 * count, 3)), shapes=np.stack([a["shape"], b["shape"]], 1).ravel())
        poses = np.zeros(count, abut.relative_pose_dtype)
        poses["position"] = b["position"]
        poses["orientation"] = b["orientation"]
        identity["position"][1::2] = b["position"]
        identity["orientation"][1::2] = b["orientation"]
        pairs = np.arange(2 * count, dtype=np.uint32).reshape(-1, 2)
        expected = self.narrow.distance(self.store, identity, pairs)
        flat = poses.view(np.float32).reshape(-1, 7)
        for given in (poses, flat):
            d = self.narrow.distance(self.store, pairs=pairs, shapes=identity["shape"], relative_poses=given)
            np.testing.assert_allclose(d.signed_distance, expected.signed_distance, atol=1e-5)

    def test_doubles_far_from_the_origin(self):
        far = self.bodies["position"].astype(np.float64) + [1e6, -2e6, 3e6]
        columns = {"shapes": self.bodies["shape"], "orientations": self.bodies["orientation"]}
        d = self.narrow.distance(self.store, pairs=self.pairs, positions=far, **columns)
        e = self.narrow.distance(self.store, self.bodies, self.pairs)
        np.testing.assert_allclose(d.signed_distance, e.signed_distance, atol=1e-5)

    def test_arrays_are_read_in_place(self):
        frame = abut.Frame(self.store, self.bodies, self.pairs)
        before = self.narrow.distance(frame).checksum()
        self.bodies["position"][:, 1] += np.linspace(0, 1, len(self.bodies), dtype=np.float32)
        after = self.narrow.distance(frame).checksum()
        self.assertNotEqual(before, after)
        self.assertEqual(after, self.narrow.distance(self.store, self.bodies, self.pairs).checksum())

    def test_read_only_input(self):
        for array in (self.bodies, self.pairs):
            array.flags.writeable = False
        self.same(self.bodies, self.pairs)

    def test_a_frame_keeps_its_arrays_and_its_store(self):
        frame = abut.Frame(self.store, self.bodies.copy(), self.pairs.copy())
        self.store = self.bodies = self.pairs = None
        gc.collect()
        self.assertEqual(self.narrow.distance(frame).checksum(), self.expected)

    def test_nothing_to_do(self):
        empty = np.zeros((0, 2), np.uint32)
        for d in (
            self.narrow.distance(self.store, self.bodies, empty),
            self.narrow.distance(self.store, self.bodies[:0], []),
            self.narrow.distance(self.store, pairs=[]),
        ):
            self.assertEqual((len(d), d.signed_distance.shape, d.normal.shape), (0, (0,), (0, 3)))
        self.assertEqual(self.narrow.collide(self.store, self.bodies, empty).first_manifold.tolist(), [0])
        self.assertEqual(abut.world_bounds(self.store, self.bodies[:0]).shape, (0, 2, 3))


class Threads(unittest.TestCase):
    def test_a_query_releases_the_gil(self):
        store, bodies, pairs = scene(2000)
        pairs = np.tile(pairs, (100, 1))
        narrow = abut.NarrowPhase(threads=1)
        counted, done = [0], threading.Event()

        def count():
            while not done.is_set():
                counted[0] += 1

        thread = threading.Thread(target=count)
        thread.start()
        try:
            counted[0] = 0
            narrow.collide(store, bodies, pairs)  # some tenths of a second: many times the interpreter's switch interval
            during = counted[0]
        finally:
            done.set()
            thread.join()
        # Without the GIL this thread would have counted nothing but at the call's ends.
        self.assertGreater(during, 10000)

    def test_two_threads(self):
        store, bodies, pairs = scene(1000)
        expected = abut.NarrowPhase().collide(store, bodies, pairs).checksum()
        shared = abut.NarrowPhase()
        found = []

        def ask(narrow):
            result = None
            for _ in range(10):
                result = narrow.collide(store, bodies, pairs, out=result)
                found.append(result.checksum())

        threads = [threading.Thread(target=ask, args=(narrow,)) for narrow in (shared, shared, abut.NarrowPhase(), abut.NarrowPhase())]
        for thread in threads:
            thread.start()
        for i in range(20):  # a change waits for the queries, and they for it
            shape = store.add_sphere(1 + i)
            self.assertTrue(store.remove(shape))
        for thread in threads:
            thread.join()
        self.assertEqual((len(found), set(found)), (40, {expected}))

    def test_cooking_in_threads(self):
        rng = np.random.default_rng(2)
        clouds = [rng.standard_normal((400, 3)) for _ in range(8)]
        expected = [abut.cook_hull(cloud).to_bytes() for cloud in clouds]
        found = [None] * len(clouds)

        def cook(i):
            found[i] = abut.cook_hull(clouds[i]).to_bytes()

        threads = [threading.Thread(target=cook, args=(i,)) for i in range(len(clouds))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, expected)

    def test_one_result_in_two_threads(self):
        store, bodies, pairs = scene(2000)
        result = abut.Distances()
        refused, finished = [0], [0]

        def ask():
            narrow = abut.NarrowPhase()
            for _ in range(10):
                try:
                    narrow.distance(store, bodies, pairs, out=result)
                    finished[0] += 1
                except RuntimeError as error:
                    self.assertIn("another thread", str(error))
                    refused[0] += 1

        threads = [threading.Thread(target=ask) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertGreater(finished[0], 0)
        self.assertEqual(finished[0] + refused[0], 20)
        self.assertEqual(result.checksum(), abut.NarrowPhase().distance(store, bodies, pairs).checksum())


class Warm(unittest.TestCase):
    def test_caches_do_not_change_answers(self):
        store, bodies, pairs = scene()
        narrow = abut.NarrowPhase()
        cold = narrow.distance(store, bodies, pairs).signed_distance
        caches = np.zeros(len(pairs), abut.cache_dtype)
        for _ in range(3):
            warm = narrow.distance(store, bodies, pairs, caches=caches).signed_distance
            np.testing.assert_allclose(warm, cold, atol=1e-5)
        self.assertTrue(any(bytes(cache) != bytes(abut.cache_dtype.itemsize) for cache in caches))
        noise = np.frombuffer(np.random.default_rng(1).bytes(abut.cache_dtype.itemsize * len(pairs)), abut.cache_dtype).copy()
        np.testing.assert_allclose(narrow.distance(store, bodies, pairs, caches=noise).signed_distance, cold, atol=1e-5)

    def test_impulses_follow_their_contacts(self):
        store = abut.ShapeStore()
        box = store.add_box([0.5, 0.5, 0.5])
        ground = store.add_halfspace([0, 1, 0])
        bodies = abut.make_bodies(positions=[[0, 0, 0], [0, 0.499, 0], [3, 0.499, 0]], shapes=[ground, box, box])
        pairs = np.array([[0, 1], [0, 2]], np.uint32)
        narrow, table, m = abut.NarrowPhase(), abut.WarmTable(), None
        for step in range(3):
            frame = abut.Frame(store, bodies, pairs, caches=table.begin(pairs))
            m = narrow.collide(frame, out=m)
            table.carry_over(frame, m)
            self.assertEqual(len(table.impulses), 8)
            if step:
                np.testing.assert_array_equal(table.impulses["normal"], 10 * (step - 1) + np.arange(8))
                self.assertTrue((table.carried_by == abut.CarriedBy.id).all())
            table.impulses["normal"] = 10 * step + np.arange(8)
        snapshot = table.copy()
        # The pairs change places, and bodies 1 and 2 with them.
        table.remap_bodies([0, 2, 1])
        frame = abut.Frame(store, bodies[[0, 2, 1]], pairs, caches=table.begin(pairs))
        self.assertEqual(len(table.impulses), 0)
        self.assertEqual(table.previous_pairs["index"].tolist(), [1, 0])
        m = narrow.collide(frame, out=m)
        table.carry_over(frame, m)
        self.assertEqual(sorted(table.impulses["normal"].tolist()), [20 + i for i in range(8)])
        self.assertEqual(set(table.impulses["normal"][:4].tolist()), {24, 25, 26, 27})
        self.assertEqual(snapshot.impulses["normal"].tolist(), [20 + i for i in range(8)])
        self.assertEqual(snapshot.keep(pairs), 2)
        snapshot.begin(pairs[:0])
        self.assertEqual(snapshot.kept, 2)
        snapshot.drop(pairs[:1])
        self.assertEqual(snapshot.kept, 1)
        snapshot.clear()
        self.assertEqual((snapshot.kept, len(snapshot.impulses)), (0, 0))

    def test_floats_and_indices_follow_their_contacts(self):
        store = abut.ShapeStore()
        box, ground = store.add_box([0.5, 0.5, 0.5]), store.add_halfspace([0, 1, 0])
        bodies = abut.make_bodies(positions=[[0, 0, 0], [0, 0.499, 0], [3, 0.499, 0]], shapes=[ground, box, box])
        pairs = np.array([[0, 1], [0, 2]], np.uint32)
        narrow, table = abut.NarrowPhase(), abut.WarmTable()
        self.assertEqual((table.contact_floats.shape, table.manifold_floats.shape), ((0, 0), (0, 0)))
        with self.assertRaisesRegex(abut.Error, "257"):
            table.set_floats(257, 0)
        table.set_floats(2, 3)

        def step(of):
            frame = abut.Frame(store, bodies, of, caches=table.begin(of))
            self.assertEqual(table.contact_floats.shape, (0, 2))
            table.carry_over(frame, narrow.collide(frame))

        step(pairs)
        self.assertFalse(table.contact_floats.any() or table.manifold_floats.any())
        table.contact_floats[5] = [6, 7]
        table.manifold_floats[:, 2] = [8, 9]
        step(pairs[[1, 0]])
        self.assertEqual(table.contact_floats.shape, (8, 2))
        self.assertEqual(table.contact_floats[1].tolist(), [6, 7])
        self.assertEqual(table.manifold_floats.tolist(), [[0, 0, 9], [0, 0, 8]])
        self.assertEqual(table.previous_contacts.tolist(), [4, 5, 6, 7, 0, 1, 2, 3])
        self.assertEqual(table.previous_manifolds["index"].tolist(), [1, 0])
        self.assertFalse(table.previous_manifolds["swapped"].any())
        self.assertEqual(table.manifolds_before["pair"].tolist(), [0, 1])
        self.assertEqual(table.next_manifolds.tolist(), [1, 0])
        table.contact_floats[0] = 3
        copied = abut.WarmTable.from_bytes(table.to_bytes())
        self.assertEqual(copied.contact_floats[:2].tolist(), [[3, 3], [6, 7]])
        step(pairs[:1])
        self.assertEqual(table.previous_contacts.tolist(), [4, 5, 6, 7])
        self.assertEqual(table.next_manifolds.tolist(), [0xFFFFFFFF, 0])

    def test_touches_begin_and_end(self):
        store = abut.ShapeStore()
        ball, ground = store.add_sphere(0.5), store.add_halfspace([0, 1, 0])
        bodies = abut.make_bodies(positions=[[0, 0, 0], [0, 0.5, 0], [3, 0.55, 0]], shapes=[ground, ball, ball])
        pairs = np.array([[0, 1], [0, 2]], np.uint32)
        narrow, table, sensors = abut.NarrowPhase(speculative_margin=1), abut.WarmTable(), abut.WarmTable()

        def step(of, **options):
            frame = abut.Frame(store, bodies, of, caches=table.begin(of))
            table.carry_over(frame, narrow.collide(frame))
            seen = abut.Frame(store, bodies, of, caches=sensors.begin(of))
            by_overlap = sensors.overlap_changes(narrow.overlap(seen))
            return table.touch_changes(**options), by_overlap

        with self.assertRaisesRegex(abut.Error, "begin"):
            table.touch_changes()
        for changes in step(pairs):
            self.assertEqual((changes.began.tolist(), changes.stayed.tolist(), len(changes.ended)), ([0], [], 0))
        bodies["position"][1:, 1] = [0.505, 0.5]
        contacts, overlaps = step(pairs)
        self.assertEqual((contacts.began.tolist(), contacts.stayed.tolist(), len(contacts.ended)), ([1], [0], 0))
        self.assertEqual((overlaps.began.tolist(), overlaps.stayed.tolist()), ([1], []))
        self.assertEqual((overlaps.ended["bodies"].tolist(), overlaps.ended["pair"].tolist()), ([[0, 1]], [0]))
        contacts, _ = step(pairs, end_distance=0.001)
        self.assertEqual((contacts.stayed.tolist(), contacts.ended["pair"].tolist()), ([1], [0]))
        table.swap_remove(2, 2)
        with self.assertRaisesRegex(abut.Error, "body is 9, last is 1"):
            table.swap_remove(9, 1)
        contacts, _ = step(pairs[:1])
        self.assertEqual(contacts.ended.dtype, abut.ended_dtype)
        self.assertEqual(contacts.ended["bodies"].tolist(), [[0, 2]])
        self.assertEqual(contacts.ended[["pair", "removed"]].tolist(), [(0xFFFFFFFF, 2)])
        with self.assertRaisesRegex(abut.Error, "end_distance"):
            table.touch_changes(0.5, 0.1)

    def test_a_table_without_these_pairs(self):
        store, bodies, pairs = scene()
        table = abut.WarmTable()
        with self.assertRaises(abut.Error) as caught:
            abut.NarrowPhase().collide(store, bodies, pairs, caches=table)
        self.assertEqual(caught.exception.code, abut.ErrorCode.bad_size)
        frame = abut.Frame(store, bodies, pairs, caches=table.begin(pairs))
        m = abut.NarrowPhase().collide(frame)
        table.begin(pairs[:5])
        with self.assertRaises(abut.Error):
            table.carry_over(frame, m)
        self.assertEqual(len(table.impulses), 0)
        with self.assertRaisesRegex(abut.Error, "pair 0 of the frame"):
            table.begin(pairs[::-1].copy())
            table.carry_over(frame, m)

    def test_traces(self):
        store, bodies, pairs = scene()
        traces = np.zeros(len(pairs), abut.trace_dtype)
        abut.NarrowPhase().collide(store, bodies, pairs, traces=traces)
        self.assertTrue((traces["count"] > 0).all())
        states = abut.certified_by(traces)
        self.assertGreater(len(set(states.tolist())), 1)
        abut.PairState(int(states[0]))


class Bounds(unittest.TestCase):
    def test_bounds_hold_the_shapes(self):
        store = abut.ShapeStore()
        box = store.add_box([1, 2, 3])
        bodies = abut.make_bodies(positions=[[10, 0, 0], [0, np.nan, 0]], shapes=box)
        bounds = abut.world_bounds(store, bodies)
        np.testing.assert_allclose(bounds[0], [[9, -2, -3], [11, 2, 3]], rtol=1e-6)
        self.assertTrue((bounds[1, 0] == np.inf).all() and (bounds[1, 1] == -np.inf).all())
        out = np.zeros((2, 2, 3), np.float32)
        self.assertIs(abut.world_bounds(store, bodies, origin=[10, 0, 0], out=out), out)
        np.testing.assert_allclose(out[0], [[-1, -2, -3], [1, 2, 3]], rtol=1e-6)


class Pickles(unittest.TestCase):
    def test_errors_and_hulls(self):
        error = pickle.loads(pickle.dumps(abut.Error("why", 2)))
        self.assertEqual((str(error), error.code), ("why", abut.ErrorCode.bad_argument))
        hull = abut.cook_hull(np.random.default_rng(1).standard_normal((50, 3)))
        self.assertEqual(pickle.loads(pickle.dumps(hull)).to_bytes(), hull.to_bytes())


if __name__ == "__main__":
    unittest.main()
