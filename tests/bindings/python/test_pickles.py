"""Copies and pickles of stores, results, warm tables and pair lists: they are used as the original is."""

import concurrent.futures
import copy
import multiprocessing
import pickle
import unittest

import numpy as np

import abut
from scenes import scene


def copies(thing):
    return [pickle.loads(pickle.dumps(thing, protocol)) for protocol in (2, pickle.HIGHEST_PROTOCOL)] + [copy.deepcopy(thing), copy.copy(thing)]


def distances_in_another_process(store, bodies, pairs):
    return abut.NarrowPhase(threads=1).distance(store, bodies, pairs)


class Pickles(unittest.TestCase):
    def test_stores(self):
        store, bodies, pairs = scene()
        removed = store.add_box([1, 1, 1])
        ids = np.unique(bodies["shape"]).tolist()
        ids.append(store.add_compound([(ids[0], [1, 0, 0], [0, 0, 0, 1], 5), (ids[3], [0, 1, 0])], scale=2))
        ids.append(store.add_mesh([[0, 0, 0], [1, 0, 0], [0, 0, 1]], [[0, 2, 1]], user_values=[9]))
        ids.append(store.add_instance(ids[-1], scale=[1, 2, -3]))
        ids.append(store.add_heightfield([[0, 1, np.nan], [0, 0, 0], [1, 1, 1]], spacing_x=0.5))
        store.set_user_data(ids[2], 2**63)
        store.remove(removed)
        expected = abut.NarrowPhase().collide(store, bodies, pairs).checksum()
        for again in copies(store):
            self.assertIsNot(again, store)
            self.assertEqual(len(again), len(store))
            self.assertEqual(again.to_bytes(), store.to_bytes())
            self.assertEqual(abut.NarrowPhase().collide(again, bodies, pairs).checksum(), expected)
            for shape in ids:
                self.assertEqual(again.view(shape).bounds_max, store.view(shape).bounds_max)
            self.assertNotIn(removed, again)
            self.assertEqual(again.user_data(ids[2]), 2**63)
            self.assertEqual(again.child_user_data(ids[5], 0), 5)
            self.assertEqual(again.triangle_user_value(ids[6], 0), 9)
            self.assertEqual(again.add_box([1, 1, 1]), copy.deepcopy(store).add_box([1, 1, 1]))
        self.assertEqual(len(store), len(copy.copy(store)))

    def test_changed_bytes(self):
        data = scene()[0].to_bytes()
        with self.assertRaisesRegex(abut.Error, "checksum"):
            abut.ShapeStore.from_bytes(data[:-1] + b"x")
        for bad in (b"", b"abutstor", data[:100]):
            with self.assertRaises(abut.Error):
                abut.ShapeStore.from_bytes(bad)
        with self.assertRaisesRegex(abut.Error, "abutwarm"):
            abut.WarmTable.from_bytes(data)

    def test_results(self):
        store, bodies, pairs = scene()
        narrow = abut.NarrowPhase()
        frame = abut.Frame(store, bodies, pairs)
        d = narrow.distance(frame)
        ends = bodies.copy()
        ends["position"] += 0.3
        configurations = abut.Configurations(store, bodies["shape"], pairs, positions=bodies["position"][None], orientations=bodies["orientation"][None])
        bodies_of_rays = np.stack([np.arange(100), np.arange(100)], 1)
        results = {
            "overlap": narrow.overlap(frame),
            "distance": d,
            "collide": narrow.collide(frame),
            "cast": narrow.cast(frame, ends=ends),
            "raycast": narrow.raycast(store, bodies, bodies_of_rays, origins=bodies["position"][:100] - 2, directions=np.full((100, 3), 4)),
            "measure": narrow.measure(store, bodies, bodies_of_rays, points=bodies["position"][:100] + 0.3),
            "gradients": abut.distance_gradients(frame, d),
            "any": narrow.any_overlap(configurations),
            "paths": narrow.any_overlap_of_paths(configurations, [1]),
            "least": narrow.least_distance(configurations),
            "empty": abut.Manifolds(),
        }
        compared = 0
        for name, result in results.items():
            columns = [column for column in dir(result) if not column.startswith("_") and isinstance(getattr(result, column), np.ndarray)]
            for again in copies(result):
                self.assertEqual((type(again), len(again)), (type(result), len(result)), name)
                for column in columns:
                    self.assertEqual(getattr(again, column).tobytes(), getattr(result, column).tobytes(), f"{name}.{column}")
                    compared += 1
        self.assertGreater(compared, 150)
        again = copy.deepcopy(d)
        again.signed_distance[:] = 0
        self.assertNotEqual(again.checksum(), d.checksum())
        narrow.distance(frame, out=again)  # its memory is used as any other's
        self.assertEqual(again.checksum(), d.checksum())

    def test_states_that_are_none(self):
        store, bodies, pairs = scene()
        result = abut.NarrowPhase().overlap(store, bodies, pairs)
        _, (count, columns) = result.__class__, result.__getstate__()
        for bad in ((count, {}), (count + 1, columns), (count, {**columns, "bits": b""}), (count, {**columns, "hits": b"x"}), (count,)):
            with self.assertRaisesRegex(ValueError, "state"):
                abut.Overlaps.__new__(abut.Overlaps).__setstate__(bad)

    def test_warm_tables(self):
        store, bodies, pairs = scene()
        narrow = abut.NarrowPhase()
        table = abut.WarmTable()

        def step(table):
            frame = abut.Frame(store, bodies, pairs, caches=table.begin(pairs))
            m = narrow.collide(frame)
            table.carry_over(frame, m)
            return m.checksum()

        step(table)
        table.impulses["normal"][:] = np.arange(len(table.impulses))
        tables = [pickle.loads(pickle.dumps(table)), abut.WarmTable.from_bytes(table.to_bytes())]
        for again in tables:
            np.testing.assert_array_equal(again.impulses, table.impulses)
        expected = step(table)
        for again in tables:
            self.assertEqual(step(again), expected)
            np.testing.assert_array_equal(again.impulses, table.impulses)
            np.testing.assert_array_equal(again.carried_by, table.carried_by)
        self.assertGreater(np.count_nonzero(table.carried_by), 50)

    def test_pair_lists(self):
        store, bodies, _ = scene()
        pairs = abut.BroadPhase().find_pairs(abut.world_bounds(store, bodies))
        for again in copies(pairs):
            np.testing.assert_array_equal(again.pairs, pairs.pairs)
            np.testing.assert_array_equal(again.bad_a, pairs.bad_a)

    def test_another_process(self):
        store, bodies, pairs = scene()
        with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            found = pool.submit(distances_in_another_process, store, bodies, pairs).result(60)
        self.assertEqual(found.checksum(), distances_in_another_process(store, bodies, pairs).checksum())


if __name__ == "__main__":
    unittest.main()
