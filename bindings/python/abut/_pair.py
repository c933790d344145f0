"""One pair, for a prompt and for tests. Many pairs belong in one call of NarrowPhase.distance."""

import dataclasses
from typing import Any, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import Error, ErrorCode, NarrowPhase, ShapeStore, Status
from ._shapes import Shape, shape_of

_Pose = Union[None, npt.ArrayLike, Tuple[npt.ArrayLike, npt.ArrayLike]]


def _numbers(values: npt.ArrayLike) -> str:
    return "(" + ", ".join(f"{x:.6g}" for x in np.asarray(values, np.float64) + 0.0) + ")"


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class PairDistance:
    """What distance_between found. Points and normal are float64 (3,), in world space.

    distance: metres, negative where the shapes overlap. normal: unit, from A to B. point_b - point_a is distance * normal.
    """

    distance: float
    normal: npt.NDArray[np.float64]
    point_a: npt.NDArray[np.float64]
    point_b: npt.NDArray[np.float64]

    @property
    def overlaps(self) -> bool:
        """Whether the shapes overlap or touch."""
        return self.distance <= 0

    def __repr__(self) -> str:
        what = f"{-self.distance:.6g} m deep" if self.distance < 0 else f"{self.distance:.6g} m apart"
        return f"<abut.PairDistance: {what}, normal {_numbers(self.normal)}, point_a {_numbers(self.point_a)}, point_b {_numbers(self.point_b)}>"


def matrix_of(pose: _Pose, name: str) -> npt.NDArray[np.float64]:
    """A pose as a matrix (4, 4): None, a position (3,), a position and a quaternion (x, y, z, w), or the matrix."""
    matrix = np.eye(4)
    if pose is None:
        return matrix
    if isinstance(pose, tuple) and len(pose) == 2:
        position, (x, y, z, w) = np.asarray(pose[0], np.float64), np.asarray(pose[1], np.float64)
        length2 = x * x + y * y + z * z + w * w
        if not abs(length2 - 1) < 0.02:
            raise ValueError(f"{name}: the quaternion's length is {np.sqrt(length2):.6g}, not 1 to within 1%")
        u = np.array([x, y, z]) / np.sqrt(length2)
        cross = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
        matrix[:3, :3] += 2 * (w / np.sqrt(length2)) * cross + 2 * cross @ cross
    else:
        position = np.asarray(pose, np.float64)
        if position.shape == (4, 4):
            return position
    if position.shape != (3,):
        raise ValueError(f"{name}: shape {position.shape}; it must be a position (3,), (position, quaternion) or a matrix (4, 4)")
    matrix[:3, 3] = position
    return matrix


def _raise(status: int, a: Shape, b: Shape) -> None:
    if status in (Status.ok, Status.not_converged):
        return
    if status == Status.bad_pose:
        raise ValueError("pose_a, pose_b: a pose is not finite, or its rotation is none")
    raise Error(f"{a!r} and {b!r} have no distance: {Status(status).name}", ErrorCode.unsupported)


def distance_between(shape_a: Any, pose_a: _Pose, shape_b: Any, pose_b: _Pose = None) -> PairDistance:
    """The signed distance of one pair, for a prompt and for tests: PairDistance. A call takes microseconds; NarrowPhase.distance takes any number of pairs.

    shapes: abut.Sphere, Capsule, Box, Cylinder, Cone, Ellipsoid, Halfspace, Hull, Mesh, or an object like trimesh.Trimesh.
    poses: None for the origin, a position (3,), a tuple (position, quaternion x, y, z, w), or a matrix (4, 4); metres.

    ``Error`` with the code ``unsupported`` where the two kinds have no distance, ValueError where a pose is none.

    >>> abut.distance_between(abut.Box([1, 1, 1]), None, abut.Sphere(0.5), [3, 0, 0])
    <abut.PairDistance: 1.5 m apart, normal (1, 0, 0), point_a (1, 0, 0), point_b (2.5, 0, 0)>
    >>> abut.distance_between(abut.Sphere(1), [0, 0, 0], abut.Sphere(1), [0, 1.5, 0]).overlaps
    True
    """
    a, b = shape_of(shape_a), shape_of(shape_b)
    store = ShapeStore()
    matrices = np.stack([matrix_of(pose_a, "pose_a"), matrix_of(pose_b, "pose_b")])
    found = NarrowPhase(threads=1).distance(
        store, None, [[0, 1]], positions=matrices[:, :3, 3].copy(), transforms=matrices, shapes=np.array([a.add_to(store), b.add_to(store)], np.uint32)
    )
    _raise(int(found.status[0]), a, b)
    origin = matrices[0, :3, 3]
    normal, point_a, point_b = (np.asarray(column[0], np.float64) for column in (found.normal, found.point_a, found.point_b))
    return PairDistance(float(found.signed_distance[0]), normal, origin + point_a, origin + point_b)
