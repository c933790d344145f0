"""The names that do not need the compiled module: enumerations, the exception and the layouts of records."""

import enum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt


class Status(enum.IntEnum):
    """What became of a pair, one byte each in the column ``status`` of a result.

    ``ok`` and ``not_converged`` come with an answer; with any other status the pair has none. No status changes the
    answer of another pair.
    """

    ok = 0
    not_converged = 1
    bad_index = 2
    bad_pose = 3
    unsupported = 4
    no_room = 5


class ErrorCode(enum.IntEnum):
    """Why a call was refused: ``Error.code``."""

    none = 0
    bad_shape = 1
    bad_argument = 2
    bad_size = 3
    limit = 4
    unsupported = 5
    out_of_memory = 6
    executor = 7


class ShapeKind(enum.IntEnum):
    """The kind of a shape. The highest four bits of a shape id are its kind."""

    sphere = 0
    capsule = 1
    box = 2
    hull = 3
    cylinder = 4
    cone = 5
    ellipsoid = 6
    custom = 7
    halfspace = 8
    compound = 9
    mesh = 10
    heightfield = 11
    none = 15


class PlaneShapeKind(enum.IntEnum):
    """The kind of a shape of ``abut.d2``. The highest four bits of a shape id are its kind."""

    circle = 0
    capsule = 1
    box = 2
    polygon4 = 3
    polygon8 = 4
    polygon = 5
    halfplane = 6
    chain = 7
    compound = 8
    none = 15


class FeatureType(enum.IntEnum):
    """What a half of a contact's feature id names."""

    vertex = 0
    edge = 1
    face = 2


class CarriedBy(enum.IntEnum):
    """The rule that found a contact among those of the frame before: ``WarmTable.carried_by``."""

    nothing = 0
    id = 1
    place = 2


class PairState(enum.IntEnum):
    """A state that a pair went through: the field ``states`` of ``trace_dtype``."""

    children = 0
    direct = 1
    warm_search = 2
    search = 3
    resume = 4
    depth = 5
    descent = 6
    manifold = 7
    pull = 8
    exact = 9
    done = 10


class Error(RuntimeError):
    """The library refused a call. The message names the thing and its value; ``code`` is an ``ErrorCode``."""

    def __init__(self, message: str, code: int = ErrorCode.none):
        super().__init__(message)
        self.code = ErrorCode(code)

    def __reduce__(self) -> "tuple[type[Error], tuple[str, int]]":
        return type(self), (self.args[0], int(self.code))


def _checked_bodies(positions: npt.ArrayLike, shapes: npt.ArrayLike, coordinates: int) -> "tuple[npt.NDArray[Any], npt.NDArray[Any]]":
    """The columns of make_bodies as arrays."""
    positions = np.asarray(positions)
    if positions.ndim != 2 or positions.shape[1] != coordinates:
        raise ValueError(f"positions: shape {positions.shape}; it must be (n, {coordinates})")
    shapes = np.asarray(shapes)
    if shapes.dtype.kind not in "iu" and shapes.size:
        raise TypeError(f"shapes: dtype {shapes.dtype}; ids are integers")
    if shapes.size and not 0 <= int(shapes.min()) <= int(shapes.max()) <= 0xFFFFFFFF:
        raise ValueError(f"shapes: {shapes.min()} to {shapes.max()}; ids are in the range of uint32")
    return positions, shapes


# Records have no padding but where it is spelled out.
body_dtype = np.dtype([("position", "=f4", (3,)), ("shape", "=u4"), ("orientation", "=f4", (4,))])
relative_pose_dtype = np.dtype([("position", "=f4", (3,)), ("orientation", "=f4", (4,))])
contact_dtype = np.dtype([("position", "=f4", (3,)), ("separation", "=f4"), ("feature", "=u4")])
manifold_dtype = np.dtype(
    [
        ("pair", "=u4"),
        ("child_a", "=u4"),
        ("child_b", "=u4"),
        ("normal", "=f4", (3,)),
        ("first_contact", "=u4"),
        ("contact_count", "=u4"),
    ]
)
impulse_dtype = np.dtype([("normal", "=f4"), ("friction", "=f4", (3,))])
ended_dtype = np.dtype([("bodies", "=u4", (2,)), ("pair", "=u4"), ("removed", "=u4")])
cache_dtype = np.dtype("V180")
trace_dtype = np.dtype([("iterations", "=u2"), ("count", "u1"), ("states", "u1", (13,))])

# Of abut.d2. A rotation is a cosine and a sine.
plane_body_dtype = np.dtype([("position", "=f4", (2,)), ("rotation", "=f4", (2,)), ("shape", "=u4")])
plane_contact_dtype = np.dtype([("position", "=f4", (2,)), ("separation", "=f4"), ("feature", "=u4")])
plane_manifold_dtype = np.dtype(
    [
        ("pair", "=u4"),
        ("child_a", "=u4"),
        ("child_b", "=u4"),
        ("contact_count", "=u4"),
        ("normal", "=f4", (2,)),
        ("contacts", plane_contact_dtype, (2,)),
    ]
)


class TouchChanges(NamedTuple):
    """Which pairs began, continued and ceased to touch: ``WarmTable.touch_changes`` and ``overlap_changes``."""

    began: npt.NDArray[np.uint32]
    stayed: npt.NDArray[np.uint32]
    ended: npt.NDArray[np.void]
