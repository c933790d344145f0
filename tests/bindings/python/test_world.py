"""Queries against a whole world, and sides of rays and casts."""

import pickle
import unittest

import numpy as np

import abut


def world(count=800):
    store = abut.ShapeStore()
    ids = [store.add_sphere(0.5), store.add_box([0.5, 0.25, 0.75]), store.add_mesh([[-1, 0, -1], [-1, 0, 1], [1, 0, 1]], [[0, 1, 2]])]
    random = np.random.default_rng(5)
    bodies = abut.make_bodies(
        positions=random.uniform(-6, 6, (count, 3)).astype(np.float32),
        shapes=np.array(ids, np.uint32)[random.integers(0, 3, count)],
        orientations=(lambda q: (q / np.linalg.norm(q, axis=1, keepdims=True)).astype(np.float32))(random.normal(size=(count, 4))),
    )
    tree = abut.WorldTree()
    tree.build(abut.world_bounds(store, bodies))
    return store, bodies, tree, random


def all_pairs(items, bodies):
    return np.stack(np.meshgrid(np.arange(items), np.arange(bodies), indexing="ij"), -1).reshape(-1, 2).astype(np.uint32)


class World(unittest.TestCase):
    def test_rays_are_those_of_all_pairs(self):
        store, bodies, tree, random = world()
        origins, directions = random.uniform(-8, 8, (60, 3)).astype(np.float32), random.normal(size=(60, 3)).astype(np.float32) * 9
        narrow = abut.NarrowPhase()
        sides = random.integers(0, 4, 60)
        pairs = all_pairs(60, len(bodies))
        each = narrow.raycast(store, bodies, pairs, origins=origins, directions=directions, sides=sides)
        fraction = np.where(each.hit, each.fraction, np.inf).reshape(60, -1)
        order = np.lexsort((np.broadcast_to(np.arange(len(bodies)), fraction.shape), fraction), axis=1)[:, :3]
        found = narrow.raycast_world(tree, store, bodies, origins=origins, directions=directions, sides=sides, max_hits=3, count_left_out=True)
        self.assertEqual(len(found), 180)
        expected = np.where(np.isfinite(np.take_along_axis(fraction, order, 1)), order, abut.NO_BODY)
        np.testing.assert_array_equal(found.body.reshape(60, 3), expected)
        np.testing.assert_array_equal(found.left_out, np.maximum(np.isfinite(fraction).sum(1) - 3, 0))
        self.assertGreater(np.count_nonzero(found.body != abut.NO_BODY), 40)
        again = pickle.loads(pickle.dumps(found))
        np.testing.assert_array_equal(again.left_out, found.left_out)
        np.testing.assert_array_equal(again.normal, found.normal)

    def test_filters(self):
        store, bodies, tree, random = world()
        origins, directions = random.uniform(-8, 8, (60, 3)).astype(np.float32), random.normal(size=(60, 3)).astype(np.float32) * 9
        narrow = abut.NarrowPhase()
        first = narrow.raycast_world(tree, store, bodies, origins=origins, directions=directions).body.copy()
        second = narrow.raycast_world(tree, store, bodies, origins=origins, directions=directions, ignored=first).body
        self.assertFalse(np.any((first == second) & (first != abut.NO_BODY)))
        groups = 1 + np.arange(len(bodies)) % 2
        tree.build(abut.world_bounds(store, bodies), groups=groups)
        odd = narrow.raycast_world(tree, store, bodies, origins=origins, directions=directions, masks=np.full(60, 2)).body
        self.assertTrue(np.all(odd[odd != abut.NO_BODY] % 2 == 1))

    def test_overlaps_and_casts(self):
        store, bodies, tree, random = world()
        queries = bodies[:20].copy()
        queries["shape"] = store.add_capsule(0.25, 0.5)
        narrow = abut.NarrowPhase()
        joined = np.concatenate([queries, bodies])
        pairs = all_pairs(20, len(bodies))
        pairs[:, 1] += 20
        expected = pairs[narrow.overlap(store, joined, pairs).hits] - [0, 20]
        found = narrow.overlap_world(tree, store, bodies, queries=queries)
        np.testing.assert_array_equal(found.pairs, expected)
        self.assertEqual(found.status.tolist(), [0] * 20)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(found)).pairs, expected)
        ends = queries.copy()
        ends["position"] += np.array([5, 1, 2], np.float32)
        casts = narrow.cast_world(tree, store, bodies, queries=queries, ends=ends, start="ignore", sides="both")
        each = narrow.cast(store, joined, pairs, ends=np.concatenate([ends, bodies]), start="ignore", sides="both", reduction="first_of_body")
        hits = each.hits
        self.assertGreater(len(hits), 5)
        body = np.full(20, abut.NO_BODY)
        body[pairs[hits, 0]] = pairs[hits, 1] - 20
        np.testing.assert_array_equal(casts.body, body)
        np.testing.assert_array_equal(casts.time[pairs[hits, 0]], each.time[hits])

    def test_bad_arguments(self):
        store, bodies, tree, _ = world(50)
        narrow = abut.NarrowPhase()
        rays = dict(origins=[[0, 9, 0]], directions=[[0, -20, 0]])
        self.assertEqual(len(tree), 50)
        for error, text, call in (
            (TypeError, "WorldTree", lambda: narrow.raycast_world(store, bodies, **rays)),
            (TypeError, "origins", lambda: narrow.raycast_world(tree, store, bodies)),
            (abut.Error, "50 boxes, expected 49", lambda: narrow.raycast_world(tree, store, bodies[:49], **rays)),
            (abut.Error, "max_hits is 0", lambda: narrow.raycast_world(tree, store, bodies, max_hits=0, **rays)),
            (ValueError, "sides", lambda: narrow.raycast_world(tree, store, bodies, sides="left", **rays)),
            (abut.Error, "sides", lambda: narrow.raycast_world(tree, store, bodies, sides=[7], **rays)),
            (TypeError, "queries", lambda: narrow.overlap_world(tree, store, bodies)),
            (TypeError, "no argument is called nosuch", lambda: narrow.overlap_world(tree, store, bodies, queries=bodies, nosuch=1)),
            (ValueError, "origin", lambda: tree.build(abut.world_bounds(store, bodies), origin=[1, 2])),
        ):
            with self.assertRaisesRegex(error, text):
                call()

    def test_boxes_along_rays(self):
        broad = abut.BroadPhase()
        bounds = np.array([[[2, 0.5, -1], [3, 1, 1]]], np.float32)
        for half, pairs in ((0.25, 0), (0.5, 1)):
            found = broad.find_ray_pairs([[0, 0, 0]], [[5, 0, 0]], None, bounds, half_extents=[[half, half, half]])
            self.assertEqual(len(found), pairs)


if __name__ == "__main__":
    unittest.main()
