"""Robots from SDF files: frames, joints, geometry."""

import unittest

import numpy as np

import abut


def sdf(*parts):
    return '<?xml version="1.0"?><sdf version="1.9"><model name="m">' + "".join(parts) + "</model></sdf>"


def link(name, pose="", geometry="<box><size>1 2 3</size></box>", inside=""):
    posed = f"<pose {inside}>{pose}</pose>" if pose else ""
    return f'<link name="{name}">{posed}<collision name="c"><geometry>{geometry}</geometry></collision></link>'


def joint(name, parent, child, rest="", kind="revolute"):
    return f'<joint name="{name}" type="{kind}"><parent>{parent}</parent><child>{child}</child>{rest}</joint>'


def moved(x, y, z):
    m = np.eye(4)
    m[:3, 3] = x, y, z
    return m


def turned(angle):
    m = np.eye(4)
    m[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return m


class Models(unittest.TestCase):
    def pose(self, robot, name, q=None):
        values = np.zeros(len(robot.joint_names)) if q is None else q
        return robot.forward_kinematics(values)[0, robot.links.index(name)]

    def test_links_stand_in_the_model_and_turn_about_their_joints(self):
        axis = "<axis><xyz>0 0 2</xyz><limit><lower>-1</lower><upper>2</upper></limit></axis>"
        robot = abut.urdf.parse(sdf(link("a"), link("b", "3 0 0 0 0 0"), joint("j", "a", "b", f"<pose>-1 0 0 0 0 0</pose>{axis}")))
        self.assertEqual((robot.name, robot.joint_names, robot.lower[0], robot.upper[0]), ("m", ["j"], -1, 2))
        np.testing.assert_allclose(self.pose(robot, "b"), moved(3, 0, 0), atol=1e-12)
        np.testing.assert_allclose(self.pose(robot, "b", [0.5]), moved(2, 0, 0) @ turned(0.5) @ moved(1, 0, 0), atol=1e-12)
        self.assertEqual(len(robot.self_collision_pairs()), 0)  # the joint joins the two
        self.assertEqual(robot.bodies[0].shape, abut.Box([0.5, 1, 1.5]))

    def test_poses_are_relative_to_frames(self):
        frame = '<frame name="f" attached_to="a"><pose>0 0 1 0 0 0</pose></frame>'
        robot = abut.urdf.parse(sdf(link("a", "1 0 0 0 0 0"), frame, link("b", "0 5 0 0 0 90", inside='relative_to="f" degrees="true"'), joint("j", "a", "b")))
        np.testing.assert_allclose(self.pose(robot, "b"), moved(1, 5, 1) @ turned(np.pi / 2), atol=1e-12)
        # The axis in the model's frame.
        axis = '<axis><xyz expressed_in="__model__">1 0 0</xyz></axis>'
        robot = abut.urdf.parse(sdf(link("a"), link("b", "0 0 0 0 0 1.5707963267948966"), joint("j", "a", "b", axis, "prismatic")))
        np.testing.assert_allclose(self.pose(robot, "b", [2])[:3, 3], [2, 0, 0], atol=1e-12)
        circle = [link(a, "0 0 1 0 0 0", inside=f'relative_to="{b}"') for a, b in ("ab", "ba")]
        for text, message in (
            (sdf(link("a", "0 0 0 0 0 0", inside='relative_to="no"'), link("b"), joint("j", "a", "b")), "no frame 'no'"),
            (sdf(*circle, joint("j", "a", "b")), "relative to itself"),
            (sdf(link("a"), link("b"), joint("j", "a", "b", kind="gearbox")), "type 'gearbox'"),
            (sdf(), "no links"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                abut.urdf.parse(text)

    def test_loose_links_the_world_and_several_models(self):
        with self.assertWarnsRegex(abut.urdf.DescriptionWarning, "only the first model"):
            text = sdf(link("a", "0 1 0 0 0 0"), link("b", "0 2 0 0 0 0"), joint("j", "world", "a", kind="fixed"))
            robot = abut.urdf.parse(text.replace("</sdf>", "<model/></sdf>"))
        np.testing.assert_allclose(self.pose(robot, "a"), moved(0, 1, 0), atol=1e-12)
        np.testing.assert_allclose(self.pose(robot, "b"), moved(0, 2, 0), atol=1e-12)

    def test_geometry(self):
        for text, shape in (
            ("<sphere><radius>2</radius></sphere>", abut.Sphere(2)),
            ("<cylinder><radius>1</radius><length>4</length></cylinder>", abut.Cylinder(1, 2)),
            ("<capsule><radius>1</radius><length>4</length></capsule>", abut.Capsule(1, 2)),
            ("<ellipsoid><radii>1 2 3</radii></ellipsoid>", abut.Ellipsoid([1, 2, 3])),
            ("<plane><normal>0 1 0</normal><size>1 1</size></plane>", abut.Halfspace([0, 1, 0])),
        ):
            self.assertEqual(abut.urdf.parse(sdf(link("a", geometry=text))).bodies[0].shape, shape)
        with self.assertRaisesRegex(abut.urdf.MissingMesh, "link 'a': mesh model://no/x.stl: no folder is found"):
            abut.urdf.parse(sdf(link("a", geometry="<mesh><uri>model://no/x.stl</uri><scale>1 1 1</scale></mesh>")), "/")


if __name__ == "__main__":
    unittest.main()
