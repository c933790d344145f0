// Casts: all pairs of children advance together in rounds. In each round the kernels compute the signed distance of
// every undecided pair at its own time; the distance's normal is the axis along which advance_chunk.cpp proves the next
// time.
#pragma once

#include <abut/cast.hpp>

#include "base/memory.hpp"
#include "batch/child_pairs.hpp"
#include "batch/child_results.hpp"
#include "batch/chunk_runs.hpp"
#include "queries/casts/cast_kernels.hpp"
#include "queries/casts/motion_chunk.hpp"
#include "queries/casts/rigid_motion.hpp"

namespace abut {

// The first hit of a pair of the frame.
struct FirstHit {
    double time;
    float distance;
    Vec3 normal, point_a, point_b;   // points relative to A's position at that time
    std::uint32_t child_a, child_b;  // for a surface the triangle's index in the caller's list
    Status status;
    bool hits;
    bool is_swapped;  // the caller's a is the canonical b
};

class CastRuns {
public:
    explicit CastRuns(const CastKernels* kernels) : kernels_(kernels) {}

    // Writes the columns except bits and hits, the status of every pair, and for every pair whether it hits.
    void run(const Frame& frame, const Motions& motions, const CastOptions& options, std::uint32_t max_child_pairs,
             const ChunkRunner& runner, const CastColumns& out, Status* status, std::uint8_t* hit);

private:
    // A pair of children.
    struct Item {
        MotionPair moving;                           // on the current part of the path
        ShapeId shape_a, shape_b;                    // of the bodies
        std::uint32_t pair, a, b, child_a, child_b;  // a, b: bodies, in canonical order
        std::uint32_t part, rounds;                  // the current part of the path
        double least_tolerance, full_tolerance;      // metres; moving.tolerance is less if the start is near the target
        bool is_entry_swapped;                       // the caller's a is b
        bool is_swapped;                             // computed with b's child first
        bool was_asked;                              // its distance has been computed
        bool is_decided;
        bool starts;  // it starts within the target, for CastStart::closing_only

        bool is_convex_pair() const { return is_convex(shape_a.kind()) && is_convex(shape_b.kind()); }
        const RigidMotion& motion_a() const { return is_swapped ? *moving.b.motion : *moving.a.motion; }
        const RigidMotion& motion_b() const { return is_swapped ? *moving.a.motion : *moving.b.motion; }
    };
    struct Call;
    struct TwoBodies {
        Body a, b;
    };
    struct Slices {
        int count;
        double reach;  // metres
    };

    void move_bodies(const Call& call);
    void run_items(const Call& call, bool with_triangles);
    void advance(const Call& call);
    void advance_some(std::span<const std::uint32_t> some);
    bool end_part(const Call& call, Item& item) const;
    void keep_first(const Call& call, const Item& item, std::uint32_t i);
    bool is_done(const Call& call, const Item& item) const;
    void reduce(const Call& call);
    void move_points(const Call& call);
    void write(const Call& call, const CastColumns& out, std::uint8_t* hit) const;

    // list.cpp
    void list_convex(const Call& call);
    void list_children(const Call& call, std::span<const Entry> entries, bool with_triangles);
    bool list_children_of(const Call& call, const Entry& entry, bool with_triangles);
    void list_near(const Call& call, const TwoBodies& bodies, double reach, const maths::Vec3d* centre,
                   bool with_triangles);
    TwoBodies bodies_at(const Call& call, const Entry& entry, std::size_t part, double time) const;
    Slices slices_of(const Call& call, const Entry& entry, std::size_t part) const;
    void add_item(const Call& call, const Entry& entry, std::uint32_t child_a, std::uint32_t child_b);
    void begin_part(const Call& call, Item& item) const;

    // judge.cpp
    void place(const Call& call, std::uint32_t asked, bool with_triangles);
    void judge(const Call& call, std::uint32_t asked, const OutputView& found);
    void meet(const Call& call, std::uint32_t asked, const OutputView& found);
    void finish(const Call& call, std::uint32_t asked, const OutputView& found, Status status);
    void settle_starts(const Call& call);
    double closing_speed(const Call& call, const Item& item, const FirstHit& hit) const;

    const CastKernels* kernels_;
    Vector<RigidMotion> motions_;  // for each part of the path, by body
    Vector<FirstHit> first_;       // by pair of the frame
    Vector<double> body_time_;     // by body: the time of its first hit
    Vector<Item> items_;
    Vector<FirstHit> found_;  // by item, if decided
    Vector<Body> moved_;      // two by item
    // Undecided items; those that advance now; those whose distance is computed now.
    Vector<std::uint32_t> live_, pending_, asked_;
    Vector<ChildPair> listed_;
    SortedPairs frame_pairs_, sorted_;
    ChildPairs placed_;
    ChildScratch scratch_;
    TrianglePool pool_;
};

}  // namespace abut
