// See nearest_direction.hpp. The simplex lies in the difference of the shape and the triangle; the newest vertex is the
// last one [van den Bergen 1999]. Everything is in the shape's own frame, where supports are cheap.
#include "surfaces/triangles/nearest_direction.hpp"

#include <cmath>

namespace abut {
namespace {

using maths::Vec3d;

constexpr int kMostSteps = 24;

double squared(const Vec3d& v) { return maths::dot(v, v); }

// A point of the simplex that is nearest to the origin: on the newest vertex, and up to two others.
struct Nearest {
    explicit Nearest(const Vec3d& at, int one = -1, int other = -1) : point(at), first(one), second(other) {}
    Vec3d point;
    int first, second;
};

class Simplex {
public:
    bool has(const Vec3d& p) const {
        for (int i = 0; i < count_; ++i)
            if (maths::is_zero(at_[i] - p)) return true;
        return false;
    }
    // Adds a vertex and finds the point of the simplex nearest to the origin. False if the origin is in the
    // tetrahedron.
    bool add(const Vec3d& newest, Vec3d& nearest) {
        Nearest found(newest);
        if (count_ == 1) found = on_segment(0, newest);
        if (count_ == 2) found = on_triangle(0, 1, newest);
        if (count_ == 3 && !on_faces(newest, found)) return false;
        keep(found, newest);
        nearest = found.point;
        return true;
    }

private:
    Nearest on_segment(int i, const Vec3d& newest) const {
        const Vec3d edge = at_[i] - newest;
        const double length = squared(edge), along = -maths::dot(newest, edge);
        if (!(along > 0) || !(length > 0)) return Nearest(newest);
        return Nearest(newest + edge * maths::min(1, along / length), i);
    }
    Nearest on_triangle(int i, int k, const Vec3d& newest) const {
        const Vec3d to_p = at_[i] - newest, to_q = at_[k] - newest, area = maths::cross(to_p, to_q);
        const double whole = squared(area);
        // The barycentric weights of p and q, times `whole`.
        const double of_p = -maths::dot(maths::cross(newest, to_q), area),
                     of_q = -maths::dot(maths::cross(to_p, newest), area);
        if (whole > 0 && of_p > 0 && of_q > 0 && of_p + of_q < whole)
            return Nearest(area * (maths::dot(area, newest) / whole), i, k);
        const Nearest one = on_segment(i, newest), other = on_segment(k, newest);
        return squared(one.point) < squared(other.point) ? one : other;
    }
    bool on_faces(const Vec3d& newest, Nearest& out) const {
        double least = INFINITY;
        for (int k = 0; k < 3; ++k) {
            const int next = (k + 1) % 3;
            const Vec3d normal = maths::cross(at_[k] - newest, at_[next] - newest);
            if (maths::dot(normal, at_[(k + 2) % 3] - newest) * maths::dot(normal, newest) < 0)
                continue;  // the origin is on the inner side
            const Nearest nearest = on_triangle(k, next, newest);
            if (const double length = squared(nearest.point); length < least) least = length, out = nearest;
        }
        return least < INFINITY;
    }
    void keep(const Nearest& found, const Vec3d& newest) {
        const Vec3d one = at_[found.first < 0 ? 0 : found.first], other = at_[found.second < 0 ? 0 : found.second];
        count_ = 0;
        if (found.first >= 0) at_[count_++] = one;
        if (found.second >= 0) at_[count_++] = other;
        at_[count_++] = newest;
    }

    Vec3d at_[4] = {};
    int count_ = 0;
};

// `corners` and `direction`: in the shape's frame. support(d): the farthest point of the shape along d.
template <class Support>
NearestDirection search(const Support& support, const Vec3d (&corners)[3], Vec3d direction, double beyond) {
    Simplex simplex;
    for (int step = 0; step < kMostSteps; ++step) {
        const double length = squared(direction);
        if (!(length > 0)) return {};
        const Vec3d point = support(-direction);
        const double heights[3] = {maths::dot(direction, corners[0]), maths::dot(direction, corners[1]),
                                   maths::dot(direction, corners[2])};
        const int top = heights[0] >= heights[1]   ? (heights[0] >= heights[2] ? 0 : 2)
                        : heights[1] >= heights[2] ? 1
                                                   : 2;
        const Vec3d between = point - corners[top];
        const double least = maths::dot(direction, between);
        if (least > 0 && least * least > beyond * beyond * length) return {NearestDirection::Is::beyond, {}};
        if (step != 0 && (length - least <= kSameDistance * length || simplex.has(between)))
            return {NearestDirection::Is::found, maths::unit(direction)};
        if (!simplex.add(between, direction)) return {};
    }
    return {};
}

// The nearest point of a box, of a capsule's axis or of a cylinder.
Vec3d nearest_point(ShapeKind kind, const Vec3d& half, const Vec3d& p) {
    const auto within = [](double x, double most) { return maths::max(-most, maths::min(x, most)); };
    if (kind != ShapeKind::cylinder) return {within(p.x, half.x), within(p.y, half.y), within(p.z, half.z)};
    const double across = std::sqrt(p.x * p.x + p.z * p.z), share = across > half.x ? half.x / across : 1;
    return {p.x * share, within(p.y, half.y), p.z * share};
}

// Finds the direction if a corner of the triangle is the nearest: the triangle is then beyond the plane through this
// corner that is perpendicular to the offset from the shape.
NearestDirection direction_to_corner(ShapeKind kind, const Vec3d& half, const Vec3d (&corners)[3], double beyond) {
    for (const Vec3d& corner : corners) {
        const Vec3d offset = corner - nearest_point(kind, half, corner);
        const double length = squared(offset), height = maths::dot(offset, corner);
        if (!(length > 0)) return {};
        const bool is_lowest = maths::dot(offset, corners[0]) >= height && maths::dot(offset, corners[1]) >= height &&
                               maths::dot(offset, corners[2]) >= height;
        if (is_lowest)
            return {length > beyond * beyond ? NearestDirection::Is::beyond : NearestDirection::Is::found,
                    maths::unit(-offset)};
    }
    return {};
}

}  // namespace

NearestDirection nearest_direction(const ShapeTables& tables, const Probe& probe, const SurfaceCorners& corners,
                                   const Vec3d& start, double beyond) {
    const auto own = [&](const Vec3& v) {
        return maths::transposed_times(probe.axes, maths::to_double(v) - probe.position);
    };
    const Vec3d v[3] = {own(corners.at[0]), own(corners.at[1]), own(corners.at[2])},
                direction = maths::transposed_times(probe.axes, start);
    const ShapeKind kind = probe.shape.kind();
    if (!has_known_core(kind)) return {};
    const exact::Core core = core_of(tables, probe.shape);
    const auto corner = [half = core.half](const Vec3d& d) {
        return Vec3d{std::copysign(half.x, d.x), std::copysign(half.y, d.y), std::copysign(half.z, d.z)};
    };
    const auto farthest = [&](const Vec3d& d) { return farthest_point(core, d); };
    const bool is_box = kind == ShapeKind::box || kind == ShapeKind::capsule;
    NearestDirection out;
    if (is_box || kind == ShapeKind::cylinder) out = direction_to_corner(kind, probe.box.half, v, beyond);
    if (out.is == NearestDirection::Is::unknown)
        out = is_box ? search(corner, v, direction, beyond) : search(farthest, v, direction, beyond);
    out.direction = probe.axes * out.direction;
    return out;
}

}  // namespace abut
