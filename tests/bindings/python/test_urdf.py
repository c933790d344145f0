"""Robots from URDF files. ABUT_SOURCES comes from CMake."""

import os
import pathlib
import struct
import tempfile
import unittest

import numpy as np

import abut

ARM = pathlib.Path(os.environ["ABUT_SOURCES"], "bindings/python/examples/arm.urdf")


def turned(axis, angle):
    """By Euler's formula for quaternions, another one than the package's."""
    x, y, z = np.sin(angle / 2) * np.asarray(axis, float) / np.linalg.norm(axis)
    w = np.cos(angle / 2)
    m = np.eye(4)
    m[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return m


def moved(x, y, z):
    m = np.eye(4)
    m[:3, 3] = x, y, z
    return m


def robot(links, joints=""):
    return f'<robot name="r">{links}{joints}</robot>'


def link(name, geometry="", origin=""):
    return f'<link name="{name}">' + (f"<collision>{origin}<geometry>{geometry}</geometry></collision>" if geometry else "") + "</link>"


def joint(name, parent, child, rest="", kind="revolute"):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{rest}</joint>'


class Arm(unittest.TestCase):
    def setUp(self):
        self.arm = abut.urdf.load(ARM)

    def test_what_is_read(self):
        arm = self.arm
        self.assertEqual((arm.name, arm.root, len(arm.links), len(arm.bodies)), ("arm", "base", 11, 11))
        self.assertEqual(arm.joint_names, [f"joint{i}" for i in range(1, 8)] + ["left_finger_joint"])
        self.assertEqual((arm.lower[0], arm.upper[1], arm.upper[4], arm.upper[7]), (-2.9, 1.9, np.inf, 0.06))
        self.assertIn("8 joints", repr(arm))
        self.assertEqual(arm.bodies[2].shape, abut.Capsule(0.06, 0.06))
        self.assertEqual(arm.bodies[7].shape, abut.Box([0.08, 0.025, 0.03]))

    def test_forward_kinematics_is_a_product_of_joints(self):
        arm = self.arm
        q = np.random.default_rng(4).uniform(-1, 1, (50, 8)) * [2.5, 1.5, 2.5, 2.5, 3, 2, 3, 0.05]
        poses = arm.forward_kinematics(q)
        self.assertEqual(poses.shape, (50, 11, 4, 4))
        for values, pose in zip(q, poses):
            m = np.eye(4)
            for height, axis, value in zip([0.2, 0.06, 0.33, 0.02, 0.18, 0.24, 0.04], "zyzyzyz", values):
                m = m @ moved(0, 0, height) @ turned([0, 1, 0] if axis == "y" else [0, 0, 1], value)
            np.testing.assert_allclose(pose[arm.links.index("hand")], m, atol=1e-12)
            np.testing.assert_allclose(pose[arm.links.index("camera")], m, atol=1e-12)
            np.testing.assert_allclose(pose[arm.links.index("left_finger")], m @ moved(0.01 + values[7], 0, 0.09), atol=1e-12)
            np.testing.assert_allclose(pose[arm.links.index("right_finger")], m @ moved(-0.01 - values[7], 0, 0.09), atol=1e-12)
        base = moved(1, 2, 3) @ turned([1, 2, 3], 0.7)
        np.testing.assert_allclose(arm.forward_kinematics(q[0], base)[0], base @ poses[0], atol=1e-12)

    def test_values_by_name(self):
        arm = self.arm
        q = np.zeros((3, 8))
        q[:, 1], q[:, 3] = [0.1, 0.2, 0.3], 0.5
        np.testing.assert_array_equal(arm.forward_kinematics({"joint2": [0.1, 0.2, 0.3], "joint4": 0.5}), arm.forward_kinematics(q))
        self.assertEqual(arm.forward_kinematics({}).shape, (1, 11, 4, 4))
        with self.assertRaisesRegex(ValueError, "'right_finger_joint'"):
            arm.forward_kinematics({"right_finger_joint": 0})
        with self.assertRaisesRegex(ValueError, r"q: shape \(7,\); it must be \(configurations, 8\)"):
            arm.forward_kinematics(np.zeros(7))

    def test_pairs_of_self_collision(self):
        arm = self.arm

        def names(pairs):
            return {frozenset(arm.links[arm.bodies[body].link] for body in pair) for pair in pairs.tolist()}

        pairs = arm.self_collision_pairs()
        self.assertEqual(len(pairs), 11 * 10 // 2 - 10)
        found = names(pairs)
        for a, b in (("hand", "camera"), ("base", "shoulder"), ("hand", "left_finger"), ("wrist", "hand")):
            self.assertNotIn({a, b}, found)
        for a, b in (("wrist", "camera"), ("left_finger", "right_finger"), ("base", "hand")):
            self.assertIn({a, b}, found)
        fewer = arm.self_collision_pairs([("hand", "base"), ("left_finger", "right_finger")])
        self.assertEqual(found - names(fewer), {frozenset(("base", "hand")), frozenset(("left_finger", "right_finger"))})
        self.assertEqual(len(arm.self_collision_pairs(adjacent=True)), 11 * 10 // 2 - 1)
        with self.assertRaisesRegex(ValueError, "'head'"):
            arm.self_collision_pairs([("hand", "head")])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "arm.srdf")
            path.write_text('<robot name="arm"><disable_collisions link1="hand" link2="base" reason="Never"/></robot>')
            self.assertEqual(abut.urdf.disabled_pairs(path), [("hand", "base")])

    def test_distances_are_those_of_single_pairs(self):
        arm, store, narrow = self.arm, abut.ShapeStore(), abut.NarrowPhase()
        q = np.random.default_rng(5).uniform(-2, 2, (20, 8)) * [1, 1, 1, 1, 1, 1, 1, 0.02]
        pairs = arm.self_collision_pairs()
        d = narrow.distance_configurations(arm.configurations(store, q)).signed_distance.reshape(20, -1)
        self.assertEqual(len(store), 11)
        transforms = arm.body_transforms(q)
        for c in (0, 7, 19):
            for i in range(0, len(pairs), 5):
                a, b = pairs[i]
                one = abut.distance_between(arm.bodies[a].shape, transforms[c, a], arm.bodies[b].shape, transforms[c, b])
                self.assertAlmostEqual(one.distance, d[c, i], 5)
        straight = narrow.least_distance(arm.configurations(store, np.zeros(8), shapes=arm.add_to(store)))
        self.assertGreater(straight.signed_distance[0], 0)
        folded = narrow.any_overlap(arm.configurations(store, {"joint4": 2.7, "joint2": 1.9}))
        self.assertTrue(folded.hit[0])


class Files(unittest.TestCase):
    def test_geometry_is_upright_along_z(self):
        r = abut.urdf.parse(robot(link("a", '<cylinder radius="0.5" length="4"/>', '<origin xyz="1 0 0" rpy="0 1.5707963267948966 0"/>')))
        (transform,) = r.body_transforms({})[0]
        probe = abut.distance_between(r.bodies[0].shape, transform, abut.Sphere(0.25), [5, 0, 0])  # the cylinder lies along X, from -1 to 3
        self.assertAlmostEqual(probe.distance, 1.75, 5)

    def test_rpy_are_rotations_about_fixed_axes(self):
        r = abut.urdf.parse(robot(link("a") + link("b"), joint("j", "a", "b", '<origin rpy="0.3 -0.5 1.1" xyz="1 2 3"/>', "fixed")))
        expected = moved(1, 2, 3) @ turned([0, 0, 1], 1.1) @ turned([0, 1, 0], -0.5) @ turned([1, 0, 0], 0.3)
        np.testing.assert_allclose(r.forward_kinematics({})[0, 1], expected, atol=1e-12)

    def test_mimic(self):
        joints = joint("m", "a", "b", '<axis xyz="0 0 2"/><mimic joint="j" multiplier="-2" offset="0.25"/>') + joint("j", "b", "c", kind="continuous")
        r = abut.urdf.parse(robot(link("a") + link("b") + link("c"), joints))
        self.assertEqual(r.joint_names, ["j"])
        np.testing.assert_allclose(r.forward_kinematics([0.5])[0, 1], turned([0, 0, 1], -0.75), atol=1e-12)

    def test_mesh_files(self):
        corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
        quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
        triangles = np.array([[q[0], q[i], q[i + 1]] for q in quads for i in (1, 2)])
        obj = "# a cube\no cube\n" + "".join(f"v {x} {y} {z}\n" for x, y, z in corners)
        obj += "f 1/1/1 2/2/1 4/3/1 3//1\n" + "".join("f " + " ".join(str(i - 8) for i in quad) + "\n" for quad in quads[1:])
        stl = b"solid is a word that binary files may begin with".ljust(80) + struct.pack("<I", 12)
        stl += b"".join(struct.pack("<12fH", 0, 0, 0, *corners[t].ravel(), 0) for t in triangles)
        text = "solid cube\n" + "".join(
            "facet normal 0 0 0 outer loop " + " ".join(f"vertex {x} {y} {z}" for x, y, z in corners[t]) + " endloop endfacet\n" for t in triangles
        ) + "endsolid\n"
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder, "meshes")
            place.mkdir()
            for name, data in (("cube.obj", obj.encode()), ("binary.stl", stl), ("text.STL", text.encode())):
                pathlib.Path(place, name).write_bytes(data)
                vertices, found = abut.read_triangles(place / name)
                shown = [sorted(map(tuple, np.sort(v[t], 1).reshape(-1, 9))) for v, t in ((vertices, found), (corners, triangles))]
                self.assertEqual(*shown)
                for filename in (f"package://parts/meshes/{name}", f"meshes/{name}", f"file://{place / name}"):
                    element = f'<mesh filename="{filename}" scale="2 2 -2"/>'
                    r = abut.urdf.parse(robot(link("a", element) + link("b", element), joint("j", "a", "b")), folder, packages={"parts": folder})
                    self.assertIs(r.bodies[0].shape, r.bodies[1].shape)
                    self.assertEqual(r.bodies[0].shape.cooked.report.vertices, 8)
                    self.assertAlmostEqual(abut.distance_between(r.bodies[0].shape, None, abut.Sphere(0.5), [1, 1, 1]).distance, 0.5, 5)
                kept = abut.urdf.parse(robot(link("a", f'<mesh filename="meshes/{name}"/>')), folder, convex=False)
                self.assertEqual(kept.bodies[0].shape.cooked.report.open_edges, 0)
            pathlib.Path(place, "cube.abutmesh").write_bytes(abut.cook_mesh(corners, [*triangles, [0, 1, 1]]).to_bytes())
            vertices, found = abut.read_triangles(place / "cube.abutmesh")
            self.assertEqual((vertices.shape, found.shape), ((8, 3), (12, 3)))
            bad = {
                "short.stl": (b"nothing", "7 bytes are no STL file"),
                "empty.stl": (b"solid x\nendsolid", "no triangles"),
                "far.obj": (b"v 0 0 0\nf 1 2 3\n", "a vertex that is not there"),
                "word.obj": (b"v 0 0 zero\n", "line 1"),
                "cube.dae": (b"", "is empty"),
                "cube.blend": (b"", "read are .obj, .stl"),
            }
            for name, (data, message) in bad.items():
                pathlib.Path(place, name).write_bytes(data)
                with self.assertRaisesRegex(ValueError, f"{name}: .*{message}"):
                    abut.read_triangles(place / name)
            with self.assertRaisesRegex(ValueError, "no folder is found for the package 'no_such_package'"):
                abut.urdf.parse(robot(link("a", '<mesh filename="package://no_such_package/no.obj"/>')), folder)
            with self.assertRaises(FileNotFoundError):
                abut.urdf.parse(robot(link("a", '<mesh filename="cube.obj"/>')), folder)

    def test_documents_that_are_none(self):
        ab = link("a") + link("b")
        bad = {
            "<robot": "no XML",
            "<sdf/>": "there is no model",
            "<mujoco/>": "there are no bodies",
            "<launch/>": "the document is <launch>",
            robot(""): "has no links",
            robot(ab, joint("j", "a", "b") + joint("k", "b", "a")): "a cycle",
            robot(ab + link("c") + link("d"), joint("j", "a", "b") + joint("k", "c", "d") + joint("l", "d", "c")): "a cycle: k, l",
            robot(ab, joint("j", "a", "b", kind="screw")): "type 'screw'",
            robot(ab, joint("j", "a", "b", '<axis xyz="0 0"/>')): "xyz is '0 0'",
            robot(ab, joint("j", "a", "b", '<axis xyz="0 1,5 0"/>')): "xyz is '0 1,5 0'",
            robot(ab, joint("j", "a", "b", '<origin xyz="0 ${x} 0"/>')): "what xacro would replace is not read",
            robot(ab, '<joint name="j" type="fixed"><child link="b"/></joint>'): "<parent link",
            robot(link("a", "<sphere/>")): "link 'a': radius is missing",
            robot(link("a", '<box size="1 nan 1"/>')): "size is",
            robot(link("a", "<torus/>")): "<torus>",
        }
        for text, message in bad.items():
            with self.assertRaisesRegex(ValueError, message, msg=text):
                abut.urdf.parse(text)


if __name__ == "__main__":
    unittest.main()
