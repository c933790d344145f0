// See exact_pairs.hpp. Pairs are loaded and solved one at a time.
#include "convex/exact/exact_pairs.hpp"

#include "convex/contract/valid_pose.hpp"
#include "convex/exact/exact_core.hpp"

namespace abut {

namespace {

exact::Posed load(const FrameView& frame, ShapeKind kind, const Body& body) {
    const InstanceRecord& record = frame.records[static_cast<int>(kind)][body.shape.slot()];
    exact::Posed posed;
    posed.shape = exact::shape_of(kind, record, frame.hulls, frame.customs);
    // -0 becomes 0, as in lanes.
    const Vec3 p = body.position;
    const Quat q = body.orientation;
    posed.position = {p.x + 0.0f, p.y + 0.0f, p.z + 0.0f};
    posed.orientation = {q.x + 0.0f, q.y + 0.0f, q.z + 0.0f, q.w + 0.0f};
    return posed;
}

Vec3 to_float(const maths::Vec3d& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

// The core's centre relative to the body's position, in world axes.
maths::Vec3d core_centre(const exact::Posed& posed) {
    return maths::rotation(maths::to_double(posed.orientation)) * core_centre(posed.shape);
}

// Converts an answer to floats, with points relative to the position of the caller's A. The offset of swapped pairs is
// subtracted in double, because a point far from one body may be close to the other.
ExactAnswer as_seen(const exact::Posed& a, const exact::Posed& b, bool is_swapped, const exact::Answer& found) {
    const maths::Vec3d on_a = found.point_a, on_b = found.point_b, middle = (on_a + on_b) * 0.5;
    ExactAnswer out = {found.status,
                       false,
                       static_cast<float>(found.signed_distance),
                       to_float(found.normal),
                       to_float(on_a),
                       to_float(on_b),
                       to_float(middle),
                       to_float(middle - core_centre(a))};
    if (!is_swapped) return out;
    const maths::Vec3d offset = maths::to_double(b.position) - maths::to_double(a.position);
    out.point_a = to_float(on_b - offset);
    out.point_b = to_float(on_a - offset);
    return out;
}

ExactAnswer solve(const Chunk& chunk, std::uint32_t i, bool sign_alone) {
    const Body &body_a = *chunk.pairs->a[i], &body_b = *chunk.pairs->b[i];
    if (!is_valid_pose(body_a) || !is_valid_pose(body_b)) return {Status::bad_pose, false, 0, {}, {}, {}, {}, {}};
    const exact::Posed a = load(*chunk.frame, chunk.kind_a, body_a), b = load(*chunk.frame_b, chunk.kind_b, body_b);
    if (sign_alone) return {Status::ok, exact::overlaps(a, b), 0, {}, {}, {}, {}, {}};
    exact::Options options;
    options.separation_only = chunk.parameters->separation_only;
    options.max_distance = chunk.parameters->reach_of(chunk.pair(i));
    return as_seen(a, b, chunk.is_swapped(i), exact::signed_distance(a, b, options));
}

}  // namespace

void solve_exactly(const Chunk& chunk, const std::uint16_t* list, std::uint32_t count, bool sign_alone,
                   ExactAnswer* answers) {
    for (std::uint32_t i = 0; i < count; ++i) answers[i] = solve(chunk, list[i], sign_alone);
}

}  // namespace abut
