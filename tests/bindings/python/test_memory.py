"""Nothing is copied that can be read in place; what is handed out lives as long as it is referenced; nothing is read that is gone."""

import gc
import os
import pathlib
import tracemalloc
import unittest

import numpy as np

import abut
from scenes import scene

BODY_FIELDS = ("position", "shape", "orientation")


def address(array):
    return array.__array_interface__["data"][0]


def table_of(bodies, rows_per_body=3):
    """A larger structured array with the bodies in every third row, other fields between theirs, and a cache."""
    own = np.dtype([("name", "S12"), ("orientation", "f4", (4,)), ("cache", "V180"), ("position", "f8", (3,)), ("mass", "f4"), ("shape", "u4")])
    table = np.zeros(rows_per_body * len(bodies), own)
    for field in BODY_FIELDS:
        table[field][::rows_per_body] = bodies[field]
    return table


class InPlace(unittest.TestCase):
    """Frame.arrays has what the library reads: each array starts at the caller's address."""

    def setUp(self):
        self.store, self.bodies, self.pairs = scene()
        self.narrow = abut.NarrowPhase()
        self.expected = self.narrow.distance(self.store, self.bodies, self.pairs).signed_distance

    def reads(self, frame, **given):
        """The frame reads exactly these arrays, and none of them is a copy."""
        self.assertEqual(set(frame.arrays), set(given))
        for name, array in given.items():
            read = frame.arrays[name]
            self.assertEqual((address(read), read.strides, read.shape), (address(array), array.strides, array.shape), name)
            self.assertTrue(np.shares_memory(read, array), name)
        np.testing.assert_allclose(self.narrow.distance(frame).signed_distance, self.expected, atol=1e-5)

    def test_records(self):
        self.reads(abut.Frame(self.store, self.bodies, self.pairs), bodies=self.bodies, pairs=self.pairs)
        wide = np.zeros(3 * len(self.bodies), abut.body_dtype)
        wide[1::3] = self.bodies
        self.reads(abut.Frame(self.store, wide[1::3], self.pairs), bodies=wide[1::3], pairs=self.pairs)

    def test_a_strided_view_of_a_larger_table(self):
        table = table_of(self.bodies)
        view = table[::3]
        frame = abut.Frame(self.store, view, self.pairs)
        self.reads(frame, pairs=self.pairs, **{f'bodies["{field}"]': view[field] for field in BODY_FIELDS})
        for name, read in frame.arrays.items():
            if name != "pairs":
                self.assertTrue(np.shares_memory(read, table), name)
                self.assertEqual(read.strides[0], 3 * table.itemsize)
        # The table's next values are read by the same frame.
        table["position"][::3] += np.linspace(0, 1, len(self.bodies))[:, None]
        moved = self.narrow.distance(frame).signed_distance
        self.assertGreater(np.abs(moved - self.expected).max(), 0.1)
        np.testing.assert_array_equal(moved, self.narrow.distance(self.store, view.copy(), self.pairs).signed_distance)

    def test_columns(self):
        table = table_of(self.bodies)[::3]
        wide_pairs = np.zeros((2 * len(self.pairs), 4), np.uint32)
        pairs = wide_pairs[::2, 1:3]
        pairs[:] = self.pairs
        margins = np.zeros((len(self.pairs), 2), np.float32)[:, 1]
        columns = {"positions": table["position"], "shapes": table["shape"], "orientations": table["orientation"], "margins": margins}
        self.reads(abut.Frame(self.store, pairs=pairs, **columns), pairs=pairs, **columns)

    def test_caches_and_traces_are_written_where_they_lie(self):
        table = np.zeros(2 * len(self.pairs), [("cache", abut.cache_dtype), ("mine", "u4")])
        table["mine"] = 7
        caches, traces = table["cache"][1::2], np.zeros(len(self.pairs), abut.trace_dtype)
        frame = abut.Frame(self.store, self.bodies, self.pairs, caches=caches, traces=traces)
        self.reads(frame, bodies=self.bodies, pairs=self.pairs, caches=caches, traces=traces)
        self.assertTrue(any(bytes(cache) != bytes(180) for cache in table["cache"][1::2]))
        self.assertTrue(all(bytes(cache) == bytes(180) for cache in table["cache"][::2]))
        self.assertTrue((table["mine"] == 7).all() and (traces["count"] > 0).all())

    def test_a_call_allocates_no_arrays(self):
        store, bodies, pairs = scene(20000)
        table = table_of(bodies)[::3]
        d = self.narrow.distance(store, table, pairs)
        tracemalloc.start()  # numpy reports its memory to it
        try:
            for given in (bodies, table):
                tracemalloc.reset_peak()
                before = tracemalloc.get_traced_memory()[0]
                self.narrow.distance(store, given, pairs, out=d)
                self.assertLess(tracemalloc.get_traced_memory()[1] - before, 16384)
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            self.narrow.distance(store, bodies, pairs.astype(np.int64), out=d)
            self.assertGreater(tracemalloc.get_traced_memory()[1] - before, pairs.nbytes)  # this one is a copy, and seen
        finally:
            tracemalloc.stop()

    def test_results_are_views(self):
        frame = abut.Frame(self.store, self.bodies, self.pairs)
        results = self.narrow.overlap(frame), self.narrow.distance(frame), self.narrow.collide(frame)
        for result, names in zip(results, (["bits", "hits", "status"], ["signed_distance", "normal", "point_a", "point_b", "status"],
                                           ["first_manifold", "manifolds", "contacts", "status"])):
            for name in names:
                first, second = getattr(result, name), getattr(result, name)
                self.assertGreater(first.size, 0)
                self.assertEqual(address(first), address(second), name)
                self.assertTrue(np.shares_memory(first, second) and not first.flags.owndata, name)

    def test_what_is_converted_is_another_array(self):
        given = {"positions": self.bodies["position"].astype(np.float16), "shapes": self.bodies["shape"].astype(np.int64)}
        given |= {"orientations": self.bodies["orientation"].astype(np.float64), "pairs": self.pairs.astype(np.int64)}
        frame = abut.Frame(self.store, **given)
        for name, array in given.items():
            read = frame.arrays[name]
            self.assertFalse(np.shares_memory(read, array), name)
            self.assertEqual(read.dtype, np.uint32 if name in ("pairs", "shapes") else np.float32)
            np.testing.assert_array_equal(read, array.astype(read.dtype))


class Shared(unittest.TestCase):
    """What a call writes may lie between what it reads, but not on it: a call would change what it has checked."""

    def setUp(self):
        self.store, bodies, self.pairs = scene()
        self.pairs = self.pairs[: len(bodies)].copy()
        self.bodies = bodies
        self.narrow = abut.NarrowPhase()

    def refused(self, first, second, **arguments):
        given = {"bodies": self.bodies, "pairs": self.pairs, **arguments}
        for call in (abut.Frame, self.narrow.overlap, self.narrow.distance, self.narrow.collide):
            before = {name: array.tobytes() for name, array in given.items()}
            with self.assertRaisesRegex(ValueError, f"^{first}: shares memory with {second}"):
                call(self.store, **given)
            self.assertEqual({name: array.tobytes() for name, array in given.items()}, before)

    def test_caches_and_traces_on_inputs(self):
        words = abut.cache_dtype.itemsize // 4
        memory = np.zeros(words * len(self.bodies), np.uint32)
        bodies = memory[: 8 * len(self.bodies)].view(abut.body_dtype)
        bodies[:] = self.bodies
        self.refused("caches", "bodies", bodies=bodies, caches=memory.view(abut.cache_dtype))
        memory = np.zeros(words * len(self.pairs), np.uint32)
        pairs = memory[: 2 * len(self.pairs)].reshape(-1, 2)
        pairs[:] = self.pairs
        self.refused("caches", "pairs", pairs=pairs, caches=memory.view(abut.cache_dtype))
        self.refused("traces", "pairs", pairs=pairs, traces=memory[: 4 * len(self.pairs)].view(abut.trace_dtype))
        margins = memory.view(np.float32)[-len(self.pairs) :]
        self.refused("caches", "margins", margins=margins, caches=memory.view(abut.cache_dtype))
        traces = memory[: 4 * len(self.pairs)].view(abut.trace_dtype)
        self.refused("(caches|traces)", "(caches|traces)", traces=traces, caches=memory.view(abut.cache_dtype))

    def test_one_table_may_have_both(self):
        table = table_of(self.bodies, 1)
        d = self.narrow.distance(self.store, table, self.pairs, caches=table["cache"])
        e = self.narrow.distance(self.store, self.bodies, self.pairs)
        self.assertEqual(d.checksum(), e.checksum())
        self.assertTrue(any(bytes(cache) != bytes(180) for cache in table["cache"]))

    def test_bounds(self):
        memory = np.zeros(8 * len(self.bodies), np.float32)
        bodies = memory.view(abut.body_dtype)
        bodies[:] = self.bodies
        with self.assertRaisesRegex(ValueError, "^out: shares memory with bodies"):
            abut.world_bounds(self.store, bodies, out=memory[: 6 * len(bodies)].reshape(-1, 2, 3))


class Converted(unittest.TestCase):
    """A converted array lives until it has been read."""

    def test_pairs_of_world_points(self):
        store, bodies, pairs = scene(3000)
        frame = abut.Frame(store, bodies, pairs)
        indices = np.random.default_rng(4).permutation(len(pairs))
        expected = bodies["position"][pairs[indices, 0]].astype(np.float64)
        for given in (indices, indices.astype(np.uint32), indices.tolist(), indices.astype(np.uint64)):
            for _ in range(5):
                np.testing.assert_array_equal(frame.world_points(given, np.zeros((len(pairs), 3))), expected)

    @unittest.skipUnless(abut.has_captures, "built without captures")
    def test_ids_of_captured_bodies(self):
        capture = abut.Capture(pathlib.Path(os.environ["ABUT_SOURCES"], "tools/demo/pile.abut"))
        ids = capture.add_shapes(abut.ShapeStore())
        frame = capture[0]
        expected = ids[frame.bodies["shape"]]
        self.assertGreater(len(set(expected.tolist())), 100)
        for given in (ids, ids.tolist(), ids.astype(np.int64), ids.astype(np.uint64)):
            for _ in range(20):
                np.testing.assert_array_equal(frame.records(given)["shape"], expected)


class Lifetimes(unittest.TestCase):
    def test_arrays_outlive_their_owner(self):
        store, bodies, pairs = scene()
        m = abut.NarrowPhase().collide(store, bodies, pairs)
        contacts, status = m.contacts, m.status
        copies = contacts.copy(), status.copy()
        del m, store, bodies, pairs
        gc.collect()
        filler = [np.full(contacts.nbytes // 8 + 1, 7.0) for _ in range(8)]
        np.testing.assert_array_equal(contacts, copies[0])
        np.testing.assert_array_equal(status, copies[1])
        del filler

    def test_out_leaves_arrays_alone_that_are_referenced(self):
        store, bodies, pairs = scene()
        narrow = abut.NarrowPhase()
        d = narrow.distance(store, bodies, pairs)
        kept = d.signed_distance
        copy = kept.copy()
        for _ in range(12):
            bodies["position"] *= 1.1
            self.assertIs(narrow.distance(store, bodies, np.repeat(pairs, 3, axis=0), out=d), d)
        np.testing.assert_array_equal(kept, copy)
        self.assertEqual(len(d), 3 * len(pairs))
        self.assertFalse(np.array_equal(d.signed_distance[::3], copy))

    def test_out_uses_memory_again(self):
        store, bodies, pairs = scene()
        narrow = abut.NarrowPhase()
        for query, name in ((narrow.overlap, "bits"), (narrow.distance, "normal"), (narrow.collide, "contacts")):
            result = query(store, bodies, pairs)
            addresses = set()
            for _ in range(20):
                lingering = getattr(query(store, bodies, pairs, out=result), name)  # refers to the frame before
                addresses.add(lingering.ctypes.data)
            self.assertLessEqual(len(addresses), 2)

    def test_a_refused_call_leaves_out_alone(self):
        store, bodies, pairs = scene()
        narrow = abut.NarrowPhase()
        d = narrow.distance(store, bodies, pairs)
        before = d.checksum()
        with self.assertRaises(abut.Error):
            narrow.distance(store, bodies, pairs, max_distance=-1, out=d)
        self.assertEqual((len(d), d.checksum()), (len(pairs), before))

    def test_results_can_be_written_to(self):
        store, bodies, pairs = scene()
        d = abut.NarrowPhase().distance(store, bodies, pairs)
        d.signed_distance[0] = 5
        self.assertEqual(d.signed_distance[0], 5)


if __name__ == "__main__":
    unittest.main()
