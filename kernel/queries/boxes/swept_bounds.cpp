// A point at distance r from the centre of rotation moves on an arc, which rises above its chord by at most r (1 -
// cos(angle / 2)). That is a bound along any axis, too: a sinusoid over at most half a period is farthest from the line
// between two of its points where it is a cosine about its peak.
#include <abut/broad_phase.hpp>

#include <algorithm>
#include <cmath>

#include "base/message.hpp"
#include "base/rounding.hpp"
#include "batch/frame_checks.hpp"
#include "queries/boxes/ray_lines.hpp"
#include "queries/boxes/swept_lines.hpp"
#include "queries/boxes/world_boxes.hpp"

namespace abut {

namespace {

constexpr std::size_t kBlockBodies = 256;
// The bounds of a body with a bad pose at one end, equal to those of world_bounds.
constexpr Bounds kNoBox = {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};

double length_of(const Quat& q) {
    return std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w);
}

// 1 - cos(angle / 2), rounded up; exactly 0 if the body does not rotate.
double rise_of(const Quat& from, const Quat& to) {
    if (from == to) return 0.0;
    const double dot = double(from.x) * to.x + double(from.y) * to.y + double(from.z) * to.z + double(from.w) * to.w;
    return std::max(0.0, 1.0 - std::abs(dot) / (length_of(from) * length_of(to))) + 1e-12;
}

DVec3 rotated(const Quat& q, const Vec3& v) {
    const double length = length_of(q), x = q.x / length, y = q.y / length, z = q.z / length, w = q.w / length;
    const double tx = 2 * (y * v.z - z * v.y), ty = 2 * (z * v.x - x * v.z), tz = 2 * (x * v.y - y * v.x);
    return {v.x + w * tx + (y * tz - z * ty), v.y + w * ty + (z * tx - x * tz), v.z + w * tz + (x * ty - y * tx)};
}

// The centre of rotation at the start, relative to the origin of the bounds.
DVec3 centre_of(const Bodies& bodies, std::size_t i, const Strided<Vec3>& centers, const DVec3& origin) {
    const DVec3 at = bodies.position(i), off = centers.empty() ? DVec3{} : rotated(bodies[i].orientation, centers[i]);
    return {at.x - origin.x + off.x, at.y - origin.y + off.y, at.z - origin.z + off.z};
}

void unite(Bounds& box, const Bounds& other) {
    box.min = {std::min(box.min.x, other.min.x), std::min(box.min.y, other.min.y), std::min(box.min.z, other.min.z)};
    box.max = {std::max(box.max.x, other.max.x), std::max(box.max.y, other.max.y), std::max(box.max.z, other.max.z)};
}

// The distance from the centre to the farthest corner.
double reach_of(const Bounds& box, const DVec3& centre) {
    const double x = std::max(std::abs(box.min.x - centre.x), std::abs(box.max.x - centre.x));
    const double y = std::max(std::abs(box.min.y - centre.y), std::abs(box.max.y - centre.y));
    const double z = std::max(std::abs(box.min.z - centre.z), std::abs(box.max.z - centre.z));
    return length_above(x, y, z);
}

void widen(Bounds& box, double by) {
    box.min = {round_down(box.min.x - by), round_down(box.min.y - by), round_down(box.min.z - by)};
    box.max = {round_up(box.max.x + by), round_up(box.max.y + by), round_up(box.max.z + by)};
}

template <class T>
Strided<T> part_of(const Strided<T>& column, std::size_t first, std::size_t count) {
    return column.empty() ? column : column.subspan(first, count);
}

// The bodies from `first` on, with shapes of another column.
BodyColumns part_of(const BodyColumns& all, const Strided<ShapeId>& shapes, std::size_t first, std::size_t count) {
    return {part_of(shapes, first, count), part_of(all.positions, first, count),
            part_of(all.double_positions, first, count), part_of(all.orientations, first, count),
            part_of(all.transforms, first, count)};
}

bool is_empty(const Bounds& box) {
    return !(box.min.x <= box.max.x && box.min.y <= box.max.y && box.min.z <= box.max.z);
}

// Calls use(i, box at the start, box at the end, by) for each body. In between, the body is within the convex hull of
// both boxes, widened by `by`. The boxes of a body with a bad pose at one end are empty.
template <class Use>
CallResult sweep(const ShapeStore& shapes, const Bodies& start, const Bodies& end, const DVec3& origin,
                 const Strided<Vec3>& centers, const Use& use) {
    Bounds starts[kBlockBodies], ends[kBlockBodies];
    for (std::size_t first = 0; first < start.size(); first += kBlockBodies) {
        const std::size_t count = std::min(kBlockBodies, start.size() - first);
        const BodyColumns from = part_of(start.columns(), start.columns().shapes, first, count),
                          moved = part_of(end.columns(), start.columns().shapes, first, count);
        const Bodies records = start.records().empty() ? Bodies(from) : Bodies(start.records().subspan(first, count));
        if (CallResult r = world_bounds(shapes, records, {starts, count}, origin); !r) return r;
        if (CallResult r = world_bounds(shapes, moved, {ends, count}, origin); !r) return r;
        for (std::size_t i = 0; i < count; ++i) {
            if (is_empty(starts[i]) || is_empty(ends[i])) {
                use(first + i, kNoBox, kNoBox, 0.0);
                continue;
            }
            const double rise = rise_of(start[first + i].orientation, end[first + i].orientation);
            const double by =
                rise > 0.0 ? rise * reach_of(starts[i], centre_of(start, first + i, centers, origin)) : 0.0;
            use(first + i, starts[i], ends[i], by);
        }
    }
    return {};
}

}  // namespace

CallResult swept_bounds(const ShapeStore& shapes, const Bodies& start, const Bodies& end, std::span<Bounds> bounds,
                        const DVec3& origin, Strided<Vec3> centers) {
    if (CallResult r = check_bodies("swept_bounds: start", start, false); !r) return r;
    if (CallResult r = check_bodies("swept_bounds: end", end, false); !r) return r;
    if (end.size() < start.size())
        return Error{ErrorCode::bad_size,
                     message_of("swept_bounds: end has ", end.size(), " bodies, start has ", start.size())};
    if (CallResult r = check_column("swept_bounds: centers", centers, start.size()); !r) return r;
    if (CallResult r = check_size("swept_bounds: bounds", bounds, start.size(), false); !r) return r;
    return sweep(shapes, start, end, origin, centers, [&](std::size_t i, Bounds box, const Bounds& last, double by) {
        unite(box, last);
        if (by > 0.0) widen(box, by);
        bounds[i] = box;
    });
}

CallResult swept_lines(const ShapeStore& shapes, const Bodies& start, const Bodies& end, const DVec3& origin,
                       const Strided<Vec3>& centers, double growth, double room, std::span<RayLine> lines,
                       std::span<std::uint8_t> bad) {
    return sweep(shapes, start, end, origin, centers,
                 [&](std::size_t i, const Bounds& first, const Bounds& last, double by) {
        bad[i] = is_empty(first);
        if (bad[i]) return;
        const double more = by + room + std::max(growth_of(first, growth), growth_of(last, growth));
        double from[3], displacement[3];
        float half[3];
        const auto sweep_axis = [&](int axis, float low, float high, float end_low, float end_high) {
            const double at = 0.5 * (double(low) + high), edge = double(high) - low,
                         edge_then = double(end_high) - end_low;
            const bool is_finite = edge < kInfinity && edge_then < kInfinity;
            from[axis] = is_finite ? at : 0.0,
            displacement[axis] = is_finite ? 0.5 * (double(end_low) + end_high) - at : 0.0;
            half[axis] = is_finite ? round_up(0.5 * std::max(edge, edge_then) + more) : kInfinity;
        };
        sweep_axis(0, first.min.x, first.max.x, last.min.x, last.max.x);
        sweep_axis(1, first.min.y, first.max.y, last.min.y, last.max.y);
        sweep_axis(2, first.min.z, first.max.z, last.min.z, last.max.z);
        lines[i] = line_of({from[0], from[1], from[2]}, {}, {displacement[0], displacement[1], displacement[2]},
                           {half[0], half[1], half[2]}, 1.0);
    });
}

}  // namespace abut
