// See child_pairs.hpp. Two walks descend the trees of bounds: one counts; if it found more than a few, a second one
// lists, so that all lists are in one array that keeps its memory.
#include "batch/child_pairs.hpp"

#include <algorithm>
#include <tuple>

#include "base/memory.hpp"
#include "base/parallel/blocks.hpp"
#include "base/scratch_columns.hpp"
#include "convex/contract/valid_pose.hpp"
#include "convex/contract/warm_marks.hpp"
#include "shapes/child_poses.hpp"
#include "shapes/kinds.hpp"
#include "shapes/tables.hpp"
#include "surfaces/walk/child_walk.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// True for the contacts of a body with a centre on a surface: before the kernels, each triangle is asked for its
// contact.
bool asks_contacts_first(const Body& a, const Body& b) {
    return is_surface(b.shape.kind()) && a.shape.kind() != ShapeKind::halfspace;
}

// Counts the triangles that the cache remembers, and stores new ones in it. False if the tree must be walked.
template <class Count>
bool count_with_memory(const PairCall& call, const ChildWalk& walk, const Body& a, const Body& b,
                       CompoundPair& compound_pair, const Count& count) {
    using Recalled = SurfaceMemory::Recalled;
    const SurfaceMemory memory(call.frame, compound_pair.entry, a, b, call.parameters);
    WarmCache& cache = cache_of(call.frame, compound_pair.entry.pair());
    const bool has_followed = SurfaceMemory::has_followed(cache);
    NearTriangles triangles;
    bool is_slow = false;
    Recalled recalled = memory.recall(cache, compound_pair.reach, triangles, is_slow);
    compound_pair.keeps_contacts = has_followed || is_slow;
    if (recalled == Recalled::moving) {
        memory.keep(cache);
        return false;
    }
    if (recalled == Recalled::unknown) {
        const float reach = static_cast<float>(compound_pair.reach) + memory.extra_reach();
        const std::uint32_t most = memory.most_triangles();
        const bool has_room = walk.around(reach, [&](std::uint32_t child, std::uint32_t triangle) {
            if (triangles.count++ == most) return false;
            triangles.at[triangles.count - 1] = {child, triangle};
            return true;
        });
        memory.keep(cache, reach, triangles);
        recalled = has_room ? Recalled::triangles : Recalled::too_many;
    }
    return recalled == Recalled::triangles && walk.over(triangles, compound_pair.reach, count);
}

// The contact of a child pair, as far as a walk without contacts knows it.
TriangleContact contact_of(const Probe& probe) {
    return probe.is_inside ? TriangleContact::inside : TriangleContact::unknown;
}

void sort_by_children(ChildPair* pairs, std::size_t count) {
    std::sort(pairs, pairs + count,
              [](const ChildPair& x, const ChildPair& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
}

// Appends the known contacts of a short list's child pairs after those to compute. If a child is on no face, the
// kernels compute all of its contacts, because contacts along normals that are not allowed may remain.
void settle_few(CompoundPair& compound_pair) {
    ChildPair *const few = compound_pair.few, *const listed = few + compound_pair.count;
    sort_by_children(few, compound_pair.count);
    for (ChildPair *first = few, *end = few; first != listed; first = end) {
        // A child in a solid has only one child pair.
        bool is_on_face = first->contact == TriangleContact::inside;
        for (; end != listed && end->a == first->a; ++end) {
            is_on_face |= end->contact == TriangleContact::on_face || end->contact == TriangleContact::below;
            if (end->contact == TriangleContact::below) end->contact = TriangleContact::unknown;
        }
        for (ChildPair* pair = first; pair != end && !is_on_face; ++pair) pair->contact = TriangleContact::unknown;
    }
    ChildPair known[CompoundPair::kFewTriangles];
    ChildPair *computed = few, *next = known;
    const auto is_known = [](TriangleContact contact) {
        return contact != TriangleContact::unknown && contact != TriangleContact::inside;
    };
    for (const ChildPair* pair = few; pair != listed; ++pair) *(is_known(pair->contact) ? next : computed)++ = *pair;
    compound_pair.count = static_cast<std::uint32_t>(computed - few);
    compound_pair.known_count = static_cast<std::uint32_t>(next - known);
    std::copy(known, next, computed);
}

// Lists the triangles that have contacts, or may have them, by the tests without the kernels. False if there are more
// than a few.
bool list_few(const PairCall& call, const ChildWalk& walk, const Body& a, const Body& b, CompoundPair& compound_pair) {
    const auto add = [&](std::uint32_t i, std::uint32_t k, const Probe& probe) {
        const TriangleContact contact = walk.contact_of(probe, k, compound_pair.reach);
        if (contact == TriangleContact::nowhere) return true;
        if (compound_pair.count == compound_pair.room) return false;
        compound_pair.few[compound_pair.count++] = {i, k, false, contact};
        return true;
    };
    return (!call.frame.caches.empty() && !compound_pair.is_in_solid &&
            count_with_memory(call, walk, a, b, compound_pair, add)) ||
           walk(compound_pair.reach, add);
}

void count_children(const PairCall& call, CompoundPair& compound_pair) {
    const auto [a, b] = call.bodies_of(compound_pair.entry);
    compound_pair.first = compound_pair.count = compound_pair.known_count = 0;
    compound_pair.keeps_contacts = compound_pair.is_in_solid = false;
    if (compound_pair.has_contacts) return;
    if (!is_valid_parent_pose(a) || !is_valid_parent_pose(b)) {
        call.out.status[compound_pair.entry.pair()] = Status::bad_pose;
        return;
    }
    const bool asks_first = asks_contacts_first(a, b);
    const ChildWalk walk(call.tables(), a, b, asks_first);
    compound_pair.is_in_solid = walk.is_any_inside();
    compound_pair.reach = call.parameters.reach_of(compound_pair.entry.pair());
    compound_pair.reach += kReachSlack * (compound_pair.reach + walk.sizes());
    if (asks_first && list_few(call, walk, a, b, compound_pair)) return settle_few(compound_pair);
    compound_pair.count = 0;
    const auto count = [&](std::uint32_t i, std::uint32_t k, const Probe& probe) {
        if (compound_pair.count < compound_pair.room)
            compound_pair.few[compound_pair.count] = {i, k, false, contact_of(probe)};
        return ++compound_pair.count < kMostWalked;
    };
    asks_first ? ChildWalk(call.tables(), a, b)(compound_pair.reach, count) : walk(compound_pair.reach, count);
    if (compound_pair.count <= compound_pair.room) sort_by_children(compound_pair.few, compound_pair.count);
}

// Both bodies of a child pair, in the order of their kinds.
void place_bodies(ChildPose first, ChildPose second, const Vec3d& b_from_a, ChildPair& child, Body* bodies) {
    const Vec3d between = b_from_a + (second.offset - first.offset);
    child.is_swapped = is_swapped_pair(first.shape.kind(), second.shape.kind());
    if (child.is_swapped) std::swap(first, second);
    const Vec3d offset = child.is_swapped ? -between : between;
    const Vec3 rounded = finite_float(offset);
    bodies[0] = {finite_float(maths::to_double(rounded) - offset), first.shape, first.orientation};
    bodies[1] = {rounded, second.shape, second.orientation};
}

CentredTriangle placed_triangle(const SurfaceCorners& corners, const Vec3d& centre, float rounding) {
    return {{corners[0] - centre, corners[1] - centre, corners[2] - centre}, normal_of(corners), rounding};
}

}  // namespace

void place_child(const ChildPoses& a, const ChildPoses& b, const Vec3d& b_from_a, bool is_self, ChildPair& child,
                 PairBatch& batch, std::size_t at) {
    const auto place = [&](const ChildPose& second) {
        place_bodies(a[child.a], second, b_from_a, child, batch.bodies_of(at));
        batch.set_pair(at, static_cast<std::uint32_t>(2 * at), is_self);
    };
    if (!b.are_triangles()) return place(b[child.b]);
    const SurfaceCorners corners = corners_at(b.surface(), child.b);
    const Vec3d centre = centre_of(corners);
    place(b.of_triangle(centre));
    batch.triangles[at] = placed_triangle(corners, centre, b.surface().rounding);
    if (!a.are_triangles()) return;
    const SurfaceCorners first_corners = corners_at(a.surface(), child.a);
    batch.first_triangles[at] = placed_triangle(first_corners, centre_of(first_corners), a.surface().rounding);
    batch.triangles[at].measure_reach(), batch.first_triangles[at].measure_reach();
}

void ChildPairs::reserve(std::size_t compound_pair_count, std::size_t child_pairs) {
    compound_pairs.reserve(compound_pair_count);
    few.reserve(compound_pair_count * room());
    reserve_all(child_pairs, pairs, batch);
}

std::size_t ChildPairs::bytes() const { return bytes_of(pairs, few, compound_pairs, batch); }

void ChildPairs::make_room(std::size_t child_pairs, bool with_reaches) {
    grow(pairs, child_pairs);
    batch.make_room(child_pairs, with_reaches);
}

void count_compounds(const PairCall& call, std::span<const Entry> entries, std::span<const std::uint8_t> has_contacts,
                     ChildPairs& out) {
    Vector<CompoundPair>& compound_pairs = out.compound_pairs;
    compound_pairs.resize(entries.size());
    const std::uint32_t room = out.room();
    grow(out.few, entries.size() * room);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        compound_pairs[i].entry = entries[i], compound_pairs[i].few = out.few.data() + i * room,
        compound_pairs[i].room = room;
        compound_pairs[i].has_contacts = !has_contacts.empty() && has_contacts[i] != 0;
    }
    for_each_in_blocks(call.runner.executor, compound_pairs.size(), kBlockCompoundPairs,
                       [&](std::size_t i) { count_children(call, compound_pairs[i]); });
}

void list_children(const PairCall& call, const CompoundPair& compound_pair, ChildPair* pairs) {
    if (compound_pair.count <= compound_pair.room) {
        std::copy_n(compound_pair.few, compound_pair.count, pairs);
        return;
    }
    const auto [a, b] = call.bodies_of(compound_pair.entry);
    ChildPair* next = pairs;
    ChildWalk(call.tables(), a, b)(compound_pair.reach, [&](std::uint32_t i, std::uint32_t k, const Probe& probe) {
        *next++ = {i, k, false, contact_of(probe)};
        return true;
    });
    sort_by_children(pairs, compound_pair.count);
}

void list_compounds(const PairCall& call, std::span<CompoundPair> group, ChildPairs& out) {
    std::uint32_t next = 0;
    for (CompoundPair& compound_pair : group) {
        compound_pair.first = next;
        next += compound_pair.count;
    }
    out.make_room(next, call.has_reaches());
    for_each_in_blocks(call.runner.executor, group.size(), kBlockCompoundPairs, [&](std::size_t i) {
        const CompoundPair& compound_pair = group[i];
        if (compound_pair.count == 0) return;
        list_children(call, compound_pair, out.pairs.data() + compound_pair.first);
        place_children(call, compound_pair, out);
    });
}

void place_children(const PairCall& call, const CompoundPair& compound_pair, ChildPairs& out) {
    const auto [a, b] = call.bodies_of(compound_pair.entry);
    const ChildPoses places_a(call.tables(), a), places_b(call.tables(), b);
    const Vec3d b_from_a = maths::to_double(b.position) - maths::to_double(a.position);
    const bool is_self = PairRecordBuilder(call.frame).is_self(compound_pair.entry);
    for (std::uint32_t i = compound_pair.first; i < compound_pair.first + compound_pair.count; ++i) {
        ChildPair& child = out.pairs[i];
        // A child and itself are one body, as elsewhere.
        place_child(places_a, places_b, b_from_a, is_self && child.a == child.b, child, out.batch, i);
        if (call.has_reaches()) out.batch.reaches[i] = call.parameters.margins[compound_pair.entry.pair()];
    }
}

}  // namespace abut
