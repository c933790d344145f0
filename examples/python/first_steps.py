"""For Python: first_steps.cpp on numpy arrays. docs/python.md shows this program."""

import abut

store = abut.ShapeStore()
crate = store.add_box([0.5, 0.5, 0.5])
roof = store.add_hull([[-1, 0, -1], [1, 0, -1], [1, 0, 1], [-1, 0, 1], [0, 1, 0]])  # cooked once, shared by any number of bodies

bodies = abut.make_bodies(positions=[[0, 0, 0], [0, 0.375, 0], [4, 0, 0]], shapes=[crate, roof, crate])
pairs = [[0, 1], [0, 2], [1, 2]]  # as the broad phase found them
frame = abut.Frame(store, bodies, pairs)

narrow = abut.NarrowPhase(speculative_margin=0.02)
d = narrow.distance(frame)
m = narrow.collide(frame)
for i, (a, b) in enumerate(pairs):
    x, y, z = d.normal[i]
    count = m.first_manifold[i + 1] - m.first_manifold[i]
    print(f"{a}-{b}: {d.signed_distance[i]:+.3f} m along ({x:.0f}, {y:.0f}, {z:.0f}), {count} manifolds")
