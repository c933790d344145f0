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

ABUT_INLINE std::uint32_t deepest(const Candidates& c) {
    return argmax(c.count, [&](std::uint32_t i) { return -FloatW::load(c.separation + i); });
}

// Of more than kMaxSearched the outermost ones along eight directions, and the deepest.
inline constexpr std::uint32_t kMaxSearched = 9;

struct Searched {
    std::uint32_t count = 0;
    std::uint32_t index[kMaxSearched];
    alignas(64) float x[16], y[16];
    bool deep[kMaxSearched];  // as deep as the deepest, to within the slack

    ABUT_INLINE void add(const Candidates& c, std::uint32_t i, float limit) {
        for (std::uint32_t k = 0; k < count; ++k)
            if (index[k] == i) return;
        index[count] = i, x[count] = c.x[i], y[count] = c.y[i], deep[count] = c.separation[i] <= limit;
        ++count;
    }
};

ABUT_INLINE void gather(const Candidates& c, float limit, Searched& out) {
    out.count = 0;
    for (int k = 0; k < 16; ++k) out.x[k] = out.y[k] = 0.0f;
    if (c.count <= kMaxSearched) {
        for (std::uint32_t i = 0; i < c.count; ++i) out.add(c, i, limit);
        return;
    }
    const auto along = [&](float x, float y) {
        const auto key = [&](std::uint32_t at) { return FloatW(x) * FloatW::load(c.x + at) + FloatW(y) * FloatW::load(c.y + at); };
        const std::uint32_t i = argmax(c.count, key);
        out.add(c, i, limit);
        return x * c.x[i] + y * c.y[i];
    };
    const float width = along(1.0f, 0.0f) + along(-1.0f, 0.0f), height = along(0.0f, 1.0f) + along(0.0f, -1.0f);
    const float signs[2] = {1.0f, -1.0f};
    for (const float sign : signs) {
        along(height, sign * width);
        along(-height, -sign * width);
    }
    out.add(c, deepest(c), limit);
}

// The greatest quadrilateral among a few points that has a deep one among its corners: every diagonal i-j, j being lanes, with the
// outermost points on its either side.
struct Diagonal {
    float area = -1.0f;
    std::uint32_t i = 0, j = 0;

    // Ties go to the lower indices, however many lanes are asked at once.
    ABUT_INLINE void keep_if_better(const Diagonal& other) {
        const bool before = other.i != i ? other.i < i : other.j < j;
        if (other.area > area || (other.area == area && before)) *this = other;
    }
};
ABUT_INLINE Diagonal best_diagonal(const Searched& s) {
    const FloatW zero = 0.0f, never = -__builtin_huge_valf();
    Diagonal best;
    for (std::uint32_t first = 0; first < s.count; first += kLanes) {
        const FloatW xj = FloatW::load(s.x + first), yj = FloatW::load(s.y + first);
        LaneArray<float> deep_lane;
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
            deep_lane.at[lane] = first + lane < s.count && s.deep[first + lane] ? 1.0f : 0.0f;
        const MaskW deep_j = load(deep_lane) > zero;
        for (std::uint32_t i = 0; i < s.count; ++i) {
            const FloatW dx = xj - FloatW(s.x[i]), dy = yj - FloatW(s.y[i]);
            FloatW left = zero, right = zero, deep_left = never, deep_right = never;
            for (std::uint32_t k = 0; k < s.count; ++k) {
                const FloatW over = dx * FloatW(s.y[k] - s.y[i]) - dy * FloatW(s.x[k] - s.x[i]);
                left = max(left, over);
                right = max(right, -over);
                if (!s.deep[k]) continue;
                deep_left = max(deep_left, over);
                deep_right = max(deep_right, -over);
            }
            const FloatW with = max(max(deep_left, zero) + right + select(deep_left < zero, never, zero),
                                    max(deep_right, zero) + left + select(deep_right < zero, never, zero));
            const FloatW area = s.deep[i] ? left + right : select(deep_j, left + right, with);
            const LaneArray<float> lane_area = lanes_of(area);
            for (std::uint32_t lane = 0; lane < kLanes && first + lane < s.count; ++lane)
                best.keep_if_better({lane_area.at[lane], i, first + lane});
        }
    }
    return best;
}

// The corners of the quadrilateral with this diagonal.
ABUT_INLINE void corners_of(const Searched& s, const Diagonal& d, std::uint32_t (&four)[4]) {
    const bool need_deep = !s.deep[d.i] && !s.deep[d.j];
    const float dx = s.x[d.j] - s.x[d.i], dy = s.y[d.j] - s.y[d.i], never = -__builtin_huge_valf();
    float most[2] = {0.0f, 0.0f}, deep[2] = {never, never};
    std::uint32_t at[2] = {d.i, d.i}, deep_at[2] = {d.i, d.i};
    for (std::uint32_t k = 0; k < s.count; ++k) {
        const float over = dx * (s.y[k] - s.y[d.i]) - dy * (s.x[k] - s.x[d.i]);
        for (int side = 0; side < 2; ++side) {
            const float out = side == 0 ? over : -over;
            if (out > most[side]) most[side] = out, at[side] = k;
            if (s.deep[k] && out >= 0.0f && out > deep[side]) deep[side] = out, deep_at[side] = k;
        }
    }
    if (need_deep) {
        const int side = deep[0] + most[1] >= deep[1] + most[0] ? 0 : 1;
        at[side] = deep_at[side];
    }
    four[0] = s.index[d.i], four[1] = s.index[d.j], four[2] = s.index[at[0]], four[3] = s.index[at[1]];
}

}  // namespace candidates_detail

// Up to four indices, deepest first: the greatest area that has a point as deep as the deepest (to within `slack`) among its corners, no
// two nearer than `apart`.
inline std::uint32_t choose_four(const Candidates& c, float slack, float apart, std::uint32_t (&chosen)[4]) {
    using namespace candidates_detail;
    if (c.count == 1) {
        chosen[0] = 0;
        return 1;
    }
    std::uint32_t four[4] = {0, 1, 2, 3}, count = c.count;
    if (c.count > 4) {
        Searched searched;
        gather(c, c.separation[deepest(c)] + slack, searched);
        corners_of(searched, best_diagonal(searched), four);
        count = 4;
    }
    std::uint32_t kept = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        bool known = false;
        std::uint32_t at = 0;
        for (std::uint32_t j = 0; j < kept; ++j) {
            const float dx = c.x[chosen[j]] - c.x[four[k]], dy = c.y[chosen[j]] - c.y[four[k]];
            known |= dx * dx + dy * dy <= apart * apart;
            at += c.separation[chosen[j]] <= c.separation[four[k]];
        }
        if (known) continue;
        for (std::uint32_t j = kept++; j > at; --j) chosen[j] = chosen[j - 1];
        chosen[at] = four[k];
    }
    return kept;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
