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

// Configurations in which the bodies from `moving` on rest where the first configuration has them: given once, as
// obstacles, and in each configuration.
class RestingBodies {
public:
    RestingBodies(const Configurations& all, std::size_t moving) : all_(all), moving_(moving) {
        split(all.positions, positions_), split(all.double_positions, doubles_);
        split(all.orientations, orientations_), split(all.transforms, transforms_);
    }
    Configurations repeated() const {
        Configurations out = all_;
        out.positions = positions_.repeated, out.double_positions = doubles_.repeated;
        out.orientations = orientations_.repeated, out.transforms = transforms_.repeated;
        return out;
    }
    Configurations once() const {
        const std::size_t resting = all_.bodies.size() - moving_;
        Configurations out = all_;
        out.bodies = all_.bodies.subspan(0, moving_);
        out.positions = positions_.moving, out.double_positions = doubles_.moving;
        out.orientations = orientations_.moving, out.transforms = transforms_.moving;
        if (resting != 0)
            out.obstacles = BodyColumns{all_.bodies.subspan(moving_, resting), positions_.resting, doubles_.resting,
                                        orientations_.resting, transforms_.resting};
        return out;
    }

private:
    template <class T>
    struct Column {
        std::vector<T> repeated, moving, resting;
    };
    template <class T>
    void split(const Strided<T>& from, Column<T>& to) const {
        const std::size_t bodies = all_.bodies.size();
        for (std::size_t i = 0; i < from.size(); ++i) {
            const bool moves = i % bodies < moving_;
            to.repeated.push_back(from[moves ? i : i % bodies]);
            if (moves) to.moving.push_back(from[i]);
            if (!moves && i < bodies) to.resting.push_back(from[i]);
        }
    }

    Configurations all_;
    std::size_t moving_;
    Column<Vec3> positions_;
    Column<DVec3> doubles_;
    Column<Quat> orientations_;
    Column<Mat44> transforms_;
};

// How many columns of the answers of all queries differ, for paths of seven configurations.
inline std::size_t differing_answers(NarrowPhase& narrow, const Configurations& a, const Configurations& b,
                                     const DistanceOptions& options = {}) {
    REQUIRE(a.size() == b.size());
    std::vector<std::uint32_t> ends;
    for (std::size_t end = 7; end <= a.size(); end += 7) ends.push_back(std::uint32_t(end));
    struct Answers {
        Overlaps overlaps;
        Distances distances;
        AnyOverlaps any;
        LeastDistances least;
        PathOverlaps paths;
    } of[2];
    for (const bool second : {false, true}) {
        const Configurations& all = second ? b : a;
        Answers& out = of[second];
        REQUIRE(narrow.overlap_configurations(all, out.overlaps));
        REQUIRE(narrow.distance_configurations(all, out.distances, options));
        REQUIRE(narrow.any_overlap(all, out.any));
        REQUIRE(narrow.least_distance(all, out.least, options));
        REQUIRE(narrow.any_overlap({all, ends}, out.paths));
    }
    std::size_t wrong = 0;
    const auto compare = [&](const auto& x, const auto& y) { wrong += x.size() != y.size() || !same_part(x, 0, y); };
    compare(of[0].overlaps.bits, of[1].overlaps.bits), compare(of[0].overlaps.status, of[1].overlaps.status);
    const Distances &d = of[0].distances, &e = of[1].distances;
    compare(d.signed_distance, e.signed_distance), compare(d.normal, e.normal), compare(d.status, e.status);
    compare(d.point_a, e.point_a), compare(d.point_b, e.point_b);
    compare(of[0].any.pair, of[1].any.pair), compare(of[0].any.unanswered, of[1].any.unanswered);
    const LeastDistances &l = of[0].least, &m = of[1].least;
    compare(l.signed_distance, m.signed_distance), compare(l.pair, m.pair), compare(l.normal, m.normal);
    compare(l.point_a, m.point_a), compare(l.point_b, m.point_b), compare(l.unanswered, m.unanswered);
    const PathOverlaps &p = of[0].paths, &q = of[1].paths;
    compare(p.configuration, q.configuration), compare(p.pair, q.pair), compare(p.unanswered, q.unanswered);
    return wrong;
}

}  // namespace abut::test
