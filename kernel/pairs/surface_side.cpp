// See surface_side.hpp.
#include "pairs/surface_side.hpp"

#include <algorithm>
#include <cmath>

#include "pairs/probe.hpp"

namespace abut {
namespace {

using exact::Vec3d;

constexpr int kMostSteps = 256;

// A triangle as seen from a point. Heights need a root, and few are asked for.
struct Seen {
    SurfaceCorners corners;
    double squared;  // distance

    Seen(const SurfaceCorners& of, const Vec3d& point) : corners(of) {
        const Vec3d offset = offset_from(corners, point);
        squared = dot(offset, offset);
    }
    // Of the point above the plane.
    double height(const Vec3d& point) const { return dot(normal_of(corners), point - exact::to_double(corners.at[0])); }
    // If the nearest point is on an edge or a corner, the triangle there that faces the point the most decides the side.
    bool is_nearer_than(const Seen& other, const Vec3d& point) const {
        if (std::fabs(squared - other.squared) > kSameDistance * other.squared) return squared < other.squared;
        return std::fabs(height(point)) > (1 + kSameDistance) * std::fabs(other.height(point));
    }
};

}  // namespace

bool SurfaceSide::is_turned_away(std::uint32_t triangle, const SurfaceCorners& corners) {
    const std::uint32_t first = count_;
    const double end = height_at_end(triangle, corners, first);
    for (std::uint32_t i = first; i < count_; ++i) known_[i].height = end;
    return Seen(corners, centre_).height(centre_) * end < 0;
}

// Adds the triangles on the way, whose heights are to come, from `first` on.
double SurfaceSide::height_at_end(std::uint32_t triangle, const SurfaceCorners& corners, std::uint32_t first) {
    Seen nearest(corners, centre_);
    for (int step = 0; step < kMostSteps; ++step) {
        const Known *const begin = known_, *const end = begin + first;
        if (const Known* const at = std::find_if(begin, end, [&](const Known& k) { return k.triangle == triangle; }); at != end) return at->height;
        if (count_ < kMostKnown) known_[count_++].triangle = triangle;
        std::uint32_t next = kNoTriangle;
        for (std::uint32_t edge = 0; edge < 3; ++edge) {
            const std::uint32_t beside = neighbour_at(surface_, triangle, edge);
            if (beside == kNoTriangle) continue;
            if (const Seen seen(corners_at(surface_, beside), centre_); seen.is_nearer_than(nearest, centre_)) nearest = seen, next = beside;
        }
        if (next == kNoTriangle) break;
        triangle = next;
    }
    return nearest.height(centre_);
}

}  // namespace abut
