// Casts: all pairs of children advance together, round by round. In each round the kernels compute the signed distance of every pair that is not decided,
// each at its own time; its normal is the axis along which cast/moving_pair.hpp proves the next time.
#pragma once

#include <abut/cast.hpp>

#include "cast/moving_pair.hpp"
#include "host/memory.hpp"
#include "pairs/child_pairs.hpp"
#include "pipeline/chunk_runs.hpp"
#include "results/child_results.hpp"

namespace abut {

// The first hit of a pair of the frame.
struct FirstHit {
    double time;
    float distance;
    Vec3 normal, point_a, point_b;   // points from A's position at that time
    std::uint32_t child_a, child_b;  // of a surface the caller's index of the triangle
    Status status;
    bool hits;
    bool is_swapped;  // the caller's a is the canonical b
};

class CastRuns {
public:
    // Writes the status of every pair, and first(): the caller's columns are made of them.
    void run(const Frame& frame, const Motions& motions, const CastOptions& options, std::uint32_t max_child_pairs, const ChunkRunner& runner,
             Status* status);
    std::span<const FirstHit> first() const { return first_; }
    std::size_t bytes() const;

private:
    // A pair of children that is not decided.
    struct Item {
        ShapeId shape_a, shape_b;                    // of the bodies
        std::uint32_t pair, a, b, child_a, child_b;  // a, b: bodies, in canonical order
        std::uint32_t part, rounds;                  // of the path
        double time, latest;                         // of the part; of the whole path
        double target, tolerance, least_tolerance;   // metres
        double axis_radius_a, axis_radius_b;         // of the part of the path
        PoseD pose_a, pose_b;                        // at `time`
        bool is_entry_swapped;                       // the caller's a is b
        bool is_swapped;                             // computed with b's child first
        bool is_decided;
        bool starts;  // within the target, CastStart::closing_only
    };
    struct Call;

    void move_bodies(const Call& call);
    void list_convex(const Call& call);
    void list_children(const Call& call, std::span<const Entry> entries, bool with_triangles);
    bool list_children_of(const Call& call, const Entry& entry, bool with_triangles);
    void add_item(const Call& call, const Entry& entry, std::uint32_t child_a, std::uint32_t child_b);
    void find_axis_radii(const Call& call, Item& item) const;
    void run_items(const Call& call, bool with_triangles);
    void place(const Call& call, std::uint32_t i, bool with_triangles);
    void step(const Call& call, std::uint32_t i, const OutputView& found);
    void finish(Item& item, const Call& call, std::uint32_t i, const OutputView& found, Status status);
    void meet(Item& item, const Call& call, std::uint32_t i, const OutputView& found);
    void settle_starts(const Call& call);
    double closing_speed(const Call& call, const Item& item, const FirstHit& hit) const;
    void keep_first(const Call& call, const Item& item, std::uint32_t i);
    void reduce(const Call& call);

    Vector<RigidMotion> motions_;  // by part of the path, then by body
    Vector<FirstHit> first_;       // by pair of the frame
    Vector<double> body_time_;     // by body: the time of its first hit
    Vector<Item> items_;
    Vector<FirstHit> found_;  // by item, once it is decided
    Vector<ChildPair> listed_;
    SortedPairs frame_pairs_, sorted_;
    ChildPairs placed_;
    ChildScratch scratch_;
    TrianglePool pool_;
};

}  // namespace abut
