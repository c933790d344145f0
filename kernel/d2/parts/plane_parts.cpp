// See plane_parts.hpp.
#include "d2/parts/plane_parts.hpp"

#include "d2/convex/plane_exact.hpp"
#include "d2/parts/chain_contacts.hpp"
#include "d2/parts/part_seams.hpp"
#include "d2/parts/part_walk.hpp"

namespace abut::d2 {
namespace {

// A normal within 1.6 degrees of a face's normal counts as the face's.
constexpr double kNearFace = 0.9996;

// The centre of a body's local bounds, in the frame of `body`'s pose.
Vec2D centre_of(const ShapeTables& tables, const PlacedD& body) {
    const BoxD2 local = body.bounds_in(tables, {{}, body.position, body.turn});
    return body.position + body.turn * (0.5 * (local.low + local.high));
}

// The nearest pair so far, as in answer_cores.
struct Nearest {
    double separation;
    Vec2D normal, point_a, point_b;  // points of the surfaces
    bool is_found = false;
};

struct PartPairs {
    const ShapeTables& tables;
    PlacedD a, b;  // relative to A's position
    const QueryParameters& asked;
    double bound;  // parts farther apart do not matter
    Vec2D centre_a, centre_b;
    Nearest nearest = {};
    Vector<PartManifold>& manifolds;
    std::uint32_t visited = 0;  // the number of pairs of parts visited
    // The deepest contacts with a normal that no union has, and their parts; count is 0 if there are other contacts.
    PlaneContactD denied = {};
    std::uint32_t denied_a = 0, denied_b = 0;
    // For a core that overlaps a chain but has no contact with it: the deepest point of its parts.
    bool is_last_resort = false;
    ChainContacts lowest = {};
    std::uint32_t lowest_number = 0, lowest_part = 0;

    // Calls visit(part of a, its number, part of b, its number), nearest bounds first. A body without parts is its own
    // part.
    template <class Visit>
    void each_near(Visit&& visit);
    void visit(const PlacedD& of_a, std::uint32_t i, const PlacedD& of_b, std::uint32_t k);
    void take(const PlaneContactD& of, double radius_a, double radius_b, std::uint32_t i, std::uint32_t k);
    void visit_plane(const PlacedD& of_a, std::uint32_t i);
    void visit_convex(const CoreD& core_a, std::uint32_t i, const CoreD& core_b, std::uint32_t k);
    void visit_chain(const CoreD& core, std::uint32_t number, const CoreD& segment_core, const PlacedD& chain,
                     std::uint32_t part, bool chain_is_b);
    void add_on_chain(ChainContacts contacts, std::uint32_t number, const PlacedD& chain, std::uint32_t part,
                      bool chain_is_b);
    void find_last_resort(std::size_t first);
    bool settle(PlaneContactD& found, const CoreD& core_a, std::uint32_t i, const CoreD& core_b, std::uint32_t k,
                double tolerance) const;
    void offer(double separation, Vec2D normal, Vec2D point_a, Vec2D point_b);
    void add(Vec2D normal, const Vec2D* position, const double* separation, const std::uint32_t* feature,
             std::uint32_t count, std::uint32_t i, std::uint32_t k);
    bool is_collide() const { return asked.query == Query::collide; }
};

template <class Visit>
void PartPairs::each_near(Visit&& visit) {
    if (a.parts == nullptr) {
        walk_near_parts(*b.parts, a.bounds_in(tables, b), bound, [&](std::uint32_t k) { visit(a, 0, b.part(k), k); });
        return;
    }
    const auto with = [&](const PlacedD& other, std::uint32_t k) {
        walk_near_parts(*a.parts, other.bounds_in(tables, a), bound,
                        [&](std::uint32_t i) { visit(a.part(i), i, other, k); });
    };
    if (b.parts == nullptr) return with(b, 0);
    walk_near_parts(*b.parts, a.bounds_in(tables, b), bound, [&](std::uint32_t k) { with(b.part(k), k); });
}

void PartPairs::offer(double separation, Vec2D normal, Vec2D point_a, Vec2D point_b) {
    if (separation > bound || (nearest.is_found && separation >= nearest.separation)) return;
    nearest = {separation, normal, point_a, point_b, true};
    bound = separation;
}

// Adds a manifold in the order of computation, the deepest contact first.
void PartPairs::add(Vec2D normal, const Vec2D* position, const double* separation, const std::uint32_t* feature,
                    std::uint32_t count, std::uint32_t i, std::uint32_t k) {
    if (count == 0) return;
    PartManifold out = {a.number(i), b.number(k), count, {}};
    out.record.normal = {static_cast<float>(normal.x), static_cast<float>(normal.y)};
    const std::uint32_t first = count == 2 && separation[1] < separation[0] ? 1 : 0;
    for (std::uint32_t c = 0; c < count; ++c) {
        const Vec2D at = position[c ^ first];
        out.record.contacts[c] = {{static_cast<float>(at.x), static_cast<float>(at.y)},
                                  static_cast<float>(separation[c ^ first]),
                                  feature[c ^ first]};
    }
    manifolds.push_back(out);
}

// Combines the answer of two parts with the earlier ones. Makes `contacts` if the query asks for them.
void PartPairs::take(const PlaneContactD& of, double radius_a, double radius_b, std::uint32_t i, std::uint32_t k) {
    const CoreAnswerD& cores = of.cores;
    if (!is_collide())
        return offer(of.separation, cores.normal, cores.point_a + radius_a * cores.normal,
                     cores.point_b - radius_b * cores.normal);
    Vec2D position[2];
    double separations[2];
    std::uint32_t feature[2], count = 0;
    for (int c = 0; c < (of.contacts.has_second ? 2 : 1); ++c) {
        if (of.contacts.separation[c] > bound) continue;
        position[count] = of.contacts.position[c], separations[count] = of.contacts.separation[c];
        feature[count++] = static_cast<std::uint32_t>(of.contacts.feature[c]);
    }
    add(cores.normal, position, separations, feature, count, i, k);
}

void PartPairs::visit_convex(const CoreD& core_a, std::uint32_t i, const CoreD& core_b, std::uint32_t k) {
    PlaneContactD found = answer_convex(core_a, core_b, {0, 0}, asked, bound);
    if (found.separation > bound) return;
    const double tolerance = tolerance_of(core_a.size, core_b.size, core_b.corners[0] - core_a.corners[0]);
    const PlaneContactD as_found = found;
    if (!is_collide() || settle(found, core_a, i, core_b, k, tolerance))
        return take(found, core_a.radius, core_b.radius, i, k);
    if (as_found.separation < denied.separation) denied = as_found, denied_a = i, denied_b = k;
}

// True if the union of a compound's children has the normal of contacts with its part. A normal of no face counts as
// that of the corner towards which it leans, wherever the contacts are.
bool is_shown(const PartSeams& seams, const CoreD& own, std::uint32_t part, Vec2D outward, const ContactsD& contacts,
              double reach) {
    const EdgeD edge = own.edge_along(outward);
    const double lean = dot(outward, turned(edge.normal));
    if (std::fabs(lean) > kSeamTilt) return seams.shows(own, part, outward, lean > 0 ? edge.corner1 : edge.corner0);
    for (int c = 0; c < (contacts.has_second ? 2 : 1); ++c) {
        const Vec2D point = contacts.position[c] - 0.5 * contacts.separation[c] * outward;
        if (contacts.separation[c] <= reach && seams.shows(own, part, outward, point)) return true;
    }
    return seams.is_free(own, part, edge);
}

// Contacts with a normal that no union has become contacts with a free edge. Returns false if there is no such edge.
bool PartPairs::settle(PlaneContactD& found, const CoreD& core_a, std::uint32_t i, const CoreD& core_b, std::uint32_t k,
                       double tolerance) const {
    for (const bool of_b : {false, true}) {
        const PlacedD& body = of_b ? b : a;
        const CoreD &own = of_b ? core_b : core_a, &other = of_b ? core_a : core_b;
        const Vec2D outward = of_b ? -found.cores.normal : found.cores.normal;
        const PartSeams seams(tables, body);
        if (body.shape.kind() != ShapeKind::compound ||
            is_shown(seams, own, of_b ? k : i, outward, found.contacts, bound))
            continue;
        AxisD axis;
        if (!seams.find_free_axis(own, of_b ? k : i, other, axis)) return false;
        if (found.separation >= -tolerance && dot(axis.normal, outward) < kNearFace) return false;
        if (of_b) axis.normal = -axis.normal;
        axis.is_of_b = of_b;
        found.cores.edge_a = core_a.edge_along(axis.normal), found.cores.edge_b = core_b.edge_along(-axis.normal);
        const FacingOf<double> facing = core_facing(found.cores, axis.normal);
        if (facing.low > facing.high + tolerance) return false;  // beside the edge, where a sibling is
        // A core deeper than all that faces the edge is over a sibling.
        found.separation = std::min(facing.gap(facing.low), facing.gap(facing.high)) - other.radius;
        if (found.separation > bound) return false;
        find_deepest<double>(axis, facing, tolerance, found.cores);
        found.contacts = contacts_of(found.cores, core_a.radius, core_b.radius, found.separation, tolerance,
                                     core_a.has_edges() + core_b.has_edges());
    }
    return true;
}

// Answers a part over the half-plane B.
void PartPairs::visit_plane(const PlacedD& of_a, std::uint32_t i) {
    CoreD core;
    place(tables, of_a, core);
    const auto& plane = tables.record<HalfplaneRecord>(b.shape);
    const Vec2D normal = b.turn * Vec2D{plane.normal_x, plane.normal_y};
    const double offset = plane.offset + dot(normal, b.position);
    take(answer_over_plane(core, normal, offset, plane.radius, is_collide()), core.radius, plane.radius, i, 0);
}

void PartPairs::visit_chain(const CoreD& core, std::uint32_t number, const CoreD& segment_core, const PlacedD& chain,
                            std::uint32_t part, bool chain_is_b) {
    const SegmentD segment = segment_at(tables, chain, part);
    const Vec2D centre = chain_is_b ? centre_a : centre_b;
    if (!segment.faces(centre)) return;
    if (!is_collide())
        return chain_is_b ? visit_convex(core, number, segment_core, part)
                          : visit_convex(segment_core, part, core, number);
    const double tolerance = tolerance_of(core.size, segment_core.size, {0, 0});
    if (is_last_resort) {
        const ChainContacts one = lowest_on_segment(core, segment_core.radius, segment, centre, tolerance);
        if (one.count == 0 || (lowest.count != 0 && one.separation[0] >= lowest.separation[0])) return;
        lowest = one, lowest_number = number, lowest_part = part;
        return;
    }
    const SegmentContacts all = contacts_on_segment(core, segment_core.radius, segment, centre, bound, tolerance);
    for (const ChainContacts& contacts : std::span(all.of, all.count)) {
        add_on_chain(contacts, number, chain, part, chain_is_b);
        manifolds.back().tolerance = tolerance;
    }
}

// The number of a segment and the next number name the segment's ends.
void PartPairs::add_on_chain(ChainContacts contacts, std::uint32_t number, const PlacedD& chain, std::uint32_t part,
                             bool chain_is_b) {
    for (std::uint32_t c = 0; c < contacts.count; ++c) {
        const std::uint32_t end = contacts.feature[c] & 0xffffu;
        const std::uint32_t corner = end == 0xffffu ? end : (chain.number(part) + end) & 0x7fffu;
        contacts.feature[c] = (contacts.feature[c] & 0xffff0000u) | corner;
        if (!chain_is_b) contacts.feature[c] = contacts.feature[c] << 16 | contacts.feature[c] >> 16;
    }
    if (chain_is_b)
        add(contacts.normal, contacts.position, contacts.separation, contacts.feature, contacts.count, number, part);
    else
        add(-contacts.normal, contacts.position, contacts.separation, contacts.feature, contacts.count, part, number);
}

// For bodies that overlap without a contact: adds the deepest contact between parts, or with a chain in front. `first`:
// the first manifold of the pair.
void PartPairs::find_last_resort(std::size_t first) {
    if (manifolds.size() == first && denied.separation < 0) return take(denied, 0, 0, denied_a, denied_b);
    const auto touches = [](const PartManifold& m) { return m.record.contacts[0].separation < 0; };
    if (std::any_of(manifolds.begin() + std::ptrdiff_t(first), manifolds.end(), touches)) return;
    const bool chain_is_b = b.shape.kind() == ShapeKind::chain;
    if ((!chain_is_b && a.shape.kind() != ShapeKind::chain) || visited > asked.max_child_pairs) return;
    bound = 0, is_last_resort = true;
    each_near(
        [&](const PlacedD& of_a, std::uint32_t i, const PlacedD& of_b, std::uint32_t k) { visit(of_a, i, of_b, k); });
    if (lowest.count != 0) add_on_chain(lowest, lowest_number, chain_is_b ? b : a, lowest_part, chain_is_b);
}

void PartPairs::visit(const PlacedD& of_a, std::uint32_t i, const PlacedD& of_b, std::uint32_t k) {
    if (of_b.shape.kind() == ShapeKind::halfplane) return visit_plane(of_a, i);
    CoreD core_a, core_b;
    place(tables, of_a, core_a), place(tables, of_b, core_b);
    if (b.shape.kind() == ShapeKind::chain) return visit_chain(core_a, i, core_b, b, k, true);
    if (a.shape.kind() == ShapeKind::chain) return visit_chain(core_b, k, core_a, a, i, false);
    visit_convex(core_a, i, core_b, k);
}

// --- One manifold per line of a chain ---

std::uint32_t body_part(const PartManifold& of, bool chain_is_a) { return chain_is_a ? of.child_b : of.child_a; }

// An upper bound on the distance of the contacts of one from the surfaces of the other, if both have the same normal;
// infinite if their normals differ.
double drift_of(const PartManifold& x, const PartManifold& y) {
    const Vec2D n = {x.record.normal.x, x.record.normal.y}, m = {y.record.normal.x, y.record.normal.y};
    if (dot(n, m) <= 0.9999995) return HUGE_VAL;  // 1e-3 radians
    double largest = 0;
    for (const PartManifold* one : {&x, &y})
        for (std::uint32_t c = 0; c < one->contact_count; ++c)
            largest = std::max<double>(largest, std::fabs(one->record.contacts[c].separation));
    return 0.5 * largest * std::fabs(dot(turned(n), m));
}
bool can_join(const PartManifold& x, const PartManifold& y) {
    return drift_of(x, y) <= std::min(x.tolerance, y.tolerance);
}

// Chooses the two of up to four contacts that are farthest apart, the deepest first.
PartManifold joined(const PartManifold& x, const PartManifold& y) {
    Contact all[4];
    std::uint32_t count = 0;
    for (const PartManifold* one : {&x, &y})
        for (std::uint32_t c = 0; c < one->contact_count; ++c) all[count++] = one->record.contacts[c];
    const Vec2 n = x.record.normal;
    const auto place_of = [&](const Contact& c) { return double(n.x) * c.position.y - double(n.y) * c.position.x; };
    const auto by_place = [&](const Contact& c, const Contact& d) { return place_of(c) < place_of(d); };
    const auto [low, high] = std::minmax_element(all, all + count, by_place);
    const bool low_is_first = low->separation <= high->separation;
    PartManifold out = (low_is_first ? low : high) - all < std::ptrdiff_t(x.contact_count) ? x : y;
    out.record.contacts[0] = low_is_first ? *low : *high;
    out.record.contacts[1] = low_is_first ? *high : *low;
    out.contact_count = low == high ? 1 : 2;
    out.tolerance = std::min(x.tolerance, y.tolerance) - drift_of(x, y);
    if (low == high) out.record.contacts[1] = {};
    return out;
}

// Manifolds are in the order of the chain's parts: each is compared with those of the part before.
void join_lines(Vector<PartManifold>& manifolds, std::size_t first, bool chain_is_a) {
    std::size_t kept = first, of_part = first;
    for (std::size_t i = first; i < manifolds.size(); ++i) {
        const PartManifold one = manifolds[i];
        if (of_part < kept && body_part(manifolds[of_part], chain_is_a) != body_part(one, chain_is_a)) of_part = kept;
        std::size_t into = of_part;
        while (into < kept && !can_join(manifolds[into], one)) ++into;
        manifolds[into] = into < kept ? joined(manifolds[into], one) : one;
        kept = std::max(kept, into + 1);
    }
    manifolds.resize(kept);
}

// Converts a manifold for a caller whose A is the computed B. `b_from_a`: relative to the computed A.
void mirror(PartManifold& of, Vec2D b_from_a) {
    std::swap(of.child_a, of.child_b);
    of.record.normal = {-of.record.normal.x, -of.record.normal.y};
    for (std::uint32_t c = 0; c < of.contact_count; ++c) {
        Contact& contact = of.record.contacts[c];
        contact.position = {static_cast<float>(contact.position.x - b_from_a.x),
                            static_cast<float>(contact.position.y - b_from_a.y)};
        contact.feature = contact.feature << 16 | contact.feature >> 16;
    }
}

}  // namespace

void place(const ShapeTables& tables, const PlacedD& shape, CoreD& out) {
    out.load(tables, shape.shape);
    for (std::int32_t i = 0; i < out.count; ++i)
        out.corners[i] = shape.position + shape.turn * (out.centre + out.corners[i]);
    out.centre = {0, 0};
    // In double and at its pose, a core without extent is a point: its edges have no normals.
    const auto is_first = [&](Vec2D corner) { return corner.x == out.corners[0].x && corner.y == out.corners[0].y; };
    if (std::all_of(out.corners, out.corners + out.count, is_first)) out.count = 1;
}

void answer_parts(const ShapeTables& tables, const Body& a, const Body& b, std::uint32_t pair_and_swap,
                  const QueryParameters& asked, const OutputView& out, Vector<PartManifold>& manifolds) {
    const std::uint32_t index = pair_and_swap & ~Entry::kSwapped;
    if (!is_valid_pose(a) || !is_valid_pose(b)) {
        out.status[index] = Status::bad_pose;
        return;
    }
    const bool is_swapped = (pair_and_swap & Entry::kSwapped) != 0;
    const Vec2D b_from_a = {double(b.position.x) - a.position.x, double(b.position.y) - a.position.y};
    const PlacedD placed_a = placed_body(tables, a, {0, 0}), placed_b = placed_body(tables, b, b_from_a);
    const float reach = asked.reach_of(index);
    PartPairs pairs = {tables,
                       placed_a,
                       placed_b,
                       asked,
                       asked.query == Query::overlap ? 0.0 : reach,
                       centre_of(tables, placed_a),
                       centre_of(tables, placed_b),
                       {},
                       manifolds};
    const std::size_t first = manifolds.size();
    pairs.each_near([&](const PlacedD& of_a, std::uint32_t i, const PlacedD& of_b, std::uint32_t k) {
        const bool is_known = asked.query == Query::overlap && pairs.nearest.is_found;
        if (is_known || ++pairs.visited > asked.max_child_pairs)
            pairs.bound = -HUGE_VAL;  // ends the walk
        else
            pairs.visit(of_a, i, of_b, k);
    });
    if (asked.query == Query::collide) pairs.find_last_resort(first);
    const Nearest& nearest = pairs.nearest;
    if (pairs.visited > asked.max_child_pairs) {
        out.status[index] = asked.query == Query::collide ? Status::no_room : Status::not_converged;
        if (asked.query == Query::collide) manifolds.resize(first);
    }
    if (asked.query == Query::overlap) {
        out.hit[index] = nearest.is_found ? 1 : 0;
    } else if (asked.query == Query::collide) {
        const auto sort_by = [&](bool b_first) {
            std::sort(manifolds.begin() + std::ptrdiff_t(first), manifolds.end(), [&](const auto& x, const auto& y) {
                return b_first ? std::pair(x.child_b, x.child_a) < std::pair(y.child_b, y.child_a)
                               : std::pair(x.child_a, x.child_b) < std::pair(y.child_a, y.child_b);
            });
        };
        const bool chain_is_a = a.shape.kind() == ShapeKind::chain;
        sort_by(chain_is_a);
        if (chain_is_a || b.shape.kind() == ShapeKind::chain) join_lines(manifolds, first, chain_is_a), sort_by(false);
        if (is_swapped)
            for (std::size_t i = first; i < manifolds.size(); ++i) mirror(manifolds[i], b_from_a);
    } else {
        put_distance(nearest.is_found, nearest.separation, is_swapped ? -nearest.normal : nearest.normal,
                     is_swapped ? nearest.point_b - b_from_a : nearest.point_a,
                     is_swapped ? nearest.point_a - b_from_a : nearest.point_b, asked.separation_only, index, out);
    }
}

}  // namespace abut::d2
