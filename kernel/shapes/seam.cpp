// See seam.hpp.
#include "shapes/seam.hpp"

#include "base/double_gjk.hpp"

namespace abut {
namespace {

using maths::Vec3d;

bool do_touch(const PosedPolytope& a, const PosedPolytope& b, double slack) {
    const double reach = a.radius() + b.radius() + slack;
    Vec3d offset = a.farthest_of_core({1, 0, 0}) - b.farthest_of_core({1, 0, 0});
    const maths::GjkEnd end =
        maths::gjk(offset, {.share = 1e-6, .beyond = reach, .enough = reach},
                   [&](const Vec3d& d) { return a.farthest_of_core(d) - b.farthest_of_core(-d); });
    return end == maths::GjkEnd::overlap || (end != maths::GjkEnd::beyond && maths::norm(offset) <= reach);
}

// True if a face of one lies in the plane of a face of the other: the surface continues, or the faces cover each other.
bool share_plane(const PosedPolytope& a, const PosedPolytope& b, double slack) {
    const Vec3d between = (a.farthest({1, 0, 0}) + b.farthest({1, 0, 0})) * 0.5;
    for (std::uint32_t f = 0; f < a.face_count(); ++f) {
        const PosedPolytope::Face of_a = a.face(f);
        const double height = maths::dot(of_a.normal, between) - of_a.offset;
        for (std::uint32_t g = 0; g < b.face_count(); ++g) {
            const PosedPolytope::Face of_b = b.face(g);
            const double sign = maths::dot(of_a.normal, of_b.normal) < 0 ? -1 : 1;
            const double other = sign * (maths::dot(of_b.normal, between) - of_b.offset);
            if (maths::norm(of_a.normal - of_b.normal * sign) <= kSeamTurn && std::fabs(height - other) <= slack)
                return true;
        }
    }
    return false;
}

}  // namespace

void find_joined(const ShapeTables& tables, std::span<const BoxD> bounds, CompoundGeometry& compound) {
    const auto is_polytope = [&](std::uint32_t child) {
        return PosedPolytope::is_one(tables, compound.parts[child].instance);
    };
    for (std::uint32_t i = 0; i < compound.parts.size(); ++i) {
        if (!is_polytope(i)) continue;
        const PosedPolytope polytope = polytope_of(tables, compound.parts[i]);
        const double reach = seam_slack(polytope.size(), polytope.size(), compound.parts[i].centre);
        const Vec3d around = {reach, reach, reach};
        const Volume volume = box_volume({bounds[i].low - around, bounds[i].high + around});
        std::uint32_t touched = 0;
        descend(compound.nodes, volume, 0.0, [&](std::uint32_t k) {
            if (k == i || !is_polytope(k)) return true;
            const PosedPolytope other = polytope_of(tables, compound.parts[k]);
            const double slack = seam_slack(polytope.size(), other.size(), compound.parts[i].centre);
            touched += do_touch(polytope, other, slack) && share_plane(polytope, other, slack);
            return touched <= kMostTouched;
        });
        compound.parts[i].is_joined = touched != 0 && touched <= kMostTouched;
    }
}

// Tests whether the farthest point rises, then whether the face whose normal is nearest rises beside the point.
bool SeamRule::rises(const PosedPolytope& polytope, const SeamPoint& at, double slack) {
    const Vec3d rise = polytope.farthest(at.normal) - at.point;
    if (maths::dot(rise, at.normal) > kSeamRise * maths::norm(rise) + slack) return true;
    const Vec3d own = polytope.face(polytope.face_towards(at.normal)).normal,
                level = at.normal - own * maths::dot(own, at.normal);
    const double sine = maths::norm(level);
    return sine > kSeamRise && polytope.contains(at.point + level * (4 * slack / sine), slack);
}

// Walks from the point across the child's face whose normal is nearest to the given one, then along edges at that
// face's border, as long as they rise.
SeamRule::Reach SeamRule::reach_of(const SeamPoint& at) const {
    const PosedPolytope polytope = polytope_of(tables_, compound_.parts[at.child]);
    const Vec3d own = polytope.face(polytope.face_towards(at.normal)).normal;
    Vec3d level = at.normal - own * maths::dot(own, at.normal);
    Reach out = {maths::norm(level) <= kSeamRise, own, at.point, true};
    if (out.is_own) return out;
    const double slack = slack_of(at, polytope.size());
    for (int steps = 0; steps < 3 && maths::norm(level) > kSeamRise; ++steps) {
        level = maths::unit(level);
        const PosedPolytope::Exit exit = polytope.exit(out.edge - own * slack, level);
        if (exit.way > 0) out.edge = out.edge + level * exit.way;
        // The next direction lies in both faces.
        const Vec3d across = maths::unit(exit.normal - own * maths::dot(own, exit.normal));
        level = level - across * maths::dot(across, level);
        level = level * maths::dot(level, at.normal);
    }
    out.is_at_edge = maths::norm(out.edge - at.point) <= 4 * slack;
    return out;
}

// True if siblings cover the face of a child all around a point of it.
bool SeamRule::is_covered(const SeamPoint& at, const Vec3d& own) const {
    const PosedPolytope polytope = polytope_of(tables_, compound_.parts[at.child]);
    const double slack = slack_of(at, polytope.size()), step = 4 * slack;
    const Vec3d x = maths::unit(std::fabs(own.x) > 0.8 ? Vec3d{own.y, -own.x, 0} : Vec3d{0, own.z, -own.y}),
                y = maths::cross(own, x);
    for (int i = -1; i <= 1; ++i)
        for (int k = -1; k <= 1; ++k) {
            const Vec3d beside = at.point + x * (i * step) + y * (k * step);
            if (polytope.contains(beside, at.noise) &&
                over_rising({at.child, beside, own, at.noise}, [](std::uint32_t) { return false; }))
                return false;
        }
    return true;
}

bool SeamRule::leads_through_covered_face(const SeamPoint& at) const {
    const PosedPolytope polytope = polytope_of(tables_, compound_.parts[at.child]);
    const double slack = slack_of(at, polytope.size());
    for (std::uint32_t f = 0; f < polytope.face_count(); ++f) {
        const PosedPolytope::Face face = polytope.face(f);
        if (maths::dot(face.normal, at.normal) > kSeamRise &&
            maths::dot(face.normal, at.point) > face.offset - 4 * slack && is_face_covered(at, f))
            return true;
    }
    return false;
}

// Tests points near the corners, the middles of the edges and the middle of the face.
bool SeamRule::is_face_covered(const SeamPoint& at, std::uint32_t f) const {
    constexpr double kInset = 0.02;
    const PosedPolytope polytope = polytope_of(tables_, compound_.parts[at.child]);
    const PosedPolytope::Face face = polytope.face(f);
    const Vec3d out = face.normal * polytope.radius();
    const double least = face.offset - slack_of(at, polytope.size());
    Vec3d middle = {0, 0, 0};
    std::uint32_t corners = 0;
    const auto is_corner = [&](std::uint32_t i) { return maths::dot(face.normal, polytope.vertex(i) + out) > least; };
    for (std::uint32_t i = 0; i < polytope.vertex_count(); ++i)
        if (is_corner(i)) middle = middle + polytope.vertex(i), ++corners;
    if (corners == 0) return false;
    middle = middle * (1.0 / corners);
    bool is_covered = true;
    const auto look_at = [&](const Vec3d& point) {
        const SeamPoint inset = {at.child, point + (middle - point) * kInset + out, face.normal, at.noise};
        is_covered = is_covered && !over_rising(inset, [](std::uint32_t) { return false; });
    };
    look_at(middle);
    polytope.for_each_edge([&](std::uint32_t i, std::uint32_t k) {
        if (!is_corner(i) || !is_corner(k)) return;
        const Vec3d from = polytope.vertex(i), to = polytope.vertex(k);
        look_at(from), look_at(to), look_at((from + to) * 0.5);
    });
    return is_covered;
}

SeamNormal SeamRule::judge(const SeamPoint& at) const {
    const Reach reach = reach_of(at);
    if (over_denying(at, [](std::uint32_t) { return false; }))
        return reach.is_at_edge ? SeamNormal::allowed : SeamNormal::unknown;
    return reach.is_own && !is_covered(at, reach.own) ? SeamNormal::allowed : SeamNormal::denied;
}

}  // namespace abut
