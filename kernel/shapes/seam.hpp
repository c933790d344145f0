// Which children of a compound share a face, and which contact normals a shared face leaves to its children. A point of
// a child may have a normal unless a sibling that contains the point rises above it along the normal: then no feature
// of their union has that normal there.
#pragma once

#include "base/tolerances.hpp"
#include "shapes/compound_tree.hpp"
#include "shapes/posed_polytope.hpp"

namespace abut {

// Children touch if they are this part of the smaller one's size apart. Float32 poses of tiles 1e3 sizes from the
// compound's origin err by less; a step of a tile of 1 m is higher.
inline constexpr double kSeamShare = 1e-4;
// Faces are in one plane if their normals differ by no more than this sine.
inline constexpr double kSeamTurn = 1e-3;
// A child rises above a point if it rises at more than this sine (0.6 degrees): bodies at rest tilt less. A normal this
// close to a face's normal counts as the face's.
inline constexpr double kSeamRise = 0.01;
// A child that touches more siblings than this is not joined: it is part of a cluster or below many others (a block
// among equal blocks touches 26). This bounds the cost of a contact.
inline constexpr std::uint32_t kMostTouched = 32;

inline double seam_slack(double size, double other_size, const maths::Vec3d& at) {
    return kSeamShare * maths::min(size, other_size) + double(kToleranceLarger) * maths::max_abs(at);
}

inline PosedPolytope polytope_of(const ShapeTables& tables, const CompoundPart& part) {
    return {tables, part.instance, {maths::rotation(part.orientation), part.position}};
}

// Sets CompoundPart::is_joined from `bounds` of the parts and their tree.
void find_joined(const ShapeTables& tables, std::span<const BoxD> bounds, CompoundGeometry& compound);

// A point of a joined child's surface with a unit normal, in the compound's frame.
struct SeamPoint {
    std::uint32_t child;
    maths::Vec3d point, normal;
    double noise;  // the error of the point, metres

    SeamPoint moved_to(const maths::Vec3d& other) const { return {child, other, normal, noise}; }
};

// Whether the children allow a contact's normal. Unknown: the contact exists for the sake of a deeper one.
enum class SeamNormal : std::uint8_t { allowed, denied, unknown };

// The children of one compound.
class SeamRule {
public:
    SeamRule(const ShapeTables& tables, const CompoundGeometry& compound) : tables_(tables), compound_(compound) {}

    // The normal of a face of the child is allowed where siblings leave a part of that face free.
    SeamNormal judge(const SeamPoint& at) const;

    // Calls visit(sibling) for each sibling that denies the normal. If visit returns false, stops and returns false.
    template <class Visit>
    bool over_denying(const SeamPoint& at, const Visit& visit) const {
        const Reach reach = reach_of(at);
        return over_rising(at, visit) && (reach.is_own || over_rising(at.moved_to(reach.edge), visit));
    }

    // Calls visit(sibling) for each joined sibling that contains the point, until it returns false.
    template <class Visit>
    bool over_containing(const SeamPoint& at, const Visit& visit) const {
        return over_siblings(at, [&](std::uint32_t sibling, const PosedPolytope&, double) { return visit(sibling); });
    }

    // True if siblings cover the whole face of the child, wherever the point is.
    bool is_face_covered(const SeamPoint& at, std::uint32_t face) const;
    // True if siblings cover a whole face that contains the point and whose normal is the given one.
    bool leads_through_covered_face(const SeamPoint& at) const;

private:
    // Where the child itself rises above the point, the normal is that of the edge at which the child ends.
    struct Reach {
        bool is_own;  // the normal is that of the child's face `own`
        maths::Vec3d own, edge;
        bool is_at_edge;
    };
    Reach reach_of(const SeamPoint& at) const;
    double slack_of(const SeamPoint& at, double other_size) const {
        return seam_slack(size_of(at.child), other_size, at.point) + at.noise;
    }
    double size_of(std::uint32_t child) const { return tables_.record(compound_.parts[child].instance).size; }
    bool is_covered(const SeamPoint& at, const maths::Vec3d& own) const;
    static bool rises(const PosedPolytope& polytope, const SeamPoint& at, double slack);

    // Calls visit(sibling) for each joined sibling that contains the point and rises above it, until it returns false.
    template <class Visit>
    bool over_rising(const SeamPoint& at, const Visit& visit) const {
        return over_siblings(at, [&](std::uint32_t other, const PosedPolytope& sibling, double slack) {
            return !rises(sibling, at, slack) || visit(other);
        });
    }
    // Calls visit(sibling, its polytope, slack) for each joined sibling that contains the point.
    template <class Visit>
    bool over_siblings(const SeamPoint& at, const Visit& visit) const {
        const double most = slack_of(at, size_of(at.child));
        const maths::Vec3d around = {most, most, most};
        return descend(compound_.nodes, box_volume({at.point - around, at.point + around}), 0.0,
                       [&](std::uint32_t other) {
            if (other == at.child || !compound_.parts[other].is_joined) return true;
            const PosedPolytope sibling = polytope_of(tables_, compound_.parts[other]);
            const double slack = slack_of(at, sibling.size());
            return !sibling.contains(at.point, slack) || visit(other, sibling, slack);
        });
    }

    const ShapeTables& tables_;
    const CompoundGeometry& compound_;
};

}  // namespace abut
