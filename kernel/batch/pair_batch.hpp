// Pairs of convex shapes that a query makes: children, parts of moving bodies, bodies on planes. The caller fills the
// input columns, ChunkRunner::run fills the answers.
#pragma once

#include <cstddef>
#include <cstdint>

#include <abut/frame.hpp>

#include "base/memory.hpp"
#include "batch/sort.hpp"
#include "convex/contract/chunk.hpp"
#include "shapes/triangle_hull.hpp"

namespace abut {

// The shapes of a batch that are not in the store: one per pair, with two_triangles both. Each chunk makes its own
// shapes, so that they stay in the CPU's cache. If both kinds of a pair are those of a triangle, B is the triangle.
enum class Made : std::uint8_t { none, planes, triangles, two_triangles };

// A body and a half-space. The half-space is solid where normal . x <= 0 in the axes of `plane`, about the position of
// `plane`.
struct PlanePair {
    Body body, plane;
    maths::Vec3d normal;  // unit
    float rounding;       // of the half-space
};

struct PairBatch {
    Made made;
    std::size_t size = 0;
    // Two bodies per pair, in the order of computation; if shapes are made, the bodies of pair i are at 2 * i. The
    // second body's position is its offset from the first, computed in double and rounded; the first body's position is
    // the rounding error. So neither the size of compounds nor that of the world costs precision, and the values that
    // kernels compute in double (a plane's distance, the offset of a far centre) are as exact as doubles. The chunks
    // set the ids of made shapes.
    Vector<Body> bodies;
    Vector<Pair> pairs;                                  // of bodies
    SortedPairs sorted;                                  // its kinds are input
    Vector<float> reaches;                               // empty if the query has no reach per pair
    Vector<CentredTriangle> triangles, first_triangles;  // first_triangles: A's, if both shapes are triangles
    AlignedVector<InstanceRecord> planes;

    // Answers, as in OutputView. flag: hits or numbers of contacts.
    Vector<Status> status;
    Vector<std::uint8_t> flag;
    Vector<ManifoldRecord> manifolds;
    Vector<float> signed_distance;
    Vector<Vec3> normal, point_a, point_b;

    explicit PairBatch(Made shapes = Made::none) : made(shapes) {}

    // Different pairs may be set concurrently.
    void make_room(std::size_t count, bool with_reaches);
    Body* bodies_of(std::size_t i) { return bodies.data() + 2 * i; }
    const Body* bodies_of(std::size_t i) const { return bodies.data() + 2 * i; }
    // Sets pair i of the bodies `first` and first + 1, which must be set. `is_self`: both are one body.
    void set_pair(std::size_t i, std::uint32_t first, bool is_self) {
        pairs[i] = {first, is_self ? first : first + 1};
        const auto kind_of = [&](std::uint32_t body) { return static_cast<std::uint32_t>(bodies[body].shape.kind()); };
        sorted.kind[i] =
            static_cast<std::uint8_t>(kSolidPairKinds.numbers[kind_of(first) * kIdKinds + kind_of(first + 1)]);
    }
    void set_plane(std::size_t i, const PlanePair& pair);

    // The columns of the batch that `wanted`, the caller's output, has.
    OutputView answers(const OutputView& wanted);

    void reserve(std::size_t count);
    std::size_t bytes() const;
};

}  // namespace abut
