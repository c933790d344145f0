// Rules 1 and 2 of carry_over for one manifold: matches contacts by id, then by the positions of their points on both
// bodies.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <abut/carry_over.hpp>

namespace abut {

static_assert(kMaxCarriedContacts <= 32);  // a bit each

inline std::uint32_t first_bits(std::size_t count) { return count >= 32 ? ~0u : (1u << count) - 1; }

// Exchanges A's and B's halves of an id.
inline std::uint32_t swap_halves(std::uint32_t feature) { return std::rotl(feature, 16); }

// The contacts without a match, one bit each.
struct Unmatched {
    std::uint32_t before = 0, now = 0;

    Unmatched(std::size_t before_count, std::size_t now_count)
        : before(first_bits(std::min(before_count, kMaxCarriedContacts))),
          now(first_bits(std::min(now_count, kMaxCarriedContacts))) {}
};

// Matches contacts with equal ids for which is_one_point(now, before) is true, and calls match(now, before) for each
// two. now_id(i) has its halves in the order that the bodies had before.
template <class BeforeId, class NowId, class IsOnePoint, class Match>
Unmatched match_ids(std::size_t before_count, std::size_t now_count, BeforeId before_id, NowId now_id,
                    IsOnePoint is_one_point, Match match) {
    Unmatched left(before_count, now_count);
    for (std::uint32_t n = left.now; n && left.before; n &= n - 1) {
        const auto i = std::size_t(std::countr_zero(n));
        const std::uint32_t id = now_id(i);
        std::uint32_t rest = left.before;
        for (; rest; rest &= rest - 1) {
            const auto at = std::size_t(std::countr_zero(rest));
            if (before_id(at) == id && is_one_point(i, at)) break;
        }
        if (!rest) continue;
        left.now ^= n & (0 - n);
        left.before ^= rest & (0 - rest);
        match(i, std::size_t(std::countr_zero(rest)));
    }
    return left;
}

inline float squared_distance(Vec3 p, Vec3 q) {
    const float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    return x * x + y * y + z * z;
}

// The same as match_ids for bodies in the same order, if all points of equal ids keep their positions relative to A's
// position within a squared distance of `limit`. Most do, and this needs no pose. Else returns false, and the matches
// do not count.
template <class Match>
bool match_near(const Contact* now, const Contact* before, float limit, Unmatched& left, Match match) {
    for (std::uint32_t n = left.now; n && left.before; n &= n - 1) {
        const auto i = std::size_t(std::countr_zero(n));
        std::uint32_t rest = left.before;
        while (rest && before[std::countr_zero(rest)].feature != now[i].feature) rest &= rest - 1;
        if (!rest) continue;
        const auto k = std::size_t(std::countr_zero(rest));
        if (!(squared_distance(now[i].position, before[k].position) <= limit)) return false;
        left.now ^= n & (0 - n);
        left.before ^= rest & (0 - rest);
        match(i, k);
    }
    return true;
}

// True if the point has moved farther than `distance` on both bodies. False if a point is not finite.
inline bool has_jumped(const ContactAnchor& p, const ContactAnchor& q, float distance) {
    const float limit = distance * distance;
    return squared_distance(p.on_a, q.on_a) > limit && squared_distance(p.on_b, q.on_b) > limit;
}

// The larger of the squared distances on both bodies. NaN if a point is.
inline float squared_distance(const ContactAnchor& p, const ContactAnchor& q) {
    const float a = squared_distance(p.on_a, q.on_a), b = squared_distance(p.on_b, q.on_b);
    if (!(a + b == a + b)) return a + b;
    return a > b ? a : b;
}

// Matches contacts that are at most `distance` apart, the nearest two first; of equally near ones the first now, then
// the first before. Calls match(now, before) for each two.
template <class Match>
Unmatched match_positions(const ContactAnchor* before, const ContactAnchor* now, Unmatched left, float distance,
                          Match match) {
    const float limit = distance * distance;
    while (left.before && left.now) {
        float nearest = limit;
        int best_now = -1, best_before = -1;
        for (std::uint32_t n = left.now; n; n &= n - 1) {
            for (std::uint32_t k = left.before; k; k &= k - 1) {
                const int i = std::countr_zero(n), j = std::countr_zero(k);
                const float d = squared_distance(before[j], now[i]);
                if (!(best_now < 0 ? d <= nearest : d < nearest)) continue;
                nearest = d;
                best_now = i;
                best_before = j;
            }
        }
        if (best_now < 0) break;
        left.now &= ~(1u << best_now);
        left.before &= ~(1u << best_before);
        match(std::size_t(best_now), std::size_t(best_before));
    }
    return left;
}

}  // namespace abut
