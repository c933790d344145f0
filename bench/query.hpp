// The questions every contestant is timed on, and the columns it answers in. What a contestant cannot give stays as it
// was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <abut/math.hpp>

namespace abut::bench {

enum class Query : std::uint8_t {
    overlap,       // hit or not
    separation,    // gap and witness points; 0 on overlap
    distance,      // signed: gap or depth, and witness points
    collide,       // contacts
    collide_warm,  // contacts, with what is remembered of the frame before: the same bodies, a little moved
};
inline constexpr Query kQueries[] = {Query::overlap, Query::separation, Query::distance, Query::collide,
                                     Query::collide_warm};
inline constexpr bool wants_contacts(Query query) { return query == Query::collide || query == Query::collide_warm; }

inline const char* to_string(Query query) {
    constexpr const char* kNames[] = {"overlap", "separation", "distance", "collide", "collide-warm"};
    return kNames[std::size_t(query)];
}
inline constexpr std::uint32_t bit(Query query) { return 1u << std::uint32_t(query); }

// In Answers::hit, for a pair that the contestant gave up on; its signed distance is NaN.
inline constexpr std::uint8_t kNoAnswer = 2;

// A value a pair, in the frame's order. Points are wherever the contestant's users get them (world space for most).
struct Answers {
    std::vector<std::uint8_t> hit;       // overlap, collide
    std::vector<float> signed_distance;  // separation, distance; of the deepest contact for collide, +inf without one
    std::vector<Vec3> normal, point_a, point_b;
    std::vector<std::uint16_t> contacts;  // collide

    explicit Answers(std::size_t pairs)
        : hit(pairs),
          signed_distance(pairs, std::numeric_limits<float>::infinity()),
          normal(pairs),
          point_a(pairs),
          point_b(pairs),
          contacts(pairs) {}
    std::size_t size() const { return hit.size(); }
};

}  // namespace abut::bench
