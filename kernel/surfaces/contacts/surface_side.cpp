// See surface_side.hpp.
#include "surfaces/contacts/surface_side.hpp"

#include <cmath>

#include "surfaces/triangles/probe.hpp"

namespace abut {
namespace {

using maths::Vec3d;

constexpr std::uint32_t kMostSteps = 256;

}  // namespace

bool SurfaceSide::is_turned_away(std::uint32_t triangle) {
    const double height = see(end_from(triangle)).height;
    return see(triangle).height * height < 0;
}

std::uint32_t SurfaceSide::end_from(std::uint32_t triangle) {
    std::uint32_t visited[kMostSteps], steps = 0, end = triangle;
    while (steps < kMostSteps) {
        if (const Steps& known = kept_steps_[end % kKeptSteps]; known.from == end) {
            end = known.end;
            break;
        }
        visited[steps++] = end;
        const std::uint32_t next = step_from(end);
        if (next == end) break;
        end = next;
    }
    // Stores the first steps last, because walks from the next triangle meet the first steps.
    while (steps != 0) --steps, kept_steps_[visited[steps] % kKeptSteps] = {visited[steps], end};
    return end;
}

const SurfaceSide::Seen& SurfaceSide::see(std::uint32_t triangle) {
    Seen& seen = kept_[triangle % kKept];
    if (seen.triangle == triangle) return seen;
    const SurfaceCorners corners = corners_at(surface_, triangle);
    const Vec3d offset = offset_from(corners, centre_);
    return seen = {triangle, dot(offset, offset), dot(normal_of(corners), centre_ - corners[0])};
}

// If the nearest point is on a common edge or corner, the triangle whose plane is farther from the centre decides,
// because that triangle faces the centre more.
bool SurfaceSide::is_nearer(const Seen& seen, const Seen& than) {
    if (std::fabs(seen.squared - than.squared) > kSameDistance * than.squared) return seen.squared < than.squared;
    return std::fabs(seen.height) > (1 + kSameDistance) * std::fabs(than.height);
}

std::uint32_t SurfaceSide::step_from(std::uint32_t triangle) {
    Seen nearest = see(triangle);
    for (std::uint32_t edge = 0; edge < 3; ++edge) {
        const std::uint32_t beside = neighbour_at(surface_, triangle, edge);
        if (beside == kNoTriangle) continue;
        if (const Seen& seen = see(beside); is_nearer(seen, nearest)) nearest = seen;
    }
    return nearest.triangle;
}

}  // namespace abut
