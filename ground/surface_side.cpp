// See surface_side.hpp.
#include "ground/surface_side.hpp"

#include <cmath>

#include "pairs/probe.hpp"

namespace abut {
namespace {

using exact::Vec3d;

constexpr int kMostSteps = 256;

}  // namespace

bool SurfaceSide::is_turned_away(std::uint32_t triangle) {
    std::uint32_t end = triangle;
    for (int step = 0; step < kMostSteps; ++step) {
        const std::uint32_t next = step_from(end);
        if (next == end) break;
        end = next;
    }
    see(triangle).next = end;
    const double height = see(end).height;
    return see(triangle).height * height < 0;
}

SurfaceSide::Seen& SurfaceSide::see(std::uint32_t triangle) {
    Seen& seen = kept_[triangle % kKept];
    if (seen.triangle == triangle) return seen;
    const SurfaceCorners corners = corners_at(surface_, triangle);
    const Vec3d offset = offset_from(corners, centre_);
    return seen = {triangle, kNoTriangle, dot(offset, offset), dot(normal_of(corners), centre_ - exact::to_double(corners.at[0]))};
}

// If the nearest point is on an edge or a corner, the triangle there that faces the centre the most decides the side.
bool SurfaceSide::is_nearer(const Seen& seen, const Seen& than) {
    if (std::fabs(seen.squared - than.squared) > kSameDistance * than.squared) return seen.squared < than.squared;
    return std::fabs(seen.height) > (1 + kSameDistance) * std::fabs(than.height);
}

std::uint32_t SurfaceSide::step_from(std::uint32_t triangle) {
    Seen nearest = see(triangle);
    if (nearest.next != kNoTriangle) return nearest.next;
    for (std::uint32_t edge = 0; edge < 3; ++edge) {
        const std::uint32_t beside = neighbour_at(surface_, triangle, edge);
        if (beside == kNoTriangle) continue;
        if (const Seen& seen = see(beside); is_nearer(seen, nearest)) nearest = seen;
    }
    return see(triangle).next = nearest.triangle;
}

}  // namespace abut
