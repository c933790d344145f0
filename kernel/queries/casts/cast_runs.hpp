// Casts: all pairs of children advance together in rounds. In each round the kernels compute the signed distance of
// every undecided pair at its own time; the distance's normal is the axis along which advance_chunk.cpp proves the next
// time.
#pragma once

#include <optional>

#include <abut/cast.hpp>

#include "base/memory.hpp"
#include "batch/child_pairs.hpp"
#include "batch/child_rounds.hpp"
#include "batch/query_context.hpp"
#include "queries/casts/cast_kernels.hpp"
#include "queries/casts/motion_chunk.hpp"
#include "queries/casts/rigid_motion.hpp"
#include "shapes/surface.hpp"

namespace abut {

// The first hit of a pair of the frame.
struct FirstHit {
    double time;
    float distance;
    Vec3 normal, point_a, point_b;   // points: relative to A's position at that time
    std::uint32_t child_a, child_b;  // for a surface the triangle's index in the caller's list
    Status status;
    bool hits;
    bool is_swapped;  // the caller's a is the canonical b
};

class CastRuns {
public:
    explicit CastRuns(QueryContext& context) : context_(context), kernels_(kernels_for<CastKernels>(context.isa)) {}

    // Fills columns that have been checked.
    void answer(CastColumns& out, const Frame& frame, const Motions& motions, const CastOptions& options);

private:
    // A pair of children.
    struct Item {
        MotionPair moving;         // on the current part of the path
        Entry entry;               // of the frame
        ShapeId shape_a, shape_b;  // of the bodies, in canonical order
        std::uint32_t child_a, child_b;
        std::uint32_t part, rounds;  // the current part of the path
        double tolerance;            // metres: the tolerance of the call for this pair
        std::uint32_t contact;  // in initial_contacts_: the first part's contact, of contacts that continue each other
        double ignored_until;   // in time of the whole path: the item is no hit before, unless it gets deeper
        bool is_swapped;        // its distance is computed with b's child as the first shape
        bool is_decided;
        bool is_met;      // it has just come within the target; CastStart decides whether that is a hit
        bool is_ignored;  // the item is ignored at its time
        bool waits;       // the item is met, but the pair's other items have not reached its time yet

        std::uint32_t pair() const { return entry.pair(); }
        double time_of(std::size_t parts) const { return (part + moving.time) / double(parts); }  // of the whole path
        bool is_convex_pair() const { return is_convex(shape_a.kind()) && is_convex(shape_b.kind()); }
        bool is_at_start() const { return part == 0 && moving.time == 0; }
        const RigidMotion& motion_a() const { return is_swapped ? *moving.b.motion : *moving.a.motion; }
        const RigidMotion& motion_b() const { return is_swapped ? *moving.a.motion : *moving.b.motion; }
        // Upper bounds on the speed of points relative to each other, metres per part. swing(): the share of rotation.
        double speed() const;
        double swing() const;
    };
    // A part that is within the target at the start and does not approach (settle.cpp).
    struct InitialContact {
        std::uint32_t item;
        maths::Vec3d normal;  // of the part's distance, from a to b
    };
    static constexpr std::uint32_t kNoContact = ~0u;
    // A pair of the frame that hits, and its children that are ignored at that time: a range of ignored_.
    struct Hit {
        Entry entry;
        std::uint32_t part;
        double time;  // of that part of the path
        std::size_t first_ignored, end_ignored;
    };
    // A pair whose bodies move straight, as seen from B: its children are computed in the order of time.
    struct Straight {
        Entry entry;
        ChildOrder order;
    };
    // Which triangles of a pair's surface take part: those whose front, or whose back, faces the centre.
    struct FacingTriangles {
        std::optional<maths::Vec3d> centre;  // of A at the start, in the surface's frame; none: all take part
        bool behind = false;

        bool take(const SurfaceCorners& corners) const { return !centre || is_in_front(*centre, corners) != behind; }
    };
    struct Call;
    struct TwoBodies {
        Body a, b;
    };
    // A point of each body of an entry, relative to the body's position, world axes.
    struct TwoPoints {
        maths::Vec3d a, b;
    };
    struct Slices {
        int count;
        double reach;  // metres
    };

    void move_bodies(const Call& call);
    void run_items(const Call& call);
    void ask(const Call& call);
    void settle_joined(const Call& call, bool at_covered_faces, std::uint32_t asked);
    void note_hits(const Call& call);
    void note_hit(const Call& call, const Entry& entry, std::size_t first_ignored);
    void answer_hits(const Call& call);
    void advance(const Call& call);
    void advance_some(std::span<const std::uint32_t> some);
    bool goes_on(const Call& call, Item& item) const;
    bool end_part(const Call& call, Item& item) const;
    void keep_first(const Call& call, std::uint32_t pair, const FirstHit& hit);
    bool is_done(const Call& call, const Item& item) const;
    void reduce(const Call& call);
    void move_points(const Call& call);
    void write(const Call& call, const CastColumns& out) const;

    // list.cpp
    void list_convex(const Call& call);
    void list_children(const Call& call, std::span<const Entry> entries);
    void run_listed(const Call& call);
    bool list_children_of(const Call& call, const Entry& entry);
    void list_near(const Call& call, const TwoBodies& bodies, double reach, const FacingTriangles& facing);
    FacingTriangles facing_triangles(const Call& call, const Entry& entry) const;
    TwoBodies bodies_at(const Call& call, const Entry& entry, std::size_t part, double time) const;
    Slices slices_of(const Call& call, const Entry& entry, std::size_t part) const;
    void add_item(const Call& call, const Entry& entry, std::uint32_t child_a, std::uint32_t child_b, double time = 0,
                  std::uint32_t part = 0);
    void begin_part(const Call& call, Item& item) const;
    static double end_of_part(const Call& call, const Item& item);

    // solid_starts.cpp
    std::optional<FirstHit> start_in_solid(const Call& call, const Entry& entry) const;
    bool try_solid_start(const Call& call, const Entry& entry);

    // straight.cpp
    bool goes_straight(const Call& call, const Entry& entry) const;
    void run_straight(const Call& call);
    void list_next(const Call& call, Straight& pair, std::uint32_t most, OrderedChild* next) const;
    bool is_over(const Call& call, const Straight& pair);
    double latest_of(const Call& call, std::uint32_t pair) const;

    // judge.cpp
    void place(const Call& call, std::uint32_t asked);
    void judge(const Call& call, std::uint32_t asked);
    void finish(const Call& call, std::uint32_t asked, Status status);

    // settle.cpp
    void settle(const Call& call);
    std::span<Item> items_of_pair(std::uint32_t i);
    void settle_closing(const Call& call);
    void settle_waiting(const Call& call);
    maths::Vec3d normal_of(const Call& call, const Item& item) const;
    AxisGap gap_along(const Call& call, const Item& of, const Item& at, const maths::Vec3d& normal) const;
    std::uint32_t continued_by(const Call& call, std::uint32_t i, AxisGap& along);
    bool continues(const Call& call, std::uint32_t i, const InitialContact& contact, AxisGap& along) const;
    bool touches(const Call& call, std::uint32_t i, const Item& other) const;
    TwoPoints points_of(const Call& call, const Entry& entry, std::uint32_t part, double time,
                        const FirstHit& hit) const;
    double closing_speed(const Call& call, const Entry& entry, std::uint32_t part, double time, const TwoPoints& points,
                         const maths::Vec3d& normal) const;
    bool closes_gap(const Call& call, std::uint32_t i, const maths::Vec3d& normal, double gap) const;
    void ignore(const Call& call, std::uint32_t i, std::uint32_t contact, double gap);
    static void follow_ignored(const Call& call, Item& item, double distance);

    QueryContext& context_;
    const CastKernels* kernels_;
    Vector<RigidMotion> motions_;  // for each part of the path, by body
    Vector<FirstHit> first_;       // by pair of the frame
    Vector<double> body_time_;     // by body: the time of its first hit
    Vector<Item> items_;
    Vector<FirstHit> found_;  // by item, if decided
    // live_: undecided items, those of equal kinds together. pending_: those that advance now. met_: those that have
    // just come within the target. waiting_: those of met_ that wait.
    Vector<std::uint32_t> live_, pending_, met_, waiting_;
    Vector<AxisGap> gaps_;
    Vector<InitialContact> initial_contacts_;
    Vector<Hit> hits_;
    Vector<ChildPair> listed_, ignored_;
    Vector<Straight> straight_;
    Vector<OrderedChild> upcoming_;
    SortedPairs frame_pairs_;
    PairBatch placed_;    // the live items; advance_motions sets the bodies of convex pairs, two by item
    OutputView answers_;  // of the live items
};

}  // namespace abut
