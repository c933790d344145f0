// Configurations against calls for each of them, and reductions against the answers of all pairs.
#pragma once

#include <cstring>
#include <limits>
#include <vector>

#include <abut/configurations.hpp>
#include <abut/narrow_phase.hpp>

#include "catch.hpp"

namespace abut::test {

template <class T>
bool same_part(const std::vector<T>& all, std::size_t first, const std::vector<T>& one) {
    return first + one.size() <= all.size() && std::memcmp(all.data() + first, one.data(), one.size() * sizeof(T)) == 0;
}

struct ConfigurationAnswers {
    Overlaps overlaps;
    Distances distances;
};

// Against a call for each configuration; returns how many configurations differ.
inline std::size_t differing(NarrowPhase& narrow, const Configurations& all, const DistanceOptions& options,
                             ConfigurationAnswers& answers) {
    REQUIRE(narrow.overlap_configurations(all, answers.overlaps));
    REQUIRE(narrow.distance_configurations(all, answers.distances, options));
    const std::size_t bodies = all.bodies.size(), pairs = all.pairs.size();
    REQUIRE(answers.distances.status.size() == all.size() * pairs);
    NarrowPhase separate;
    Overlaps o;
    Distances d;
    std::size_t wrong = 0;
    for (std::size_t c = 0; c < all.size(); ++c) {
        const auto part = [&](const auto& column) {
            return column.empty() ? column : column.subspan(c * bodies, bodies);
        };
        const Frame frame{all.shapes,
                          BodyColumns{all.bodies, part(all.positions), part(all.double_positions),
                                      part(all.orientations), part(all.transforms)},
                          all.pairs};
        REQUIRE(separate.overlap(frame, o));
        REQUIRE(separate.distance(frame, d, options));
        bool same = same_part(answers.distances.signed_distance, c * pairs, d.signed_distance) &&
                    same_part(answers.distances.normal, c * pairs, d.normal) &&
                    same_part(answers.distances.point_a, c * pairs, d.point_a) &&
                    same_part(answers.distances.point_b, c * pairs, d.point_b) &&
                    same_part(answers.distances.status, c * pairs, d.status) &&
                    same_part(answers.overlaps.status, c * pairs, o.status);
        for (std::size_t i = 0; i < pairs; ++i) same = same && answers.overlaps.hit(c * pairs + i) == o.hit(i);
        wrong += !same;
    }
    return wrong;
}

inline bool is_answered(Status status) { return status == Status::ok || status == Status::not_converged; }

// The reductions against the answers of all pairs; returns how many configurations differ.
inline std::size_t wrongly_reduced(NarrowPhase& narrow, const Configurations& all, const DistanceOptions& options,
                                   const ConfigurationAnswers& answers) {
    AnyOverlaps any;
    LeastDistances least;
    REQUIRE(narrow.any_overlap(all, any));
    REQUIRE(narrow.least_distance(all, least, options));
    const std::size_t pairs = all.pairs.size();
    std::size_t wrong = 0;
    for (std::size_t c = 0; c < all.size(); ++c) {
        std::uint32_t first = kNoPair, at = kNoPair, before = 0, missing = 0;
        float d = std::numeric_limits<float>::infinity();
        for (std::size_t i = 0; i < pairs; ++i) {
            const std::size_t which = c * pairs + i;
            const bool has_answer = is_answered(answers.distances.status[which]);
            if (first == kNoPair && answers.overlaps.hit(which)) first = std::uint32_t(i);
            before += first == kNoPair && !is_answered(answers.overlaps.status[which]);
            missing += !has_answer;
            if (has_answer && answers.distances.signed_distance[which] < d)
                d = answers.distances.signed_distance[which], at = std::uint32_t(i);
        }
        const Vec3 normal = at == kNoPair ? Vec3() : answers.distances.normal[c * pairs + at];
        const Vec3 point_b = at == kNoPair ? Vec3() : answers.distances.point_b[c * pairs + at];
        wrong += any.pair[c] != first || any.unanswered[c] != before || least.signed_distance[c] != d ||
                 least.pair[c] != at || least.unanswered[c] != missing || least.normal[c] != normal ||
                 least.point_b[c] != point_b;
    }
    return wrong;
}

}  // namespace abut::test
