// See surface_side.hpp.
#include "pairs/surface_side.hpp"

#include <cmath>

#include "pairs/probe.hpp"

namespace abut {
namespace {

using exact::Vec3d;

constexpr int kMostSteps = 256;

// A point as seen from a triangle.
struct Seen {
    double squared;  // distance
    double height;   // of the point above the plane

    Seen(const SurfaceCorners& corners, const Vec3d& point) {
        const Vec3d offset = offset_from(corners, point);
        squared = dot(offset, offset), height = dot(normal_of(corners), point - exact::to_double(corners.at[0]));
    }
    // If the nearest point is on an edge or a corner, the triangle there that faces the point the most decides the side.
    bool is_nearer_than(const Seen& other) const {
        if (std::fabs(squared - other.squared) > kSameDistance * other.squared) return squared < other.squared;
        return std::fabs(height) > (1 + kSameDistance) * std::fabs(other.height);
    }
};

}  // namespace

bool is_turned_away(const Surface& surface, std::uint32_t triangle, const SurfaceCorners& corners, const Vec3d& centre) {
    const Seen first(corners, centre);
    Seen nearest = first;
    for (int step = 0; step < kMostSteps; ++step) {
        std::uint32_t next = kNoTriangle;
        for (std::uint32_t edge = 0; edge < 3; ++edge) {
            const std::uint32_t beside = neighbour_at(surface, triangle, edge);
            if (beside == kNoTriangle) continue;
            if (const Seen seen(corners_at(surface, beside), centre); seen.is_nearer_than(nearest)) nearest = seen, next = beside;
        }
        if (next == kNoTriangle) break;
        triangle = next;
    }
    return first.height * nearest.height < 0;
}

}  // namespace abut
