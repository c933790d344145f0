// Contact candidates of one pair, in contact coordinates.
#pragma once

#include "convex/manifold/feature.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr std::uint32_t kMaxCandidates = 3 * kMaxCorners;
inline constexpr std::uint32_t kMaxSearched = 9;   // the number of candidates among which the best four are searched
inline constexpr float kNotReachable = HUGE_VALF;  // the distance of a corner that does not slide onto the other face

struct Candidates {
    std::uint32_t count = 0;
    float apart = 0;  // of candidates closer than this in the plane, or with the same name, only the first stays
    alignas(64) float x[kMaxCandidates + 16], y[kMaxCandidates + 16],
        height[kMaxCandidates + 16];  // height: halfway between the surfaces
    alignas(64) float separation[kMaxCandidates + 16];
    alignas(64) std::int32_t name[kMaxCandidates + 16];

    void set(std::uint32_t i, float px, float py, float h, float s, std::int32_t id) {
        x[i] = px, y[i] = py, height[i] = h, separation[i] = s, name[i] = id;
    }
    ABUT_INLINE void append(float px, float py, float h, float s, std::uint32_t id) {
        set(count++, px, py, h, s, static_cast<std::int32_t>(id));
    }
    // Appends the candidates of `lanes`, the lowest lane first.
    ABUT_INLINE void append(std::uint32_t lanes, FloatW px, FloatW py, FloatW h, FloatW s, IntW id) {
        store_lanes(px, lanes, x + count), store_lanes(py, lanes, y + count), store_lanes(h, lanes, height + count);
        store_lanes(s, lanes, separation + count), store_lanes(id, lanes, name + count);
        count += static_cast<std::uint32_t>(bit_count(lanes));
    }
    ABUT_INLINE bool has_duplicate(float px, float py, std::uint32_t id) const {
        const FloatW limit = apart * apart;
        for (std::uint32_t i = 0; i < count; i += kLanes) {
            const FloatW dx = FloatW::load(x + i) - FloatW(px), dy = FloatW::load(y + i) - FloatW(py);
            const MaskW duplicate =
                (dx * dx + dy * dy <= limit) | (IntW::load(name + i) == IntW(static_cast<std::int32_t>(id)));
            if ((duplicate.bits() & lane_bits(count - i)) != 0) return true;
        }
        return false;
    }
    // True if there is one candidate, or two within a distance of each other in the plane.
    bool are_few(float within) const {
        if (count != 2) return count == 1;
        const float dx = x[1] - x[0], dy = y[1] - y[0];
        return dx * dx + dy * dy <= within * within;
    }
    void copy(std::uint32_t to, const Candidates& c, std::uint32_t from) {
        set(to, c.x[from], c.y[from], c.height[from], c.separation[from], c.name[from]);
    }
    void copy(std::uint32_t to, std::uint32_t from) { copy(to, *this, from); }
    void assign(const Candidates& c) {
        count = c.count, apart = c.apart;
        for (std::uint32_t i = 0; i < count; i += kLanes) {
            FloatW::load(c.x + i).store(x + i), FloatW::load(c.y + i).store(y + i),
                FloatW::load(c.height + i).store(height + i);
            FloatW::load(c.separation + i).store(separation + i), IntW::load(c.name + i).store(name + i);
        }
    }
};

namespace candidates_detail {

// Pads to whole vectors by repeating the first candidate.
inline void pad(Candidates& c) {
    FloatW(c.x[0]).store_unaligned(c.x + c.count), FloatW(c.y[0]).store_unaligned(c.y + c.count);
    FloatW(c.separation[0]).store_unaligned(c.separation + c.count);
}

// Coordinates of padded candidates along a direction.
struct AlongW {
    FloatW at[(kMaxCandidates + kLanes - 1) / kLanes];
    std::uint32_t count;
    float low, high;

    AlongW(const Candidates& c, float x, float y) : count(c.count) {
        FloatW most = -HUGE_VALF, least = HUGE_VALF;
        for (std::uint32_t i = 0; i < count; i += kLanes) {
            at[i / kLanes] = FloatW(x) * FloatW::load(c.x + i) + FloatW(y) * FloatW::load(c.y + i);
            most = max(most, at[i / kLanes]), least = min(least, at[i / kLanes]);
        }
        high = reduce_max(most), low = -reduce_max(-least);
    }
    float extent() const { return high - low; }
};

// Heights of padded candidates above the deepest; finds the lowest one under a tilt.
struct TiltsW {
    FloatW level[(kMaxCandidates + kLanes - 1) / kLanes];
    float rise;  // a tilt raises one end of the patch by this and lowers the other

    TiltsW(const Candidates& c, float level_up_to, float by) : rise(by) {
        for (std::uint32_t i = 0; i < c.count; i += kLanes)
            level[i / kLanes] = max(FloatW(0.0f), FloatW::load(c.separation + i) - FloatW(level_up_to));
    }
    // The lowest index among the candidates that are as low as the lowest to within `share` of the rise.
    std::uint32_t lowest(const AlongW& along, float direction, float share) const {
        const float extent = along.extent(), scale = extent > kTiny ? 2.0f * direction * rise / extent : 0.0f;
        FloatW clearance[(kMaxCandidates + kLanes - 1) / kLanes], least = HUGE_VALF;
        for (std::uint32_t i = 0; i < along.count; i += kLanes) {
            clearance[i / kLanes] = level[i / kLanes] + FloatW(scale) * along.at[i / kLanes];
            least = min(least, clearance[i / kLanes]);
        }
        const FloatW limit = -reduce_max(-least) + share * rise;
        for (std::uint32_t i = 0; i < along.count; i += kLanes)
            if (const std::uint32_t low = (clearance[i / kLanes] <= limit).bits(); low != 0)
                return i + static_cast<std::uint32_t>(lowest_bit(low));
        return 0;
    }
};

// A linear map under which the candidates' extents in four directions are those of a circle: up to a factor, the
// inverse square root of the matrix of an ellipse with these extents. The map depends continuously on the candidates,
// so that mapped directions suit both strips and squares and do not jump. (Second moments depend on how many candidates
// lie on each edge, and are less steady.) A second step corrects strips, which are no ellipses.
struct Round {
    float xx = 1.0f, xy = 0.0f, yx = 0.0f, yy = 1.0f;
    float longest = 0.0f;  // of the four extents

    // Reads padded candidates.
    explicit Round(const Candidates& c) {
        for (int step = 0; step < 2; ++step) {
            const auto width = [&](float x, float y) { return AlongW(c, xx * x + xy * y, yx * x + yy * y).extent(); };
            const float w0 = width(1.0f, 0.0f), w1 = width(0.0f, 1.0f), w2 = width(1.0f, 1.0f), w3 = width(1.0f, -1.0f);
            if (step == 0) {
                const float straight = w0 > w1 ? w0 : w1, diagonal = 0.70710678f * (w2 > w3 ? w2 : w3);
                longest = straight > diagonal ? straight : diagonal;
            }
            const float sum = w0 * w0 + w1 * w1, inverse = sum > kTiny ? 1.0f / sum : 0.0f;
            const float mxx = w0 * w0 * inverse, myy = w1 * w1 * inverse, mxy = 0.25f * (w2 * w2 - w3 * w3) * inverse;
            const float determinant = mxx * myy - mxy * mxy,
                        root = sqrt_of(determinant > kLeastRoundness ? determinant : kLeastRoundness);
            const Round before = *this;
            xx = before.xx * (myy + root) - before.xy * mxy, xy = before.xy * (mxx + root) - before.xx * mxy;
            yx = before.yx * (myy + root) - before.yy * mxy, yy = before.yy * (mxx + root) - before.yx * mxy;
        }
    }
};

}  // namespace candidates_detail

// Sorts candidates by name: corners of B, corners of A, crossings. The order may decide between equally good
// candidates, so it must not depend on how they were clipped.
inline void sort_by_name(Candidates& c) {
    std::uint64_t key[kMaxCandidates];  // the name as a signed number, made unsigned, and the index
    bool is_sorted = true;
    for (std::uint32_t i = 0; i < c.count; ++i) {
        const std::uint64_t name = static_cast<std::uint32_t>(c.name[i]) ^ 0x80000000u, own = name << 32 | i;
        std::uint32_t to = i;
        for (; to > 0 && key[to - 1] > own; --to) key[to] = key[to - 1];
        key[to] = own;
        is_sorted &= to == i;
    }
    if (is_sorted) return;
    Candidates sorted;
    sorted.apart = c.apart;
    for (; sorted.count < c.count; ++sorted.count)
        sorted.copy(sorted.count, c, static_cast<std::uint32_t>(key[sorted.count]));
    c.assign(sorted);
}

// If there are more than kMaxSearched candidates, keeps the lowest at each of eight tilts, as in choose_four.hpp, and
// the deepest if none of these is deep. No corners of a regular polygon are equally far along one of the directions. Of
// corners that are equally low to within kAsLow of the rise, the first stays, so that noise does not choose.
inline void thin_out(Candidates& c, float slack, float smaller) {
    using namespace candidates_detail;
    if (c.count <= kMaxSearched) return;
    constexpr float kAsLow = 0.02f, kCosine = 0.98058068f, kSine = 0.19611614f;  // 11.3 degrees
    bool is_kept[kMaxCandidates] = {};
    std::uint32_t deepest = 0, highest = 0;
    for (std::uint32_t i = 1; i < c.count; ++i) {
        if (c.separation[i] < c.separation[deepest]) deepest = i;
        if (c.separation[i] > c.separation[highest]) highest = i;
    }
    const bool are_level = c.separation[highest] - c.separation[deepest] <= kLevelRange * smaller;
    const float level_up_to = are_level ? c.separation[highest] : c.separation[deepest] + kLevelShare * slack;
    pad(c);
    const Round round(c);
    constexpr float kDirections[4][2] = {{1.0f, 0.0f}, {0.0f, 1.0f}, {1.0f, 1.0f}, {1.0f, -1.0f}};
    const TiltsW tilts(c, level_up_to, 0.5f * kMostTilted * round.longest);
    for (const auto& d : kDirections) {
        const float dx = kCosine * d[0] - kSine * d[1], dy = kSine * d[0] + kCosine * d[1];
        const AlongW along(c, round.xx * dx + round.xy * dy, round.yx * dx + round.yy * dy);
        is_kept[tilts.lowest(along, 1.0f, kAsLow)] = is_kept[tilts.lowest(along, -1.0f, kAsLow)] = true;
    }
    bool has_deep = false;
    for (std::uint32_t i = 0; i < c.count; ++i)
        has_deep |= is_kept[i] && c.separation[i] <= c.separation[deepest] + (are_level ? slack : kLevelShare * slack);
    is_kept[deepest] |= !has_deep;
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < c.count; ++i)
        if (is_kept[i]) c.copy(count++, i);
    c.count = count;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
