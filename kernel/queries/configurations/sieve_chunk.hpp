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
    bool is_exact = false;   // the outline equals the shape
    bool is_placed = false;  // the shape's pose differs from its body's pose
    std::uint32_t body = 0;
    float centre[3] = {};  // of the core, in the body's frame
    // The axes of the core in the body's frame: three columns. The first axis of a half-space is its normal.
    float axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    float half[3] = {};  // of the core along its axes; the half height of a capsule is the second
    float inner = 0;     // the radius of a ball about the centre within the shape; negative: unknown
    float radius = 0;    // half-space: its offset
    float bound = 0;     // the radius of a ball about the centre that contains the whole outline
    float extent = 0;    // the radius of such a ball about the body's origin
    // Balls spread evenly over the longest of the core's axes contain the shape.
    std::uint32_t long_axis = 0, balls = 1;
    float ball_radius = 0;
};

// The children of a compound with a distance field, which other outlines are compared with in the compound's frame.
struct ManyChildren {
    static constexpr std::uint32_t kMostLevels = 8;

    const DistanceField* field = nullptr;  // null if the shape is no such compound
    const float* values = nullptr;
    const CompoundNode* nodes = nullptr;
    std::uint32_t node_count = 0;
};

// The outline of the whole shape, then those of its parts.
struct SieveBody {
    std::uint32_t outline, parts;
    bool has_axes;  // some outline of the body needs its orientation
    ManyChildren children = {};
};

struct SievePair {
    std::uint32_t a, b;          // bodies
    std::uint32_t row_a, row_b;  // offsets of the rows of their outlines, in bytes
    // Two shapes are separate if their centres are farther apart than `far`, and overlap if their balls' centres are
    // nearer than `near`. Infinite and negative where centres decide nothing.
    float far, near;
    float inner;  // the sum of the radii of balls about the centres within the shapes; minus infinity: unknown
    float limit;  // a pair with a greater distance has no answer
    float slack;  // the rounding of gaps between outlines, with room for the rounding of other queries
};

// The lanes in which a pair is undecided.
struct UndecidedPair {
    std::uint32_t pair, lanes;
};

inline constexpr std::uint32_t kOutlineRows = 12;  // centre, three axes

// The poses of bodies [first, end).
struct SievePoses {
    std::uint32_t first, end;
    // Per lane: the first body's position (four floats are read) and orientation, and the number of bytes to the next
    // body's.
    const std::byte* const* positions;
    const std::byte* const* orientations;  // quaternions, or the columns of matrices of four rows
    bool has_matrices;
    std::size_t position_stride, orientation_stride;
};

struct SieveChunk {
    const SieveBody* bodies;
    std::uint32_t body_count;  // includes the last body, which has neither a pose nor an outline
    const Outline* outlines;
    const SievePair* pairs;
    std::uint32_t pair_count;
    std::uint32_t lanes;       // the lanes with a configuration, as bits
    float* rows;               // scratch: kOutlineRows of each body, then of each outline
    std::uint8_t* is_placed;   // scratch, by outline
    float slack;               // grows where a centre lies beside its body's origin and is rounded as coordinates are
    UndecidedPair* undecided;  // ascending; room for all pairs
    std::uint32_t undecided_count;
    // Overlaps. By lane: the first pair that certainly overlaps, or kNoPair; undecided pairs come before it.
    std::uint32_t* first;
    bool ends_at_hit;  // one certain overlap in any lane ends the search
    // Distances. `high`, by lane: an upper bound on the least distance. `low`: for each undecided pair, a row of lower
    // bounds, one per lane.
    float *high, *low;
    bool has_depths;  // otherwise overlapping shapes have the distance 0
};

struct SieveKernels {
    // Fills rows of bodies, and adds to the slack.
    void (*load_bodies)(SieveChunk& chunk, const SievePoses& poses);
    void (*find_overlaps)(SieveChunk& chunk);
    void (*bound_distances)(SieveChunk& chunk);
    std::uint32_t lanes;
};
ABUT_KERNEL_TABLE(SieveKernels)

}  // namespace abut
