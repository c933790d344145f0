// Contact candidates of one pair, in the contact's coordinates, and the choice of four among them.
#pragma once

#include "manifold/feature.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr std::uint32_t kMaxCandidates = 3 * kMaxCorners;

struct Candidates {
    std::uint32_t count = 0;
    alignas(64) float x[kMaxCandidates + 16], y[kMaxCandidates + 16], height[kMaxCandidates + 16];  // height: halfway between the surfaces
    alignas(64) float separation[kMaxCandidates + 16];
    std::uint32_t name[kMaxCandidates + 16];

    ABUT_INLINE void append(float px, float py, float h, float s, std::uint32_t id) {
        x[count] = px, y[count] = py, height[count] = h, separation[count] = s, name[count] = id;
        ++count;
    }
    ABUT_INLINE void copy(std::uint32_t to, std::uint32_t from) {
        x[to] = x[from], y[to] = y[from], height[to] = height[from], separation[to] = separation[from], name[to] = name[from];
    }
};

namespace candidates_detail {

// The lowest index among those with the greatest key(first lane's index).
template <class Key>
ABUT_INLINE std::uint32_t argmax(std::uint32_t count, Key&& key) {
    FloatW value[(kMaxCandidates + kLanes - 1) / kLanes + 1];
    FloatW best = -__builtin_huge_valf();
    for (std::uint32_t i = 0; i < count; i += kLanes) {
        value[i / kLanes] = key(i);
        const std::uint32_t left = count - i;
        if (left < kLanes)
            value[i / kLanes] = select(MaskW::from_bits((1u << left) - 1), value[i / kLanes], FloatW(-__builtin_huge_valf()));
        best = max(best, value[i / kLanes]);
    }
    const FloatW greatest = reduce_max(best);
    for (std::uint32_t i = 0; i < count; i += kLanes)
        if (const std::uint32_t bits = (value[i / kLanes] == greatest).bits(); bits != 0) return i + static_cast<std::uint32_t>(__builtin_ctz(bits));
    return 0;
}

// The first of those that are deepest to within `slack`: noise must not choose among the corners of a resting face.
ABUT_INLINE std::uint32_t deepest(const Candidates& c, float slack) {
    const std::uint32_t i = argmax(c.count, [&](std::uint32_t at) { return -FloatW::load(c.separation + at); });
    const FloatW limit = c.separation[i] + slack;
    return argmax(c.count, [&](std::uint32_t at) {
        return select(FloatW::load(c.separation + at) <= limit, FloatW(1.0f), FloatW(0.0f));
    });
}

// Twice the signed area that point i spans with the line from p to q.
ABUT_INLINE FloatW area_over(const Candidates& c, std::uint32_t p, std::uint32_t q, std::uint32_t i) {
    const FloatW dx = c.x[q] - c.x[p], dy = c.y[q] - c.y[p];
    return dx * (FloatW::load(c.y + i) - FloatW(c.y[p])) - dy * (FloatW::load(c.x + i) - FloatW(c.x[p]));
}

ABUT_INLINE float distance_squared(const Candidates& c, std::uint32_t i, std::uint32_t j) {
    const float dx = c.x[i] - c.x[j], dy = c.y[i] - c.y[j];
    return dx * dx + dy * dy;
}

}  // namespace candidates_detail

// Up to four indices, the deepest first, and the others such that the area is large: from the deepest to the farthest, then the outermost
// on either side of each diagonal in turn, each turn no smaller than the one before.
ABUT_INLINE std::uint32_t choose_four(const Candidates& c, float slack, std::uint32_t (&chosen)[4]) {
    using namespace candidates_detail;
    const std::uint32_t first = deepest(c, slack);
    if (c.count <= 4) {
        for (std::uint32_t i = 0; i < c.count; ++i) chosen[i] = i;
        chosen[0] = first, chosen[first] = 0;
        if (first == 0) chosen[0] = 0;
        return c.count;
    }
    std::uint32_t p = first;
    std::uint32_t q = argmax(c.count, [&](std::uint32_t i) {
        const FloatW dx = FloatW::load(c.x + i) - FloatW(c.x[p]), dy = FloatW::load(c.y + i) - FloatW(c.y[p]);
        return dx * dx + dy * dy;
    });
    std::uint32_t r = 0, s = 0;
    const auto outermost = [&](std::uint32_t from, std::uint32_t to, std::uint32_t& left, std::uint32_t& right) {
        left = argmax(c.count, [&](std::uint32_t i) { return area_over(c, from, to, i); });
        right = argmax(c.count, [&](std::uint32_t i) { return -area_over(c, from, to, i); });
    };
    outermost(p, q, r, s);
    outermost(s, r, p, q);
    outermost(p, q, r, s);

    std::uint32_t four[4] = {p, r, q, s};
    // The deepest stays: in the place of its nearest, where none as deep was chosen.
    const float limit = c.separation[first] + slack;
    std::uint32_t lead = 4, nearest = 0;
    for (std::uint32_t k = 0; k < 4; ++k) {
        if (lead == 4 && c.separation[four[k]] <= limit) lead = k;
        if (distance_squared(c, four[k], first) < distance_squared(c, four[nearest], first)) nearest = k;
    }
    if (lead == 4) {
        lead = nearest;
        four[lead] = first;
    }
    std::uint32_t count = 0;
    for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t index = four[(lead + k) % 4];
        bool known = false;
        for (std::uint32_t j = 0; j < count; ++j) known |= chosen[j] == index;
        if (!known) chosen[count++] = index;
    }
    return count;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
