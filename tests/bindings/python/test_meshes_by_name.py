"""Shapes without a store, one pair at a prompt, and the manager with trimesh's method names. Doctests of the package."""

import copy
import doctest
import pickle
import types
import unittest

import numpy as np

import abut

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
FACES = np.array([[q[0], q[i], q[i + 1]] for q in SIDES for i in (1, 2)])


def mesh(vertices, faces):
    return types.SimpleNamespace(vertices=vertices, faces=faces)


def cube(size=1.0):
    return mesh((CORNERS - 0.5) * size, FACES)


def dented():
    """A cube whose top has a pit."""
    top = [f for f in FACES.tolist() if not {2, 3, 6, 7} >= set(f)]
    rim = [2, 3, 7, 6]
    return mesh(np.vstack([CORNERS, [0.5, 0.5, 0.5]]) - 0.5, np.array(top + [[rim[i], rim[(i + 1) % 4], 8] for i in range(4)]))


def at(x, y, z, turn=0.0):
    m = np.eye(4)
    m[:3, 3] = x, y, z
    m[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    return m


class Doctests(unittest.TestCase):
    def test_examples_in_docstrings(self):
        result = doctest.testmod(abut, extraglobs={"abut": abut})
        self.assertEqual(result.failed, 0)
        self.assertGreater(result.attempted, 8)


class Shapes(unittest.TestCase):
    def test_each_is_what_a_store_has(self):
        store = abut.ShapeStore()
        expected = {
            abut.Sphere(0.5, 0.1): "sphere",
            abut.Capsule(0.5, 1): "capsule",
            abut.Box((1, 2, 3)): "box",
            abut.Cylinder(0.5, 1): "cylinder",
            abut.Cone(0.5, 1): "cone",
            abut.Ellipsoid([1, 2, 3]): "ellipsoid",
            abut.Halfspace([0, 1, 0], 2): "halfspace",
            abut.Hull(CORNERS): "hull",
            abut.Mesh(CORNERS, FACES): "mesh",
        }
        for shape, kind in expected.items():
            self.assertIs(store.view(shape.add_to(store)).kind, abut.ShapeKind[kind])
            for again in (copy.deepcopy(shape), pickle.loads(pickle.dumps(shape))):
                self.assertEqual(repr(again), repr(shape))
                self.assertIs(store.view(again.add_to(store)).kind, abut.ShapeKind[kind])
        self.assertEqual(abut.Box([1, 2, 3]), abut.Box((1.0, 2.0, 3.0)))
        with self.assertRaisesRegex(ValueError, "half_extents"):
            abut.Box([1, 2])
        with self.assertRaisesRegex(abut.Error, "radius"):
            abut.Sphere(-1).add_to(store)
        with self.assertRaises(TypeError):
            abut.Mesh(CORNERS)

    def test_convex_meshes_are_hulls(self):
        self.assertIsInstance(abut.from_trimesh(cube()), abut.Hull)
        self.assertIsInstance(abut.from_trimesh(cube(), convex=False), abut.Mesh)
        self.assertIsInstance(abut.from_trimesh(dented()), abut.Mesh)
        self.assertIsInstance(abut.from_trimesh(dented(), convex=True), abut.Hull)
        two = mesh(np.vstack([CORNERS, CORNERS + [3, 0, 0]]), np.vstack([FACES, FACES + 8]))
        self.assertIsInstance(abut.from_trimesh(two), abut.Mesh)  # no edge of it is concave
        self.assertIsInstance(abut.from_trimesh(mesh(CORNERS, FACES[:-1])), abut.Mesh)
        self.assertEqual(abut.from_trimesh(cube(), max_vertices=6).cooked.report.vertices, 6)
        with self.assertRaisesRegex(TypeError, "faces"):
            abut.from_trimesh(types.SimpleNamespace(vertices=CORNERS))


class OnePair(unittest.TestCase):
    def test_poses(self):
        half = np.sqrt(0.5)
        turned = ([4, 0, 0], [0, 0, half, half])
        for pose in (turned, abut._pair.matrix_of(turned, "pose")):
            found = abut.distance_between(abut.Box([1, 1, 1]), None, abut.Capsule(0.5, 1), pose)  # the capsule lies along X
            self.assertAlmostEqual(found.distance, 1.5, 5)
            np.testing.assert_allclose(found.normal, [1, 0, 0], atol=1e-5)
            np.testing.assert_allclose(found.point_b, found.point_a + found.distance * found.normal, atol=1e-5)
        far = abut.distance_between(abut.Sphere(1), [1e8, 0, 0], abut.Sphere(1), [1e8 + 5, 0, 0])
        self.assertAlmostEqual(far.distance, 3, 5)
        self.assertAlmostEqual(far.point_a[0], 1e8 + 1, 5)

    def test_texts(self):
        self.assertIn("0.5 m deep", repr(abut.distance_between(abut.Sphere(1), None, abut.Sphere(1), [1.5, 0, 0])))
        self.assertIn("1 m apart", repr(abut.distance_between(cube(), None, abut.Sphere(1), [2.5, 0, 0])))

    def test_refusals(self):
        with self.assertRaisesRegex(ValueError, "pose_b"):
            abut.distance_between(abut.Sphere(1), None, abut.Sphere(1), [1, 2])
        with self.assertRaisesRegex(ValueError, "pose_a"):
            abut.distance_between(abut.Sphere(1), ([0, 0, 0], [0, 0, 0, 2]), abut.Sphere(1))
        with self.assertRaisesRegex(ValueError, "not finite"):
            abut.distance_between(abut.Sphere(1), [np.nan, 0, 0], abut.Sphere(1))
        plane = abut.Halfspace([0, 1, 0])
        with self.assertRaisesRegex(abut.Error, "unsupported") as caught:
            abut.distance_between(plane, None, plane)
        self.assertEqual(caught.exception.code, abut.ErrorCode.unsupported)


class Manager(unittest.TestCase):
    def setUp(self):
        self.manager = abut.CollisionManager()
        for name, x in (("a", 0), ("b", 3), ("c", 3.5)):
            self.manager.add_object(name, cube(), at(x, 0, 0))

    def test_moved_objects_are_where_they_are_now(self):
        manager = abut.CollisionManager()
        for name, x in (("a", 0.0), ("b", 1.5), ("c", 10.0), ("d", 11.25)):
            manager.add_object(name, abut.Sphere(1.0), at(x, 0, 0))
        self.assertEqual(manager.in_collision_internal(return_names=True), (True, {("a", "b"), ("c", "d")}))
        self.assertEqual(manager.min_distance_internal(return_names=True), (-0.75, ("c", "d")))  # the deepest of two overlaps
        self.assertTrue(manager.in_collision_single(abut.Sphere(1.0), at(-1.5, 0, 0)))
        manager.set_transform("d", at(20, 0, 0))
        self.assertEqual(manager.in_collision_internal(return_names=True), (True, {("a", "b")}))
        manager.set_transform("a", at(-5.5, 0, 0))
        self.assertFalse(manager.in_collision_internal())
        self.assertFalse(manager.in_collision_single(abut.Sphere(1.0), at(-1, 0, 0)))
        self.assertEqual(manager.in_collision_single(abut.Sphere(1.0), at(-6, 0, 0), return_names=True), (True, {"a"}))
        self.assertEqual(manager.min_distance_internal(return_names=True), (5.0, ("a", "b")))
        manager.add_object("c", abut.Sphere(2.0), at(1.5, 0, 0))
        self.assertEqual(manager.min_distance_internal(return_names=True), (-3.0, ("b", "c")))

    def test_collisions(self):
        m = self.manager
        self.assertIs(m.in_collision_internal(), True)
        hit, names, contacts = m.in_collision_internal(return_names=True, return_data=True)
        self.assertEqual((hit, names), (True, {("b", "c")}))
        self.assertEqual(len(contacts), 4)
        for contact in contacts:
            self.assertEqual(contact.names, {"b", "c"})
            self.assertAlmostEqual(contact.depth, 0.5, 5)
            self.assertAlmostEqual(contact.point[0], 3.25, 5)
            self.assertIsNone(contact.index("b"))
        self.assertEqual(m.in_collision_single(cube(), at(0.75, 0, 0), return_names=True), (True, {"a"}))
        self.assertEqual(m.in_collision_single(abut.Sphere(0.2), at(0, 5, 0), return_names=True, return_data=True), (False, set(), []))
        self.assertIs(m.in_collision_single(cube(), at(1.75, 0, 0)), False)
        _, contacts = m.in_collision_single(cube(), at(0.75, 0, 0), return_data=True)
        self.assertEqual(contacts[0].names, {"a", "__external"})

    def test_moves(self):
        m = self.manager
        m.set_transform("c", at(10, 0, 0, 0.3))
        self.assertIs(m.in_collision_internal(), False)
        m.add_object("c", cube(), at(3.5, 0, 0))  # replaces it
        self.assertIs(m.in_collision_internal(), True)
        m.remove_object("c")
        self.assertEqual((m.in_collision_internal(), len(m), "c" in m), (False, 2, False))
        for call in (m.remove_object, lambda name: m.set_transform(name, at(0, 0, 0)), m.min_distance_internal):
            with self.assertRaisesRegex(ValueError, "'c'"):
                call("c")

    def test_distances(self):
        m = self.manager
        self.assertAlmostEqual(m.min_distance_internal(), -0.5, 5)
        distance, names, data = m.min_distance_internal("a", return_names=True, return_data=True)
        self.assertAlmostEqual(distance, 2, 5)
        self.assertEqual((names, data.names, data.distance), (("a", "b"), {"a", "b"}, distance))
        np.testing.assert_allclose([data.point("a")[0], data.point("b")[0]], [0.5, 2.5], atol=1e-5)
        self.assertIsNone(data.index("a"))
        self.assertIn("'a' and 'b': 2 m", repr(data))
        distance, name = m.min_distance_single(abut.Sphere(0.5), at(0, 4, 0), return_name=True)
        self.assertEqual(name, "a")
        self.assertAlmostEqual(distance, 3, 5)
        with self.assertRaisesRegex(ValueError, "no two objects"):
            abut.CollisionManager().min_distance_internal()

    def test_other_managers(self):
        other = abut.CollisionManager()
        self.assertIs(self.manager.in_collision_other(other), False)
        other.add_object("x", cube(), at(0, 0.75, 0))
        other.add_object("y", cube(), at(0, 20, 0))
        self.assertEqual(self.manager.in_collision_other(other, return_names=True), (True, {("a", "x")}))
        other.remove_object("x")
        distance, names, data = self.manager.min_distance_other(other, return_names=True, return_data=True)
        self.assertEqual(names, ("a", "y"))
        self.assertAlmostEqual(distance, 19, 4)
        self.assertEqual(len(self.manager), 3)

    def test_the_nearest_of_many(self):
        rng = np.random.default_rng(2)
        m, poses = abut.CollisionManager(), rng.uniform(-10, 10, (60, 3))
        for i, position in enumerate(poses):
            m.add_object(f"{i}", abut.Sphere(0.1), at(*position))
        gaps = np.linalg.norm(poses[:, None] - poses[None], axis=2) + 100 * np.eye(60)
        nearest = np.unravel_index(gaps.argmin(), gaps.shape)
        distance, names = m.min_distance_internal(return_names=True)
        self.assertAlmostEqual(distance, gaps.min() - 0.2, 5)
        self.assertEqual(set(names), {str(i) for i in nearest})

    def test_meshes_that_are_not_convex(self):
        m = abut.CollisionManager()
        m.add_object("pit", dented())
        ball = abut.Sphere(0.1)
        self.assertIs(m.in_collision_single(ball, at(0, 0.4, 0)), False)  # in the pit
        self.assertAlmostEqual(m.min_distance_single(ball, at(0, 0.2, 0)), np.sqrt(0.5) * 0.2 - 0.1, 5)
        hit, contacts = m.in_collision_single(ball, at(0, 0.05, 0), return_data=True)
        self.assertTrue(hit)
        self.assertIn(contacts[0].index("pit"), range(10, 14))
        # Two such meshes have an answer, or a clear error.
        m.add_object("pit too", dented(), at(0, 0.4, 0))
        try:
            self.assertIs(m.in_collision_internal(), True)
        except abut.Error as error:
            self.assertEqual(error.code, abut.ErrorCode.unsupported)
            self.assertRegex(str(error), "'pit' and 'pit too': unsupported; both are meshes .* convex=True")

    def test_transforms_that_are_none(self):
        m = self.manager
        bad = {"scaled": np.diag([1.05, 1.05, 1.05, 1]), "mirrored": np.diag([1, 1, -1, 1]), "zero": np.zeros((4, 4)), "nan": np.full((4, 4), np.nan)}
        bad["far"], bad["projective"] = at(np.inf, 0, 0), np.vstack([np.eye(4)[:3], [0, 0, 1, 1]])
        for name, matrix in bad.items():
            for call in (m.in_collision_single, m.min_distance_single):
                with self.assertRaisesRegex(ValueError, "'__external'.*no rigid pose", msg=name):
                    call(cube(), matrix)
            for call in (m.set_transform, lambda name, matrix: m.add_object(name, cube(), matrix)):
                with self.assertRaisesRegex(ValueError, "'a'.*no rigid pose", msg=name):
                    call("a", matrix)
        with self.assertRaisesRegex(ValueError, "'a'.*shape"):
            m.set_transform("a", np.eye(3))
        self.assertEqual(len(m), 3)
        self.assertIs(m.in_collision_single(cube(), np.diag([1.001, 1.001, 1.001, 1])), True)  # of the length of a rounded matrix


class Scenes(unittest.TestCase):
    def test_a_scene_becomes_a_manager(self):
        class Graph(dict):
            nodes_geometry = ["a", "b", "wide", "mirrored"]

        turned = np.eye(4)[[1, 0, 2, 3]] * [[-1], [1], [1], [1]]
        graph = Graph(a=(np.eye(4), "cube"), b=(at(1.5, 0, 0) @ turned, "cube"), wide=(at(0, 3, 0) @ np.diag([4, 1, 1, 1]), "cube"))
        graph["mirrored"] = (at(0, -3, 0) @ np.diag([1, -1, 1, 1]), "pit")
        scene = types.SimpleNamespace(graph=graph, geometry={"cube": cube(), "pit": dented()})
        manager, shapes = abut.scene_to_collision(scene)
        self.assertEqual((len(manager), list(shapes)), (4, graph.nodes_geometry))
        self.assertIs(shapes["a"], shapes["b"])
        self.assertAlmostEqual(manager.min_distance_single(abut.Sphere(0.5), at(3, 3, 0)), 0.5, 5)  # of the wide one
        self.assertIs(manager.in_collision_single(abut.Sphere(0.1), at(0, -3.4, 0)), False)  # in the pit, which shows down
        self.assertIs(manager.in_collision_single(abut.Sphere(0.1), at(0, -2.6, 0)), True)
        self.assertEqual(manager.min_distance_internal("a", return_names=True)[1], ("a", "b"))


def ball(rings, radius=1.0):
    """A sphere of rings * rings vertices between its poles."""
    a, b = np.meshgrid(np.pi * (np.arange(rings) + 0.5) / rings, 2 * np.pi * np.arange(rings) / rings, indexing="ij")
    vertices = radius * np.stack([np.sin(a) * np.cos(b), np.cos(a), np.sin(a) * np.sin(b)], -1).reshape(-1, 3)
    i, j = (k.ravel() for k in np.meshgrid(np.arange(rings - 1), np.arange(rings), indexing="ij"))
    p, q = i * rings + j, i * rings + (j + 1) % rings
    faces = np.concatenate([np.stack([p, q, q + rings], 1), np.stack([p, q + rings, p + rings], 1)])
    last = (rings - 1) * rings
    caps = [[0, k + 1, k] for k in range(1, rings - 1)] + [[last, last + k, last + k + 1] for k in range(1, rings - 1)]
    return types.SimpleNamespace(vertices=vertices, faces=np.concatenate([faces, caps]))


class ManyVertices(unittest.TestCase):
    def test_a_convex_mesh_is_a_hull_whatever_its_count(self):
        for rings in (40, 100):  # 1,600 and 10,000 vertices
            shape = abut.from_trimesh(ball(rings))
            self.assertIsInstance(shape, abut.Hull)
            self.assertLessEqual(shape.cooked.report.vertices, 4096)
            self.assertLess(shape.cooked.report.deviation, 1e-6 if rings == 40 else 3e-3)
            manager = abut.CollisionManager()
            manager.add_object("ball", ball(rings))
            self.assertIs(manager.in_collision_single(abut.Box([0.1, 0.1, 0.1])), True)
        dented = ball(100)
        dented.vertices[4950] *= 0.9
        self.assertIsInstance(abut.from_trimesh(dented), abut.Mesh)
        self.assertIsInstance(abut.from_trimesh(ball(100), convex=False), abut.Mesh)
        self.assertEqual(abut.from_trimesh(ball(100), max_vertices=64).cooked.report.vertices, 64)

    def test_vertices_of_no_face_do_not_count(self):
        mesh = cube()
        mesh.vertices = np.vstack([mesh.vertices, [9, 9, 9]])
        for convex in (None, True):
            self.assertAlmostEqual(abut.distance_between(abut.from_trimesh(mesh, convex=convex), None, abut.Sphere(0.5), [0, 3, 0]).distance, 2, 5)

    def test_points_without_faces_have_a_hull(self):
        points = types.SimpleNamespace(vertices=cube().vertices, faces=np.empty((0, 3), int))
        self.assertEqual(abut.from_trimesh(points).cooked.report.vertices, 8)


if __name__ == "__main__":
    unittest.main()
