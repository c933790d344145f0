// See child_pairs.hpp. Two walks down the trees of bounds, one to count and one to list, so that all lists lie in one array that keeps its
// memory; a distance that no limit was set to gets one before, from balls within the children.
#include "pairs/child_pairs.hpp"

#include <algorithm>
#include <limits>

#include "isa/fp_environment.hpp"
#include "pairs/child_poses.hpp"
#include "pairs/good_pose.hpp"
#include "parallel/parallel_for.hpp"
#include "shapes/compound_tree.hpp"
#include "shapes/inner_ball.hpp"
#include "tolerances.hpp"

namespace abut {
namespace {

using exact::Vec3d;

constexpr std::size_t kBlockOwners = 32;

// A convex shape in the frame of the compound that it is held against: where to look, and a ball for bounds from above.
struct Probe {
    Volume volume;
    InnerBall ball{};
    Vec3d normal{};     // of a plane: unit
    double offset = 0;
};

Probe probe_of(const ShapeStore::Tables& tables, ShapeId shape, const PoseD& pose, bool wants_ball) {
    Probe probe;
    if (shape.kind() == ShapeKind::halfspace) {
        const InstanceRecord& r = tables.record(shape);
        const Vec3d normal = pose.axes * Vec3d{r.extent_x, r.extent_y, r.extent_z};
        probe.normal = exact::unit(normal);
        probe.offset = offset_of(r) / exact::norm(normal) + r.radius + exact::dot(probe.normal, pose.position);
        const Vec3 n = finite_float(probe.normal);
        probe.volume = {.is_plane = true, .normal = {n.x, n.y, n.z}, .offset = static_cast<float>(probe.offset)};
        return probe;
    }
    probe.volume = box_volume(loose_bounds(local_box(tables, shape), pose));
    if (!wants_ball) return probe;
    probe.ball = inner_ball(tables, shape);
    probe.ball.centre = pose.position + pose.axes * probe.ball.centre;
    return probe;
}

// No child is farther than this along the normal that parts them best.
double distance_at_most(const Probe& probe, const CompoundPart& part) {
    if (probe.volume.is_plane) return exact::dot(probe.normal, part.centre) - part.inner_radius - probe.offset;
    return exact::norm(part.centre - probe.ball.centre) - part.inner_radius - probe.ball.radius;
}

// The walk over one pair's child pairs, in canonical order of the bodies.
class Walk {
public:
    Walk(const ShapeStore::Tables& tables, const Body& a, const Body& b)
        : tables_(tables), compound_b_(tables.compound(b.shape)), shape_a_(a.shape), shape_b_(b.shape),
          a_in_b_(seen_from(pose_of(b), pose_of(a))), b_in_a_(seen_from(pose_of(a), pose_of(b))) {}

    // Calls visit(child of a, child of b) where their distance may be within `reach`, which may shrink on the way.
    template <class Visit>
    void operator()(const double& reach, Visit&& visit) const {
        walk(reach, false, [&](const Probe&, std::uint32_t a, std::uint32_t b) { visit(a, b); });
    }

    // `reach`, or less where no child pair beyond that can be the nearest.
    double shortened(double reach) const {
        walk(reach, true, [&](const Probe& probe, std::uint32_t, std::uint32_t b) {
            const double at_most = distance_at_most(probe, compound_b_.parts[b]);
            reach = exact::least(reach, at_most + kReachSlack * (std::fabs(at_most) + sizes()));
        });
        return reach;
    }

    // The widest that coordinates in either's frame can be but for the distance between them. A half-space has its compound's.
    double sizes() const {
        const double a = tables_.record(shape_a_).bound_radius, b = tables_.record(shape_b_).bound_radius;
        return 2 * (shape_a_.kind() == ShapeKind::halfspace ? b : a + b);
    }

private:
    template <class Visit>
    void walk(const double& reach, bool wants_ball, Visit&& visit) const {
        const auto against = [&](std::uint32_t child, ShapeId shape, const PoseD& pose) {
            const Probe probe = probe_of(tables_, shape, pose, wants_ball);
            descend(compound_b_.nodes, probe.volume, reach, [&](std::uint32_t b) { visit(probe, child, b); });
        };
        if (shape_a_.kind() != ShapeKind::compound) return against(0, shape_a_, a_in_b_);
        const CompoundGeometry& compound_a = tables_.compound(shape_a_);
        const Vec3d low = exact::to_double(compound_b_.bounds_min), high = exact::to_double(compound_b_.bounds_max);
        const Volume whole_b = box_volume(loose_bounds({(low + high) * 0.5, (high - low) * 0.5, 0}, b_in_a_));
        descend(compound_a.nodes, whole_b, reach, [&](std::uint32_t child) {
            const CompoundPart& part = compound_a.parts[child];
            against(child, part.instance, moved(a_in_b_, part));
        });
    }

    const ShapeStore::Tables& tables_;
    const CompoundGeometry& compound_b_;
    ShapeId shape_a_, shape_b_;
    PoseD a_in_b_, b_in_a_;
};

double reach_asked(const Frame& frame, const QueryParameters& parameters, const Entry& entry) {
    return parameters.query == Query::collide && !frame.margins.empty() ? frame.margins[entry.pair()] : parameters.reach;
}

void count_children(const Frame& frame, const QueryParameters& parameters, CompoundPair& owner, Status* status) {
    const Body a = frame.bodies[owner.entry.a], b = frame.bodies[owner.entry.b];
    owner.count = 0;
    if (!is_good_pose(a) || !is_good_pose(b)) {
        status[owner.entry.pair()] = Status::bad_pose;
        return;
    }
    const Walk walk(frame.shapes->tables(), a, b);
    owner.reach = reach_asked(frame, parameters, owner.entry);
    owner.reach += kReachSlack * (owner.reach + walk.sizes());
    if (parameters.query == Query::distance) owner.reach = walk.shortened(owner.reach);
    walk(owner.reach, [&](std::uint32_t, std::uint32_t) { owner.count += owner.count != Entry::kSwapped; });
}

// Both bodies of a child pair, in the order of their kinds.
void place_bodies(const ShapeStore::Tables& tables, const Body& a, const Body& b, ChildPair& child, Body* bodies) {
    ChildPlace first = place_of_child(tables, a, child.a), second = place_of_child(tables, b, child.b);
    const Vec3d between = exact::to_double(b.position) - exact::to_double(a.position) + (second.offset - first.offset);
    child.is_turned = first.shape.kind() > second.shape.kind();
    if (child.is_turned) std::swap(first, second);
    bodies[0] = {{}, first.shape, first.orientation};
    bodies[1] = {finite_float(child.is_turned ? -between : between), second.shape, second.orientation};
}

void list_children(const Frame& frame, const CompoundPair& owner, ChildPairs& out) {
    const ShapeStore::Tables& tables = frame.shapes->tables();
    const Body a = frame.bodies[owner.entry.a], b = frame.bodies[owner.entry.b];
    std::uint32_t next = owner.first;
    Walk(tables, a, b)(owner.reach, [&](std::uint32_t i, std::uint32_t k) { out.pairs[next++] = {i, k, false}; });
    std::sort(out.pairs.data() + owner.first, out.pairs.data() + next,
              [](const ChildPair& x, const ChildPair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
    for (std::uint32_t i = owner.first; i < next; ++i) {
        place_bodies(tables, a, b, out.pairs[i], out.bodies.data() + 2 * std::size_t(i));
        // A child and itself are one body, as anywhere else.
        const bool is_self = owner.entry.a == owner.entry.b && out.pairs[i].a == out.pairs[i].b;
        out.body_pairs[i] = {2 * i, is_self ? 2 * i : 2 * i + 1};
        if (!frame.margins.empty()) out.margins[i] = frame.margins[owner.entry.pair()];
    }
}

template <class Each>
void for_each_owner(const Executor& executor, ChildPairs& out, const Each& each) {
    parallel_for(executor, (out.owners.size() + kBlockOwners - 1) / kBlockOwners, [&](std::size_t block) {
        const FpEnvironment environment;
        const std::size_t end = std::min(out.owners.size(), (block + 1) * kBlockOwners);
        for (std::size_t i = block * kBlockOwners; i < end; ++i) each(out.owners[i]);
    });
}

template <class T>
void grow(std::vector<T>& items, std::size_t size) {
    if (items.size() < size) items.resize(size);
}

}  // namespace

void ChildPairs::reserve(std::size_t owner_count, std::size_t child_pairs) {
    owners.reserve(owner_count);
    pairs.reserve(child_pairs);
    bodies.reserve(2 * child_pairs);
    body_pairs.reserve(child_pairs);
    margins.reserve(child_pairs);
}

std::size_t ChildPairs::bytes() const {
    return pairs.capacity() * sizeof(ChildPair) + bodies.capacity() * sizeof(Body) + body_pairs.capacity() * sizeof(Pair) +
           margins.capacity() * sizeof(float) + owners.capacity() * sizeof(CompoundPair);
}

void expand_compounds(const Frame& frame, std::span<const Entry> entries, const QueryParameters& parameters, const Executor& executor,
                      ChildPairs& out, Status* status) {
    out.owners.resize(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) out.owners[i] = {entries[i], 0, 0, 0};
    for_each_owner(executor, out, [&](CompoundPair& owner) { count_children(frame, parameters, owner, status); });
    std::uint32_t next = 0;
    for (CompoundPair& owner : out.owners) {
        if (owner.count >= Entry::kSwapped / 2 - next) {
            status[owner.entry.pair()] = Status::no_room;
            owner.count = 0;
        }
        owner.first = next;
        next += owner.count;
    }
    grow(out.pairs, next);
    grow(out.bodies, 2 * std::size_t(next));
    grow(out.body_pairs, next);
    if (!frame.margins.empty()) grow(out.margins, next);
    for_each_owner(executor, out, [&](const CompoundPair& owner) { if (owner.count != 0) list_children(frame, owner, out); });
}

}  // namespace abut
