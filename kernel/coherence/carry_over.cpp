// Matches contacts from frame to frame. Most manifolds keep all their contacts in their order: runs of them are carried
// over at once. Anchors are computed only if an id is gone and another is new, or a point has jumped.
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
#include "coherence/siblings.hpp"
#include "convex/contract/pair_records.hpp"
#include "shapes/kinds.hpp"

namespace abut {

namespace {

// The body of a pair that is a mesh or a height field, according to the frame.
enum class SurfaceBody : std::uint8_t { neither, a, b };

SurfaceBody surface_of_pair(const FrameContacts& frame, std::uint32_t pair) {
    if (pair >= frame.pairs.size()) return SurfaceBody::neither;
    const Pair indices = frame.pairs[pair];
    const Strided<ShapeId>& shapes = frame.bodies.columns().shapes;
    if (indices.a >= shapes.size() || indices.b >= shapes.size()) return SurfaceBody::neither;
    if (is_surface(shapes[indices.b].kind())) return SurfaceBody::b;
    return is_surface(shapes[indices.a].kind()) ? SurfaceBody::a : SurfaceBody::neither;
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

class FrameCarrier {
public:
    FrameCarrier(const FrameContacts& before, const FrameContacts& now, const CarriedColumns& out,
                 const ImpulsesOfFrames& impulses, const CarryOverOptions& options)
        : before_(before),
          now_(now),
          out_(out),
          impulses_(impulses),
          options_(options),
          limits_(motion_limits(options.match_distance)) {}

    void run(std::span<const PreviousPair> previous_pairs) {
        std::fill(out_.next_manifolds.begin(), out_.next_manifolds.end(), kNoManifold);
        std::uint32_t pair = kNoPair;
        Siblings siblings(before_);
        std::size_t after = 0;  // the end of the last run before
        for (std::size_t i = 0; i < now_.manifolds.size();) {
            const Manifold& manifold = now_.manifolds[i];
            if (manifold.pair != pair) {
                pair = manifold.pair;
                siblings.set_pair(pair < previous_pairs.size() ? previous_pairs[pair] : PreviousPair{});
                siblings.expect(after);
            }
            if (const std::size_t count = count_linked(i, siblings.expected(), previous_pairs)) {
                carry_linked(i, siblings.expected(), count);
                siblings.expect(after = siblings.expected() + count);
                i += count;
                continue;
            }
            const std::uint32_t old = find_old(manifold, siblings);
            out_.manifolds[i] = {old, siblings.swapped()};
            if (old != kNoManifold) carry(i, old, siblings.swapped());
            ++i;
        }
        forget_up_to(now_.contacts.size());
    }

private:
    bool is_taken(std::size_t manifold) const { return out_.next_manifolds[manifold] != kNoManifold; }

    // Counts the manifolds from `i` on that continue those before from `old` on with as many contacts each, whose
    // bodies are in the same order: most manifolds of a frame, at rest or moving.
    std::size_t count_linked(std::size_t i, std::size_t old, std::span<const PreviousPair> previous_pairs) {
        if (old >= before_.manifolds.size()) return 0;
        const Manifold *const p = now_.manifolds.data() + i, *const q = before_.manifolds.data() + old;
        const std::size_t most = std::min(now_.manifolds.size() - i, before_.manifolds.size() - old);
        const std::size_t first = p->first_contact, first_before = q->first_contact;
        if (first > now_.contacts.size() || first_before > before_.contacts.size()) return 0;
        const std::size_t room = std::min(now_.contacts.size() - first, before_.contacts.size() - first_before);
        const std::uint32_t* const next = out_.next_manifolds.data() + old;
        std::size_t count = 0, contacts = 0;
        for (; count < most; ++count) {
            const Manifold &m = p[count], &o = q[count];
            if (m.pair >= previous_pairs.size() || previous_pairs[m.pair] != PreviousPair{o.pair, false}) break;
            if (m.first_contact != first + contacts || o.first_contact != first_before + contacts) break;
            contacts += m.contact_count;
            if (m.contact_count != o.contact_count || m.contact_count > kMaxCarriedContacts || contacts > room) break;
            if (next[count] != kNoManifold || !continues(m, o)) break;
        }
        return count;
    }

    // Carries over a run of manifolds that count_linked() has found. Contacts in the order of those before are carried
    // over without a look at their manifolds.
    void carry_linked(std::size_t i, std::size_t old, std::size_t count) {
        const Manifold *const p = now_.manifolds.data() + i, *const q = before_.manifolds.data() + old;
        const std::size_t first = p->first_contact, first_before = q->first_contact;
        const std::size_t contacts = p[count - 1].first_contact + p[count - 1].contact_count - first;
        for (std::size_t k = 0; k < count; ++k) out_.next_manifolds[old + k] = std::uint32_t(i + k);
        for (std::size_t k = 0; k < count; ++k) out_.manifolds[i + k] = {std::uint32_t(old + k), false};
        const Contact *const now = now_.contacts.data() + first, *const before = before_.contacts.data() + first_before;
        for (std::size_t k = 0, done = 0; done < contacts;) {
            if (now[done].feature == before[done].feature) {  // else the manifold's contacts are not the same
                const std::size_t same = done + count_same(now + done, before + done, contacts - done, limits_);
                std::size_t end = done;  // of the last manifold whose contacts are all the same
                while (k < count && p[k].first_contact + p[k].contact_count - first <= same)
                    end = p[k].first_contact + p[k].contact_count - first, ++k;
                copy({first + done, end - done}, {first_before + done, end - done});
                done = end;
                if (k == count) break;
            }
            const std::size_t changed = p[k].contact_count;
            if (changed > 0 && !carry_reordered({first + done, changed}, {first_before + done, changed}))
                carry(i + k, std::uint32_t(old + k), false);
            done += changed, ++k;
        }
    }

    // True if find_old(now) is `old`, which has the same children and is the next one of its pair.
    bool continues(const Manifold& now, const Manifold& old) {
        if (now.child_a != old.child_a || now.child_b != old.child_b) return false;
        if (now.normal == old.normal) return true;
        const auto& firsts = before_.first_manifold;
        const std::size_t pair = old.pair;
        const bool is_only = pair + 1 < firsts.size() && firsts[pair + 1] - firsts[pair] == 1;
        if (is_only && cosine(now.normal, old.normal) > kLeastCosine) return true;
        return !options_.joined && surface_of(now.pair) == SurfaceBody::neither;
    }

    std::uint32_t find_old(const Manifold& now, Siblings& siblings) {
        if (siblings.is_only_child(now) && !is_taken(siblings.first())) return siblings.first();
        if (options_.joined)
            return siblings.find_by_normal(now, [&](std::size_t i, auto, auto) { return !is_taken(i); });
        if (const SurfaceBody on = surface_of(now.pair); on != SurfaceBody::neither)
            return siblings.find_by_normal(now, [&](std::size_t i, std::uint32_t a, std::uint32_t b) {
                return (on == SurfaceBody::b ? a == now.child_a : b == now.child_b) && !is_taken(i);
            });
        const std::uint32_t old = siblings.find(now);
        return old != kNoManifold && is_taken(old) ? kNoManifold : old;
    }
    SurfaceBody surface_of(std::uint32_t pair) {
        if (pair != known_pair_ || pair == kNoPair) known_on_ = surface_of_pair(now_, known_pair_ = pair);
        return known_on_;
    }

    // Carries over contacts in their order.
    void copy(Range now, Range before) {
        if (now.count == 0) return;
        forget_up_to(now.first);
        written_ = std::max(written_, now.end());
        const auto at = std::ptrdiff_t(now.first);
        std::iota(out_.previous.begin() + at, out_.previous.begin() + std::ptrdiff_t(now.end()),
                  std::uint32_t(before.first));
        if (!out_.by.empty()) std::fill_n(out_.by.begin() + at, now.count, CarriedBy::id);
        if (!impulses_.now.empty())
            std::copy_n(impulses_.before.data() + before.first, now.count, impulses_.now.data() + now.first);
    }
    // Carries over contacts that have changed their order, and nothing else.
    bool carry_reordered(Range now, Range before) {
        std::uint32_t order[4];
        if (!find_order(now_.contacts.data() + now.first, before_.contacts.data() + before.first, now.count, limits_,
                        order))
            return false;
        forget_up_to(now.first);
        written_ = std::max(written_, now.end());
        for (std::size_t k = 0; k < now.count; ++k)
            out_.previous[now.first + k] = std::uint32_t(before.first + order[k]);
        if (!out_.by.empty()) std::fill_n(out_.by.data() + now.first, now.count, CarriedBy::id);
        if (impulses_.now.empty()) return true;
        for (std::size_t k = 0; k < now.count; ++k)
            impulses_.now[now.first + k] = impulses_.before[before.first + order[k]];
        return true;
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

    ABUT_NOINLINE void carry(std::size_t manifold_now, std::uint32_t manifold_before, bool swapped) {
        out_.next_manifolds[manifold_before] = std::uint32_t(manifold_now);
        const Manifold &manifold = now_.manifolds[manifold_now], &old = before_.manifolds[manifold_before];
        const Range now = contacts_of(now_, manifold), before = contacts_of(before_, old);
        forget_up_to(now.count > kMaxCarriedContacts ? now.end() : now.first);
        written_ = std::max(written_, now.end());
        const Contact *const p = now_.contacts.data() + now.first, *const q = before_.contacts.data() + before.first;
        std::uint32_t* const previous = out_.previous.data() + now.first;
        const PreviousPair pair = {old.pair, swapped};
        const auto match = [=](std::size_t i, std::size_t k) { previous[i] = std::uint32_t(before.first + k); };
        const float limit = options_.match_distance * options_.match_distance;
        const auto before_id = [q](std::size_t k) { return q[k].feature; };
        Unmatched left(before.count, now.count);
        if (swapped || !match_near(p, q, limit, left, match)) {
            const auto is_one_point = [=, this, &manifold, &old](std::size_t i, std::size_t k) {
                if (!swapped && squared_distance(p[i].position, q[k].position) <= limit) return true;
                return !has_jumped(manifold, old, pair, now.first + i, before.first + k);
            };
            const auto now_id = [=](std::size_t i) { return swapped ? swap_halves(p[i].feature) : p[i].feature; };
            left = match_ids(before.count, now.count, before_id, now_id, is_one_point, match);
        }
        for (std::uint32_t n = left.now; n; n &= n - 1) previous[std::countr_zero(n)] = kNewContact;
        for (std::size_t i = 0; i < std::min(now.count, kMaxCarriedContacts); ++i)
            write(now.first + i, previous[i] == kNewContact ? CarriedBy::nothing : CarriedBy::id, swapped);
        if (left.before && left.now) carry_by_position(manifold, old, pair, now, before, left);
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
    ABUT_NOINLINE bool has_jumped(const Manifold& manifold, const Manifold& old, PreviousPair pair, std::size_t now,
                                  std::size_t before) const {
        Body a0, b0, a1, b1;
        if (!find_bodies(before_, pair.index, a0, b0) || !find_bodies(now_, manifold.pair, a1, b1)) return false;
        const Contact &p = now_.contacts[now], &q = before_.contacts[before];
        ContactAnchor from = contact_anchor(a0, b0, old.normal, q);
        const ContactAnchor to = contact_anchor(a1, b1, manifold.normal, p);
        Vec3 was_on_a = q.position, was_on_b = seen_from_b(a0, b0, q.position);
        if (pair.swapped) {
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

    ABUT_NOINLINE void carry_by_position(const Manifold& manifold, const Manifold& old, PreviousPair pair, Range now,
                                         Range before, Unmatched left) const {
        ContactAnchor from[kMaxCarriedContacts], to[kMaxCarriedContacts];
        if (!find_anchors(before_, pair.index, old, before.first, left.before, from)) return;
        if (!find_anchors(now_, manifold.pair, manifold, now.first, left.now, to)) return;
        if (pair.swapped)
            for (ContactAnchor& anchor : from) anchor = swap_bodies(anchor);
        match_positions(from, to, left, options_.match_distance, [&](std::size_t i, std::size_t k) {
            out_.previous[now.first + i] = std::uint32_t(before.first + k);
            write(now.first + i, CarriedBy::place, pair.swapped);
        });
    }

    const FrameContacts &before_, &now_;
    CarriedColumns out_;
    ImpulsesOfFrames impulses_;
    CarryOverOptions options_;
    ContactRow limits_;
    std::uint32_t known_pair_ = kNoPair;  // whose surface is known
    SurfaceBody known_on_ = SurfaceBody::neither;
    std::size_t written_ = 0;  // the columns of the contacts now from here on are not set yet
};

}  // namespace

CallResult carry_over(const FrameContacts& before, const FrameContacts& now,
                      std::span<const PreviousPair> previous_pairs, CarriedColumns& out,
                      const CarryOverOptions& options) {
    if (CallResult result = check_frames(before, now, options); !result) return result;
    if (CallResult result = check_columns(before, now, out); !result) return result;
    if (!out.by.empty())
        if (CallResult result = check_exact("CarriedColumns::by", out.by.size(), now.contacts.size()); !result)
            return result;
    FrameCarrier(before, now, out, {}, options).run(previous_pairs);
    return {};
}

CallResult check_frames(const FrameContacts& before, const FrameContacts& now, const CarryOverOptions& options) {
    if (CallResult result = check(options); !result) return result;
    if (CallResult result = check(before, "before"); !result) return result;
    return check(now, "now");
}

void carry_over_with_impulses(const FrameContacts& before, const FrameContacts& now,
                              std::span<const PreviousPair> previous_pairs, const CarriedColumns& out,
                              const ImpulsesOfFrames& impulses, const CarryOverOptions& options) {
    FrameCarrier(before, now, out, impulses, options).run(previous_pairs);
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
