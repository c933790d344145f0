// The interface between baseline and wide code of the sieve: it decides pairs of a list in up to one configuration per
// lane, by outlines of their shapes, and leaves the pairs that outlines cannot decide.
#pragma once

#include <cstddef>
#include <cstdint>

#include "queries/configurations/distance_field.hpp"
#include "shapes/compound_geometry.hpp"
#include "simd/kernel_table.hpp"

namespace abut {

enum class OutlineKind : std::uint8_t { none, ball, capsule, box, halfspace };

// A core swept by a radius: a shape, or a set that contains it.
struct Outline {
    OutlineKind kind = OutlineKind::none;
    bool is_exact = false;   // the shape itself
    bool is_placed = false;  // its pose is not that of its body
    std::uint32_t body = 0;
    float centre[3] = {};  // of the core, in the body's frame
    // Of the core, in the body's frame: three columns. A half-space's first is its normal.
    float axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    float half[3] = {};  // of the core along its axes; a capsule's is the second
    float inner = 0;     // the radius of a ball about the centre in the shape; negative: unknown
    float radius = 0;    // half-space: its offset
    float bound = 0;     // the radius of a ball about the centre that contains all of it
    float extent = 0;    // the same about the body's origin
    // Balls spread evenly over the longest of the core's axes contain the shape.
    std::uint32_t long_axis = 0, balls = 1;
    float ball_radius = 0;
};

// The children of a compound with a distance field, which are compared with other outlines in its frame.
struct ManyChildren {
    static constexpr std::uint32_t kMostLevels = 8;

    const DistanceField* field = nullptr;  // null: not such a compound
    const float* values = nullptr;
    const CompoundNode* nodes = nullptr;
    std::uint32_t node_count = 0;
};

// The outline of the whole shape, then those of its parts.
struct SieveBody {
    std::uint32_t outline, parts;
    bool has_axes;  // some outline needs the body's orientation
    ManyChildren children = {};
};

struct SievePair {
    std::uint32_t a, b;          // bodies
    std::uint32_t row_a, row_b;  // bytes to the rows of their outlines
    // Centres farther apart are of separate shapes; those of balls that are nearer are of shapes that overlap. Infinite
    // and negative where centres say nothing.
    float far, near;
    float inner;  // the radii of balls about the centres within the shapes; minus infinity: unknown
    float limit;  // a greater distance is none
    float slack;  // the rounding of gaps between outlines, with room for that of other ways to compute them
};

// The lanes in which a pair is undecided.
struct UndecidedPair {
    std::uint32_t pair, lanes;
};

inline constexpr std::uint32_t kOutlineRows = 12;  // centre, three axes

// The poses of bodies [first, end).
struct SievePoses {
    std::uint32_t first, end;
    // Of each lane: the first body's position (four floats are read) and orientation, and the bytes to the next one's.
    const std::byte* const* positions;
    const std::byte* const* orientations;  // quaternions, or the columns of matrices of four rows
    bool has_matrices;
    std::size_t position_stride, orientation_stride;
};

struct SieveChunk {
    const SieveBody* bodies;
    std::uint32_t body_count;  // with the last, which has neither a pose nor an outline
    const Outline* outlines;
    const SievePair* pairs;
    std::uint32_t pair_count;
    std::uint32_t lanes;       // those with a configuration, as bits
    float* rows;               // scratch: kOutlineRows of each body, then of each outline
    std::uint8_t* is_placed;   // scratch, by outline
    float slack;               // centres beside their body's origin are rounded as coordinates are
    UndecidedPair* undecided;  // ascending; room for all pairs
    std::uint32_t undecided_count;
    // Overlaps. By lane: the first pair that overlaps for certain, or kNoPair; the undecided ones are before it.
    std::uint32_t* first;
    bool ends_at_hit;  // one such pair in any lane is enough
    // Distances. By lane: a bound on the least; of each undecided pair a row of its lanes: at least `low`.
    float *high, *low;
    bool has_depths;  // else overlaps have the distance 0
};

struct SieveKernels {
    // Fills rows of bodies, and raises the slack.
    void (*load_bodies)(SieveChunk& chunk, const SievePoses& poses);
    void (*find_overlaps)(SieveChunk& chunk);
    void (*bound_distances)(SieveChunk& chunk);
    std::uint32_t lanes;
};
ABUT_KERNEL_TABLE(SieveKernels)

}  // namespace abut
