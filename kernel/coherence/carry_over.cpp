// Matches contacts from frame to frame. Most manifolds keep all their ids in their order: this is checked first, and
// positions are computed only if an id is gone and another is new.
#include <abut/carry_over.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>

#include "base/compiler_support.hpp"
#include "base/message.hpp"
#include "batch/frame_checks.hpp"
#include "coherence/carry_checks.hpp"
#include "coherence/contact_matching.hpp"
#include "coherence/impulse_carrier.hpp"
#include "convex/contract/pair_records.hpp"
#include "shapes/kinds.hpp"

namespace abut {

namespace {

std::uint64_t key_of(std::uint32_t major, std::uint32_t minor) { return std::uint64_t(major) << 32 | minor; }

// Normals of one manifold in two frames are within ten degrees.
constexpr float kLeastCosine = 0.985f;
float cosine(Vec3 n, Vec3 m) { return n.x * m.x + n.y * m.y + n.z * m.z; }

// Finds the previous manifolds of one pair by their children, which usually come in the same order again.
class Siblings {
public:
    explicit Siblings(const FrameContacts& before) : manifolds_(before.manifolds), firsts_(before.first_manifold) {}

    void set_pair(PreviousPair pair) {
        pair_ = pair.index;
        swapped_ = pair.swapped;
        order_ = Order::unknown;
        next_ = first_ = last_ = 0;
        if (pair_ == kNoPair || std::size_t(pair_) + 1 >= firsts_.size()) return;
        last_ = std::min<std::size_t>(firsts_[pair_ + 1], manifolds_.size());
        next_ = first_ = std::min<std::size_t>(firsts_[pair_], last_);
    }
    bool swapped() const { return swapped_; }
    std::uint32_t pair() const { return pair_; }
    std::uint32_t first() const { return std::uint32_t(first_); }
    // The index of the manifold that comes next if the order is as before; past the end of all if the pair has none.
    std::size_t expected() const { return next_ < last_ ? next_ : manifolds_.size(); }
    void expect(std::size_t i) {
        if (first_ <= i && i < last_) next_ = i;
    }

    // True if first() is the pair's only manifold before and has the same children and nearly the same normal: it is
    // then found for shapes of any kind.
    bool is_only_child(const Manifold& now) const {
        return last_ - first_ == 1 && !swapped_ && is_of(first_, now.child_a, now.child_b) &&
               cosine(manifolds_[first_].normal, now.normal) > kLeastCosine;
    }

    // Finds the manifold that may_be(its index, its children in the order of now), with the nearest normal, within ten
    // degrees. While a body slides, the child or triangle that a manifold names changes, but its normal does not.
    template <class MayBe>
    std::uint32_t find_by_normal(const Manifold& now, const MayBe& may_be) const {
        const Vec3 n = swapped_ ? Vec3{-now.normal.x, -now.normal.y, -now.normal.z} : now.normal;
        float most = kLeastCosine;
        std::uint32_t nearest = kNoManifold;
        for (std::size_t i = first_; i < last_; ++i) {
            const Manifold& m = manifolds_[i];
            if (!may_be(i, swapped_ ? m.child_b : m.child_a, swapped_ ? m.child_a : m.child_b)) continue;
            if (const float near = cosine(m.normal, n); near > most) most = near, nearest = std::uint32_t(i);
        }
        return nearest;
    }

    // The index of the manifold with these children, or kNoManifold.
    std::uint32_t find(const Manifold& now) {
        const std::uint32_t a = swapped_ ? now.child_b : now.child_a, b = swapped_ ? now.child_a : now.child_b;
        const std::size_t found = next_ < last_ && is_of(next_, a, b) ? next_ : search(a, b);
        if (found == last_) return kNoManifold;
        next_ = found + 1;
        return std::uint32_t(found);
    }

private:
    bool is_of(std::size_t i, std::uint32_t a, std::uint32_t b) const {
        return manifolds_[i].child_a == a && manifolds_[i].child_b == b;
    }

    ABUT_NOINLINE std::size_t search(std::uint32_t a, std::uint32_t b) {
        std::size_t i = first_;
        if (last_ - first_ > kFew && order() != Order::none) {
            i = bisect(a, b);
            return i < last_ && is_of(i, a, b) ? i : last_;
        }
        while (i < last_ && !is_of(i, a, b)) ++i;
        return i;
    }

    // `collide` sorts them by the children of one body, then by the other's.
    enum class Order { unknown, a_first, b_first, none };
    static constexpr std::size_t kFew = 16;  // up to this many are searched one by one

    Order order() {
        if (order_ != Order::unknown) return order_;
        const auto begin = manifolds_.begin() + std::ptrdiff_t(first_),
                   end = manifolds_.begin() + std::ptrdiff_t(last_);
        const auto is_sorted = [&](auto key) {
            return std::is_sorted(begin, end, [&](const Manifold& p, const Manifold& q) { return key(p) < key(q); });
        };
        if (is_sorted(a_first)) return order_ = Order::a_first;
        return order_ = is_sorted(b_first) ? Order::b_first : Order::none;
    }
    static std::uint64_t a_first(const Manifold& m) { return key_of(m.child_a, m.child_b); }
    static std::uint64_t b_first(const Manifold& m) { return key_of(m.child_b, m.child_a); }

    std::size_t bisect(std::uint32_t a, std::uint32_t b) const {
        const bool by_a = order_ == Order::a_first;
        const std::uint64_t key = by_a ? key_of(a, b) : key_of(b, a);
        const auto begin = manifolds_.begin() + std::ptrdiff_t(first_),
                   end = manifolds_.begin() + std::ptrdiff_t(last_);
        const auto at = std::lower_bound(
            begin, end, key, [&](const Manifold& m, std::uint64_t k) { return (by_a ? a_first(m) : b_first(m)) < k; });
        return std::size_t(at - manifolds_.begin());
    }

    std::span<const Manifold> manifolds_;
    std::span<const std::uint32_t> firsts_;
    std::uint32_t pair_ = kNoPair;
    bool swapped_ = false;
    std::size_t first_ = 0, last_ = 0, next_ = 0;
    Order order_ = Order::unknown;
};

// The body of a pair that is a mesh or a height field, according to the frame.
enum class On : std::uint8_t { neither, a, b };

On surface_of_pair(const FrameContacts& frame, std::uint32_t pair) {
    if (pair >= frame.pairs.size()) return On::neither;
    const Pair indices = frame.pairs[pair];
    const Strided<ShapeId>& shapes = frame.bodies.columns().shapes;
    if (indices.a >= shapes.size() || indices.b >= shapes.size()) return On::neither;
    if (is_surface(shapes[indices.b].kind())) return On::b;
    return is_surface(shapes[indices.a].kind()) ? On::a : On::neither;
}

// Rotates by the inverse of the quaternion, which may have any length. NaN if it is zero.
Vec3 rotate_back(Quat q, Vec3 v) {
    const float length2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    const float along = 2 * (q.x * v.x + q.y * v.y + q.z * v.z), straight = 2 * q.w * q.w - length2, across = 2 * q.w;
    return {(along * q.x + straight * v.x - across * (q.y * v.z - q.z * v.y)) / length2,
            (along * q.y + straight * v.y - across * (q.z * v.x - q.x * v.z)) / length2,
            (along * q.z + straight * v.z - across * (q.x * v.y - q.y * v.x)) / length2};
}

// Finds the bodies of a pair. False if the frame lacks one of them.
bool find_bodies(const FrameContacts& frame, std::uint32_t pair, Body& a, Body& b) {
    if (pair >= frame.pairs.size()) return false;
    const Pair indices = frame.pairs[pair];
    if (indices.a >= frame.bodies.size() || indices.b >= frame.bodies.size()) return false;
    const PosedPair placed = PairRecordBuilder(frame.bodies, frame.relative_poses)({pair, indices.a, indices.b});
    a = placed.a, b = placed.b;
    return true;
}

// Converts a point relative to A's position into one relative to B's, world axes.
Vec3 seen_from_b(const Body& a, const Body& b, Vec3 p) {
    return {p.x + (a.position.x - b.position.x), p.y + (a.position.y - b.position.y),
            p.z + (a.position.z - b.position.z)};
}

// Computes the anchors of the manifold's contacts whose bits are set in `wanted`. False if the frame lacks a body.
bool find_anchors(const FrameContacts& frame, std::uint32_t pair, const Manifold& manifold, std::size_t first,
                  std::uint32_t wanted, ContactAnchor* anchors) {
    Body a, b;
    if (!find_bodies(frame, pair, a, b)) return false;
    for (; wanted; wanted &= wanted - 1) {
        const auto i = std::size_t(std::countr_zero(wanted));
        anchors[i] = contact_anchor(a, b, manifold.normal, frame.contacts[first + i]);
    }
    return true;
}

CallResult check(const FrameContacts& frame, const char* which) {
    CallResult result = check_bodies("FrameContacts::bodies", frame.bodies, !frame.relative_poses.empty());
    if (result) result = check_strided("FrameContacts::pairs", frame.pairs);
    if (result) return {};
    return Error{result.error().code, message_of(result.error().message, " (", which, ")")};
}

bool is_distance(float value) { return value >= 0 && std::isfinite(value); }

CallResult check(const CarryOverOptions& options) {
    if (is_distance(options.match_distance)) return {};
    return Error{ErrorCode::bad_argument, message_of("CarryOverOptions::match_distance is ", options.match_distance,
                                                     ", expected a finite number, 0 or more")};
}

CallResult check(const FrameContacts& before, const FrameContacts& now, const CarryOverOptions& options) {
    if (CallResult result = check(options); !result) return result;
    if (CallResult result = check(before, "before"); !result) return result;
    return check(now, "now");
}

class FrameCarrier {
public:
    FrameCarrier(const FrameContacts& before, const FrameContacts& now, const CarriedColumns& out,
                 const ImpulsesOfFrames& impulses, const CarryOverOptions& options)
        : before_(before), now_(now), out_(out), impulses_(impulses), options_(options) {}

    void run(std::span<const PreviousPair> previous_pairs) {
        std::fill(out_.next_manifolds.begin(), out_.next_manifolds.end(), kNoManifold);
        std::uint32_t pair = kNoPair;
        std::optional<On> on;  // of the present pair, computed when it is first needed
        Siblings siblings(before_);
        std::size_t after = 0;  // the end of the last block before
        for (std::size_t i = 0, most = 1; i < now_.manifolds.size();) {
            const Manifold& manifold = now_.manifolds[i];
            if (manifold.pair != pair) {
                pair = manifold.pair;
                siblings.set_pair(pair < previous_pairs.size() ? previous_pairs[pair] : PreviousPair{});
                siblings.expect(after);
                on = {};
            }
            const std::size_t equal = is_named_equally(i, siblings.expected())
                                          ? carry_equal(i, siblings.expected(), most, previous_pairs)
                                          : 0;
            if (equal > 0) {
                siblings.expect(after = siblings.expected() + equal);
                i += equal;
                most = std::min<std::size_t>(2 * most, kMostEqual);
            } else if (most > 1) {
                most = 1;
            } else {
                const std::uint32_t old = find_old(manifold, siblings, on);
                if (!out_.manifolds.empty()) out_.manifolds[i] = {old, siblings.swapped()};
                if (old != kNoManifold) carry(i, old, siblings);
                ++i;
            }
        }
        forget_up_to(now_.contacts.size());
    }

private:
    bool is_taken(std::size_t manifold) const { return out_.next_manifolds[manifold] != kNoManifold; }

    static constexpr std::size_t kMostEqual = 64;

    // True if the manifolds' children and normals have the same bits.
    bool is_named_equally(std::size_t now, std::size_t before) const {
        constexpr std::size_t kBytes = offsetof(Manifold, first_contact) - offsetof(Manifold, child_a);
        return before < before_.manifolds.size() &&
               std::memcmp(&now_.manifolds[now].child_a, &before_.manifolds[before].child_a, kBytes) == 0;
    }

    // Carries over a block of up to `most` manifolds from `i` on that have the bits of those before from `old` on, but
    // for their indices. The bodies of most are at rest, whatever their shapes. Returns the number of manifolds, 0 if
    // any contact differs. Precondition: `i` and `old` exist.
    ABUT_NOINLINE std::size_t carry_equal(std::size_t i, std::size_t old, std::size_t most,
                                          std::span<const PreviousPair> previous_pairs) {
        most = std::min(most, now_.manifolds.size() - i);
        most = std::min(most, before_.manifolds.size() - old);
        const Manifold *const p = now_.manifolds.data() + i, *const q = before_.manifolds.data() + old;
        std::uint32_t* const next = out_.next_manifolds.data() + old;
        const auto is_equal = [=, this](std::size_t k) {
            return is_named_equally(i + k, old + k) && p[k].contact_count == q[k].contact_count &&
                   p[k].contact_count <= kMaxCarriedContacts && next[k] == kNoManifold &&
                   p[k].pair < previous_pairs.size() && previous_pairs[p[k].pair] == PreviousPair{q[k].pair, false};
        };
        if (!is_equal(0)) return 0;
        Range now = {p->first_contact, p->contact_count}, before = {q->first_contact, q->contact_count};
        std::size_t count = 1;
        for (; count < most && p[count].first_contact == now.end() && q[count].first_contact == before.end() &&
               is_equal(count);
             ++count)
            now.count = before.count += q[count].contact_count;
        if (now.end() > now_.contacts.size() || before.end() > before_.contacts.size()) return 0;
        const Contact *const contacts = now_.contacts.data() + now.first, *const contacts_before =
                                                                              before_.contacts.data() + before.first;
        if (now.count > 0 && std::memcmp(contacts, contacts_before, now.count * sizeof(Contact)) != 0) return 0;
        for (std::size_t k = 0; k < count; ++k) next[k] = std::uint32_t(i + k);
        for (std::size_t k = 0; k < count && !out_.manifolds.empty(); ++k)
            out_.manifolds[i + k] = {std::uint32_t(old + k), false};
        copy(now, before);
        return count;
    }

    std::uint32_t find_old(const Manifold& now, Siblings& siblings, std::optional<On>& on) const {
        if (siblings.is_only_child(now) && !is_taken(siblings.first())) return siblings.first();
        if (options_.joined)
            return siblings.find_by_normal(now, [&](std::size_t i, auto, auto) { return !is_taken(i); });
        if (!on) on = surface_of_pair(now_, now.pair);
        if (*on != On::neither)
            return siblings.find_by_normal(now, [&](std::size_t i, std::uint32_t a, std::uint32_t b) {
                return (*on == On::b ? a == now.child_a : b == now.child_b) && !is_taken(i);
            });
        const std::uint32_t old = siblings.find(now);
        return old != kNoManifold && is_taken(old) ? kNoManifold : old;
    }

    // Carries over contacts in their order.
    void copy(Range now, Range before) {
        forget_up_to(now.first);
        written_ = std::max(written_, now.end());
        const auto at = std::ptrdiff_t(now.first);
        std::iota(out_.previous.begin() + at, out_.previous.begin() + std::ptrdiff_t(now.end()),
                  std::uint32_t(before.first));
        if (!out_.by.empty()) std::fill_n(out_.by.begin() + at, now.count, CarriedBy::id);
        if (!impulses_.now.empty())
            std::copy_n(impulses_.before.data() + before.first, now.count, impulses_.now.data() + now.first);
    }
    // Sets the columns of contacts up to `end` that are not set yet: they are new.
    void forget_up_to(std::size_t end) {
        if (end <= written_) return;
        const auto first = std::ptrdiff_t(written_), count = std::ptrdiff_t(end) - first;
        std::fill_n(out_.previous.begin() + first, count, kNewContact);
        if (!out_.by.empty()) std::fill_n(out_.by.begin() + first, count, CarriedBy::nothing);
        if (!impulses_.now.empty()) std::fill_n(impulses_.now.begin() + first, count, ContactImpulse{});
        written_ = end;
    }

    ABUT_NOINLINE void carry(std::size_t manifold_now, std::uint32_t manifold_before, const Siblings& siblings) {
        out_.next_manifolds[manifold_before] = std::uint32_t(manifold_now);
        const Manifold &manifold = now_.manifolds[manifold_now], &old = before_.manifolds[manifold_before];
        const Range now = contacts_of(now_, manifold), before = contacts_of(before_, old);
        forget_up_to(now.count > kMaxCarriedContacts ? now.end() : now.first);
        written_ = std::max(written_, now.end());
        const Contact *const p = now_.contacts.data() + now.first, *const q = before_.contacts.data() + before.first;
        std::uint32_t* const previous = out_.previous.data() + now.first;
        const auto match = [=](std::size_t i, std::size_t k) { previous[i] = std::uint32_t(before.first + k); };
        const float limit = options_.match_distance * options_.match_distance;
        const auto before_id = [q](std::size_t k) { return q[k].feature; };
        const bool swapped = siblings.swapped();
        Unmatched left(before.count, now.count);
        if (swapped || !match_near(p, q, limit, left, match)) {
            const auto is_one_point = [=, this, &manifold, &old, &siblings](std::size_t i, std::size_t k) {
                if (!swapped && squared_distance(p[i].position, q[k].position) <= limit) return true;
                return !has_jumped(manifold, old, siblings, now.first + i, before.first + k);
            };
            const auto now_id = [=](std::size_t i) { return swapped ? swap_halves(p[i].feature) : p[i].feature; };
            left = match_ids(before.count, now.count, before_id, now_id, is_one_point, match);
        }
        for (std::uint32_t n = left.now; n; n &= n - 1) previous[std::countr_zero(n)] = kNewContact;
        for (std::size_t i = 0; i < std::min(now.count, kMaxCarriedContacts); ++i)
            write(now.first + i, previous[i] == kNewContact ? CarriedBy::nothing : CarriedBy::id, swapped);
        if (left.before && left.now) carry_by_position(manifold, old, siblings, now, before, left);
        // Rule 3.
        const bool has_new = left.now || now.count > kMaxCarriedContacts,
                   has_lost = left.before || before.count > kMaxCarriedContacts;
        if (!has_new || !has_lost || impulses_.now.empty()) return;
        ImpulseCarrier{floats_of(impulses_.before), floats_of(impulses_.now), kImpulseFloats, swapped}.carry(
            now, out_.previous.subspan(now.first, now.count), before);
    }
    // Sets the rule and the impulse of a contact. Precondition: its previous contact is set.
    void write(std::size_t contact, CarriedBy rule, bool swapped) const {
        if (!out_.by.empty()) out_.by[contact] = rule;
        if (impulses_.now.empty()) return;
        ContactImpulse& impulse = impulses_.now[contact];
        impulse = rule == CarriedBy::nothing ? ContactImpulse{} : impulses_.before[out_.previous[contact]];
        if (swapped && rule != CarriedBy::nothing)
            impulse.friction = {-impulse.friction.x, -impulse.friction.y, -impulse.friction.z};
    }

    // True if a point moved too far on both bodies to be the same contact. False if a frame lacks a body.
    ABUT_NOINLINE bool has_jumped(const Manifold& manifold, const Manifold& old, const Siblings& siblings,
                                  std::size_t now, std::size_t before) const {
        Body a0, b0, a1, b1;
        if (!find_bodies(before_, siblings.pair(), a0, b0) || !find_bodies(now_, manifold.pair, a1, b1)) return false;
        const Contact &p = now_.contacts[now], &q = before_.contacts[before];
        ContactAnchor from = contact_anchor(a0, b0, old.normal, q);
        const ContactAnchor to = contact_anchor(a1, b1, manifold.normal, p);
        Vec3 was_on_a = q.position, was_on_b = seen_from_b(a0, b0, q.position);
        if (siblings.swapped()) {
            from = swap_bodies(from);
            std::swap(a0, b0);
            std::swap(was_on_a, was_on_b);
        }
        const float limit = options_.match_distance * options_.match_distance;
        if (squared_distance(p.position, was_on_a) <= limit ||
            squared_distance(seen_from_b(a1, b1, p.position), was_on_b) <= limit)
            return false;
        // The motion of A's origin relative to B: zero for a pair at rest; for a rolling body, the distance that its
        // contact point moves.
        const float motion = std::sqrt(squared_distance(seen_from_b(a0, b0, {}), seen_from_b(a1, b1, {})));
        return abut::has_jumped(from, to, options_.match_distance + motion);
    }

    ABUT_NOINLINE void carry_by_position(const Manifold& manifold, const Manifold& old, const Siblings& siblings,
                                         Range now, Range before, Unmatched left) const {
        ContactAnchor from[kMaxCarriedContacts], to[kMaxCarriedContacts];
        if (!find_anchors(before_, siblings.pair(), old, before.first, left.before, from)) return;
        if (!find_anchors(now_, manifold.pair, manifold, now.first, left.now, to)) return;
        if (siblings.swapped())
            for (ContactAnchor& anchor : from) anchor = swap_bodies(anchor);
        match_positions(from, to, left, options_.match_distance, [&](std::size_t i, std::size_t k) {
            out_.previous[now.first + i] = std::uint32_t(before.first + k);
            write(now.first + i, CarriedBy::place, siblings.swapped());
        });
    }

    const FrameContacts &before_, &now_;
    const CarriedColumns& out_;
    const ImpulsesOfFrames& impulses_;
    CarryOverOptions options_;
    std::size_t written_ = 0;  // the columns of the contacts now from here on are not set yet
};

}  // namespace

CallResult carry_over(const FrameContacts& before, const FrameContacts& now,
                      std::span<const PreviousPair> previous_pairs, CarriedColumns& out,
                      const CarryOverOptions& options) {
    if (CallResult result = check(before, now, options); !result) return result;
    if (CallResult result = check_columns(before, now, out); !result) return result;
    if (!out.by.empty())
        if (CallResult result = check_exact("CarriedColumns::by", out.by.size(), now.contacts.size()); !result)
            return result;
    FrameCarrier(before, now, out, {}, options).run(previous_pairs);
    return {};
}

CallResult carry_over_with_impulses(const FrameContacts& before, const FrameContacts& now,
                                    std::span<const PreviousPair> previous_pairs, const CarriedColumns& out,
                                    const ImpulsesOfFrames& impulses, const CarryOverOptions& options) {
    if (CallResult result = check(before, now, options); !result) return result;
    FrameCarrier(before, now, out, impulses, options).run(previous_pairs);
    return {};
}

ContactAnchor contact_anchor(const Body& a, const Body& b, Vec3 normal, const Contact& contact) {
    const float half = 0.5f * contact.separation;
    const Vec3 p = contact.position, h = {half * normal.x, half * normal.y, half * normal.z},
               from_b = seen_from_b(a, b, p);
    return {rotate_back(a.orientation, {p.x - h.x, p.y - h.y, p.z - h.z}),
            rotate_back(b.orientation, {from_b.x + h.x, from_b.y + h.y, from_b.z + h.z}), contact.feature};
}

CallResult carry_over(std::span<const ContactAnchor> before, std::span<const ContactAnchor> now,
                      std::span<std::uint32_t> previous, std::span<CarriedBy> by, const CarryOverOptions& options) {
    // Called for thousands of manifolds in a frame, so it builds no error, not even an empty one, unless there is one.
    if (!is_distance(options.match_distance)) return check(options);
    if (previous.size() != now.size()) return check_exact("carry_over: previous", previous.size(), now.size());
    if (!by.empty() && by.size() != now.size()) return check_exact("carry_over: by", by.size(), now.size());
    std::fill(previous.begin(), previous.end(), kNewContact);
    std::fill(by.begin(), by.end(), CarriedBy::nothing);
    const auto match = [&](std::size_t i, std::size_t k, CarriedBy rule) {
        previous[i] = std::uint32_t(k);
        if (!by.empty()) by[i] = rule;
    };
    const Unmatched left = match_ids(
        before.size(), now.size(), [&](std::size_t k) { return before[k].feature; },
        [&](std::size_t i) { return now[i].feature; },
        [&](std::size_t i, std::size_t k) { return !has_jumped(before[k], now[i], options.match_distance); },
        [&](std::size_t i, std::size_t k) { match(i, k, CarriedBy::id); });
    match_positions(before.data(), now.data(), left, options.match_distance,
                    [&](std::size_t i, std::size_t k) { match(i, k, CarriedBy::place); });
    return {};
}

}  // namespace abut
