"""A first program with abut: drops 1,000 boxes on a mesh and prints how far apart they then are."""

import pathlib

import numpy as np

import abut

vertices, triangles = abut.read_triangles(pathlib.Path(__file__).with_name("hills.obj"))
store = abut.ShapeStore()
hills, box = store.add_mesh(vertices, triangles), store.add_box([0.08, 0.05, 0.03])  # half extents, metres

rng = np.random.default_rng(1)
rotations = rng.standard_normal((1001, 4)).astype(np.float32)
bodies = abut.make_bodies(positions=rng.uniform([-1.8, 1, -1.8], [1.8, 2, 1.8], (1001, 3)), shapes=box)
bodies["orientation"] = rotations / np.linalg.norm(rotations, axis=1, keepdims=True)
bodies[0] = ([0, 0, 0], hills, [0, 0, 0, 1])

boxes = np.arange(1, 1001)
on_hills = np.stack([boxes, np.zeros_like(boxes)], 1)  # pairs of a box and body 0
ends = bodies.copy()
ends["position"][1:, 1] -= 3
narrow = abut.NarrowPhase()
fall = narrow.cast(store, bodies, on_hills, ends=ends)  # when each box meets the hills, 1 if never
bodies["position"][1:, 1] -= 3 * fall.time

clearance = narrow.distance(store, bodies, on_hills).signed_distance
near = abut.BroadPhase().find_pairs(abut.world_bounds(store, bodies[1:])).pairs + 1
overlap = narrow.overlap(store, bodies, near)
print(f"{len(fall.hits):,} boxes lie on the hills, {abs(clearance).max() * 1e6:.1f} micrometres from them at most")
print(f"{len(near):,} pairs of boxes are near each other, {len(overlap.hits):,} overlap")
