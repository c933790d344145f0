// Contact candidates of one pair, in the contact's coordinates.
#pragma once

#include "manifold/feature.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr std::uint32_t kMaxCandidates = 3 * kMaxCorners;
inline constexpr std::uint32_t kMaxSearched = 9;  // that the best four are looked for among
inline constexpr float kNoWay = HUGE_VALF;        // a corner does not slide onto the other face

struct Candidates {
    std::uint32_t count = 0;
    float apart = 0;  // no two are nearer in the plane, and none share a name: the first stays
    alignas(64) float x[kMaxCandidates + 16], y[kMaxCandidates + 16],
        height[kMaxCandidates + 16];  // height: halfway between the surfaces
    alignas(64) float separation[kMaxCandidates + 16];
    alignas(64) std::int32_t name[kMaxCandidates + 16];

    ABUT_INLINE void append(float px, float py, float h, float s, std::uint32_t id) {
        x[count] = px, y[count] = py, height[count] = h, separation[count] = s, name[count] = static_cast<std::int32_t>(id);
        ++count;
    }
    ABUT_INLINE bool has_twin(float px, float py, std::uint32_t id) const {
        const FloatW limit = apart * apart;
        for (std::uint32_t i = 0; i < count; i += kLanes) {
            const FloatW dx = FloatW::load(x + i) - FloatW(px), dy = FloatW::load(y + i) - FloatW(py);
            const MaskW twin = (dx * dx + dy * dy <= limit) | (IntW::load(name + i) == IntW(static_cast<std::int32_t>(id)));
            if ((twin.bits() & lane_bits(count - i)) != 0) return true;
        }
        return false;
    }
    // One candidate, or two within a length.
    ABUT_INLINE bool are_few(float within) const {
        if (count != 2) return count == 1;
        const float dx = x[1] - x[0], dy = y[1] - y[0];
        return dx * dx + dy * dy <= within * within;
    }
    ABUT_INLINE void copy(std::uint32_t to, std::uint32_t from) {
        x[to] = x[from], y[to] = y[from], height[to] = height[from], separation[to] = separation[from], name[to] = name[from];
    }
};

namespace candidates_detail {

// The lowest index among those whose key(first lane's index) is within `slack` of the greatest.
template <class Key>
ABUT_INLINE std::uint32_t argmax(std::uint32_t count, float slack, Key&& key) {
    FloatW value[(kMaxCandidates + kLanes - 1) / kLanes + 1];
    FloatW best = -HUGE_VALF;
    for (std::uint32_t i = 0; i < count; i += kLanes) {
        value[i / kLanes] = key(i);
        if (count - i < kLanes) value[i / kLanes] = select(MaskW::from_bits(lane_bits(count - i)), value[i / kLanes], FloatW(-HUGE_VALF));
        best = max(best, value[i / kLanes]);
    }
    const FloatW least = reduce_max(best) - slack;
    for (std::uint32_t i = 0; i < count; i += kLanes) {
        const std::uint32_t same = (value[i / kLanes] >= least).bits();
        if (same != 0) return i + static_cast<std::uint32_t>(lowest_bit(same));
    }
    return 0;
}

ABUT_INLINE float extent_along(const Candidates& c, float x, float y) {
    float low = HUGE_VALF, high = -low;
    for (std::uint32_t i = 0; i < c.count; ++i) {
        const float at = x * c.x[i] + y * c.y[i];
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    return high - low;
}

// Makes an ellipse as wide as the candidates, in four directions, a circle: the inverse square root of its matrix but for a factor. It follows the
// candidates continuously, a circle's too, so that directions seen through it suit a slanting strip as well as a square and do not jump. (Their second
// moments, which follow how many there are on each side, cost steadiness.) A strip is no ellipse: a second step makes up for what the first is off.
struct Round {
    float xx = 1.0f, xy = 0.0f, yx = 0.0f, yy = 1.0f;

    ABUT_INLINE explicit Round(const Candidates& c) {
        for (int step = 0; step < 2; ++step) {
            const auto width = [&](float x, float y) { return extent_along(c, xx * x + xy * y, yx * x + yy * y); };
            const float w0 = width(1.0f, 0.0f), w1 = width(0.0f, 1.0f), w2 = width(1.0f, 1.0f), w3 = width(1.0f, -1.0f);
            const float sum = w0 * w0 + w1 * w1, inverse = sum > kTiny ? 1.0f / sum : 0.0f;
            const float mxx = w0 * w0 * inverse, myy = w1 * w1 * inverse, mxy = 0.25f * (w2 * w2 - w3 * w3) * inverse;
            const float determinant = mxx * myy - mxy * mxy, root = sqrt_of(determinant > kLeast ? determinant : kLeast);
            const Round before = *this;
            xx = before.xx * (myy + root) - before.xy * mxy, xy = before.xy * (mxx + root) - before.xx * mxy;
            yx = before.yx * (myy + root) - before.yy * mxy, yy = before.yy * (mxx + root) - before.yx * mxy;
        }
    }

private:
    static constexpr float kLeast = 0.0025f;  // a strip of 1 to 20
};

}  // namespace candidates_detail

// Where the order decides between candidates that are as good, it must not depend on which clip has found them. Corners of B come first, then those
// of A, then crossings.
inline void sort_by_name(Candidates& c) {
    for (std::uint32_t i = 1; i < c.count; ++i) {
        c.copy(c.count, i);
        std::uint32_t to = i;
        for (; to > 0 && c.name[to - 1] > c.name[c.count]; --to) c.copy(to, to - 1);
        c.copy(to, c.count);
    }
}

// Keeps the outermost along eight directions, where there are more than can be searched for the best four, and the deepest where these are not
// `as_deep`. The directions are none along which the corners of a regular polygon pair off, and of corners that are as far out to
// within a fiftieth the first stays: noise must not choose between them.
inline void thin_out(Candidates& c, float as_deep) {
    using namespace candidates_detail;
    if (c.count <= kMaxSearched) return;
    constexpr float kAsFar = 0.02f, kCosine = 0.98058068f, kSine = 0.19611614f;  // 11.3 degrees
    bool is_kept[kMaxCandidates] = {};
    float least = HUGE_VALF;
    const auto take = [&](std::uint32_t i) {
        least = c.separation[i] < least ? c.separation[i] : least;
        is_kept[i] = true;
    };
    // Both ways.
    const auto along = [&](float x, float y) {
        const float slack = kAsFar * extent_along(c, x, y);
        const float signs[2] = {1.0f, -1.0f};
        for (const float sign : signs)
            take(argmax(c.count, slack,
                        [&](std::uint32_t at) { return FloatW(sign * x) * FloatW::load(c.x + at) + FloatW(sign * y) * FloatW::load(c.y + at); }));
    };
    const Round round(c);
    constexpr float kDirections[4][2] = {{1.0f, 0.0f}, {0.0f, 1.0f}, {1.0f, 1.0f}, {1.0f, -1.0f}};
    for (const auto& d : kDirections) {
        const float dx = kCosine * d[0] - kSine * d[1], dy = kSine * d[0] + kCosine * d[1];
        along(round.xx * dx + round.xy * dy, round.yx * dx + round.yy * dy);
    }
    const std::uint32_t deepest = argmax(c.count, 0.0f, [&](std::uint32_t i) { return -FloatW::load(c.separation + i); });
    if (c.separation[deepest] < least && least > as_deep) take(deepest);
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < c.count; ++i)
        if (is_kept[i]) c.copy(count++, i);
    c.count = count;
}

}  // namespace abut::ABUT_ISA_NAMESPACE
