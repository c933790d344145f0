// See seam_distances.hpp. Computes in double, as seams.cpp does.
#include "batch/seam_distances.hpp"

#include <algorithm>

#include "convex/exact/exact_core.hpp"

namespace abut {
namespace {

using maths::Vec3d;

constexpr std::uint32_t kMostPoints = 256;

// The corners of the convex union of joined children, in the first child's frame.
struct Corners {
    Vec3d points[kMostPoints];
    std::uint32_t count = 0;

    bool add(const Vec3d& point) {
        if (count == kMostPoints) return false;
        points[count++] = point;
        return true;
    }
};

// A child pair, and the siblings that are joined to each of its children.
class JoinedPair {
public:
    // Starts with the answer of the child pair alone.
    JoinedPair(const SeamBodies& bodies, const ChildPair& pair, const SeamAnswer& answer)
        : bodies_(bodies), pair_(pair), origin_(bodies.origin(pair)) {
        begin(a_, bodies.a()), begin(b_, bodies.b());
        answer_ = {Status::ok, answer.distance, maths::to_double(answer.normal),
                   maths::to_double(answer.point_a) + origin_, maths::to_double(answer.point_b) + origin_};
    }

    SeamAnswer answer() const {
        return {static_cast<float>(answer_.signed_distance), finite_float(answer_.normal),
                finite_float(answer_.point_a - origin_), finite_float(answer_.point_b - origin_)};
    }
    // The body whose child has a normal that leads into a sibling; null if neither child has.
    const SeamBody* denied() const {
        for (const Child* child : {&a_, &b_})
            if (bodies_.is_joined(*child->of, pair_) && !is_free(*child)) return child->of;
        return nullptr;
    }
    // Joins siblings to a child until its normal leads into no other sibling. False if their union is not convex there.
    bool join_siblings() {
        while (const SeamBody* of = denied()) {
            if (!join_sibling(child_of(*of))) return false;
            compute();
            if (answer_.status != Status::ok) return false;
        }
        return true;
    }
    // Replaces the answer by that of the least deep face of a body's child and of the siblings that were joined to it.
    // False if no face is less deep than `deepest`.
    bool find_face_exit(const SeamBody& of, double deepest);
    bool find_step_exit(const SeamBody& of, const SeamPoint& at, double deepest);
    double signed_distance() const { return answer_.signed_distance; }
    // The point where the other child leaves a body's child.
    SeamPoint exit_point(const SeamBody& of) const { return exit_of(child_of(of)).at; }

private:
    static constexpr std::uint32_t kMostChildren = 32;
    struct Child {
        const SeamBody* of;
        exact::Shape shape;
        Quat orientation;
        Vec3d position;                      // relative to A's position
        std::uint32_t child[kMostChildren];  // the pair's own child first
        std::uint32_t count = 1;
        Corners corners;  // set if siblings are joined to the child, or a part of it was cut off
    };

    const Child& child_of(const SeamBody& of) const { return &of == a_.of ? a_ : b_; }
    Child& child_of(const SeamBody& of) { return &of == a_.of ? a_ : b_; }
    void begin(Child& child, const SeamBody& of) const {
        const ChildPose pose = bodies_.pose_of_child(of, pair_);
        child.of = &of, child.child[0] = bodies_.child(of, pair_);
        child.shape = exact::shape_of(bodies_.tables(), pose.shape);
        child.orientation = pose.orientation, child.position = of.pose.position + pose.offset;
    }
    ChildPair with(const SeamBody& of, std::uint32_t child) const {
        ChildPair pair = pair_;
        (&of == a_.of ? pair.a : pair.b) = child;
        return pair;
    }
    struct Exit {
        SeamPoint at;
        bool is_on_child;
    };
    Exit exit_of(const Child& child) const;
    bool is_free(const Child& child) const;
    bool is_face_free(const SeamBody& of, const SeamPoint& at) const;
    bool reaches_steps(const Child& child, const SeamPoint& at) const;
    template <class Visit>
    bool over_steps(const Child& child, const SeamPoint& at, std::uint32_t sibling, const Visit& visit) const;
    bool touches_beyond(const Child& child, std::uint32_t owner, const PosedPolytope::Face& face) const;
    bool join_sibling(Child& child) const;
    bool add_corners(Child& child, std::uint32_t of) const;
    // Transforms a point from the compound's frame to the child's.
    static Vec3d in_child(const Child& child, const Vec3d& point) {
        const CompoundPart& part = child.of->compound->parts[child.child[0]];
        return maths::transposed_times(maths::rotation(part.orientation), point - part.position);
    }
    PosedPolytope polytope(const Child& child, std::uint32_t of) const {
        return polytope_of(bodies_.tables(), child.of->compound->parts[of]);
    }
    void compute();
    // The body that is computed first is at the origin, except for the rounding of the second body's offset.
    exact::Posed posed(const Child& child) const {
        const Child &first = pair_.is_swapped ? b_ : a_, &second = pair_.is_swapped ? a_ : b_;
        const Vec3d between = second.position - first.position;
        const Vec3 rounded = finite_float(between);
        return {child.shape, &child == &second ? rounded : finite_float(maths::to_double(rounded) - between),
                child.orientation};
    }

    const SeamBodies& bodies_;
    ChildPair pair_;
    Vec3d origin_;
    Child a_, b_;
    exact::Answer answer_;  // points: relative to A's position
};

// The point where the other child leaves a child, on the joined sibling that is behind the point along the normal. If
// there is no such sibling, the union of the children is not convex there.
JoinedPair::Exit JoinedPair::exit_of(const Child& child) const {
    const bool is_first = bodies_.is_first(*child.of, pair_);
    const Vec3d out = is_first ? answer_.normal : -answer_.normal;
    SeamPoint at = bodies_.seam_point(*child.of, pair_, is_first ? answer_.point_a : answer_.point_b, out);
    if (child.count == 1) return {at, true};
    for (std::uint32_t i = 0; i < child.count; ++i) {
        const PosedPolytope behind = polytope(child, child.child[i]);
        const double slack = seam_slack(behind.size(), behind.size(), at.point) + at.noise;
        at.child = child.child[i];
        if (behind.contains(at.point - at.normal * (4 * slack), slack)) return {at, true};
    }
    return {at, false};
}

bool JoinedPair::is_free(const Child& child) const {
    const Exit exit = exit_of(child);
    return exit.is_on_child &&
           (bodies_.rule(*child.of).judge(exit.at) != SeamNormal::denied || is_face_free(*child.of, exit.at) ||
            (child.count == 1 && reaches_steps(child, exit.at)));
}

// True if siblings allow a face's normal at another of the deepest points.
bool JoinedPair::is_face_free(const SeamBody& of, const SeamPoint& at) const {
    const LeavingChild body(bodies_, of, with(of, at.child));
    const Vec3d out = of.pose.axes * at.normal;
    const std::uint32_t f = body.polytope().face_towards(out);
    const PosedPolytope::Face face = body.polytope().face(f);
    if (maths::norm(face.normal - out) > kSeamTurn) return false;
    GroundPoints points(PatchAxes(face.normal), body.level());
    body.add_points(f, face, at.noise, points);
    return points.size() != 0 && points.deepest() <= body.separation_along(face) + at.noise;
}

// Adds the corners of a sibling. False if there is no room, or if the radii differ.
bool JoinedPair::add_corners(Child& child, std::uint32_t of) const {
    const PosedPolytope added = polytope(child, of);
    bool has_room = added.radius() == child.shape.radius;
    for (std::uint32_t i = 0; i < added.vertex_count() && has_room; ++i)
        has_room = child.corners.add(in_child(child, added.vertex(i)));
    child.shape.points = {child.corners.points, child.corners.count};
    return has_room;
}

// Joins a sibling into which the normal leads.
bool JoinedPair::join_sibling(Child& child) const {
    if (child.count == kMostChildren) return false;
    const Exit exit = exit_of(child);
    const SeamRule rule = bodies_.rule(*child.of);
    std::uint32_t sibling = 0;
    const auto is_joined = [&](std::uint32_t other) {
        sibling = other;
        return std::find(child.child, child.child + child.count, other) != child.child + child.count;
    };
    if (exit.is_on_child ? rule.over_denying(exit.at, is_joined) : rule.over_containing(exit.at, is_joined))
        return false;
    if (child.corners.count == 0 && !add_corners(child, child.child[0])) return false;
    if (!add_corners(child, sibling)) return false;
    child.child[child.count++] = sibling;
    return true;
}

void JoinedPair::compute() {
    const Child &first = pair_.is_swapped ? b_ : a_, &second = pair_.is_swapped ? a_ : b_;
    answer_ = exact::signed_distance(posed(first), posed(second));
    answer_.point_a = answer_.point_a + first.position, answer_.point_b = answer_.point_b + first.position;
}

bool JoinedPair::find_face_exit(const SeamBody& of, double deepest) {
    const Child& child = child_of(of);
    const bool is_first = bodies_.is_first(of, pair_);
    bool is_found = false;
    double best = deepest;
    for (std::uint32_t i = 0; i < child.count; ++i) {
        const LeavingChild body(bodies_, of, with(of, child.child[i]));
        const double noise = bodies_.noise(pair_);
        for (std::uint32_t f = 0; f < body.polytope().face_count(); ++f) {
            const PosedPolytope::Face face = body.polytope().face(f);
            const double separation = body.separation_along(face);
            if (!(separation > best)) continue;
            GroundPoints points(PatchAxes(face.normal), body.level());
            body.add_points(f, face, noise, points);
            if (points.size() == 0 || points.deepest() > separation + noise) continue;
            points.sort();
            best = separation, is_found = true;
            const Vec3d middle = body.position() + points[0].position,
                        half = face.normal * (0.5 * points[0].separation);
            answer_ = {Status::ok, points[0].separation, is_first ? face.normal : -face.normal,
                       is_first ? middle - half : middle + half, is_first ? middle + half : middle - half};
        }
    }
    return is_found;
}

// Calls visit(face, room) for the free faces of siblings beyond which a part of a child rises. `face` is moved outwards
// by `room`, the room for errors. If visit returns false, stops and returns false.
template <class Visit>
bool JoinedPair::over_steps(const Child& child, const SeamPoint& at, std::uint32_t sibling, const Visit& visit) const {
    const PosedPolytope own = polytope(child, at.child), other = polytope(child, sibling);
    const double room = 8 * (seam_slack(own.size(), other.size(), at.point) + at.noise);
    for (std::uint32_t f = 0; f < other.face_count(); ++f) {
        PosedPolytope::Face face = other.face(f);
        face.offset += room;
        const auto height = [&](const Vec3d& along) {
            return maths::dot(face.normal, own.farthest(along)) - face.offset;
        };
        const bool is_step = height(face.normal) > 0 && height(-face.normal) < -2 * room &&
                             !bodies_.rule(*child.of).is_face_covered({sibling, at.point, at.normal, at.noise}, f);
        if (is_step && !visit(face, room)) return false;
    }
    return true;
}

// True if the child rises beyond each sibling into which its normal leads, the other child reaches the part beyond, and
// siblings allow the normal at that part.
bool JoinedPair::reaches_steps(const Child& child, const SeamPoint& at) const {
    const SeamRule rule = bodies_.rule(*child.of);
    const PosedPolytope own = polytope(child, at.child);
    const Vec3d normal = own.face(own.face_towards(at.normal)).normal;
    return rule.over_denying(at, [&](std::uint32_t sibling) {
        return !over_steps(child, at, sibling, [&](const PosedPolytope::Face& face, double) {
            const double below = maths::max(0, face.offset - maths::dot(face.normal, at.point));
            const SeamPoint beside = {at.child, at.point + face.normal * below, normal, at.noise};
            return rule.judge(beside) == SeamNormal::denied || !touches_beyond(child, at.child, face);
        });
    });
}

// Moves the other child out along the normals of faces beyond which a child rises, if the other child is wholly below
// the face. True if one of these answers is less deep than `deepest`.
bool JoinedPair::find_step_exit(const SeamBody& of, const SeamPoint& at, double deepest) {
    const Child &child = child_of(of), &other = &child == &a_ ? b_ : a_;
    const bool is_first = bodies_.is_first(of, pair_);
    bool is_found = false;
    const auto try_face = [&](const PosedPolytope::Face& face, double room) {
        if (touches_beyond(child, at.child, face)) return true;
        const Vec3d out = of.pose.axes * face.normal;
        const maths::Mat3 axes = maths::rotation(maths::to_double(other.orientation));
        const Vec3d lowest = other.position +
                             axes * exact::core_support(other.shape, maths::transposed_times(axes, -out)) -
                             out * other.shape.radius;
        const double separation = maths::dot(out, lowest - of.pose.position) - (face.offset - room);
        if (!(separation > deepest)) return true;
        const Vec3d foot = lowest - out * separation;
        deepest = separation, is_found = true;
        answer_ = {Status::ok, separation, is_first ? out : -out, is_first ? foot : lowest, is_first ? lowest : foot};
        return true;
    };
    bodies_.rule(of).over_denying(at, [&](std::uint32_t sibling) { return over_steps(child, at, sibling, try_face); });
    return is_found;
}

// True if the other child touches the part of a child beyond a face.
bool JoinedPair::touches_beyond(const Child& child, std::uint32_t owner, const PosedPolytope::Face& face) const {
    const PosedPolytope own = polytope(child, owner);
    Corners corners;
    const auto height = [&](const Vec3d& point) { return maths::dot(face.normal, point) + own.radius() - face.offset; };
    bool has_room = true;
    for (std::uint32_t i = 0; i < own.vertex_count() && has_room; ++i)
        if (const Vec3d point = own.vertex(i); height(point) >= 0) has_room = corners.add(in_child(child, point));
    own.for_each_edge([&](std::uint32_t i, std::uint32_t k) {
        const Vec3d from = own.vertex(i), to = own.vertex(k);
        const double low = height(from), high = height(to);
        if ((low >= 0) != (high >= 0) && has_room)
            has_room = corners.add(in_child(child, from + (to - from) * (low / (low - high))));
    });
    if (!has_room || corners.count == 0) return true;
    exact::Posed part = posed(child), other = posed(&child == &a_ ? b_ : a_);
    part.shape.points = {corners.points, corners.count};
    return exact::overlaps(part, other);
}

}  // namespace

void settle_distance(const SeamBodies& bodies, const ChildPair& pair, bool at_covered_faces, SeamAnswer& answer) {
    if (!bodies.is_joined(bodies.a(), pair) && !bodies.is_joined(bodies.b(), pair)) return;
    if (double(answer.distance) > bodies.noise(pair)) return;
    JoinedPair joined(bodies, pair, answer);
    const SeamBody* const of = joined.denied();
    if (of == nullptr) return;
    const SeamPoint at = joined.exit_point(*of);
    if (at_covered_faces && !bodies.rule(*of).leads_through_covered_face(at)) return;
    bool is_left = joined.join_siblings();
    const auto deepest = [&] { return is_left ? joined.signed_distance() : -INFINITY; };
    if (!at_covered_faces) {
        is_left |= joined.find_face_exit(*of, deepest());
        is_left |= joined.find_step_exit(*of, at, deepest());
    }
    if (is_left) answer = joined.answer();
}

}  // namespace abut
