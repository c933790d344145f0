// A ray in a shape's frame, and what it meets there.
#pragma once

#include <cstdint>
#include <limits>

#include <abut/status.hpp>

#include "geometry/double_math.hpp"

namespace abut {

struct LocalRay {
    exact::Vec3d origin, direction;  // metres; unit
    double length;                   // metres, 0 or more

    exact::Vec3d at(double distance) const { return origin + direction * distance; }
};

struct LocalHit {
    double distance = std::numeric_limits<double>::infinity();  // along the ray, metres; of a miss infinite
    exact::Vec3d normal{};                                      // unit, outward; zero if the ray starts inside
    std::uint32_t child = 0;
    bool starts_inside = false;
    Status status = Status::ok;

    bool hits() const { return distance < std::numeric_limits<double>::infinity(); }
};

inline LocalHit start_inside() {
    LocalHit hit;
    hit.distance = 0;
    hit.starts_inside = true;
    return hit;
}

// Order of two children's hits: by distance; then a solid in which the ray starts; then by the child's index.
inline bool comes_before(const LocalHit& a, const LocalHit& b) {
    if (a.distance != b.distance) return a.distance < b.distance;
    if (a.starts_inside != b.starts_inside) return a.starts_inside;
    return a.child < b.child;
}

// A set without thickness may have no normal at the point; the normal is then opposite to the ray.
inline exact::Vec3d unit_normal(const exact::Vec3d& normal, const LocalRay& ray) {
    return exact::is_zero(normal) ? -ray.direction : exact::unit(normal);
}

// The part of a ray inside a convex set bounded by planes, slabs and quadrics.
struct Span {
    double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
    exact::Vec3d normal{};  // where the ray enters: outward, of any length

    bool empty() const { return !(from <= to); }
    // Limits the part to [enters, leaves].
    void cut(double enters, double leaves, const exact::Vec3d& entry_normal) {
        if (enters > from) from = enters, normal = entry_normal;
        to = exact::least(to, leaves);
    }
    // Limits the part to the inner side of a plane: height + slope * distance <= 0.
    void cut_by_plane(double height, double slope, const exact::Vec3d& plane_normal) {
        if (slope < 0)
            cut(-height / slope, to, plane_normal);
        else if (slope > 0)
            to = exact::least(to, -height / slope);
        else if (height > 0)
            to = -std::numeric_limits<double>::infinity();
    }
    LocalHit hit(const LocalRay& ray) const {
        LocalHit found;
        if (empty() || to < 0 || from > ray.length) return found;
        if (from <= 0) return start_inside();
        found.distance = from;
        found.normal = unit_normal(normal, ray);
        return found;
    }
};

}  // namespace abut
