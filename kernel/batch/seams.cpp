// See seams.hpp. Computes in double, and in the order of the pair before it is swapped back: (b, a) mirrors (a, b).
#include "batch/seams.hpp"

#include <algorithm>
#include <tuple>

#include "batch/seam_bodies.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// The bits of a manifold's count while its pair is settled: the number of contacts, and two flags.
constexpr std::uint8_t kContacts = 0x0f, kDenied = 0x10, kLeftOut = 0x20;

class Seams {
public:
    Seams(const PairCall& call, const CompoundPair& compound_pair, const PosedPair& bodies,
          const ChildManifoldColumns& manifolds)
        : bodies_(call.tables(), bodies.a, bodies.b, PairRecordBuilder(call.frame).is_self(compound_pair.entry)),
          a_(bodies_.a()),
          b_(bodies_.b()),
          pairs_(manifolds.pairs + compound_pair.first),
          counts_(manifolds.contact_count + compound_pair.first),
          records_(manifolds.records + compound_pair.first),
          size_(compound_pair.count),
          reach_(double(call.parameters.reach_of(compound_pair.entry.pair()))) {}

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
    // The manifold's normal, pointing out of this body.
    Vec3d outward(const SeamBody& of, std::uint32_t i) const {
        const Vec3d n = maths::to_double(records_[i].normal);
        return bodies_.is_first(of, pairs_[i]) ? n : -n;
    }

    // Calls visit(seam point) for the manifold's contacts. Stops if visit returns false.
    template <class Visit>
    bool over_contacts(const SeamBody& of, std::uint32_t i, const Visit& visit) const {
        const Vec3d from = bodies_.origin(pairs_[i]), out = outward(of, i);
        for (std::uint32_t k = 0; k < (counts_[i] & kContacts); ++k) {
            const Contact& contact = records_[i].contacts[k];
            const Vec3d middle = from + maths::to_double(contact.position);
            const Vec3d point = middle - out * (0.5 * double(contact.separation));
            if (!visit(bodies_.seam_point(of, pairs_[i], point, out))) return false;
        }
        return true;
    }

    // True if some contact denies the manifold's normal, and no contact allows it.
    bool is_denied_on(const SeamBody& of, std::uint32_t i) const {
        if (!bodies_.is_joined(of, pairs_[i])) return false;
        bool is_denied = false;
        const bool has_no_allowed = over_contacts(of, i, [&](const SeamPoint& at) {
            const SeamNormal normal = bodies_.rule(of).judge(at);
            is_denied |= normal == SeamNormal::denied;
            return normal != SeamNormal::allowed;
        });
        return has_no_allowed && is_denied;
    }

    // True if a manifold of `sibling` with the same child of the other body is kept.
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
    // True if such a sibling also denies each contact that is denied.
    bool is_answered_by_siblings(const SeamBody& of, std::uint32_t i) const {
        return over_contacts(of, i, [&](const SeamPoint& at) {
            bool is_denied = false;
            const bool has_none = bodies_.rule(of).over_denying(at, [&](std::uint32_t sibling) {
                is_denied = true;
                return !stays(of, i, sibling);
            });
            return !has_none || !is_denied;
        });
    }

    void replace(std::uint32_t i) {
        const SeamBody& of = is_denied_on(a_, i) ? a_ : b_;
        if (find_face_exit(of, i, double(kSnapSquared))) return;
        if (is_answered_by_siblings(of, i) || !find_face_exit(of, i, INFINITY)) counts_[i] |= kLeftOut;
    }

    // Replaces the manifold by contacts with a face of the child through which the deepest points of the other body
    // leave: the least deep face among those whose normals differ from the manifold's by at most this (squared). False
    // if there is no such face.
    bool find_face_exit(const SeamBody& of, std::uint32_t i, double most_apart) {
        const LeavingChild body(bodies_, of, pairs_[i]);
        const Vec3d out = outward(of, i);
        double best = -2 * body.size();  // a body that is deeper than its own length leaves through another child
        bool is_replaced = false;
        for (std::uint32_t f = 0; f < body.polytope().face_count(); ++f) {
            const PosedPolytope::Face face = body.polytope().face(f);
            const Vec3d off = face.normal - out;
            if (maths::dot(off, off) > most_apart) continue;
            const double separation = body.separation_along(face);
            if (!(separation > best)) continue;
            GroundPoints points(PatchAxes(face.normal), body.level());
            body.add_points(f, face, reach_, points);
            if (points.size() == 0 || points.deepest() > separation + bodies_.noise(pairs_[i])) continue;
            points.choose(double(kSamePlaceShare) * body.size(), kMaxContacts);
            best = separation;
            is_replaced = true;
            write(of, i, body.position(), face.normal, points);
        }
        return is_replaced;
    }

    // `position`: of the other child, relative to A's position.
    void write(const SeamBody& of, std::uint32_t i, const Vec3d& position, const Vec3d& out,
               const GroundPoints& points) {
        const bool is_first = bodies_.is_first(of, pairs_[i]);
        const Vec3d from = position - bodies_.origin(pairs_[i]);
        ManifoldRecord& record = records_[i];
        record.normal = finite_float(is_first ? out : -out);
        counts_[i] = static_cast<std::uint8_t>(points.size() | kDenied);
        for (std::uint32_t k = 0; k < points.size(); ++k) {
            const std::uint32_t feature = points[k].feature;
            record.contacts[k] = {finite_float(points[k].position + from), static_cast<float>(points[k].separation),
                                  is_first ? swap_halves(feature) : feature};
        }
    }

    // Keeps the deepest manifold unchanged if no other is left.
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

    const SeamBodies bodies_;
    const SeamBody &a_, &b_;
    const ChildPair* pairs_;
    std::uint8_t* counts_;
    ManifoldRecord* records_;
    std::uint32_t size_;
    double reach_;
};

}  // namespace

void settle_seams(const PairCall& call, const CompoundPair& compound_pair, const ChildManifoldColumns& manifolds) {
    Seams(call, compound_pair, call.bodies_of(compound_pair.entry), manifolds).settle();
}

}  // namespace abut
