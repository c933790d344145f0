#include "queries/boxes/ray_lines.hpp"

#include <algorithm>
#include <cmath>

#include "base/message.hpp"
#include "base/rounding.hpp"
#include "batch/frame_checks.hpp"

namespace abut {

namespace {

// If a component of the direction is below this (the longest is 1 to 2), products with its inverse could overflow. The
// component's axis then excludes no box.
constexpr double kLeastSlope = 0x1p-100;

struct RayAxis {
    float low, high, inverse;
};

// The slab of a box that is grown by `half`: a ray meets the grown box exactly where a box of this half extent about
// the ray meets the box.
RayAxis axis_of(double origin, double boxes_origin, double direction, double half) {
    if (half == kInfinity || (direction != 0.0 && std::abs(direction) < kLeastSlope))
        return {-kInfinity, kInfinity, 0.0f};
    double above = sum_above(origin, -boxes_origin), below = sum_above(-origin, boxes_origin);
    if (half > 0.0) above = sum_above(above, half), below = sum_above(below, half);
    const float high = round_up(above), low = -round_up(below);
    return {low, high, direction == 0.0 ? 0.0f : float(1.0 / direction)};
}

bool is_finite(const Vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

DVec3 origin_of(const BoxRays& rays, std::size_t i) {
    if (!rays.double_origins.empty()) return rays.double_origins[i];
    const Vec3 at = rays.origins[i];
    return {at.x, at.y, at.z};
}

bool is_half_extent(float value) { return value >= 0.0f && value < kInfinity; }
bool are_half_extents(const Vec3& v) { return is_half_extent(v.x) && is_half_extent(v.y) && is_half_extent(v.z); }

}  // namespace

RayLine line_of(const DVec3& from, const DVec3& boxes_origin, const DVec3& displacement, const Vec3& half, double end) {
    const double longest =
        std::max(std::max(std::abs(displacement.x), std::abs(displacement.y)), std::abs(displacement.z));
    const double scale = longest > 0.0 ? std::ldexp(1.0, -std::ilogb(longest)) : 1.0;
    const RayAxis axes[3] = {axis_of(from.x, boxes_origin.x, displacement.x * scale, half.x),
                             axis_of(from.y, boxes_origin.y, displacement.y * scale, half.y),
                             axis_of(from.z, boxes_origin.z, displacement.z * scale, half.z)};
    RayLine line;
    for (int axis = 0; axis < 3; ++axis)
        line.low[axis] = axes[axis].low, line.high[axis] = axes[axis].high, line.inverse[axis] = axes[axis].inverse;
    line.length = round_up(end * (1 + 0x1p-50) / scale);
    return line;
}

bool read_line(const BoxRays& rays, std::size_t i, RayLine& line) {
    const DVec3 from = origin_of(rays, i);
    const Vec3 direction = rays.directions[i];
    const float length = rays.lengths.empty() ? 1.0f : rays.lengths[i];
    const Vec3 half = rays.half_extents.empty() ? Vec3{} : rays.half_extents[i];
    const float longest = std::max(std::max(std::abs(direction.x), std::abs(direction.y)), std::abs(direction.z));
    if (!(std::isfinite(from.x) && std::isfinite(from.y) && std::isfinite(from.z) && is_finite(direction) &&
          longest > 0.0f && length >= 0.0f && are_half_extents(half)))
        return false;
    const double end = rays.lengths.empty()
                           ? 1.0
                           : length / std::sqrt(double(direction.x) * direction.x + double(direction.y) * direction.y +
                                                double(direction.z) * direction.z);
    line = line_of(from, rays.boxes_origin, {direction.x, direction.y, direction.z}, half, end);
    return true;
}

CallResult check_rays(const BoxRays& rays) {
    const std::size_t count = rays.directions.size();
    if (CallResult r = check_strided("BoxRays directions", rays.directions); !r) return r;
    if (CallResult r = check_column("BoxRays origins", rays.origins, count); !r) return r;
    if (CallResult r = check_column("BoxRays double_origins", rays.double_origins, count); !r) return r;
    if (CallResult r = check_column("BoxRays lengths", rays.lengths, count); !r) return r;
    if (CallResult r = check_column("BoxRays half_extents", rays.half_extents, count); !r) return r;
    if (CallResult r = check_column("BoxRays groups", rays.groups, count); !r) return r;
    if (CallResult r = check_column("BoxRays masks", rays.masks, count); !r) return r;
    if (count > 0 && rays.origins.empty() == rays.double_origins.empty())
        return bad_argument(message_of("BoxRays has ", rays.origins.empty() ? "neither" : "both",
                                       " origins and double_origins, expected one of them"));
    const DVec3 o = rays.boxes_origin;
    if (!(std::isfinite(o.x) && std::isfinite(o.y) && std::isfinite(o.z)))
        return bad_argument("BoxRays boxes_origin is not finite");
    return {};
}

void RayLines::read(const BoxRays& rays) {
    lines_.clear(), ids_.clear(), bad_.clear();
    for (std::size_t i = 0; i < rays.directions.size(); ++i) {
        RayLine line;
        if (!read_line(rays, i, line)) {
            bad_.push_back(std::uint32_t(i));
            continue;
        }
        lines_.push_back(line);
        ids_.push_back(std::uint32_t(i));
    }
}

}  // namespace abut
