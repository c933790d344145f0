// Contacts that follow their bodies: after small motions the contacts of an earlier frame are moved, and no shape is
// read. [As PhysX's persistent manifolds and Bullet's btPersistentManifold do; the bounds on the error are ours.]
//
// Contacts of two faces move by contact laws (convex/manifold/contact_law.hpp). They are exact until other features may
// be in contact, or the normal may be wrong. The separation is that of the two face planes at the contact.
//
// All other contacts follow only for short motions: 1/8 of the contact slack; less if the distance might change its
// sign, or if a contact might leave a surface because its law or the slopes of the features are not known well enough.
// A contact then has one point on each body, which moves with the body. The contact is halfway between the two points,
// and its separation is their difference along the normal. A motion of m changes the separation, and the signed
// distance, by at most m. The normal stays fixed to one body, although the normal of two edges rotates with both: the
// depth along it is wrong only by the square of the tilt.
//
// Contacts are stored again at once only if the previous ones followed for long enough to pay for it. Otherwise the
// pair waits (convex/contract/warm_marks.hpp).
//
// Contacts with laws follow as long as the deepest one is certainly within the contact slack of the signed distance. If
// the contacts overlap, the shapes must also overlap: B's surface at the deepest contact is inside A, because A
// contains the hull of its face and of a point `deep` below the face's middle.
//
// The margin may change in each frame, as in engines that derive it from velocities. An increase counts as a motion,
// because it lets in features that are closer by as much.
//
// With Settings::follow_distance contacts move without these proofs (at_rest.hpp).
#pragma once

#include "convex/chunk/payloads.hpp"
#include "convex/chunk/store.hpp"
#include "convex/contract/warm_marks.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// In WarmCache::opaque, after a WarmRecord, under kFollowTag: the pose and contacts of a pair, in A's frame, metres.
struct FollowRecord {
    std::uint32_t
        mark;  // high half: the number of contacts that follow (or 0), whether they have followed, and the largest tilt
    std::uint32_t checksum;
    float offset[3], orientation[3];  // B's; the orientation by its projection (convex/separation/motion_bound.hpp)
    float normal[2];                  // of the contacts: projected from (0, 0, -1), or the opposite normal
    // The sign of the normal's z, and two numbers of 8 bits: the slope of A's face along the tangents.
    std::uint32_t normal_and_slope_a;
    // The high halves of two floats. `margin`: that of these contacts, rounded upwards. `room`: the limit on the motion
    // plus the increase of the margin; negative if the normal moves with B.
    std::uint32_t margin_and_room;
    // The high half of a float, and two numbers of 8 bits. `smaller`: the smaller size; negative if the room is that of
    // contact laws; its lowest bit says that A is known to be deep below its contacts. Then the slope of B's face.
    std::uint32_t smaller_and_slope_b;
    struct {
        float on_a[3], separation;
        std::uint32_t feature;
        std::uint32_t law;  // convex/manifold/contact_law.hpp
    } contact[kManifoldPoints];
};
static_assert(sizeof(FollowRecord) == sizeof(WarmCache) - kSearchBytes);

// The contacts of a group and the answers from which they were computed. Metres.
struct AnsweredW {
    const ToWorldW& to_world;
    const ManifoldW& manifold;
    FloatW distance;   // the signed distance, or slightly more
    FloatW slack;      // the contact slack
    FloatW tolerance;  // promise 1's bound
    FloatW smaller;    // the smaller shape's size
    MaskW is_deep;     // the point kDeepBelowShare of `smaller` below the middle of the contacts is inside A
};

// Stores the poses of `lanes`, their contact normals, and the contacts of those that can follow.
void store_follow_record(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach,
                         const AnsweredW& answered);

// Answers those of `lanes` (all under kFollowTag) whose contacts follow, and returns them. The marks of the other lanes
// say whether the pairs rest or move.
std::uint32_t answer_following(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach);

}  // namespace abut::ABUT_ISA_NAMESPACE
