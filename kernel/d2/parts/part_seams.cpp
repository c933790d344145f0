// See part_seams.hpp.
#include "d2/parts/part_seams.hpp"

#include "shapes/seam.hpp"

namespace abut::d2 {
namespace {

bool contains(const CoreD& core, Vec2D point, double slack) {
    for (std::int32_t e = 0; e < core.count; ++e)
        if (const EdgeD edge = core.edge(e); dot(edge.normal, point - edge.corner0) > slack) return false;
    return true;
}

// True if the core has points above this one, by more than the slack and a tilt.
bool rises(const CoreD& core, Vec2D point, Vec2D normal, double slack) {
    return std::any_of(core.corners, core.corners + core.count, [&](Vec2D corner) {
        const Vec2D way = corner - point;
        return dot(normal, way) > slack + kSeamTilt * std::sqrt(dot(way, way));
    });
}

struct Range {
    double low, high;
};

// The range of an edge, from 0 to 1, that is in a core; low > high if it is empty.
Range part_within(const EdgeD& edge, const CoreD& core, double slack) {
    Range part = {0, 1};
    for (std::int32_t e = 0; e < core.count; ++e) {
        const EdgeD face = core.edge(e);
        const double from = dot(face.normal, edge.corner0 - face.corner0) - slack,
                     to = dot(face.normal, edge.corner1 - face.corner0) - slack;
        if (from > 0 && to > 0) return {1, 0};
        if (from > 0) part.low = std::max(part.low, from / (from - to));
        if (to > 0) part.high = std::min(part.high, from / (from - to));
    }
    return part;
}

}  // namespace

template <class Visit>
bool PartSeams::over_siblings(const CoreD& core, std::uint32_t i, const BoxD2& near, const Visit& visit) const {
    if (compound_.parts->is_joined[i] == 0) return true;
    BoxD2 local;
    for (const double x : {near.low.x, near.high.x})
        for (const double y : {near.low.y, near.high.y})
            local.add(compound_.turn.unrotated(Vec2D{x, y} - compound_.position));
    double bound = kSeamShare * core.size;
    bool all = true;
    walk_near_parts(*compound_.parts, local, bound, [&](std::uint32_t k) {
        CoreD sibling;
        if (k == i || compound_.parts->is_joined[k] == 0) return;
        place(tables_, compound_.part(k), sibling);
        if (visit(sibling, kSeamShare * std::min(core.size, sibling.size))) return;
        all = false, bound = -HUGE_VAL;  // ends the walk
    });
    return all;
}

bool PartSeams::shows(const CoreD& core, std::uint32_t i, Vec2D normal, Vec2D point) const {
    return over_siblings(core, i, {point, point}, [&](const CoreD& sibling, double slack) {
        return !contains(sibling, point, slack) || !rises(sibling, point, normal, slack);
    });
}

bool PartSeams::is_free(const CoreD& core, std::uint32_t i, const EdgeD& edge) const {
    Range covered[kMostTouched];
    std::uint32_t count = 0;
    BoxD2 near;
    near.add(edge.corner0), near.add(edge.corner1);
    const bool are_few = over_siblings(core, i, near, [&](const CoreD& sibling, double slack) {
        const Range part = part_within(edge, sibling, slack);
        if (part.low < part.high && rises(sibling, edge.corner0, edge.normal, slack)) covered[count++] = part;
        return count < kMostTouched;
    });
    if (!are_few) return true;
    double end = 0;
    for (bool grows = true; grows && end < 1 - kSeamShare;) {
        grows = false;
        for (const Range& part : std::span(covered, count))
            if (part.low <= end + kSeamShare && part.high > end) end = part.high, grows = true;
    }
    return end < 1 - kSeamShare;
}

bool PartSeams::find_free_axis(const CoreD& core, std::uint32_t i, const CoreD& other, AxisD& out) const {
    bool is_found = false;
    for (std::int32_t e = 0; e < core.count; ++e) {
        const EdgeD edge = core.edge(e);
        double lowest = HUGE_VAL;
        for (std::int32_t k = 0; k < other.count; ++k)
            lowest = std::min(lowest, dot(edge.normal, other.corners[k] - edge.corner0));
        if ((is_found && lowest <= out.separation) || !is_free(core, i, edge)) continue;
        out.separation = lowest, out.normal = edge.normal, is_found = true;
    }
    return is_found;
}

}  // namespace abut::d2
