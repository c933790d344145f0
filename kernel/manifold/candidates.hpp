// Contact candidates of one pair, in the contact's coordinates.
#pragma once

#include "manifold/feature.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr std::uint32_t kMaxCandidates = 3 * kMaxCorners;
inline constexpr std::uint32_t kMaxSearched = 9;  // that the best four are looked for among

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
        if (count - i < kLanes)
            value[i / kLanes] = select(MaskW::from_bits(lane_bits(count - i)), value[i / kLanes], FloatW(-__builtin_huge_valf()));
        best = max(best, value[i / kLanes]);
    }
    const FloatW greatest = reduce_max(best);
    for (std::uint32_t i = 0; i < count; i += kLanes) {
        const std::uint32_t same = (value[i / kLanes] == greatest).bits();
        if (same != 0) return i + static_cast<std::uint32_t>(__builtin_ctz(same));
    }
    return 0;
}

}  // namespace candidates_detail

// Keeps the outermost along eight directions and the deepest, where there are more than can be searched for the best four.
inline void thin_out(Candidates& c) {
    using namespace candidates_detail;
    if (c.count <= kMaxSearched) return;
    Candidates kept;
    std::uint32_t taken[kMaxSearched];
    const auto take = [&](std::uint32_t i) {
        for (std::uint32_t k = 0; k < kept.count; ++k)
            if (taken[k] == i) return;
        taken[kept.count] = i;
        kept.append(c.x[i], c.y[i], c.height[i], c.separation[i], c.name[i]);
    };
    const auto along = [&](float x, float y) {
        const auto key = [&](std::uint32_t at) { return FloatW(x) * FloatW::load(c.x + at) + FloatW(y) * FloatW::load(c.y + at); };
        const std::uint32_t i = argmax(c.count, key);
        take(i);
        return x * c.x[i] + y * c.y[i];
    };
    const float width = along(1.0f, 0.0f) + along(-1.0f, 0.0f), height = along(0.0f, 1.0f) + along(0.0f, -1.0f);
    const float signs[2] = {1.0f, -1.0f};
    for (const float sign : signs) {
        along(height, sign * width);
        along(-height, -sign * width);
    }
    take(argmax(c.count, [&](std::uint32_t i) { return -FloatW::load(c.separation + i); }));
    c.count = 0;
    for (std::uint32_t i = 0; i < kept.count; ++i)
        c.append(kept.x[i], kept.y[i], kept.height[i], kept.separation[i], kept.name[i]);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
