// See seams.hpp. In double, and in the order of the pair before it is swapped back: (b, a) mirrors (a, b).
#include "batch/seams.hpp"

#include <algorithm>
#include <tuple>

#include <abut/results.hpp>

#include "shapes/seam.hpp"
#include "surfaces/contacts/body_feature.hpp"
#include "surfaces/contacts/patch.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// Of a manifold while its pair is settled, above its number of contacts.
constexpr std::uint8_t kContacts = 0x0f, kDenied = 0x10, kLeftOut = 0x20;

constexpr std::uint32_t kFaceName = 0x8000;  // abut/results.hpp

// One body of the pair.
struct SeamBody {
    Body body;
    PoseD pose;                                  // positions are relative to A's
    const CompoundGeometry* compound = nullptr;  // null for a convex body
};

class Seams {
public:
    Seams(const PairCall& call, const CompoundPair& compound_pair, const ChildManifoldColumns& manifolds)
        : tables_(call.tables()),
          pairs_(manifolds.pairs + compound_pair.first),
          counts_(manifolds.contact_count + compound_pair.first),
          records_(manifolds.records + compound_pair.first),
          size_(compound_pair.count),
          reach_(double(call.parameters.reach_of(compound_pair.entry.pair()))) {
        const PairRecordBuilder builder(call.frame);
        const auto [a, b] = builder(compound_pair.entry);
        set(a_, a, a), set(b_, b, a);
        // A half-space has one normal.
        const bool has_one = a.shape.kind() == ShapeKind::halfspace || b.shape.kind() == ShapeKind::halfspace;
        if (has_one || builder.is_self(compound_pair.entry)) a_.compound = b_.compound = nullptr;
    }

    void settle() {
        if (a_.compound == nullptr && b_.compound == nullptr) return;
        bool has_denied = false;
        for (std::uint32_t i = 0; i < size_; ++i) {
            if (counts_[i] == 0 || !(is_denied_on(a_, i) || is_denied_on(b_, i))) continue;
            counts_[i] |= kDenied;
            has_denied = true;
        }
        if (!has_denied) return;
        for (std::uint32_t i = 0; i < size_; ++i)
            if ((counts_[i] & kDenied) != 0) replace(i);
        keep_one();
        for (std::uint32_t i = 0; i < size_; ++i)
            counts_[i] = (counts_[i] & kLeftOut) != 0 ? 0 : counts_[i] & kContacts;
    }

private:
    void set(SeamBody& out, const Body& body, const Body& a) const {
        out.body = body;
        out.pose = {maths::rotation(maths::to_double(body.orientation)),
                    maths::to_double(body.position) - maths::to_double(a.position)};
        if (body.shape.kind() == ShapeKind::compound) out.compound = &tables_.compound(body.shape);
    }

    std::uint32_t child(const SeamBody& of, std::uint32_t i) const { return &of == &a_ ? pairs_[i].a : pairs_[i].b; }
    ChildPose pose_of_child(const SeamBody& of, std::uint32_t i) const {
        return ChildPoses(tables_, of.body)[child(of, i)];
    }

    // The position of the child that is computed first, from A's position: the origin of the contacts.
    Vec3d origin(std::uint32_t i) const {
        const SeamBody& first = pairs_[i].is_swapped ? b_ : a_;
        return first.pose.position + pose_of_child(first, i).offset;
    }
    // The manifold's normal, out of this body.
    Vec3d outward(const SeamBody& of, std::uint32_t i) const {
        const Vec3d n = maths::to_double(records_[i].normal);
        return (&of == &a_) != pairs_[i].is_swapped ? n : -n;
    }
    // Promise 1's bound, and the rounding of positions.
    double noise(std::uint32_t i) const {
        double smaller = tables_.record(pose_of_child(a_, i).shape).size,
               larger = tables_.record(pose_of_child(b_, i).shape).size;
        if (smaller > larger) std::swap(smaller, larger);
        return double(kToleranceSmaller) * smaller +
               double(kToleranceLarger) * (larger + maths::max_abs(b_.pose.position));
    }

    // Calls visit(seam point) for the manifold's contacts until it returns false.
    template <class Visit>
    bool over_contacts(const SeamBody& of, std::uint32_t i, const Visit& visit) const {
        const Vec3d from = origin(i), out = outward(of, i);
        for (std::uint32_t k = 0; k < (counts_[i] & kContacts); ++k) {
            const Contact& contact = records_[i].contacts[k];
            const Vec3d middle = from + maths::to_double(contact.position);
            if (!visit(seam_point(of, i, middle - out * (0.5 * double(contact.separation)), out))) return false;
        }
        return true;
    }
    SeamPoint seam_point(const SeamBody& of, std::uint32_t i, const Vec3d& point, const Vec3d& normal) const {
        const maths::Mat3& axes = of.pose.axes;
        return {child(of, i), maths::transposed_times(axes, point - of.pose.position),
                maths::transposed_times(axes, normal), noise(i)};
    }
    SeamRule rule(const SeamBody& of) const { return {tables_, *of.compound}; }

    // True if some contact denies a manifold's normal, and none allows it.
    bool is_denied_on(const SeamBody& of, std::uint32_t i) const {
        if (of.compound == nullptr || !of.compound->parts[child(of, i)].is_joined) return false;
        bool is_denied = false;
        const bool has_no_allowed = over_contacts(of, i, [&](const SeamPoint& at) {
            const SeamNormal normal = rule(of).judge(at);
            is_denied |= normal == SeamNormal::denied;
            return normal != SeamNormal::allowed;
        });
        return has_no_allowed && is_denied;
    }

    // True if the manifold of a sibling with the same child of the other body stays.
    bool stays(const SeamBody& of, std::uint32_t i, std::uint32_t sibling) const {
        ChildPair wanted = pairs_[i];
        (&of == &a_ ? wanted.a : wanted.b) = sibling;
        const ChildPair* const at = std::lower_bound(
            pairs_, pairs_ + size_, wanted,
            [](const ChildPair& x, const ChildPair& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
        if (at == pairs_ + size_ || at->a != wanted.a || at->b != wanted.b) return false;
        const std::uint8_t count = counts_[at - pairs_];
        return count != 0 && (count & kDenied) == 0;
    }
    // True if each contact that is denied is denied by such a sibling, too.
    bool is_answered_by_siblings(const SeamBody& of, std::uint32_t i) const {
        return over_contacts(of, i, [&](const SeamPoint& at) {
            bool is_denied = false;
            const bool has_none = rule(of).over_denying(at, [&](std::uint32_t sibling) {
                is_denied = true;
                return !stays(of, i, sibling);
            });
            return !has_none || !is_denied;
        });
    }

    void replace(std::uint32_t i) {
        const SeamBody& of = is_denied_on(a_, i) ? a_ : b_;
        if (leave_through_face(of, i, double(kSnapSquared))) return;
        if (is_answered_by_siblings(of, i) || !leave_through_face(of, i, INFINITY)) counts_[i] |= kLeftOut;
    }

    // A child of a compound, and the child of the other body that leaves it.
    struct Leaving {
        const SeamBody& of;
        std::uint32_t i;
        PosedPolytope polytope;
        ChildPose pose;  // of the other child
        Vec3d position;  // of its origin, from A's
    };
    Leaving leaving(const SeamBody& of, std::uint32_t i) const {
        const CompoundPart& part = of.compound->parts[child(of, i)];
        const SeamBody& by = &of == &a_ ? b_ : a_;
        const ChildPose pose = pose_of_child(by, i);
        return {of, i, {tables_, part.instance, moved(of.pose, part)}, pose, by.pose.position + pose.offset};
    }
    double separation_along(const Leaving& body, const PosedPolytope::Face& face) const {
        const maths::Mat3 axes = maths::rotation(maths::to_double(body.pose.orientation));
        return maths::dot(face.normal, body.position) - face.offset - radius_of(tables_, body.pose.shape) +
               least_along(tables_, body.pose.shape, maths::transposed_times(axes, face.normal));
    }

    // Replaces the manifold by the contacts with the least deep face of the child through which the other body's
    // deepest points leave it, among faces whose normals differ from the manifold's by at most this (squared). False if
    // there is none.
    bool leave_through_face(const SeamBody& of, std::uint32_t i, double most_apart) {
        const Leaving body = leaving(of, i);
        const double size = tables_.record(body.pose.shape).size, level = double(kLevelShare * kSlackShare) * size;
        const Vec3d out = outward(of, i);
        double best = -2 * size;  // a body that is deeper than its own length leaves elsewhere
        bool is_replaced = false;
        for (std::uint32_t f = 0; f < body.polytope.face_count(); ++f) {
            const PosedPolytope::Face face = body.polytope.face(f);
            const Vec3d off = face.normal - out;
            if (maths::dot(off, off) > most_apart) continue;
            const double separation = separation_along(body, face);
            if (!(separation > best)) continue;
            GroundPoints points(PatchAxes(face.normal), level);
            const FacePoints to = {body, f, face, points};
            add_feature(to, supporting_feature(tables_, body.pose.shape, body.pose.orientation, -face.normal, level));
            if (points.size() == 0 || points.deepest() > separation + noise(i)) continue;
            points.choose(double(kSamePlaceShare) * size, kMaxContacts);
            best = separation;
            is_replaced = true;
            write(body, face.normal, points);
        }
        return is_replaced;
    }

    // The contacts with one face of a child while they are gathered.
    struct FacePoints {
        const Leaving& body;
        std::uint32_t number;
        const PosedPolytope::Face& face;
        GroundPoints& points;
    };
    void add_feature(const FacePoints& to, const BodyFeature& feature) const {
        for (std::uint32_t k = 0; k < feature.count; ++k) {
            add_point(to, feature.corners[k].position, feature.corners[k].name, to.number);
            if (feature.is_polygon() || (feature.count == 2 && k == 0))
                add_crossings(to, feature.corners[k], feature.corners[(k + 1) % feature.count]);
        }
        for (std::uint32_t k = 0; k < feature.other_count; ++k)
            add_point(to, feature.others[k].position, feature.others[k].name, to.number);
    }
    // Adds a point of the other body, from its position, that leaves the child through the face. `face_name`: the
    // child's half of its name.
    void add_point(const FacePoints& to, const Vec3d& point, std::uint32_t name, std::uint32_t face_name) const {
        const Leaving& body = to.body;
        const Vec3d at = body.position + point, &normal = to.face.normal;
        const double height = maths::dot(normal, at) - to.face.offset, near = noise(body.i);
        const Vec3d foot = at - normal * height;
        if (height > reach_ || !body.polytope.contains(foot, near)) return;
        if (height < 0 && !body.polytope.contains(at, near)) return;
        if (rule(body.of).judge(seam_point(body.of, body.i, foot, normal)) != SeamNormal::allowed) return;
        to.points.add({point - normal * (0.5 * height), height, name << 16 | kFaceName | face_name, 0, true, 0, 0});
    }
    // Adds the points where an edge of the other body crosses the outline of the face. The face beside it names them.
    void add_crossings(const FacePoints& to, const FeaturePoint& from, const FeaturePoint& end) const {
        const Vec3d &normal = to.face.normal, edge = end.position - from.position;
        const std::uint32_t name = edge_feature(from.name & 0x3fff, end.name & 0x3fff);
        for (std::uint32_t f = 0; f < to.body.polytope.face_count(); ++f) {
            const PosedPolytope::Face beside = to.body.polytope.face(f);
            const double cosine = maths::dot(normal, beside.normal);
            const Vec3d across = beside.normal - normal * cosine;
            if (f == to.number || !(maths::dot(across, across) > double(kFlat))) continue;
            // The common line of both planes is at this height along `across`.
            const double line = beside.offset - to.face.offset * cosine,
                         share =
                             (line - maths::dot(across, to.body.position + from.position)) / maths::dot(across, edge);
            if (share > 0 && share < 1) add_point(to, from.position + edge * share, name, f);
        }
    }

    void write(const Leaving& body, const Vec3d& out, const GroundPoints& points) {
        const std::uint32_t i = body.i;
        const bool is_first = (&body.of == &a_) != pairs_[i].is_swapped;
        const Vec3d from = body.position - origin(i);
        ManifoldRecord& record = records_[i];
        record.normal = finite_float(is_first ? out : -out);
        counts_[i] = static_cast<std::uint8_t>(points.size() | kDenied);
        for (std::uint32_t k = 0; k < points.size(); ++k) {
            const std::uint32_t feature = points[k].feature;
            record.contacts[k] = {finite_float(points[k].position + from), static_cast<float>(points[k].separation),
                                  is_first ? swap_halves(feature) : feature};
        }
    }

    // Keeps the deepest manifold as it is if none else is left.
    void keep_one() {
        std::uint32_t deepest = size_;
        for (std::uint32_t i = 0; i < size_; ++i) {
            if (counts_[i] == 0) continue;
            if ((counts_[i] & kLeftOut) == 0) return;
            if (deepest == size_ || records_[i].contacts[0].separation < records_[deepest].contacts[0].separation)
                deepest = i;
        }
        counts_[deepest] &= kContacts;
    }

    const ShapeTables& tables_;
    const ChildPair* pairs_;
    std::uint8_t* counts_;
    ManifoldRecord* records_;
    std::uint32_t size_;
    double reach_;
    SeamBody a_, b_;
};

}  // namespace

void settle_seams(const PairCall& call, const CompoundPair& compound_pair, const ChildManifoldColumns& manifolds) {
    Seams(call, compound_pair, manifolds).settle();
}

}  // namespace abut
