// Poses of shapes composed with those of their bodies, one body per lane, in double.
#include "shapes/placed_shape.hpp"
#include "simd/rotations.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

void compose_poses(PosedShapes& posed);

namespace {

template <class Row>
ABUT_INLINE QuatDW load_orientations(const Row* const* rows, int offset) {
    FloatW c[4];
    transpose_records4(rows, c, offset);
    return widen(QuatW{c[0], c[1], c[2], c[3]});
}
ABUT_INLINE DVec3W load_centres(const double (*centres)[4]) {
    const double* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) rows[lane] = centres[lane];
    DoubleW c[4] = {0.0, 0.0, 0.0, 0.0};
    transpose_doubles4(rows, c);
    return {c[0], c[1], c[2]};
}

ABUT_INLINE void compose_group(PlacedShape* const* shapes, const RelativePose* const* poses,
                               const double (*centres)[4]) {
    constexpr int kOrientation = offsetof(PlacedShape, orientation) / sizeof(float);
    FloatW p[4];
    transpose_records4(poses, p);
    const QuatDW body = load_orientations(shapes, kOrientation), exact = body * normalised(load_orientations(poses, 3));
    const QuatW rounded = narrow(exact);
    DVec3W offset = rotate(rotation_of(body), widen(Vec3W{p[0], p[1], p[2]}));
    if (centres != nullptr) {
        // As in shapes/child_poses.hpp: the rounded orientation moves a core that lies far from its origin.
        const DVec3W centre = load_centres(centres);
        offset = offset + rotate(rotation_of(exact), centre) - rotate(rotation_of(widen(rounded)), centre);
    }
    DoubleW at[4] = {0.0, 0.0, 0.0, 0.0};
    transpose_doubles4(shapes, at);  // the fourth is the shape's id
    double* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) rows[lane] = &shapes[lane]->position.x;
    store_doubles4({at[0] + offset.x, at[1] + offset.y, at[2] + offset.z, at[3]}, rows);
    const Vec3W from_body = narrow(offset);
    store_records4(rounded.x, rounded.y, rounded.z, rounded.w, [&](int lane) { return &shapes[lane]->orientation.x; });
    store_records4(from_body.x, from_body.y, from_body.z, from_body.z,
                   [&](int lane) { return &shapes[lane]->offset.x; });
}

}  // namespace

void compose_poses(PosedShapes& posed) {
    // Unused lanes compute the last shape again.
    for (std::uint32_t i = posed.count; i % kLanes != 0; ++i) {
        posed.shapes[i] = posed.shapes[i - 1], posed.poses[i] = posed.poses[i - 1];
        std::memcpy(posed.centres[i], posed.centres[i - 1], sizeof posed.centres[i]);
    }
    for (std::uint32_t i = 0; i < posed.count; i += kLanes)
        compose_group(posed.shapes + i, posed.poses + i, posed.have_centres ? posed.centres + i : nullptr);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
