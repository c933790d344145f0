"""The names that do not need the compiled module: enumerations, the exception and the layouts of records."""

import enum

import numpy as np


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
cache_dtype = np.dtype("V180")
trace_dtype = np.dtype([("iterations", "=u2"), ("count", "u1"), ("states", "u1", (13,))])
