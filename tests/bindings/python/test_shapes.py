"""ShapeStore, cooked hulls, mass properties and features."""

import os
import pickle
import unittest

import numpy as np

import abut
from abut import _abut


class Shapes(unittest.TestCase):
    def setUp(self):
        self.store = abut.ShapeStore()

    def test_poses(self):
        store = self.store
        half_height, pose = abut.axis_between([1, 0, 0], [1, 0, 3])
        self.assertEqual((half_height, pose[0]), (1.5, (1, 0, 1.5)))
        capsule = store.add_capsule(0.5, half_height, pose=pose)
        ball = store.add_sphere(0.5, pose=([0, 2, 0],))
        np.testing.assert_allclose(store.view(capsule).pose[1], pose[1])
        np.testing.assert_allclose(store.view(ball).pose[0], [0, 2, 0])
        bodies = abut.make_bodies(positions=[[0, 0, 0], [0, 0, 0]], shapes=[capsule, ball])
        answer = abut.NarrowPhase().distance(store, bodies, [[0, 1]])
        self.assertAlmostEqual(float(answer.signed_distance[0]), 5**0.5 - 1, places=6)
        np.testing.assert_allclose(answer.point_b[0] - answer.point_a[0], answer.signed_distance[0] * answer.normal[0], atol=1e-6)
        self.assertEqual(abut.mass_properties(store, ball).centre, (0, 2, 0))
        store.set_instance(ball)
        self.assertEqual(store.view(ball).pose, ((0, 0, 0), (0, 0, 0, 1)))
        for bad, error in ((3, TypeError), ((), TypeError), (([1, 2],), ValueError), (([0, 0, 0], [0, 0, 0, 2]), abut.Error)):
            with self.assertRaises(error):
                store.add_sphere(1, pose=bad)
        self.assertEqual(pickle.loads(pickle.dumps(store)).view(capsule).pose, store.view(capsule).pose)

    def test_every_kind(self):
        store = self.store
        ids = {
            "sphere": store.add_sphere(1),
            "capsule": store.add_capsule(1, 2),
            "box": store.add_box((1, 2, 3)),
            "cylinder": store.add_cylinder(1, 2),
            "cone": store.add_cone(1, 2),
            "ellipsoid": store.add_ellipsoid(np.array([1, 2, 3])),
            "halfspace": store.add_halfspace([0, 1, 0], 2),
            "hull": store.add_hull(np.random.default_rng(1).standard_normal((30, 3))),
        }
        ids["mesh"] = store.add_mesh([[0, 0, 0], [1, 0, 0], [0, 0, 1]], [[0, 2, 1]])
        ids["heightfield"] = store.add_heightfield(np.zeros((2, 2)))
        ids["compound"] = store.add_compound([(ids["sphere"], [1, 2, 3])])
        for name, shape in ids.items():
            self.assertIs(store.view(shape).kind, abut.ShapeKind[name])
            self.assertEqual(shape >> 28, abut.ShapeKind[name])
            self.assertIn(shape, store)
        self.assertEqual(len(store), len(ids))
        self.assertEqual(store.view(ids["box"]).half_extents, (1, 2, 3))
        self.assertEqual(store.view(ids["capsule"]).half_height, 2)
        self.assertEqual(store.view(ids["halfspace"]).offset, 2)

    def test_instances(self):
        store = self.store
        box = store.add_box([1, 1, 1], rounding=0.25, scale=[1, 2, 3])
        self.assertEqual((store.view(box).rounding, store.view(box).scale), (0.25, (1, 2, 3)))
        np.testing.assert_allclose(store.view(box).bounds_max, [1.25, 2.25, 3.25])
        twin = store.add_instance(box, scale=2)
        self.assertEqual((store.view(twin).rounding, store.view(twin).scale), (0, (2, 2, 2)))
        store.set_instance(twin, rounding=0.5)
        self.assertEqual((store.view(twin).rounding, store.view(twin).scale), (0.5, (1, 1, 1)))
        self.assertTrue(store.remove(box))
        self.assertFalse(store.remove(box))
        self.assertNotIn(box, store)
        for stale in (box, 12345):
            with self.assertRaisesRegex(KeyError, f"shape: {stale} names no living shape"):
                store.view(stale)
        left = store.ids_left(abut.ShapeKind.box)
        store.forget_removed()
        self.assertGreater(store.ids_left(abut.ShapeKind.box), left)

    def test_a_box_in_any_orientation(self):
        half, centre, angle = np.array([0.5, 0.2, 1.0]), np.array([1.0, 2, 3]), 0.4
        turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        found = abut.cook_hull(signs * half @ turn.T + centre).box
        np.testing.assert_allclose(found[0], half, rtol=1e-5)
        np.testing.assert_allclose(found[1], centre, rtol=1e-6)
        np.testing.assert_allclose(found[2], [0, 0, np.sin(angle / 2), np.cos(angle / 2)], atol=1e-5)
        self.assertIsNone(abut.cook_hull(signs[:7]).box)

    def test_meshes(self):
        store = self.store
        corners = np.array([[0, 0, 0], [4, 0, 0], [4, 0, 4], [0, 0, 4]], np.float32)
        floor = store.add_mesh(corners, [[0, 3, 2], [0, 2, 1]], user_values=[5, 6])
        report = store.view(floor).mesh
        self.assertEqual((report.triangles, report.vertices, report.flat_edges, report.open_edges, report.both_sides), (2, 4, 1, 4, False))
        np.testing.assert_array_equal(np.sort(store.mesh_vertices(floor), 0), np.sort(corners, 0))
        vertices, triangles = store.mesh_vertices(floor), store.mesh_triangles(floor)
        np.testing.assert_array_equal(vertices[triangles], corners[[[0, 3, 2], [0, 2, 1]]])
        self.assertEqual([store.triangle_user_value(floor, i) for i in range(3)], [5, 6, 0])
        self.assertEqual((store.mesh_vertices(12345).shape, store.field_heights(floor).shape), ((0, 3), (0, 0)))
        self.assertTrue(store.view(store.add_mesh(corners, np.array([[0, 3, 2]], np.uint64), both_sides=True)).mesh.both_sides)
        for bad in ([[0, 1, 4]], [[0, 0, 0]]):
            with self.assertRaises(abut.Error):
                store.add_mesh(corners, bad)
        with self.assertRaisesRegex(ValueError, "triangles"):
            store.add_mesh(corners, [[0, 1]])
        with self.assertRaises(abut.Error):
            store.add_mesh(corners, [[0, 3, 2]], user_values=[1, 2])

        heights = np.zeros((3, 4))
        heights[0, 0] = np.nan
        field = store.add_heightfield(heights[:, ::1], spacing_x=2, spacing_z=2)
        report = store.view(field).heightfield
        self.assertEqual((report.rows, report.columns, report.holes, report.spacing_x, report.triangles), (3, 4, 1, 2, 10))
        np.testing.assert_array_equal(store.field_heights(field), heights)
        with self.assertRaisesRegex(ValueError, "heights"):
            store.add_heightfield([1, 2, 3])

        cells = np.zeros((2, 3), np.int16)
        cells[0, 1], cells[1, 0] = abut.CELL_HOLE, abut.CELL_OTHER_DIAGONAL
        holed = store.add_heightfield(heights, cells=cells)
        np.testing.assert_array_equal(store.field_cells(holed), cells)
        self.assertEqual(store.field_cells(holed).dtype, np.uint8)
        report = store.view(holed).heightfield
        self.assertEqual((report.hole_cells, report.other_diagonals, report.triangles), (1, 1, 8))
        other = store.add_heightfield(heights, cells=abut.CELL_OTHER_DIAGONAL)
        np.testing.assert_array_equal(store.field_cells(other), np.full((2, 3), 2))
        self.assertEqual(store.view(other).heightfield.triangles, 11)
        self.assertEqual(store.field_cells(floor).shape, (0, 0))
        for bad in (np.zeros((3, 3), int), [[0, 0, 4], [0, 0, 0]], -1):
            with self.assertRaisesRegex(ValueError, "cells"):
                store.add_heightfield(heights, cells=bad)
        with self.assertRaisesRegex(TypeError, "cells: dtype float64"):
            store.add_heightfield(heights, cells=np.zeros((2, 3)))

        ball = store.add_sphere(1)
        bodies = abut.make_bodies(positions=[[0, 0, 0], [3, 1.5, 2], [0, 0, 0]], shapes=[floor, ball, field])
        distances = abut.NarrowPhase().distance(store, bodies, [[0, 1], [1, 2]])
        np.testing.assert_allclose(distances.signed_distance, 0.5, atol=1e-5)
        manifolds = abut.NarrowPhase(speculative_margin=0.6).collide(store, bodies, [[0, 1]])
        np.testing.assert_allclose(manifolds.manifolds["normal"], [[0, 1, 0]], atol=1e-6)

    def test_equal_shapes_are_shared_on_request(self):
        points = np.random.default_rng(2).standard_normal((30, 3))
        sizes = []
        for share in (False, True):
            store = abut.ShapeStore(share_equal=share)
            ids = [store.add_hull(points, scale=1 + k) for k in range(4)]
            self.assertEqual(len(set(ids)), 4)
            self.assertTrue(store.remove(ids[0]))
            self.assertEqual(store.view(ids[3]).scale, (4, 4, 4))
            sizes.append(len(store.to_bytes()))
        self.assertLess(sizes[1], 0.5 * sizes[0])

    def test_user_data(self):
        store = self.store
        box = store.add_box([1, 1, 1])
        self.assertEqual(store.user_data(box), 0)
        self.assertTrue(store.set_user_data(box, 2**63 + 1))
        self.assertEqual(store.user_data(box), 2**63 + 1)
        self.assertRaises(TypeError, store.set_user_data, box, -1)
        self.assertFalse(store.set_user_data(0xFFFFFFFF, 1))
        pair = store.add_compound([(box, [0, 0, 0], [0, 0, 0, 1], 7), (box, [3, 0, 0])])
        self.assertRaisesRegex(ValueError, r"children\[0\].user_data: -1", store.add_compound, [(box, [0, 0, 0], [0, 0, 0, 1], -1)])
        self.assertEqual([store.child_user_data(pair, child) for child in range(3)], [7, 0, 0])

    def test_boxes_are_recognised(self):
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-2, 2) for z in (-3, 3)], np.float32)
        report = abut.cook_hull(corners).report
        self.assertEqual((report.is_box, report.box_half_extents, report.box_centre), (True, (1, 2, 3), (0, 0, 0)))
        self.assertIs(self.store.view(self.store.add_hull(corners)).kind, abut.ShapeKind.hull)
        view = self.store.view(self.store.add_hull(corners, recognise_box=True))
        self.assertEqual((view.kind, view.half_extents), (abut.ShapeKind.box, (1, 2, 3)))
        self.assertRaises(TypeError, self.store.add_hull, abut.cook_hull(corners), recognise_box=True)

    def test_the_environment_counts_only_when_asked(self):
        best = abut.best_isa()
        os.environ["ABUT_ISA"] = "nonsense"
        try:
            self.assertEqual(abut.best_isa(), best)
            with self.assertRaisesRegex(abut.Error, "nonsense"):
                abut.read_environment()
            os.environ["ABUT_ISA"] = abut.supported_isas()[0]
            abut.read_environment()
            self.assertEqual(abut.best_isa(), abut.supported_isas()[0])
        finally:
            del os.environ["ABUT_ISA"]
            abut.read_environment()
        self.assertEqual(abut.best_isa(), best)

    def test_hulls(self):
        store = self.store
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
        cube = store.add_hull(np.vstack([corners, [[0, 0, 0]], corners[:1]]))
        report = store.view(cube).hull
        self.assertEqual((report.vertices, report.faces, report.edges, report.dimension, report.dropped_points), (8, 6, 12, 3, 2))
        vertices, faces, edges = store.hull_vertices(cube), store.hull_faces(cube), store.hull_edges(cube)
        self.assertEqual(sorted(map(tuple, vertices)), sorted(map(tuple, corners)))
        self.assertEqual((len(faces), edges.shape, edges.dtype), (6, (12, 4), np.uint16))
        self.assertEqual(faces.first_corner.tolist(), list(range(0, 25, 4)))
        for i in range(6):
            corner = vertices[faces.corners[faces.first_corner[i] : faces.first_corner[i + 1]]]
            np.testing.assert_allclose(corner @ faces.normals[i], faces.offsets[i], atol=1e-6)
            np.testing.assert_allclose(np.cross(corner[1] - corner[0], corner[2] - corner[1]), 4 * faces.normals[i], atol=1e-5)
        big = store.add_instance(cube, scale=[1, 2, 1])
        np.testing.assert_allclose(sorted(store.hull_faces(big, scaled=True).offsets), [1, 1, 1, 1, 2, 2], atol=1e-6)
        self.assertEqual(len(store.hull_vertices(store.add_sphere(1))), 0)
        self.assertEqual(store.hull_edges(0xFFFFFFFF).shape, (0, 4))

    def test_cooked_hulls_and_options(self):
        points = np.random.default_rng(7).standard_normal((500, 3))
        hull = abut.cook_hull(points, max_vertices=16)
        self.assertLessEqual(hull.report.vertices, 16)
        self.assertGreater(hull.report.deviation, 0)
        again = abut.CookedHull.from_bytes(hull.to_bytes())
        self.assertEqual(again.to_bytes(), hull.to_bytes())
        a, b = self.store.add_hull(hull), self.store.add_hull(points, max_vertices=16)
        np.testing.assert_array_equal(self.store.hull_vertices(a), self.store.hull_vertices(b))
        damaged = bytearray(hull.to_bytes())
        damaged[100] ^= 1
        with self.assertRaises(abut.Error):
            abut.CookedHull.from_bytes(damaged)
        with self.assertRaises(abut.Error):
            abut.CookedHull.from_bytes(b"")
        # Any strides: the points are copied.
        np.testing.assert_array_equal(
            self.store.hull_vertices(self.store.add_hull(points[::-2])), self.store.hull_vertices(self.store.add_hull(points[::-2].copy()))
        )

    def test_cooked_meshes(self):
        corners = np.array([[0, 0, 0], [4, 0, 0], [4, 0, 4], [0, 0, 4], [0, 0, 0]], np.float32)
        triangles = [[0, 3, 2], [4, 2, 1], [0, 0, 1]]
        mesh = abut.cook_mesh(corners, triangles, both_sides=True, user_values=[5, 6, 7])
        report = mesh.report
        self.assertEqual((report.triangles, report.welded_vertices, report.degenerate_triangles, report.both_sides), (2, 1, 1, True))
        self.assertEqual(repr(mesh), "<abut.CookedMesh of 2 triangles>")
        data = mesh.to_bytes()
        self.assertEqual(len(data), 72 + 4 * 12 + 2 * 28 + 3 * 4)
        for again in (abut.CookedMesh.from_bytes(data), abut.CookedMesh.from_bytes(memoryview(data)), pickle.loads(pickle.dumps(mesh))):
            self.assertEqual(again.to_bytes(), data)
        floor, ball = self.store.add_mesh(again, scale=[2, 1, 1]), self.store.add_sphere(1)
        self.assertEqual(self.store.view(floor).mesh.flat_edges, 1)
        bodies = abut.make_bodies(positions=[[0, 0, 0], [6, 1.5, 1]], shapes=[floor, ball])
        np.testing.assert_allclose(abut.NarrowPhase().distance(self.store, bodies, [[0, 1]]).signed_distance, [0.5], atol=1e-5)
        damaged = bytearray(data)
        damaged[100] ^= 1
        with self.assertRaisesRegex(abut.Error, "checksum"):
            abut.CookedMesh.from_bytes(damaged)
        with self.assertRaises(abut.Error):
            abut.CookedMesh.from_bytes(b"")
        with self.assertRaisesRegex(abut.Error, r"triangles\[0\]\[1\] is 3"):
            abut.cook_mesh(corners[:3], triangles)
        with self.assertRaisesRegex(TypeError, "this mesh is cooked"):
            self.store.add_mesh(mesh, triangles)
        with self.assertRaisesRegex(TypeError, "triangles"):
            self.store.add_mesh(corners)

    def test_compounds(self):
        store = self.store
        ball, box = store.add_sphere(0.5), store.add_box([1, 1, 1])
        half = np.sqrt(0.5)
        two = store.add_compound([(ball, [0, 1, 0]), (box, (0, 0, 0), [0, 0, half, half])], scale=2)
        self.assertEqual(store.view(two).children, 2)
        children = store.compound_children(two)
        np.testing.assert_allclose(children["position"], [[0, 2, 0], [0, 0, 0]])
        np.testing.assert_allclose(children["orientation"][1], [0, 0, half, half], atol=1e-6)
        again = store.add_compound(children)
        cloud = store.add_point_cloud(np.eye(3), 0.25, scale=2)
        self.assertEqual(store.compound_children(cloud)["position"].tolist(), (2 * np.eye(3)).tolist())
        self.assertRaisesRegex(abut.Error, "radius", store.add_point_cloud, np.eye(3), -1)
        self.assertEqual(store.view(again).children, 2)
        self.assertEqual(store.view(store.add_compound([(again,)])).children, 2)

    def test_mass(self):
        store = self.store
        m = abut.mass_properties(store, store.add_box([1, 2, 3]), 10)
        self.assertAlmostEqual(m.volume, 48)
        self.assertAlmostEqual(m.mass, 480)
        self.assertEqual(m.centre, (0, 0, 0))
        np.testing.assert_allclose(m.inertia, 480 / 3 * np.diag([4 + 9, 1 + 9, 1 + 4]))
        with self.assertRaises(abut.Error):
            abut.mass_properties(store, store.add_halfspace([0, 1, 0]))

    def test_features(self):
        vertex = abut.decode_feature(5)
        self.assertEqual((vertex.type, vertex.v0), (abut.FeatureType.vertex, 5))
        edge = abut.decode_feature(abut.edge_feature(9, 3))
        self.assertEqual((edge.type, edge.v0, edge.v1), (abut.FeatureType.edge, 3, 9))
        face = abut.feature_of_a(0x80020005)
        self.assertEqual((face.type, face.face), (abut.FeatureType.face, 2))
        self.assertEqual(abut.feature_of_b(0x80020005), vertex)
        self.assertEqual(len({vertex, edge, face, abut.decode_feature(5)}), 3)


class Names(unittest.TestCase):
    def test_numbers_are_those_of_the_library(self):
        for enumeration in (abut.Status, abut.ShapeKind, abut.PairState):
            for member in enumeration:
                self.assertEqual(_abut._spelled(enumeration.__name__, int(member)), member.name)
        # None is missing: the next number has no name of its own.
        for enumeration in (abut.Status, abut.PairState):
            self.assertNotIn(_abut._spelled(enumeration.__name__, len(enumeration)), enumeration.__members__)

    def test_records_are_as_long_as_the_library_has_them(self):
        sizes = {"body": 32, "relative_pose": 28, "contact": 20, "manifold": 32, "impulse": 16, "cache": 180, "trace": 16}
        for name, size in sizes.items():
            self.assertEqual(getattr(abut, name + "_dtype").itemsize, size)


if __name__ == "__main__":
    unittest.main()
