// The exact path's way from entries to results: load, kernel and store for one pair at a time.
#include <cmath>
#include <limits>

#include "exact/pairs.hpp"

#include "exact/signed_distance.hpp"
#include "frame/good_pose.hpp"

namespace abut {

namespace {

exact::Posed load(const FrameView& frame, ShapeKind kind, std::uint32_t index) {
    const Body& body = *frame.body(index);
    const InstanceRecord& record = frame.records[static_cast<int>(kind)][body.shape.slot()];
    exact::Posed posed;
    posed.shape.kind = kind;
    posed.shape.extents[0] = record.extent_x;
    posed.shape.extents[1] = record.extent_y;
    posed.shape.extents[2] = record.extent_z;
    posed.shape.radius = record.radius;
    posed.shape.size = record.size;
    if (kind == ShapeKind::hull) posed.shape.hull = &frame.hulls[record.geometry];
    if (kind == ShapeKind::ellipsoid) posed.shape.erosion = erosion_of(record);
    if (kind == ShapeKind::custom) posed.shape.reach = record.bound_radius;
    if (kind == ShapeKind::halfspace) posed.shape.offset = offset_of(record);
    posed.position = body.position;
    posed.orientation = body.orientation;
    return posed;
}

float margin_of(const Chunk& chunk, std::uint32_t pair) {
    return chunk.parameters->margins ? chunk.parameters->margins[pair] : chunk.parameters->reach;
}

// The answer as the caller sees it: float, and from the caller's A. Turned round in double: a point far from the one body may be near the other.
struct Answer {
    float signed_distance;
    Vec3 normal, point_a, point_b;
};

Vec3 to_float(const exact::Vec3d& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

Answer as_seen(const exact::Answer& exact, const FrameView& frame, const Entry& entry) {
    const exact::Vec3d a = exact.point_a, b = exact.point_b;
    const Answer answer = {static_cast<float>(exact.signed_distance), to_float(exact.normal), to_float(a), to_float(b)};
    if (!entry.swapped()) return answer;
    const Vec3 from = frame.body(entry.a)->position, to = frame.body(entry.b)->position, n = answer.normal;
    const exact::Vec3d way = exact::to_double(to) - exact::to_double(from);
    return {answer.signed_distance, {-n.x, -n.y, -n.z}, to_float(b - way), to_float(a - way)};
}

void store_distance(const Chunk& chunk, std::uint32_t pair, const Answer& answer) {
    const OutputView& out = *chunk.out;
    const float distance = answer.signed_distance;
    const bool beyond = distance > margin_of(chunk, pair), flat = chunk.parameters->separation_only && distance <= 0.0f;
    const bool none = beyond || flat;
    out.signed_distance[pair] = beyond ? std::numeric_limits<float>::infinity() : flat ? 0.0f : distance;
    if (out.normal) out.normal[pair] = none ? Vec3{} : answer.normal;
    if (out.point_a) out.point_a[pair] = none ? Vec3{} : answer.point_a;
    if (out.point_b) out.point_b[pair] = none ? Vec3{} : answer.point_b;
}

// World axes, from the body's position.
exact::Vec3d core_centre(const exact::Posed& posed) {
    if (posed.shape.kind != ShapeKind::hull) return {};
    const Vec3& c = posed.shape.hull->centre;
    const double* scale = posed.shape.extents;
    return exact::rotation(exact::to_double(posed.orientation)) * exact::Vec3d{scale[0] * c.x, scale[1] * c.y, scale[2] * c.z};
}

ExactContact contact_of(const Chunk& chunk, std::uint32_t pair, const exact::Posed& a, const exact::Answer& exact) {
    const exact::Vec3d middle = (exact.point_a + exact.point_b) * 0.5;
    const auto separation = static_cast<float>(exact.signed_distance);
    return {separation <= margin_of(chunk, pair), to_float(exact.normal), to_float(middle), to_float(middle - core_centre(a)), separation};
}

// Signed distance as far as the query needs it.
exact::Answer solve(const Chunk& chunk, std::uint32_t pair, const exact::Posed& a, const exact::Posed& b) {
    exact::Options options;
    options.separation_only = chunk.parameters->separation_only;
    options.max_distance = margin_of(chunk, pair);
    return exact::signed_distance(a, b, options);
}

}  // namespace

void run_exact_pairs(const Chunk& chunk, const std::uint16_t* list, std::uint32_t count, ExactContact* contacts,
                     ChunkCounters& counters) {
    const FrameView& frame = *chunk.frame;
    counters.exact += count;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Entry& entry = chunk.entries[list[i]];
        const std::uint32_t pair = entry.pair();
        if (!is_good_pose(*frame.body(entry.a)) || !is_good_pose(*frame.body(entry.b))) {
            chunk.out->status[pair] = Status::bad_pose;
            contacts[i].within = false;
            continue;
        }
        const exact::Posed a = load(frame, chunk.kind_a, entry.a), b = load(frame, chunk.kind_b, entry.b);
        if (chunk.parameters->query == Query::overlap) {
            chunk.out->hit[pair] = exact::overlaps(a, b);
            continue;
        }
        const exact::Answer exact = solve(chunk, pair, a, b);
        chunk.out->status[pair] = exact.status;
        if (chunk.parameters->query == Query::distance)
            store_distance(chunk, pair, as_seen(exact, frame, entry));
        else
            contacts[i] = contact_of(chunk, pair, a, exact);
    }
}

}  // namespace abut
