// See join_manifolds.hpp. Works in the order of the bodies in which the pair was computed, so that (a, b) and (b, a)
// have the same contacts.
#include "batch/join_manifolds.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel/blocks.hpp"
#include "base/scratch_columns.hpp"
#include "base/tolerances.hpp"
#include "surfaces/contacts/patch.hpp"

namespace abut {
namespace {

using maths::Vec3d;

constexpr std::uint32_t kNone = ~0u;

// Distinguishes the features of a compound's children. Child 0 keeps its names.
std::uint32_t name_of_child(std::uint32_t child) { return child * 0x9e3779b1u >> 16; }

}  // namespace

class ManifoldJoin::OnePair {
public:
    OnePair(const PairCall& call, const CompoundPair& pair, const KeptManifolds& from, std::span<std::uint32_t> head,
            KeptManifolds& to)
        : from_(from),
          to_(to),
          head_(head),
          swapped_(pair.entry.swapped()),
          first_(pair.first),
          end_(pair.first + pair.count),
          at_(pair.first),
          most_(call.parameters.ground_contacts),
          least_cosine_(std::cos(double(call.parameters.manifold_angle))) {
        const auto [a, b] = call.bodies_of(pair.entry);
        has_children_a_ = a.shape.kind() == ShapeKind::compound;
        has_children_b_ = b.shape.kind() == ShapeKind::compound;
        if (swapped_) to_a_ = maths::to_double(b.position) - maths::to_double(a.position);
        size_ = INFINITY;
        for (const Body& body : {a, b})
            if (body.shape.kind() != ShapeKind::halfspace)
                size_ = std::min(size_, double(call.tables().record(body.shape).size));
    }

    // Writes the manifolds, and returns the number of their records.
    std::uint32_t join() {
        std::fill(head_.begin() + first_, head_.begin() + end_, kNone);
        for (std::uint32_t head = deepest(); head != kNone; head = deepest())
            for (std::uint32_t i = first_; i < end_; i = end_of_manifold(i))
                if (head_[i] == kNone && (i == head || is_near(i, head))) head_[i] = head;
        for (std::uint32_t i = first_; i < end_; i = end_of_manifold(i))
            if (is_first_of_group(i)) write(i);
        return at_ - first_;
    }

private:
    std::uint32_t end_of_manifold(std::uint32_t i) const {
        do ++i;
        while (i < end_ && (from_.contact_count[i] & kContinues) != 0);
        return i;
    }
    bool is_near(std::uint32_t i, std::uint32_t j) const {
        return dot(maths::to_double(from_.records[i].normal), maths::to_double(from_.records[j].normal)) >=
               least_cosine_;
    }
    // The manifold with the deepest contact, of the manifolds that have not joined another one.
    std::uint32_t deepest() const {
        std::uint32_t found = kNone;
        for (std::uint32_t i = first_; i < end_; i = end_of_manifold(i)) {
            const auto depth = [&](std::uint32_t k) { return from_.records[k].contacts[0].separation; };
            if (head_[i] == kNone && (found == kNone || depth(i) < depth(found))) found = i;
        }
        return found;
    }
    bool is_first_of_group(std::uint32_t i) const {
        for (std::uint32_t k = first_; k < i; k = end_of_manifold(k))
            if (head_[k] == head_[i]) return false;
        return true;
    }

    // Calls each(number, contact) for the contacts of a manifold.
    template <class Each>
    void for_each_contact(std::uint32_t manifold, const Each& each) const {
        for (std::uint32_t i = manifold, end = end_of_manifold(manifold); i < end; ++i)
            for (std::uint32_t k = 0; k < (from_.contact_count[i] & ~kContinues); ++k)
                each(i * kMaxContacts + k, from_.records[i].contacts[k]);
    }
    std::uint32_t name(std::uint32_t number, std::uint32_t feature) const {
        const ChildPair& pair = from_.pairs[number / kMaxContacts];
        const std::uint32_t a = has_children_a_ ? name_of_child(pair.a) : 0,
                            b = has_children_b_ ? name_of_child(pair.b) : 0;
        return (swapped_ ? swap_halves(feature) : feature) ^ (a << 16 | b);
    }

    // Writes the manifold made of all manifolds whose head is `first`.
    void write(std::uint32_t first) {
        const std::uint32_t head = head_[first];
        const Vec3d normal = maths::to_double(from_.records[head].normal);
        GroundPoints points(PatchAxes(swapped_ ? -normal : normal), double(kLevelShare * kSlackShare) * size_);
        for (std::uint32_t i = first; i < end_; i = end_of_manifold(i))
            if (head_[i] == head)
                for_each_contact(i, [&](std::uint32_t number, const Contact& c) {
                    points.add({maths::to_double(c.position) + to_a_, c.separation, name(number, c.feature), number,
                                true, 0, 0});
                });
        points.choose(double(kSamePlaceShare) * size_, most_);
        const std::uint32_t deepest = points[0].triangle / kMaxContacts;
        for (std::uint32_t k = 0; k < points.size(); ++k) {
            const std::uint32_t to = at_ + k / kMaxContacts, slot = k % kMaxContacts;
            const std::uint32_t record = points[k].triangle / kMaxContacts, of = points[k].triangle % kMaxContacts;
            if (slot == 0) {
                to_.pairs[to] = from_.pairs[deepest];
                to_.records[to].normal = from_.records[head].normal;
                to_.contact_count[to] =
                    static_cast<std::uint8_t>(std::min(points.size() - k, kMaxContacts) | (k == 0 ? 0 : kContinues));
            }
            to_.records[to].contacts[slot] = from_.records[record].contacts[of];
            to_.records[to].contacts[slot].feature = swapped_ ? swap_halves(points[k].feature) : points[k].feature;
            if (to_.triangles.empty()) continue;
            to_.triangles[to].input[slot] = from_.triangles[record].input[of];
            to_.triangles[to].cooked[slot] = from_.triangles[record].cooked[of];
        }
        at_ += (points.size() + kMaxContacts - 1) / kMaxContacts;
    }

    const KeptManifolds& from_;
    KeptManifolds& to_;
    std::span<std::uint32_t> head_;
    bool swapped_, has_children_a_ = false, has_children_b_ = false;
    std::uint32_t first_, end_, at_, most_;
    double least_cosine_, size_ = 0;
    Vec3d to_a_{};  // from A's computed position to the position to which contacts refer
};

void ManifoldJoin::run(const PairCall& call, std::span<CompoundPair> compound_pairs, KeptManifolds& kept) {
    joined_.resize(kept.size(), !kept.triangles.empty());
    head_.resize(kept.size());
    for_each_in_blocks(call.runner.executor, compound_pairs.size(), kBlockCompoundPairs, [&](std::size_t i) {
        CompoundPair& pair = compound_pairs[i];
        pair.count = OnePair(call, pair, kept, head_, joined_).join();
    });
    std::swap(kept, joined_);
}

}  // namespace abut
