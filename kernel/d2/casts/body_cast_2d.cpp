// See body_cast_2d.hpp. The rule of docs/numerics.md (casts) judges parts that touch. With CastStart::closing_only, a
// part that touches at the start and does not close is ignored until it has separated, unless it gets deeper. The same
// holds for a part that continues an ignored one, as the next segment of a floor does.
#include "d2/casts/body_cast_2d.hpp"

#include "d2/casts/convex_cast_2d.hpp"
#include "d2/parts/chain_contacts.hpp"
#include "d2/parts/part_seams.hpp"

namespace abut::d2 {
namespace {

// The number of ignored parts that are remembered at a time; new parts replace those that the body has left.
constexpr std::uint32_t kMostIgnored = 32;
// The heights of parts in one plane differ by at most so many tolerances.
constexpr double kLevelTolerances = 2;
// A start counts as within the target if its excess is at most this part of the tolerance.
constexpr double kLeastStart = 0.01;

BoxD2 swept_box(const ShapeTables& tables, const MovingD& of, const MovingD& seen_from) {
    // A ball about the centre of rotation contains the body at any angle; the ball moves along a line.
    BoxD2 local = PlacedD{of.shape, {0, 0}, {}, of.parts}.bounds_in(tables, {{}, {0, 0}, {}});
    double reach = 0;
    for (const double x : {local.low.x, local.high.x})
        for (const double y : {local.low.y, local.high.y}) {
            const Vec2D from = Vec2D{x, y} - of.centre;
            reach = std::max(reach, std::sqrt(dot(from, from)));
        }
    BoxD2 box;
    // In the frame of the other body, if that rotates, the line is an arc, which a ball about the other's centre of
    // rotation contains.
    const Vec2D from = of.start - seen_from.start, to = from + of.motion - seen_from.motion;
    if (seen_from.turn == 0) {
        const maths::SineCosine angle = maths::sine_cosine(seen_from.angle);
        const RotD turn(angle.cosine, angle.sine);
        box.add(seen_from.centre + turn.unrotated(from), reach), box.add(seen_from.centre + turn.unrotated(to), reach);
    } else {
        const double far = std::sqrt(std::max(dot(from, from), dot(to, to)));
        box.add(seen_from.centre, far + reach);
    }
    return box;
}

// A part of A and a part of B.
struct PartPair {
    std::uint32_t a, b;
    bool operator==(const PartPair&) const = default;
};

// The first time, from a given time on, at which a pair of parts counts.
struct Meeting {
    PartPair parts;
    double time = HUGE_VAL;
    Gap gap;
    bool converged = true;

    bool comes_before(const Meeting& other) const {
        return time < other.time || (time == other.time && gap.distance < other.gap.distance);
    }
};

// A pair of parts that touches and is no hit until `next`. `contact`: the first of the parts that continue each other;
// its normal is that at the time when it was first ignored.
struct IgnoredParts {
    Meeting next;
    PartPair contact;
    Vec2D normal;
};

class BodyCast {
public:
    BodyCast(const ShapeTables& tables, const MovingD& a, const MovingD& b, const CastParameters& asked);
    CastHitD run();

private:
    // The parts of a pair with their corners, and the cast of both parts.
    struct Cores {
        MovingCore a, b;
        ConvexCast cast;

        Cores(const BodyCast& of, PartPair parts);
    };

    PlacedD part_of(const MovingD& body, std::uint32_t i) const {
        const PlacedD whole = {body.shape, {0, 0}, {}, body.parts};
        return body.parts == nullptr ? whole : whole.part(i);
    }
    template <class Visit>
    void for_each_near(const Visit& visit);
    bool takes_part(PartPair parts) const;
    bool is_in_front(const PlacedD& segment, Vec2D centre) const;
    void visit(PartPair parts);
    Vec2D shown_normal(const Meeting& start) const;
    bool ignores(const Meeting& met);
    bool continues(const Cores& cores, const Meeting& met, const IgnoredParts& of, double& along) const;
    bool touches(const Meeting& met, PartPair other) const;
    bool ignore(const Cores& cores, const Meeting& met, PartPair contact, Vec2D normal, double depth);
    bool is_touch(const Gap& gap) const { return gap.distance <= asked_.target + asked_.tolerance; }

    const ShapeTables& tables_;
    const MovingD &a_, &b_;
    const CastParameters& asked_;
    Vec2D centre_a_, centre_b_;  // of the bounds, at the start, in the other body's frame
    BoxD2 box_a_, box_b_;        // of the motions, in the other body's frame
    double bound_ = 0;           // the bound of the walks
    double now_ = 0;             // no part counts before this time
    Meeting next_;
    std::uint32_t visited_ = 0;
    bool has_room_ = true;
    IgnoredParts ignored_[kMostIgnored];
    std::uint32_t ignored_count_ = 0;
};

BodyCast::Cores::Cores(const BodyCast& of, PartPair parts)
    : a(of.tables_, of.a_, of.part_of(of.a_, parts.a)),
      b(of.tables_, of.b_, of.part_of(of.b_, parts.b)),
      cast{a, b, of.asked_.target, of.asked_.tolerance} {
    const ShapeId shape_b = of.part_of(of.b_, parts.b).shape;
    if (shape_b.kind() == ShapeKind::halfplane) cast.plane = &of.tables_.record<HalfplaneRecord>(shape_b);
}

BodyCast::BodyCast(const ShapeTables& tables, const MovingD& a, const MovingD& b, const CastParameters& asked)
    : tables_(tables), a_(a), b_(b), asked_(asked) {
    const auto centre_in = [&](const MovingD& of, const MovingD& other) {
        if (of.shape.kind() == ShapeKind::halfplane) return Vec2D{0, 0};
        const BoxD2 box = PlacedD{of.shape, {0, 0}, {}, of.parts}.bounds_in(tables, {{}, {0, 0}, {}});
        const PlacedD placed = of.at(0), frame = other.at(0);
        return frame.turn.unrotated(placed.position + placed.turn * (0.5 * (box.low + box.high)) - frame.position);
    };
    centre_a_ = centre_in(a, b), centre_b_ = centre_in(b, a);
    const bool is_plane = b.shape.kind() == ShapeKind::halfplane;
    const BoxD2 all = {{-HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL}};
    box_b_ = is_plane || a.parts == nullptr ? all : swept_box(tables, b, a);
    box_a_ = b.parts == nullptr ? all : swept_box(tables, a, b);
}

// Calls visit(parts) for the pairs of parts whose motions are near each other.
template <class Visit>
void BodyCast::for_each_near(const Visit& visit) {
    bound_ = asked_.target + asked_.tolerance;
    const auto with = [&](std::uint32_t k) {
        if (a_.parts == nullptr) return visit(PartPair{0, k});
        walk_near_parts(*a_.parts, box_b_, bound_, [&](std::uint32_t i) { visit(PartPair{i, k}); });
    };
    if (b_.parts == nullptr) return with(0);
    walk_near_parts(*b_.parts, box_a_, bound_, with);
}

bool BodyCast::is_in_front(const PlacedD& segment, Vec2D centre) const {
    CoreD core;
    place(tables_, segment, core);
    return dot(core.edge(0).normal, centre - core.corners[0]) >= 0;
}

bool BodyCast::takes_part(PartPair parts) const {
    if (a_.shape.kind() == ShapeKind::chain && !is_in_front(part_of(a_, parts.a), centre_b_)) return false;
    return b_.shape.kind() != ShapeKind::chain || is_in_front(part_of(b_, parts.b), centre_a_);
}

// Finds the time, from now_ on, at which a pair of parts counts.
void BodyCast::visit(PartPair parts) {
    if (!takes_part(parts)) return;
    if (++visited_ > asked_.max_child_pairs && (a_.parts != nullptr || b_.parts != nullptr)) {
        has_room_ = false, bound_ = -HUGE_VAL;  // ends the walk
        return;
    }
    for (std::uint32_t i = 0; i < ignored_count_; ++i)
        if (ignored_[i].next.parts == parts) {
            if (ignored_[i].next.comes_before(next_)) next_ = ignored_[i].next;
            return;
        }
    Cores cores(*this, parts);
    Meeting met = {parts, now_, cores.cast.gap_at(now_)};
    const double above = met.gap.distance - asked_.target;
    // A part that starts within the tolerance, but not within the target, is no hit if it stays there or leaves: a body
    // continues from where a cast has stopped it.
    const bool starts_above = now_ == 0 && asked_.start != CastStart::closing_only && above > 0 && is_touch(met.gap);
    if (starts_above) cores.cast.tolerance = std::max(0.5 * above, kLeastStart * asked_.tolerance);
    if (above > cores.cast.tolerance)
        met.time = cores.cast.advance(now_, std::min(asked_.latest, next_.time), met.gap, met.converged);
    if (met.time <= asked_.latest && met.comes_before(next_)) next_ = met;
}

// True if a chain has this outward normal on a segment, or at a convex joint at the segment's end.
bool shows(const SegmentD& segment, Vec2D outward) {
    const double lean = dot(turned(segment.normal), outward);
    if (dot(segment.normal, outward) < 0) return false;
    if (std::fabs(lean) <= kSeamTilt) return true;
    const Neighbour& beside = segment.neighbour(lean > 0);
    return beside.stands_out && (!beside.exists || lean * dot(turned(outward), beside.normal) >= 0);
}

// The normal of parts that touch at the start: that of the distance or, if the joints or siblings beside the parts lack
// that normal, the normal of a segment or of a free edge of a child.
Vec2D BodyCast::shown_normal(const Meeting& start) const {
    Vec2D normal = start.gap.normal;
    for (const bool of_b : {true, false}) {
        const MovingD &body = of_b ? b_ : a_, &other = of_b ? a_ : b_;
        if (body.parts == nullptr) continue;
        const std::uint32_t i = of_b ? start.parts.b : start.parts.a, k = of_b ? start.parts.a : start.parts.b;
        const double sign = of_b ? -1 : 1;
        const PlacedD placed = body.at(0), beside = other.at(0);
        if (body.shape.kind() == ShapeKind::chain) {
            const SegmentD segment = segment_at(tables_, placed, i);
            if (!shows(segment, sign * normal)) normal = sign * segment.normal;
            continue;
        }
        CoreD own, core;
        AxisD axis;
        place(tables_, placed.part(i), own);
        place(tables_, beside.parts == nullptr ? beside : beside.part(k), core);
        const PartSeams seams(tables_, placed);
        if (!seams.shows(own, i, sign * normal, of_b ? start.gap.point_b : start.gap.point_a) &&
            seams.find_free_axis(own, i, core, axis))
            normal = sign * axis.normal;
    }
    return normal;
}

// True if a part that is met does not count yet; the part is then recorded.
bool BodyCast::ignores(const Meeting& met) {
    // An ignored part that has become deeper counts.
    if (met.gap.distance < asked_.target - asked_.tolerance && met.time > 0) return false;
    const Cores cores(*this, met.parts);
    for (std::uint32_t i = 0; i < ignored_count_; ++i) {
        const IgnoredParts& of = ignored_[i];
        double along = 0;
        if (of.next.parts == met.parts || of.next.time < met.time || !continues(cores, met, of, along)) continue;
        if (met.time > 0 && !touches(met, of.next.parts)) continue;
        return ignore(cores, met, of.contact, of.normal, along);
    }
    if (met.time > 0) return false;
    const Vec2D normal = shown_normal(met);
    const double along = cores.cast.gap_along(normal, 0);
    return !cores.cast.closes_gap(normal, along, 0) && ignore(cores, met, met.parts, normal, along);
}

// True if a part that is met does not rise above the first part of an ignored contact along the contact's normal, and
// the gap does not close. The contact ends where the gap exceeds the target. `along`: out, the gap along the contact's
// normal.
bool BodyCast::continues(const Cores& cores, const Meeting& met, const IgnoredParts& of, double& along) const {
    const double first = Cores(*this, of.contact).cast.gap_along(of.normal, met.time);
    along = cores.cast.gap_along(of.normal, met.time);
    return first - along <= kLevelTolerances * asked_.tolerance && first <= asked_.target + asked_.tolerance &&
           !cores.cast.closes_gap(of.normal, along, met.time);
}

// True if the points at which parts are met also lie on `other`, on both bodies: on a shared edge or corner.
bool BodyCast::touches(const Meeting& met, PartPair other) const {
    // An error of the height moves the points of a round surface laterally, as far as the surface rises by that height.
    const double room = std::sqrt(2 * asked_.size * kLevelTolerances * asked_.tolerance);
    const Cores cores(*this, other);
    return (met.parts.a == other.a || cores.cast.distance_from_a(met.gap.point_a, met.time) <= room) &&
           (met.parts.b == other.b || cores.cast.distance_from_b(met.gap.point_b, met.time) <= room);
}

// Records an ignored part. False if there is no room: too many parts touch at once.
bool BodyCast::ignore(const Cores& cores, const Meeting& met, PartPair contact, Vec2D normal, double depth) {
    std::uint32_t at = 0;
    while (at < ignored_count_ && ignored_[at].next.parts != met.parts) ++at;
    if (at == kMostIgnored) {
        // A part that the body has left does not return, or is met again.
        for (at = 0; at < kMostIgnored; ++at)
            if (!is_touch(Cores(*this, ignored_[at].next.parts).cast.gap_at(met.time))) break;
        if (at == kMostIgnored) return false;
    }
    IgnoredParts& of = ignored_[at];
    of = {met, contact, normal};
    of.next.time = cores.cast.advance_from_touch(met.time, asked_.latest, depth, of.next.gap, of.next.converged);
    ignored_count_ = std::max(ignored_count_, at + 1);
    return true;
}

CastHitD BodyCast::run() {
    for (;;) {
        next_ = {}, visited_ = 0;
        for_each_near([&](PartPair parts) { visit(parts); });
        CastHitD out;
        out.has_room = has_room_;
        if (!has_room_ || !(next_.time <= asked_.latest)) return out;
        const bool is_start = next_.time == 0 && is_touch(next_.gap);
        if (asked_.start == CastStart::ignore && is_start) return out;
        now_ = next_.time;
        if (asked_.start == CastStart::closing_only && next_.converged && ignores(next_)) continue;
        const auto child = [](const MovingD& of, std::uint32_t i) {
            return of.parts == nullptr ? 0 : of.parts->numbers[i];
        };
        const Gap& gap = next_.gap;
        return {true,
                next_.time,
                next_.converged,
                true,
                gap.distance,
                gap.normal,
                gap.point_a,
                gap.point_b,
                {0, 0},
                child(a_, next_.parts.a),
                child(b_, next_.parts.b)};
    }
}

}  // namespace

PlacedD MovingD::at(double time) const {
    const maths::SineCosine of = maths::sine_cosine(angle + time * turn);
    const RotD rotation(of.cosine, of.sine);
    return {shape, start + time * motion - rotation * centre, rotation, parts};
}

CastHitD cast_bodies(const ShapeTables& tables, const MovingD& a, const MovingD& b, const CastParameters& asked) {
    return BodyCast(tables, a, b, asked).run();
}

}  // namespace abut::d2
