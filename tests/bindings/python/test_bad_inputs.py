"""What is refused, with the argument's name and its value; and what gets a status."""

import math
import unittest

import numpy as np

import abut


class Refused(unittest.TestCase):
    def setUp(self):
        self.store = abut.ShapeStore()
        self.ball = self.store.add_sphere(0.5)
        self.bodies = abut.make_bodies(positions=[[0, 0, 0], [1.5, 0, 0], [3, 0, 0]], shapes=self.ball)
        self.pairs = np.array([[0, 1], [1, 2]], np.uint32)
        self.narrow = abut.NarrowPhase()

    def refuses(self, kind, *words, call=None, code=None, **arguments):
        call = call or (lambda **a: self.narrow.collide(self.store, **{"bodies": self.bodies, "pairs": self.pairs, **a}))
        with self.assertRaises(kind) as caught:
            call(**arguments)
        for word in words:
            self.assertIn(word, str(caught.exception))
        if code is not None:
            self.assertIs(caught.exception.code, code)

    def columns(self, **arguments):
        given = {"positions": self.bodies["position"], "orientations": self.bodies["orientation"], "shapes": self.bodies["shape"]}
        given.update(arguments)
        return self.narrow.distance(self.store, pairs=self.pairs, **given)

    def test_shapes(self):
        add = self.store
        bad = abut.ErrorCode.bad_shape
        for call, words in (
            (lambda: add.add_sphere(-1), ["radius", "-1"]),
            (lambda: add.add_sphere(math.nan), ["radius", "nan"]),
            (lambda: add.add_box([1, math.inf, 1]), ["inf"]),
            (lambda: add.add_box([1, -2, 1]), ["-2"]),
            (lambda: add.add_sphere(1, rounding=-1), ["rounding", "-1"]),
            (lambda: add.add_sphere(1, scale=0), ["scale", "0"]),
            (lambda: add.add_ellipsoid([1, 0, 1]), ["0"]),
            (lambda: add.add_hull(np.zeros((0, 3))), ["points", "empty"]),
            (lambda: add.add_hull([[0, 0, 0], [0, math.nan, 0]]), ["1", "nan"]),
        ):
            self.refuses(abut.Error, *words, call=call, code=bad)
        self.refuses(ValueError, "half_extents", "2 numbers", call=lambda: add.add_box([1, 2]))
        self.refuses(TypeError, "half_extents", "str", call=lambda: add.add_box("abc"))
        self.refuses(TypeError, "half_extents", call=lambda: add.add_box(["a", "b", "c"]))
        self.refuses(TypeError, "half_extents", "NoneType", call=lambda: add.add_box(None))
        self.refuses(ValueError, "points", "(3,)", call=lambda: add.add_hull([1, 2, 3]))
        self.refuses(ValueError, "points", "(2, 2)", call=lambda: add.add_hull(np.zeros((2, 2))))
        self.refuses(TypeError, "points", "complex", call=lambda: add.add_hull(np.zeros((4, 3), complex)))
        self.refuses(TypeError, "points", call=lambda: add.add_hull([[1, 2, 3], [1, 2]]))
        self.refuses(ValueError, "children[0].position", "2 numbers", call=lambda: add.add_compound([(self.ball, [0, 0])]))
        for children in (memoryview(np.array(3)), {}, "abc", 5):
            self.refuses(TypeError, "children", type(children).__name__, call=lambda: add.add_compound(children))
        self.refuses(TypeError, "children[0].shape", "float", call=lambda: add.add_compound([(1.5, [0, 0, 0])]))
        for shape in (-1, 1 << 32, 1 << 80):
            self.refuses(ValueError, "children[0].shape", str(shape), call=lambda: add.add_compound([(shape, [0, 0, 0])]))
        self.refuses(TypeError, "scale", "datetime", call=lambda: add.add_sphere(1, scale=np.datetime64(5, "s")))
        self.refuses(abut.Error, call=lambda: add.add_compound([]))
        self.refuses(abut.Error, call=lambda: add.add_compound([(0xFFFFFFFF, [0, 0, 0])]))
        self.refuses(TypeError, call=lambda: add.view("box"))
        self.refuses(TypeError, call=lambda: add.view(-1))
        self.assertEqual(len(add), 1)

    def test_settings(self):
        argument = abut.ErrorCode.bad_argument
        for call, words in (
            (lambda: abut.NarrowPhase(speculative_margin=-1), ["-1"]),
            (lambda: abut.NarrowPhase(speculative_margin=math.nan), ["nan"]),
            (lambda: abut.NarrowPhase(contact_slack=-1), ["-1"]),
            (lambda: abut.NarrowPhase(follow_distance=-1), ["-1"]),
            (lambda: abut.NarrowPhase(ground_contacts=9), ["9", "4 to 8"]),
            (lambda: abut.NarrowPhase(manifold_angle=2), ["2"]),
            (lambda: abut.NarrowPhase(threads=100000), ["100000"]),
        ):
            self.refuses(abut.Error, *words, call=call, code=argument)
        self.refuses(abut.Error, "mmx", call=lambda: abut.NarrowPhase(isa="mmx"))
        self.refuses(ValueError, "depth", "deep", call=lambda: abut.NarrowPhase(depth="deep"))
        self.refuses(TypeError, call=lambda: abut.NarrowPhase(margin=1))

    def test_bodies(self):
        self.refuses(TypeError, "bodies", "float64", bodies=np.zeros((3, 8)))
        self.refuses(TypeError, "shape", bodies=np.zeros(3, [("position", "f4", (3,)), ("orientation", "f4", (4,))]))
        self.refuses(TypeError, "position", "int32", bodies=np.zeros(3, [("position", "i4", (3,)), ("shape", "u4"), ("orientation", "f4", (4,))]))
        self.refuses(ValueError, "position", "(3, 2)", bodies=np.zeros(3, [("position", "f4", (2,)), ("shape", "u4"), ("orientation", "f4", (4,))]))
        self.refuses(TypeError, ">u4", bodies=self.bodies.astype(abut.body_dtype.newbyteorder(">")))
        self.refuses(ValueError, "bodies", "(3, 1)", bodies=self.bodies[:, None])
        self.refuses(ValueError, "bodies", "-32 bytes apart", bodies=self.bodies[::-1])
        self.refuses(ValueError, "bodies", "0 bytes apart", bodies=np.broadcast_to(self.bodies[:1], 3))
        unaligned = np.zeros(3 * 32 + 1, np.uint8)[1:].view(abut.body_dtype)
        self.refuses(ValueError, "bodies", "aligned", bodies=unaligned)
        packed = np.dtype([("position", "f4", (3,)), ("shape", "u4"), ("orientation", "f4", (4,)), ("tag", "u1")])
        self.refuses(ValueError, "33 bytes apart", bodies=np.zeros(3, packed))
        self.refuses(TypeError, "bodies", "str", bodies="bodies")
        self.refuses(TypeError, "bodies", "both", positions=self.bodies["position"])

    def test_columns(self):
        for words, arguments in (
            (["positions", "(3, 4)"], {"positions": np.zeros((3, 4), np.float32)}),
            (["positions", "(9,)"], {"positions": np.zeros(9, np.float32)}),
            (["positions", "bytes apart"], {"positions": np.zeros((3, 3), np.float32, order="F")}),
            (["orientations", "(3, 3)"], {"orientations": np.zeros((3, 3), np.float32)}),
            (["orientations", "-16 bytes apart"], {"orientations": np.zeros((3, 4), np.float32)[::-1]}),
            (["shapes", "-1"], {"shapes": np.array([-1, 0, 0])}),
            (["shapes", "4294967296"], {"shapes": np.array([0, 0, 1 << 32])}),
            (["shapes", "(3, 1)"], {"shapes": np.zeros((3, 1), np.uint32)}),
            (["transforms", "(3, 16)"], {"transforms": np.zeros((3, 16), np.float32), "orientations": None}),
        ):
            self.refuses(ValueError, *words, call=self.columns, **arguments)
        for words, arguments in (
            (["positions", "complex64"], {"positions": np.zeros((3, 3), np.complex64)}),
            (["positions", "bool"], {"positions": np.zeros((3, 3), bool)}),
            (["positions", "<U"], {"positions": [["a", "b", "c"]]}),
            (["positions", "object"], {"positions": np.zeros((3, 3), object)}),
            (["shapes", "float64"], {"shapes": np.zeros(3)}),
            (["shapes"], {"shapes": None}),
            (["orientation"], {"orientation": 1}),
        ):
            self.refuses(TypeError, *words, call=self.columns, **arguments)
        # The library's own checks, by their codes.
        size = abut.ErrorCode.bad_size
        self.refuses(abut.Error, "2", call=self.columns, positions=np.zeros((2, 3), np.float32), code=size)
        self.refuses(abut.Error, call=self.columns, positions=None)
        self.refuses(abut.Error, call=self.columns, orientations=None)

    def test_pairs(self):
        self.refuses(TypeError, "pairs", pairs=None)
        self.refuses(TypeError, "pairs", "float64", pairs=np.zeros((2, 2)))
        self.refuses(ValueError, "pairs", "(2, 3)", pairs=np.zeros((2, 3), np.uint32))
        self.refuses(ValueError, "pairs", "(4,)", pairs=np.zeros(4, np.uint32))
        self.refuses(ValueError, "pairs", "-1", pairs=[[0, -1]])
        self.refuses(ValueError, "pairs", "bytes apart", pairs=np.zeros((2, 2), np.uint32, order="F"))
        self.refuses(ValueError, "pairs", "bytes apart", pairs=self.pairs[:, ::-1])

    def test_columns_of_pairs(self):
        size = abut.ErrorCode.bad_size
        self.refuses(abut.Error, "margins", code=size, margins=np.zeros(1, np.float32))
        self.refuses(abut.Error, "margins", "-1", code=abut.ErrorCode.bad_argument, margins=[0, -1])
        self.refuses(abut.Error, code=size, caches=np.zeros(1, abut.cache_dtype))
        self.refuses(abut.Error, code=size, traces=np.zeros(1, abut.trace_dtype))
        self.refuses(abut.Error, code=size, relative_poses=np.zeros((1, 7), np.float32))
        self.refuses(ValueError, "margins", "(2, 1)", margins=np.zeros((2, 1), np.float32))
        self.refuses(ValueError, "margins", "0 bytes apart", margins=np.broadcast_to(np.float32(0.1), 2))
        self.refuses(ValueError, "relative_poses", "(2, 6)", relative_poses=np.zeros((2, 6), np.float32))
        self.refuses(TypeError, "relative_poses", relative_poses=self.bodies)
        self.refuses(TypeError, "caches", "float64", caches=np.zeros(2))
        self.refuses(TypeError, "caches", "list", caches=[1, 2])
        self.refuses(TypeError, "caches", "object", caches=np.zeros(2, [("object", "O"), ("rest", "V24")]))
        self.refuses(TypeError, "traces", "float64", traces=np.zeros(2))
        frozen = np.zeros(2, abut.cache_dtype)
        frozen.flags.writeable = False
        self.refuses(ValueError, "caches", "read-only", caches=frozen)
        self.refuses(ValueError, "traces", "one after another", traces=np.zeros(4, abut.trace_dtype)[::2])

    def test_messages_name_argument_dtype_and_shape(self):
        for name, given in (
            ("positions", np.zeros((3, 4), np.int16)),
            ("positions", np.zeros((3, 3), np.float32, order="F")),
            ("orientations", np.zeros((3, 4), np.complex64)),
            ("shapes", np.zeros((3, 1), np.uint32)),
            ("transforms", np.zeros((3, 16), np.float64)),
            ("margins", np.zeros((2, 1), np.float32)),
            ("relative_poses", np.zeros(2, abut.body_dtype)),
            ("caches", np.zeros(2, np.float32)),
            ("traces", np.zeros((2, 2), abut.trace_dtype)),
        ):
            refused = ValueError if name in ("positions", "shapes", "transforms", "margins", "traces") else TypeError
            arguments = {"orientations": None, name: given} if name == "transforms" else {name: given}
            self.refuses(refused, f"{name}: dtype {given.dtype}, shape {given.shape};", call=self.columns, **arguments)
        self.refuses(ValueError, "pairs: dtype uint32, shape (2, 3);", pairs=np.zeros((2, 3), np.uint32))
        self.refuses(ValueError, "bodies: dtype ", ", shape (3, 1);", bodies=self.bodies[:, None])

    def test_options(self):
        def distance(**a):
            return self.narrow.distance(self.store, self.bodies, self.pairs, **a)

        argument = abut.ErrorCode.bad_argument
        self.refuses(abut.Error, "max_distance", "-1", call=distance, code=argument, max_distance=-1)
        self.refuses(abut.Error, "nan", call=distance, code=argument, max_distance=math.nan)
        self.refuses(abut.Error, "max_distances", call=distance, code=abut.ErrorCode.bad_size, max_distances=np.zeros(1, np.float32))
        self.refuses(TypeError, "max_distance", "str", call=distance, max_distance="near")
        self.refuses(TypeError, "separation_only", "float", call=distance, separation_only=0.5)
        self.refuses(TypeError, "checksums", "int", call=lambda: abut.merge_checksums([5]))
        self.refuses(TypeError, "limit", call=distance, limit=1)
        self.refuses(TypeError, "out", "Overlaps", call=distance, out=abut.Overlaps())
        self.refuses(TypeError, "out", "ndarray", call=distance, out=np.zeros(2))
        self.refuses(TypeError, "Frame", call=lambda: self.narrow.distance())
        self.refuses(TypeError, "int", call=lambda: self.narrow.distance(3))
        self.refuses(TypeError, "positional", call=lambda: self.narrow.distance(self.store, self.bodies, self.pairs, 4))
        self.refuses(TypeError, "twice", call=lambda: self.narrow.distance(self.store, self.bodies, self.pairs, pairs=self.pairs))
        frame = abut.Frame(self.store, self.bodies, self.pairs)
        self.refuses(TypeError, "margins", "beside a Frame", call=lambda: self.narrow.distance(frame, margins=[1, 1]))

    def test_bounds(self):
        def bounds(**a):
            return abut.world_bounds(self.store, self.bodies, **a)

        self.refuses(ValueError, "origin", call=bounds, origin=[1, 2])
        self.refuses(abut.Error, "origin", call=bounds, origin=[math.nan, 0, 0])
        self.refuses(ValueError, "out", "(3, 2, 3)", call=bounds, out=np.zeros((2, 2, 3), np.float32))
        self.refuses(ValueError, "out", "float64", call=bounds, out=np.zeros((3, 2, 3)))

    def test_world_points(self):
        frame = abut.Frame(self.store, self.bodies, [[0, 1], [7, 1]])
        self.refuses(IndexError, "2", call=lambda: frame.world_points([2], [[0, 0, 0]]))
        self.refuses(IndexError, "7", call=lambda: frame.world_points([1], [[0, 0, 0]]))
        self.refuses(ValueError, "points", call=lambda: frame.world_points([0], np.zeros((2, 3))))
        short = abut.Frame(self.store, None, [[2, 0]], positions=np.zeros((1, 3), np.float32), orientations=self.bodies["orientation"], shapes=self.bodies["shape"])
        self.refuses(IndexError, "body 2", call=lambda: short.world_points([0], [[0, 0, 0]]))

    def test_make_bodies(self):
        self.refuses(ValueError, "positions", "(3,)", call=lambda: abut.make_bodies(positions=[1, 2, 3], shapes=0))
        self.refuses(ValueError, "shapes", "-1", call=lambda: abut.make_bodies(positions=[[1, 2, 3]], shapes=[-1]))
        self.refuses(TypeError, "shapes", call=lambda: abut.make_bodies(positions=[[1, 2, 3]], shapes=[0.5]))


class Statuses(unittest.TestCase):
    def test_bad_data_gets_a_status_and_changes_no_other_pair(self):
        store = abut.ShapeStore()
        ball, gone, ground = store.add_sphere(0.5), store.add_sphere(0.5), store.add_halfspace([0, 1, 0])
        store.remove(gone)
        bodies = abut.make_bodies(positions=np.arange(24).reshape(8, 3), shapes=[ball, ball, ball, ball, ball, gone, ground, ground])
        bodies["position"][1, 1] = np.nan
        bodies["position"][2, 0] = np.inf
        bodies["orientation"][3] = 0
        pairs = np.array([[0, 4], [0, 1], [2, 0], [0, 3], [0, 5], [0, 99], [6, 7], [4, 4]], np.uint32)
        s = abut.Status
        expected = [s.ok, s.bad_pose, s.bad_pose, s.bad_pose, s.bad_index, s.bad_index, s.unsupported, s.ok]
        narrow = abut.NarrowPhase()
        d = narrow.distance(store, bodies, pairs)
        self.assertEqual(d.status.tolist(), expected)
        self.assertTrue(np.isfinite(d.signed_distance).all())
        self.assertEqual(d.signed_distance[1:7].tolist(), [0] * 6)
        self.assertEqual(float(d.signed_distance[0]), float(narrow.distance(store, bodies, pairs[:1]).signed_distance[0]))
        self.assertEqual(narrow.overlap(store, bodies, pairs).status.tolist(), expected)
        self.assertEqual(narrow.collide(store, bodies, pairs).status.tolist(), expected)


if __name__ == "__main__":
    unittest.main()
