// Rows of pairs in the plane, and what a contestant has to show to be timed on them: worlds built beforehand, so that
// only the query is timed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <abut/d2.hpp>

#include "support/families_2d.hpp"

namespace abut::bench {

enum class PlaneQuery : std::uint8_t {
    overlap,
    distance,  // signed, with points
    collide,
    cast,  // without rotation
    ray,
};
inline constexpr PlaneQuery kPlaneQueries[] = {PlaneQuery::overlap, PlaneQuery::distance, PlaneQuery::collide,
                                               PlaneQuery::cast, PlaneQuery::ray};
inline constexpr bool is_motion(PlaneQuery query) { return query >= PlaneQuery::cast; }
const char* to_string(PlaneQuery query);

struct PlaneRow {
    // A convex body, or one segment of a chain.
    struct Object {
        std::uint32_t spec;
        d2::Body body;
    };
    // A pair of objects: a pair with a chain has one for each segment near the other body.
    struct Part {
        std::uint32_t pair, a, b;
    };

    std::string name;
    d2::ShapeStore shapes;
    std::vector<plane::ShapeSpec> specs;
    std::vector<std::uint32_t> spec_of;  // per body
    std::vector<d2::Body> bodies;
    std::vector<Pair> pairs;
    std::vector<d2::Vec2> ways;   // of casts the translation of the pair's B; of rays the direction, from B's position
    std::vector<Object> objects;  // what libraries without chains of segments read
    std::vector<Part> parts;

    d2::Frame frame() const { return {&shapes, bodies, pairs}; }
    d2::Vec2 position_of_b(std::size_t pair) const { return bodies[pairs[pair].b].position; }
};

std::span<const char* const> plane_row_names();
// At most `most_pairs` pairs. For motions the bodies are farther apart. Null where a row has no such queries.
std::unique_ptr<PlaneRow> make_plane_row(const std::string& name, bool for_motions, std::size_t most_pairs);

// By the tests' oracle: the signed distance of each pair; for casts and rays the least on the way, of the first pairs.
std::vector<double> exact_distances(const PlaneRow& row, PlaneQuery query);
// What promise 1 allows, and what the contact slack adds to it for contacts.
double tolerance(const PlaneRow& row, std::size_t pair, double exact);
double slack(const PlaneRow& row, std::size_t pair);

struct PlaneAnswers {
    std::vector<std::uint8_t> hit;
    std::vector<float> signed_distance;  // of abut's `distance` alone
};

struct PlaneContestant {
    std::string library, call;
    std::function<void()> run;
    std::function<PlaneAnswers()> answers;  // of the last run
};

PlaneContestant abut_contestant(const PlaneRow& row, PlaneQuery query, Isa isa);
// Without a value where the library has no such shapes or queries.
using PlaneRival = std::optional<PlaneContestant> (*)(const PlaneRow& row, PlaneQuery query);
std::span<const PlaneRival> plane_rivals();
std::span<const char* const> plane_rival_notes();

// The adapters; a build without the library has not the function.
std::optional<PlaneContestant> box2d_rival(const PlaneRow& row, PlaneQuery query);
std::optional<PlaneContestant> chipmunk_rival(const PlaneRow& row, PlaneQuery query);

}  // namespace abut::bench
