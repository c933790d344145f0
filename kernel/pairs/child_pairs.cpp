// See child_pairs.hpp. Two walks down the trees of bounds, one to count and one to list (where more than a few were found), so that all
// lists lie in one array that keeps its memory; a distance that no limit was set to gets one before, from balls within the children.
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

// The walk over one pair's child pairs: the children of one body, one by one, down the tree of the other. Of two compounds that with fewer
// children is the former.
class Walk {
public:
    Walk(const ShapeStore::Tables& tables, const Body& a, const Body& b) : tables_(tables), a_is_outer_(has_fewer_children(tables, a, b)) {
        const Body &outer = a_is_outer_ ? a : b, &inner = a_is_outer_ ? b : a;
        outer_ = outer.shape, inner_ = inner.shape;
        outer_in_inner_ = seen_from(pose_of(inner), pose_of(outer));
    }

    // Calls visit(child of a, child of b) where their distance may be within `reach`, which may shrink on the way.
    template <class Visit>
    void operator()(const double& reach, Visit&& visit) const {
        walk(reach, false, [&](const Probe&, std::uint32_t outer, std::uint32_t inner) {
            a_is_outer_ ? visit(outer, inner) : visit(inner, outer);
        });
    }

    // `reach`, or less where no child pair beyond that can be the nearest.
    double shortened(double reach) const {
        const CompoundGeometry& compound = tables_.compound(inner_);
        walk(reach, true, [&](const Probe& probe, std::uint32_t, std::uint32_t inner) {
            const double at_most = distance_at_most(probe, compound.parts[inner]);
            reach = exact::least(reach, at_most + kReachSlack * (std::fabs(at_most) + sizes()));
        });
        return reach;
    }

    // The widest that coordinates in either's frame can be but for the distance between them. A half-space has its compound's.
    double sizes() const {
        const double outer = tables_.record(outer_).bound_radius, inner = tables_.record(inner_).bound_radius;
        return 2 * (outer_.kind() == ShapeKind::halfspace ? inner : outer + inner);
    }

private:
    static bool has_fewer_children(const ShapeStore::Tables& tables, const Body& a, const Body& b) {
        return a.shape.kind() != ShapeKind::compound || tables.compound(a.shape).parts.size() <= tables.compound(b.shape).parts.size();
    }

    template <class Visit>
    void walk(const double& reach, bool wants_ball, Visit&& visit) const {
        const CompoundGeometry& inner = tables_.compound(inner_);
        const auto against = [&](std::uint32_t child, ShapeId shape, const PoseD& pose) {
            const Probe probe = probe_of(tables_, shape, pose, wants_ball);
            descend(inner.nodes, probe.volume, reach, [&](std::uint32_t other) { visit(probe, child, other); });
        };
        if (outer_.kind() != ShapeKind::compound) return against(0, outer_, outer_in_inner_);
        const CompoundGeometry& outer = tables_.compound(outer_);
        const Vec3d low = exact::to_double(inner.bounds_min), high = exact::to_double(inner.bounds_max);
        const exact::Mat3 back = exact::transposed(outer_in_inner_.axes);
        const PoseD inner_in_outer = {back, -(back * outer_in_inner_.position)};
        const Volume whole = box_volume(loose_bounds({(low + high) * 0.5, (high - low) * 0.5, 0}, inner_in_outer));
        descend(outer.nodes, whole, reach, [&](std::uint32_t child) {
            const CompoundPart& part = outer.parts[child];
            against(child, part.instance, moved(outer_in_inner_, part));
        });
    }

    const ShapeStore::Tables& tables_;
    bool a_is_outer_;
    ShapeId outer_, inner_;
    PoseD outer_in_inner_;
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
    walk(owner.reach, [&](std::uint32_t i, std::uint32_t k) {
        if (owner.count < CompoundPair::kFew) owner.few[owner.count] = {i, k, false};
        owner.count += owner.count != Entry::kSwapped;
    });
}

// Both bodies of a child pair, in the order of their kinds.
void place_bodies(const ChildPlaces& a, const ChildPlaces& b, const Vec3d& b_from_a, ChildPair& child, Body* bodies) {
    ChildPlace first = a[child.a], second = b[child.b];
    const Vec3d between = b_from_a + (second.offset - first.offset);
    child.is_turned = first.shape.kind() > second.shape.kind();
    if (child.is_turned) std::swap(first, second);
    bodies[0] = {{}, first.shape, first.orientation};
    bodies[1] = {finite_float(child.is_turned ? -between : between), second.shape, second.orientation};
}

void list_pairs(const ShapeStore::Tables& tables, const CompoundPair& owner, const Body& a, const Body& b, ChildPair* pairs) {
    if (owner.count <= CompoundPair::kFew) {
        std::copy_n(owner.few, owner.count, pairs);
    } else {
        ChildPair* next = pairs;
        Walk(tables, a, b)(owner.reach, [&](std::uint32_t i, std::uint32_t k) { *next++ = {i, k, false}; });
    }
    std::sort(pairs, pairs + owner.count, [](const ChildPair& x, const ChildPair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
}

void list_children(const Frame& frame, const CompoundPair& owner, ChildPairs& out) {
    const ShapeStore::Tables& tables = frame.shapes->tables();
    const Body a = frame.bodies[owner.entry.a], b = frame.bodies[owner.entry.b];
    list_pairs(tables, owner, a, b, out.pairs.data() + owner.first);
    const ChildPlaces places_a(tables, a), places_b(tables, b);
    const Vec3d b_from_a = exact::to_double(b.position) - exact::to_double(a.position);
    for (std::uint32_t i = owner.first; i < owner.first + owner.count; ++i) {
        place_bodies(places_a, places_b, b_from_a, out.pairs[i], out.bodies.data() + 2 * std::size_t(i));
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
    for (std::size_t i = 0; i < entries.size(); ++i) out.owners[i].entry = entries[i];
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
