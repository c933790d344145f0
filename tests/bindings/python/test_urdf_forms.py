"""Forms of robot descriptions as public repositories hold them. Each loads, with the warning that says what was irregular, and means what it says."""

import math
import os
import pathlib
import pickle
import sys
import tempfile
import types
import unittest
import unittest.mock
import warnings

import numpy as np

import abut

CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
CUBE += "".join(f"f {q}\n" for q in ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"))


def body(geometry='<box size="1 1 1"/>', origin=""):
    return f"<collision>{origin}<geometry>{geometry}</geometry></collision>"


def link(name, inside=body()):
    return f'<link name="{name}">{inside}</link>'


def joint(name, parent, child, rest="", kind="revolute"):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{rest}</joint>'


def robot(*parts):
    return '<robot name="r">' + "".join(parts) + "</robot>"


def arm(rest="", kind="revolute"):
    """Two cubes, one on the end of a joint that is 2 m along X, about Z."""
    return robot(link("a"), link("b"), joint("j", "a", "b", '<origin xyz="2 0 0"/><axis xyz="0 0 1"/>' + rest, kind))


def mesh(filename, rest=""):
    return robot(link("a", body(f'<mesh filename="{filename}" {rest}/>')))


def where(loaded, q=(), link=-1):
    """The position of a link."""
    return loaded.forward_kinematics(np.zeros(len(loaded.joint_names)) if len(q) == 0 else q)[0, link, :3, 3]


# Name: (document, what a warning says or None, a check of the robot or None).
FORMS = {
    "nothing irregular": (arm(), None, lambda r: np.allclose(where(r), [2, 0, 0])),
    "a declaration": ('<?xml version="1.0"?>\n' + arm(), None, None),
    "blanks before the declaration": ('\n  <?xml version="1.0" ?>\n' + arm(), "declaration", None),
    "a comment before the declaration": ('<!-- made by hand -->\n<?xml version="1.0"?>' + arm(), "declaration", None),
    "a byte-order mark": ("\ufeff".encode() + arm().encode(), None, None),
    "UTF-16": (('<?xml version="1.0" encoding="utf-16"?>' + arm()).encode("utf-16"), None, None),
    "Latin-1 without a word of it": ("<!-- Gel\xe4nk -->".encode("latin-1") + arm().encode(), "Latin-1", None),
    "Latin-1 that says so": ('<?xml version="1.0" encoding="iso-8859-1"?><!-- Gel\xe4nk -->'.encode("latin-1") + arm().encode(), None, None),
    "UTF-8 that says ASCII": ('<?xml version="1.0" encoding="ascii"?><!-- Gel\xe4nk -->'.encode() + arm().encode(), None, None),
    "dashes in a comment": ("<!-- a -- b --->" + arm(), "comment", None),
    "an ampersand alone": (arm().replace('name="r"', 'name="r & s"'), "&amp;", lambda r: r.name == "r & s"),
    "an entity of HTML": (arm().replace('name="r"', 'name="r&nbsp;s"'), "&amp;", lambda r: r.name == "r&nbsp;s"),
    "definitions of xacro that nothing uses": (arm().replace("</robot>", '<xacro:property name="x" value="${1 + 1}"/></robot>'), None, None),
    "a plugin's variable": (arm().replace("</robot>", '<gazebo><plugin filename="${lib}"/></gazebo></robot>'), None, None),
    "a mimic of nothing": (arm("<mimic/>"), "there is no joint ''", lambda r: r.joint_names == ["j"]),
    "a root with a namespace": (arm().replace("<robot", '<robot xmlns="http://www.ros.org"'), None, None),
    "a root with a prefix": (arm().replace("robot", "ros:robot"), None, None),
    "a prefix that is not declared": (arm().replace("</robot>", "<gazebo:plugin controller:x='1'/></robot>"), None, None),
    "a namespace twice": (arm().replace("<robot", '<robot xmlns:x="1" xmlns:x="1"'), None, None),
    "text after the robot": (arm() + "\n</robot>", "what follows", None),
    "two robots": (arm() + arm(), "what follows", None),
    "commas": (arm().replace('"2 0 0"', '"2, 0, 0"'), "2 0 0 is taken", lambda r: np.allclose(where(r), [2, 0, 0])),
    "commas without blanks": (arm().replace('"2 0 0"', '"2,0,0"'), "2 0 0 is taken", lambda r: np.allclose(where(r), [2, 0, 0])),
    "four numbers for rpy": (arm().replace('xyz="2 0 0"', 'xyz="2 0 0" rpy="0 0 1 7"'), "0 0 1 is taken", None),
    "two numbers for rpy": (arm().replace('xyz="2 0 0"', 'xyz="2 0 0" rpy="0 0"'), "0 0 0 is taken", None),
    "an empty rpy": (arm().replace('xyz="2 0 0"', 'xyz="2 0 0" rpy=""'), "0 0 0 is taken", None),
    "line ends between numbers": (arm().replace('"2 0 0"', '"2\n0\t0"'), None, lambda r: np.allclose(where(r), [2, 0, 0])),
    "numbers of C": (arm().replace('"2 0 0"', '"2.f +0. -.0F"'), None, lambda r: np.allclose(where(r), [2, 0, 0])),
    "infinite limits": (arm('<limit lower="-inf" upper="inf"/>'), None, lambda r: r.upper[0] == np.inf),
    "a comma after a limit": (arm('<limit lower="-1," upper="1"/>'), "-1 is taken", lambda r: r.lower[0] == -1),
    "limits without ends": (arm('<limit effort="1" velocity="1"/>'), None, lambda r: (r.lower[0], r.upper[0]) == (0, 0)),
    "limits the wrong way": (arm('<limit lower="1" upper="-1"/>'), "exchanged", lambda r: (r.lower[0], r.upper[0]) == (-1, 1)),
    "no limits": (arm(), None, lambda r: r.upper[0] == np.inf),
    "capitals in a type": (arm(kind="Revolute"), "'Revolute' is taken as revolute", None),
    "a zero axis": (arm().replace('"0 0 1"', '"0 0 0"'), "axis is zero", lambda r: np.allclose(where(r, [1]), [2, 0, 0])),
    "an axis that is not unit": (arm().replace('"0 0 1"', '"0 0 5"'), None, lambda r: np.allclose(r.joints[0].axis, [0, 0, 1])),
    "a floating joint": (
        arm(kind="floating"),
        None,
        lambda r: r.joint_names == [f"j/{v}" for v in ("x", "y", "z", "roll", "pitch", "yaw")] and np.allclose(where(r, [1, 2, 3, 0, 0, 1]), [3, 2, 3]),
    ),
    "a planar joint": (
        arm(kind="planar"),
        None,
        lambda r: r.joint_names == ["j/x", "j/y", "j/yaw"] and np.allclose(where(r, [1, 3, 0.5]), [3, 3, 0]),
    ),
    "a planar joint on a slope": (
        arm(kind="planar").replace('"0 0 1"', '"0 0.6 0.8"'),
        None,
        lambda r: np.allclose(where(r, [0, 1, 0]), [2, 0.8, -0.6]) and np.allclose(where(r, [1, 0, 0]), [3, 0, 0]),
    ),
    "a planar joint upside down": (arm(kind="planar").replace('"0 0 1"', '"0 0 -1"'), None, lambda r: np.allclose(where(r, [1, 1, 0]), [3, -1, 0])),
    "a ball joint": (arm(kind="ball"), "taken as spherical", lambda r: len(r.joint_names) == 3),
    "a mimic of a mimic": (
        robot(
            *(link(n) for n in "abcd"),
            joint("k", "b", "c", '<axis xyz="0 0 1"/><mimic joint="j" multiplier="3" offset="0.5"/>'),
            joint("j", "a", "b", '<axis xyz="0 0 1"/><mimic joint="l" multiplier="2" offset="0.25"/>'),
            joint("l", "c", "d", '<axis xyz="0 0 1"/>'),
        ),
        None,
        lambda r: r.joint_names == ["l"] and [(j.multiplier, j.offset) for j in r.joints if j.name == "k"] == [(6, 1.25)],
    ),
    "a mimic of a joint that is not there": (arm('<mimic joint="no"/>'), "there is no joint 'no'", lambda r: r.joint_names == ["j"]),
    "a mimic of itself": (arm('<mimic joint="j"/>'), "mimic each other", lambda r: r.joint_names == ["j"]),
    "a mimic of a fixed joint": (
        robot(link("a"), link("b"), link("c"), joint("f", "a", "b", kind="fixed"), joint("j", "b", "c", '<mimic joint="f"/>')),
        "'f' is fixed",
        lambda r: r.joint_names == ["j"],
    ),
    "several roots": (robot(link("a"), link("b")), "2 roots", lambda r: r.roots == ["a", "b"] and not len(r.self_collision_pairs())),
    "a link that is not there": (
        robot(link("b"), joint("j", "world", "b", '<origin xyz="2 0 0"/>', "fixed")),
        "no link 'world'",
        lambda r: r.root == "world" and np.allclose(where(r, (), 0), [2, 0, 0]),
    ),
    "two links with one name": (robot(link("a"), link("a", body('<sphere radius="9"/>'))), "another link has this name", lambda r: len(r.bodies) == 1),
    "two joints with one name": (
        robot(link("a"), link("b"), link("c"), joint("j", "a", "b"), joint("j", "b", "c")),
        "this one is called 'j_2'",
        lambda r: r.joint_names == ["j", "j_2"],
    ),
    "a joint twice": (robot(link("a"), link("b"), joint("j", "a", "b"), joint("j", "a", "b")), "stands twice", lambda r: r.joint_names == ["j"]),
    "a closed loop": (
        robot(link("a"), link("b"), link("c"), joint("j", "a", "b"), joint("k", "a", "c"), joint("l", "b", "c")),
        "closes a loop",
        lambda r: r.joint_names == ["j", "k"] and not len(r.self_collision_pairs()),
    ),
    "an empty collision": (robot(link("a", "<collision/>" + body())), "no geometry", lambda r: len(r.bodies) == 1),
    "an empty geometry": (robot(link("a", body("") + body())), "no geometry", lambda r: len(r.bodies) == 1),
    "no collisions": (robot(link("a", "")), "no link has a collision element", lambda r: not r.bodies),
    "a link without anything": ('<robot name="r"><link name="a"/></robot>', "no link has", None),
    "a robot without a name": (arm().replace(' name="r"', ""), None, lambda r: r.name == ""),
    "blanks around names": (arm().replace('link="b"', 'link=" b "'), None, None),
    "a box of no size": (robot(link("a", body('<box size="0 0 0"/>'))), None, lambda r: r.bodies[0].shape == abut.Box([0, 0, 0])),
    "a flat box": (robot(link("a", body('<box size="1 2 0"/>'))), None, lambda r: r.bodies[0].shape == abut.Box([0.5, 1, 0])),
    "a negative size": (robot(link("a", body('<box size="-1 1 1"/>'))), "without sign", lambda r: r.bodies[0].shape == abut.Box([0.5, 0.5, 0.5])),
    "Bullet's plane": (robot(link("a", body('<plane normal="0 0 2"/>'))), None, lambda r: r.bodies[0].shape == abut.Halfspace([0, 0, 2])),
    "a capsule": (robot(link("a", body('<capsule radius="1" length="4"/>'))), None, lambda r: r.bodies[0].shape == abut.Capsule(1, 2)),
    "Drake's ellipsoid": (robot(link("a", body('<drake:ellipsoid a="1" b="2" c="3"/>'))), None, lambda r: r.bodies[0].shape == abut.Ellipsoid([1, 2, 3])),
    "a mesh": (mesh("cube.obj"), None, None),
    "a mesh with one number for scale": (mesh("cube.obj", 'scale="2"'), None, lambda r: size(r) == [2, 2, 2]),
    "a mesh with four numbers for scale": (mesh("cube.obj", 'scale="1 2 3 4"'), "1 2 3 is taken", lambda r: size(r) == [1, 2, 3]),
    "a mesh with commas in its scale": (mesh("cube.obj", 'scale="1,2,3"'), "1 2 3 is taken", lambda r: size(r) == [1, 2, 3]),
    "a mesh that is mirrored": (mesh("cube.obj", 'scale="1 -1 1"'), None, lambda r: size(r) == [1, 1, 1]),
    "a mesh beside": (mesh("./cube.obj"), None, None),
    "a mesh above": (mesh("../urdf/cube.obj"), None, None),
    "a mesh with other capitals": (mesh("Cube.OBJ"), "capitals", None),
    "a mesh with backslashes": (mesh("..\\urdf\\cube.obj"), None, None),
    "a mesh with escapes": (mesh("a%20cube.obj"), None, None),
    "a mesh of a machine that is not this": (mesh("/home/nobody/ws/urdf/cube.obj"), "is taken", None),
    "a mesh below a parent": (mesh("arm_description/urdf/cube.obj"), "is taken", None),
    "package:// of the own package": (mesh("package://arm_description/urdf/cube.obj"), None, None),
    "package:// by package.xml": (mesh("package://the_arms_name/urdf/cube.obj"), None, None),
    "package:// of a sibling": (mesh("package://parts/cube.obj"), None, None),
    "package:// of a group's package": (mesh("package://gripper/cube.obj"), None, None),
    "package:// of a folder with another name": (mesh("package://renamed/urdf/cube.obj"), "no folder is called renamed", None),
    "package:// of a folder that is gone": (mesh("package://renamed/robots/urdf/cube.obj"), "no folder is called renamed", None),
    "package:///": (mesh("package:///urdf/cube.obj"), "is taken", None),
    "model://": (mesh("model://parts/cube.obj"), None, None),
    "$(find package)": (mesh("$(find parts)/cube.obj"), None, None),
    "file:// and a relative name": (mesh("file://cube.obj"), None, None),
}


def size(loaded):
    store = abut.ShapeStore()
    bounds = abut.world_bounds(store, abut.make_bodies(positions=[[0, 0, 0]], shapes=loaded.add_to(store)))[0]
    return np.round(bounds[1] - bounds[0], 5).tolist()


class Forms(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name, "repository")
        package = self.root / "arm_description"
        self.urdf = package / "urdf"
        for path in (self.urdf / "cube.obj", self.urdf / "a cube.obj", self.root / "parts/cube.obj", self.root / "tools/gripper/cube.obj"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(CUBE)
        (self.root / ".git").mkdir()
        (package / "package.xml").write_text("<package><name>the_arms_name</name></package>")

    def load(self, text, **options):
        path = self.urdf / "robot.urdf"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            loaded = abut.urdf.load(path, **options)
        self.assertEqual(loaded.warnings, [str(warning.message) for warning in caught])
        self.assertTrue(all(warning.category is abut.urdf.DescriptionWarning for warning in caught))
        return loaded

    def test_each_form_loads_and_means_what_it_says(self):
        self.assertGreaterEqual(len(FORMS), 60)
        for name, (text, warning, check) in FORMS.items():
            with self.subTest(name):
                loaded = self.load(text)
                if warning is None:
                    self.assertEqual(loaded.warnings, [])
                else:
                    self.assertIn(warning, loaded.warnings[0])
                    self.assertIn("robot.urdf: ", loaded.warnings[0])
                if check:
                    self.assertTrue(check(loaded))
                store = abut.ShapeStore()
                found = abut.NarrowPhase().distance_configurations(loaded.configurations(store, np.zeros(len(loaded.joint_names))))
                self.assertEqual(len(found.status), len(loaded.self_collision_pairs()))

    def test_packages_of_ros(self):
        for variable, folder in (("ROS_PACKAGE_PATH", ""), ("AMENT_PREFIX_PATH", "share"), ("GAZEBO_MODEL_PATH", "")):
            with tempfile.TemporaryDirectory() as ros:
                there = pathlib.Path(ros, folder, "far_away/meshes")
                there.mkdir(parents=True)
                (there / "cube.obj").write_text(CUBE)
                text = mesh("package://far_away/meshes/cube.obj")
                with self.assertRaises(abut.urdf.MissingMesh):
                    self.load(text)
                with unittest.mock.patch.dict(os.environ, {variable: f"/nowhere{os.pathsep}{ros}"}):
                    self.assertEqual(self.load(text).warnings, [])
                self.load(text, packages={"far_away": there.parent})

    def test_the_argument_comes_first(self):
        other = self.root / "other"
        other.mkdir()
        (other / "cube.obj").write_text(CUBE.replace(" 1", " 3"))
        self.assertEqual(size(self.load(mesh("package://parts/cube.obj"), packages={"parts": other})), [3, 3, 3])
        with self.assertRaisesRegex(abut.urdf.MissingMesh, "is not in .*other"):
            self.load(mesh("package://parts/urdf/cube.obj"), packages={"parts": other})

    def test_a_missing_mesh_is_named_or_left_out(self):
        text = robot("\n", link("a"), "\n", link("hand", body('<mesh filename="package://parts/gone.stl"/>')), joint("j", "a", "hand"))
        with self.assertRaisesRegex(FileNotFoundError, r"robot.urdf: line 3: link 'hand': mesh package://parts/gone.stl: is not in .*parts"):
            self.load(text)
        for name, data, message in (
            ("empty.stl", b"", "is empty"),
            ("pointer.stl", b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n", "git lfs pull"),
            ("old.gltf", b'{"asset": {"version": "1.0"}}', "no version 2"),
            ("none.gltf", b"{]", "is no JSON"),
            ("empty.obj", b"# nothing", "no faces and no vertices"),
            ("cube.blend", b"BLENDER", "read are"),
        ):
            (self.urdf / name).write_bytes(data)
            with self.assertRaisesRegex(abut.urdf.MissingMesh, f"robot.urdf: line 1: link 'a': mesh .*{name}: .*{message}"):
                self.load(mesh(name))
        loaded = self.load(text, missing="skip")
        self.assertEqual((len(loaded.bodies), len(loaded.links)), (1, 2))
        self.assertRegex(loaded.warnings[0], "line 3: link 'hand': .*: left out")
        self.assertEqual(len(self.load(robot(link("a", body("<torus/>"))), missing="skip").bodies), 0)
        with self.assertRaisesRegex(ValueError, "missing: 'never'"):
            self.load(text, missing="never")

    def test_progress(self):
        steps = []
        self.load(arm(), progress=lambda done, links: steps.append((done, links)))
        self.assertEqual(steps, [(0, 2), (1, 2)])

    def test_xacro(self):
        path = self.urdf / "arm.urdf.xacro"
        path.write_text('<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro"><xacro:arm/></robot>')
        with unittest.mock.patch.dict(sys.modules, {"xacro": None}):
            with self.assertRaisesRegex(ValueError, r"arm.urdf.xacro: is xacro; install Python's xacro"):
                abut.urdf.load(path)
        asked = []

        def process_file(name, mappings):
            asked.append((name, mappings))
            return types.SimpleNamespace(toxml=lambda: mesh("package://parts/cube.obj"))

        with unittest.mock.patch.dict(sys.modules, {"xacro": types.SimpleNamespace(process_file=process_file)}):
            self.assertEqual(len(abut.urdf.load(path, xacro={"side": "left"}).bodies), 1)
        self.assertEqual(asked, [(str(path), {"side": "left"})])

    def test_srdf_that_names_absent_links(self):
        arm = self.load(robot(*(link(n) for n in "abc"), joint("j", "a", "b"), joint("k", "b", "c")))
        srdf = self.root / "arm.srdf"
        srdf.write_text('<robot>\n<disable_collisions link1="a" link2="c" reason="Never"/>\n<disable_collisions link1="a" link2="tool" reason="User"/></robot>')
        pairs = abut.urdf.disabled_pairs(srdf)
        self.assertEqual([(pair, pair.reason) for pair in pairs], [(("a", "c"), "Never"), (("a", "tool"), "User")])
        with self.assertWarnsRegex(abut.urdf.DescriptionWarning, "arm.srdf: line 3: robot 'r' has no link 'tool'"):
            self.assertEqual(len(arm.self_collision_pairs(pairs)), 0)


if __name__ == "__main__":
    unittest.main()
