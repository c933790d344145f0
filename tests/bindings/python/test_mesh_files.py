"""Mesh files that are archives: 3MF. The other formats are in tests/cli/test_mesh_files.cpp, which has the same readers."""

import pathlib
import random
import tempfile
import unittest
import zipfile
from typing import Dict, Optional

import abut
import numpy as np

RELATIONS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Target="/3D/main.model" Id="r" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
)
CORNERS = [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)]
MESH = (
    "<mesh><vertices>" + "".join(f'<vertex x="{x}" y="{y}" z="{z}"/>' for x, y, z in CORNERS) + "</vertices><triangles>"
    '<triangle v1="0" v2="2" v3="1"/><triangle v1="0" v2="1" v3="3"/><triangle v1="0" v2="3" v3="2"/><triangle v1="1" v2="2" v3="3"/>'
    "</triangles></mesh>"
)


def model(resources: str, build: str, unit: str = "") -> str:
    namespaces = 'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02" xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06"'
    return f'<?xml version="1.0"?><model {unit} {namespaces}><resources>{resources}</resources><build>{build}</build></model>'


class ThreeMf(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name) / "part.3mf"

    def write(self, main: str, parts: Optional[Dict[str, str]] = None) -> None:
        with zipfile.ZipFile(self.path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("_rels/.rels", RELATIONS)
            archive.writestr("3D/main.model", main)
            for name, content in (parts or {}).items():
                archive.writestr(name, content)

    def read(self, main: str, parts: Optional[Dict[str, str]] = None) -> np.ndarray:
        self.write(main, parts)
        vertices, triangles = abut.read_triangles(self.path)
        self.assertEqual(len(triangles) % 4, 0)
        return vertices

    def test_is_in_metres_by_its_unit(self) -> None:
        for unit, metre in (("", 1e-3), ('unit="inch"', 0.0254), ('unit="meter"', 1.0), ('unit="micron"', 1e-6)):
            vertices = self.read(model(f'<object id="1">{MESH}</object>', '<item objectid="1"/>', unit))
            np.testing.assert_allclose(vertices, metre * np.array(CORNERS), rtol=1e-15)

    def test_shows_what_the_build_holds_at_its_poses(self) -> None:
        objects = (
            f'<object id="1">{MESH}</object><object id="9"><mesh><vertices/><triangles/></mesh></object>'
            '<object id="2"><components><component objectid="1" transform="0 1 0 -1 0 0 0 0 1 10 0 0"/><component objectid="1"/></components></object>'
        )
        vertices = self.read(model(objects, '<item objectid="2" transform="1 0 0 0 1 0 0 0 1 0 0 5"/>', 'unit="meter"'))
        np.testing.assert_allclose(vertices[:4], [(10, 0, 5), (10, 1, 5), (8, 0, 5), (10, 0, 8)])
        np.testing.assert_allclose(vertices[4:], np.array(CORNERS) + (0, 0, 5))
        mirrored = model(objects, '<item objectid="1" transform="-1 0 0 0 1 0 0 0 1 0 0 0"/>')
        self.write(mirrored)
        vertices, triangles = abut.read_triangles(self.path)
        volume = np.linalg.det(vertices[triangles]).sum()
        self.assertGreater(volume, 0, "a mirrored object is turned inside out")

    def test_follows_components_into_other_models(self) -> None:
        other = model(f'<object id="1">{MESH}</object>', "")
        main = model('<object id="7"><components><component objectid="1" p:path="/3D/Objects/a.model"/></components></object>', '<item objectid="7"/>', 'unit="meter"')
        np.testing.assert_allclose(self.read(main, {"3D/Objects/a.model": other}), CORNERS)

    def test_says_what_is_wrong(self) -> None:
        one = f'<object id="1">{MESH}</object>'
        chain = "".join(f'<object id="{i}"><components>{2 * f"<component objectid={chr(34)}{i + 1}{chr(34)}/>"}</components></object>' for i in range(2, 32))
        for main, part in (
            (model(one, '<item objectid="2"/>'), 'names the object "2"'),
            (model(one, '<item objectid="1" transform="1 2"/>'), "has not 12 numbers"),
            (model(one, ""), "has no triangles"),
            (model(one, '<item objectid="1" p:path="/3D/b.model"/>'), "/3D/b.model"),
            (model(one, '<item objectid="1"/>', 'unit="mile"'), "mile"),
            (model(one.replace('v3="1"', 'v3="4"'), '<item objectid="1"/>'), 'triangle 0 names vertex "4", but there are 4'),
            (model(one.replace('x="1"', 'x="one"'), '<item objectid="1"/>'), "vertex 1 has no x"),
            (model('<object id="1"><components><component objectid="1"/></components></object>', '<item objectid="1"/>'), "nest deeper"),
            (model(chain + '<object id="32"/>', '<item objectid="2"/>'), "shows more than"),
            ("<model>", "damaged or cut short"),
        ):
            self.write(main)
            with self.assertRaisesRegex(ValueError, part) as caught:
                abut.read_triangles(self.path)
            self.assertIn("part.3mf", str(caught.exception))
        self.path.write_bytes(b"PK nothing")
        with self.assertRaisesRegex(ValueError, "no ZIP archive"):
            abut.read_triangles(self.path)
        with zipfile.ZipFile(self.path, "w") as archive:
            archive.writestr("a.txt", "a")
        with self.assertRaisesRegex(ValueError, "no 3MF package"):
            abut.read_triangles(self.path)

    def test_survives_damage(self) -> None:
        self.write(model(f'<object id="1">{MESH}</object>', '<item objectid="1"/>'))
        whole, dice = self.path.read_bytes(), random.Random(1)
        for _ in range(400):
            damaged = bytearray(whole[: dice.randrange(len(whole))] if dice.random() < 0.3 else whole)
            for _ in range(dice.randrange(1, 4)):
                if damaged:
                    damaged[dice.randrange(len(damaged))] = dice.randrange(256)
            self.path.write_bytes(damaged)
            try:
                abut.read_triangles(self.path)
            except ValueError as error:
                self.assertIn("part.3mf", str(error))


COLLADA = (
    '<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"><asset><!-- <up_axis>Z_UP</up_axis> -->UP</asset><library_geometries>'
    '<geometry id="g"><mesh><source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 2 3</float_array><technique_common><accessor source="#a" count="3" stride="3"/>'
    '</technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="1">'
    '<input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries></COLLADA>'
)


class Collada(unittest.TestCase):
    def test_the_up_axis_is_honoured_where_it_is_asked_for(self) -> None:
        plain = [[0, 0, 0], [1, 0, 0], [0, 2, 3]]
        turned = {
            "<up_axis>Z_UP</up_axis>": plain,
            "<up_axis> Y_UP </up_axis>": [[0, 0, 0], [1, 0, 0], [0, -3, 2]],
            "": [[0, 0, 0], [1, 0, 0], [0, -3, 2]],  # Y up
            "<up_axis>X_UP</up_axis>": [[0, 0, 0], [0, 0, 1], [-2, -3, 0]],
        }
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "part.dae")
            for up, expected in turned.items():
                path.write_text(COLLADA.replace("UP</asset>", up + "</asset>"))
                try:
                    vertices, _ = abut.read_triangles(path)
                except ValueError as error:
                    if "without pugixml" in str(error):
                        self.skipTest(str(error))
                    raise
                self.assertEqual(vertices.tolist(), plain)
                self.assertEqual(abut.read_triangles(path, up_axis=True)[0].tolist(), expected)
                text = '<robot name="r"><link name="a"><collision><geometry><mesh filename="part.dae"/></geometry></collision></link></robot>'
                shape = abut.urdf.parse(text, folder, up_axis=True).bodies[0].shape
                store = abut.ShapeStore()
                low = store.hull_vertices(shape.add_to(store)).min(0).tolist()
                self.assertEqual(low, np.min(expected, 0).tolist())


if __name__ == "__main__":
    unittest.main()
