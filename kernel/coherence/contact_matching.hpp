// Rules 1 and 2 of carry_over for one manifold: matches contacts by id, then by the positions of their points on both
// bodies.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include <abut/carry_over.hpp>

#include "base/compiler_support.hpp"

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

// Matches as match_ids does, for bodies in the same order, if all points of equal ids stay within a squared distance
// of `limit`, relative to A's position. Most do, and this needs no pose. Else returns false, and the matches do not
// count.
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

// How far a contact may move and be the same one without a look at poses: its position relative to A's position, along
// each axis, squared. The fourth element is the separation, which is not limited.
ABUT_VECTOR(ContactRow, float, 4);
ABUT_ALWAYS_INLINE inline ContactRow motion_limits(float distance) {
    // Three squares of at most this share of a limit have a sum below it, rounded or not.
    const float limit = 0.333f * distance * distance;
    return ContactRow{limit, limit, limit, std::numeric_limits<float>::infinity()};
}
static_assert(offsetof(Contact, feature) == sizeof(ContactRow));

ABUT_ALWAYS_INLINE inline ContactRow row_of(const Contact& contact) {
    ContactRow row;
    std::memcpy(&row, &contact, sizeof row);
    return row;
}

template <class Truth>
ABUT_ALWAYS_INLINE inline bool are_all(const Truth& truth) {
    std::uint64_t halves[2];
    static_assert(sizeof halves == sizeof truth);
    std::memcpy(halves, &truth, sizeof halves);
    return (halves[0] & halves[1]) == ~std::uint64_t(0);
}

// True if kCount contacts have the ids of those before, in their order, and are within the limits.
template <std::size_t kCount>
ABUT_ALWAYS_INLINE inline bool are_same(const Contact* now, const Contact* before, const ContactRow& limits) {
    std::uint32_t renamed = now[0].feature ^ before[0].feature;
    const ContactRow moved = row_of(now[0]) - row_of(before[0]);
    auto near = moved * moved <= limits;
    ABUT_UNROLL(4)
    for (std::size_t i = 1; i < kCount; ++i) {
        renamed |= now[i].feature ^ before[i].feature;
        const ContactRow next = row_of(now[i]) - row_of(before[i]);
        near = near & (next * next <= limits);
    }
    return renamed == 0 && are_all(near);
}

// The number of leading contacts that have the ids of those before, in their order, and are within the limits. Those of
// bodies at rest have equal bytes.
inline std::size_t count_same(const Contact* now, const Contact* before, std::size_t count, const ContactRow& limits) {
    constexpr std::size_t kBlock = 16;
    std::size_t i = 0;
    for (std::size_t end = 0; i == end && i < count;) {
        end = std::min(i + kBlock, count);
        if (std::memcmp(now + i, before + i, (end - i) * sizeof(Contact)) == 0) i = end;
        while (i + 4 <= end && are_same<4>(now + i, before + i, limits)) i += 4;
        while (i < end && are_same<1>(now + i, before + i, limits)) ++i;
    }
    return i;
}

// The indices before of kCount contacts, 2 to 4, with the ids of those before in another order, and within the limits.
// False if an id is new or lost, or two are equal: then the sum of their indices is no answer to both.
template <std::size_t kCount>
ABUT_ALWAYS_INLINE inline bool find_order(const Contact* now, const Contact* before, const ContactRow& limits,
                                          std::uint32_t* order) {
    std::uint32_t found = 0, renamed = 0;
    auto near = limits >= ContactRow{};
    ABUT_UNROLL(4)
    for (std::size_t i = 0; i < kCount; ++i) {
        const std::uint32_t id = now[i].feature;
        std::uint32_t at = before[1].feature == id;
        if constexpr (kCount > 2) at += 2u * (before[2].feature == id);
        if constexpr (kCount > 3) at += 3u * (before[3].feature == id);
        at = at < kCount ? at : 0;
        const Contact& old = before[at];
        const ContactRow moved = row_of(now[i]) - row_of(old);
        near = near & (moved * moved <= limits);
        renamed |= old.feature ^ id;
        found |= 1u << at;
        order[i] = at;
    }
    return renamed == 0 && found == first_bits(kCount) && are_all(near);
}

inline bool find_order(const Contact* now, const Contact* before, std::size_t count, const ContactRow& limits,
                       std::uint32_t* order) {
    switch (count) {
        case 2: return find_order<2>(now, before, limits, order);
        case 3: return find_order<3>(now, before, limits, order);
        case 4: return find_order<4>(now, before, limits, order);
        default: return false;
    }
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
