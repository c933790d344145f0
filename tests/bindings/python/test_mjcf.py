"""Robots from MuJoCo's files: bodies, joints, geoms, defaults, meshes."""

import pathlib
import tempfile
import unittest

import numpy as np

import abut

CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
CUBE += "".join(f"f {q}\n" for q in ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"))


def mujoco(world, rest=""):
    return f'<mujoco model="m">{rest}<worldbody>{world}</worldbody></mujoco>'


def moved(x, y, z):
    m = np.eye(4)
    m[:3, 3] = x, y, z
    return m


def turned(angle):
    m = np.eye(4)
    m[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return m


def pose(robot, name, q=()):
    values = np.zeros(len(robot.joint_names)) if len(q) == 0 else q
    return robot.forward_kinematics(values)[0, robot.links.index(name)]


class Models(unittest.TestCase):
    def test_a_body_turns_about_its_joints(self):
        arm = '<body name="a" pos="1 0 0"><joint name="j" pos="-0.5 0 0" range="-90 90"/><joint name="k" type="slide" axis="0 0 2" range="0 1"/>'
        robot = abut.urdf.parse(mujoco(arm + '<geom size="0.1"/><body name="b" pos="0 2 0"><geom size="0.1"/></body></body>'))
        self.assertEqual((robot.name, robot.joint_names), ("m", ["j", "k"]))
        np.testing.assert_allclose((robot.lower, robot.upper), ([-np.pi / 2, 0], [np.pi / 2, 1]))
        np.testing.assert_allclose(pose(robot, "a"), moved(1, 0, 0), atol=1e-12)
        expected = moved(0.5, 0, 0) @ turned(0.3) @ moved(0.5, 0, 0.7)
        np.testing.assert_allclose(pose(robot, "a", [0.3, 0.7]), expected, atol=1e-12)
        np.testing.assert_allclose(pose(robot, "b", [0.3, 0.7]), expected @ moved(0, 2, 0), atol=1e-12)
        self.assertEqual(len(robot.self_collision_pairs()), 0)  # b is fixed to a

    def test_angles_and_orientations(self):
        radians = '<compiler angle="radian" eulerseq="zyx"/>'
        for rest, given in (
            ("", 'euler="0 0 90"'),
            (radians, 'euler="1.5707963267948966 0 0"'),
            ("", 'quat="2 0 0 2"'),
            ("", 'axisangle="0 0 3 90"'),
            ("", 'xyaxes="0 2 0 -1 1 0"'),
        ):
            robot = abut.urdf.parse(mujoco(f'<body name="a" {given}><geom size="1"/></body>', rest))
            np.testing.assert_allclose(pose(robot, "a"), turned(np.pi / 2), atol=1e-12, err_msg=given)
        robot = abut.urdf.parse(mujoco('<body name="a" zaxis="0 -1 0"><geom size="1"/></body>'))
        np.testing.assert_allclose(pose(robot, "a")[:3, 2], [0, -1, 0], atol=1e-12)
        free = abut.urdf.parse(mujoco('<body name="a" pos="0 0 1"><freejoint name="f"/><geom size="1"/></body>'))
        self.assertEqual(len(free.joint_names), 6)
        np.testing.assert_allclose(pose(free, "a", [1, 2, 3, 0, 0, 0.5]), moved(1, 2, 4) @ turned(0.5), atol=1e-12)

    def test_geoms(self):
        for text, shape in (
            ('size="2"', abut.Sphere(2)),
            ('type="capsule" size="1 2"', abut.Capsule(1, 2)),
            ('type="cylinder" size="1 2 0"', abut.Cylinder(1, 2)),
            ('type="box" size="1 2 3"', abut.Box([1, 2, 3])),
            ('type="ellipsoid" size="1 2 3"', abut.Ellipsoid([1, 2, 3])),
            ('type="plane" size="0 0 1"', abut.Halfspace([0, 0, 1])),
            ('type="capsule" fromto="0 0 1 0 0 5" size="1"', abut.Capsule(1, 2)),
        ):
            self.assertEqual(abut.urdf.parse(mujoco(f"<geom {text}/>")).bodies[0].shape, shape)
        robot = abut.urdf.parse(mujoco('<geom type="capsule" fromto="1 0 0 1 4 0" size="0.5"/>'))
        self.assertAlmostEqual(abut.distance_between(robot.bodies[0].shape, robot.body_transforms({})[0, 0], abut.Sphere(0.5), [1, 6, 0]).distance, 1, 5)
        seen = abut.urdf.parse(mujoco('<geom size="1" contype="0" conaffinity="0"/><geom size="2"/>'))
        self.assertEqual([body.shape for body in seen.bodies], [abut.Sphere(2)])

    def test_defaults_are_by_class(self):
        defaults = '<default><geom size="3"/><default class="thin"><geom type="capsule" size="1 2"/><joint axis="1 0 0"/></default></default>'
        body = '<body name="a" childclass="thin"><joint name="j"/><geom/><geom class="main"/></body>'
        robot = abut.urdf.parse(mujoco("<geom/>" + body, defaults))
        self.assertEqual([b.shape for b in robot.bodies], [abut.Sphere(3), abut.Capsule(1, 2), abut.Sphere(3)])
        np.testing.assert_array_equal(robot.joints[0].axis, [1, 0, 0])
        with self.assertRaisesRegex(ValueError, "no default class 'thick'"):
            abut.urdf.parse(mujoco('<geom class="thick"/>', defaults))

    def test_meshes_and_includes(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "assets").mkdir()
            pathlib.Path(folder, "assets/cube.obj").write_text(CUBE)
            pathlib.Path(folder, "hand.xml").write_text('<mujocoinclude><body name="hand"><geom type="mesh" mesh="cube"/></body></mujocoinclude>')
            assets = '<compiler meshdir="assets"/><asset><mesh file="cube.obj" scale="2 2 2"/></asset>'
            path = pathlib.Path(folder, "robot.xml")
            path.write_text(mujoco('<include file="hand.xml"/>', assets))
            robot = abut.urdf.load(path)
            self.assertEqual(robot.links, ["world", "hand"])
            self.assertAlmostEqual(abut.distance_between(robot.bodies[0].shape, None, abut.Sphere(0.5), [1, 4, 1]).distance, 1.5, 5)
            path.write_text(mujoco('<geom type="mesh" mesh="cube"/>', assets.replace("cube.obj", "cube.stl").replace('scale="2 2 2"', 'name="cube"')))
            with self.assertRaisesRegex(abut.urdf.MissingMesh, "robot.xml: line 1: body 'world': mesh assets/cube.stl"):
                abut.urdf.load(path)
            self.assertEqual(len(abut.urdf.load(path, missing="skip").bodies), 0)
            path.write_text(mujoco('<include file="robot.xml"/>'))
            with self.assertRaisesRegex(ValueError, "include each other"):
                abut.urdf.load(path)
            with self.assertRaisesRegex(ValueError, "no mesh 'cone'"):
                abut.urdf.parse(mujoco('<geom type="mesh" mesh="cone"/>'))


if __name__ == "__main__":
    unittest.main()
