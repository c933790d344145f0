"""Triangles from files: OBJ and STL, read by numpy; what `abut cook` wrote; and with trimesh installed all that it reads."""

import os
import pathlib
from typing import Any, List, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import CookedMesh, ShapeStore

_Triangles = Tuple[npt.NDArray[np.float64], npt.NDArray[np.uint32]]


def _read_obj(text: str, name: str) -> _Triangles:
    vertices: List[List[float]] = []
    triangles: List[Tuple[int, int, int]] = []
    for number, line in enumerate(text.replace("\\\n", " ").splitlines(), 1):
        words = line.split("#")[0].split()
        try:
            if words and words[0] == "v":
                vertices.append([float(word) for word in words[1:4]])
            elif words and words[0] == "f":
                corners = [int(word.split("/")[0]) for word in words[1:]]
                corners = [corner - 1 if corner > 0 else len(vertices) + corner for corner in corners]
                triangles += [(corners[0], corners[i], corners[i + 1]) for i in range(1, len(corners) - 1)]
        except ValueError:
            raise ValueError(f"{name}: line {number} is no line of an OBJ file: {line.strip()[:60]!r}") from None
    indices = np.array(triangles, np.int64).reshape(-1, 3)
    if indices.size and not 0 <= indices.min() <= indices.max() < len(vertices):
        raise ValueError(f"{name}: a face names a vertex that is not there; there are {len(vertices)}")
    return np.array(vertices, np.float64).reshape(-1, 3), indices.astype(np.uint32)


def _read_stl(data: bytes, name: str) -> _Triangles:
    count = int.from_bytes(data[80:84], "little") if len(data) >= 84 else -1
    if len(data) == 84 + 50 * count:
        record = np.dtype([("normal", "<f4", (3,)), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
        corners = np.frombuffer(data, record, count, 84)["corners"].astype(np.float64).reshape(-1, 3)
    else:
        words = data.decode("ascii", "replace").split()
        if not words or words[0] != "solid":
            raise ValueError(f"{name}: neither a binary STL file, whose length is 84 + 50 bytes per triangle, nor a text one, which begins with solid")
        at = np.array([i for i, word in enumerate(words) if word == "vertex"], np.int64)
        try:
            corners = np.array([[float(word) for word in words[i + 1 : i + 4]] for i in at.tolist()], np.float64).reshape(-1, 3)
        except ValueError:
            raise ValueError(f"{name}: a vertex of this STL file has not three numbers") from None
    if not len(corners) or len(corners) % 3:
        raise ValueError(f"{name}: {len(corners)} corners make no triangles")
    return corners, np.arange(len(corners), dtype=np.uint32).reshape(-1, 3)


def _read_cooked(data: bytes) -> _Triangles:
    store = ShapeStore()
    shape = store.add_mesh(CookedMesh.from_bytes(data))
    triangles = store.mesh_triangles(shape)
    kept: npt.NDArray[np.uint32] = triangles[triangles[:, 0] != triangles[:, 1]]
    return store.mesh_vertices(shape).astype(np.float64), kept


def read_triangles(path: Union[str, "os.PathLike[str]"]) -> _Triangles:
    """Vertices (n, 3) float64 and triangles (t, 3) uint32 of a mesh file, in the file's unit: OBJ (all objects as one), STL and
    .abutmesh (CookedMesh.to_bytes, `abut cook`); others if trimesh is installed."""
    name, data = os.fspath(path), pathlib.Path(path).read_bytes()
    ending = pathlib.Path(path).suffix.lower()
    if ending == ".obj":
        return _read_obj(data.decode("utf-8", "replace"), name)
    if ending == ".stl":
        return _read_stl(data, name)
    if ending == ".abutmesh":
        return _read_cooked(data)
    try:
        import trimesh  # type: ignore[import]
    except ImportError:
        raise ValueError(f"{name}: read are .obj, .stl and .abutmesh; other files if trimesh is installed") from None
    mesh: Any = trimesh.load(name, force="mesh")
    return np.asarray(mesh.vertices, np.float64), np.asarray(mesh.faces, np.uint32)
