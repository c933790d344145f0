// Contacts that follow their bodies, while these move little after the frame in which the contacts were computed. No shape is looked at. [Moving the points
// of a frame before with the bodies: PhysX's persistent manifolds, Bullet's btPersistentManifold. Bounds on the error are ours.]
//
// Contacts of two faces follow as their features do (manifold/contact_law.hpp): exactly, until other features may be in contact or the normal may be wrong.
// The separation is that of both faces' planes at the contact.
//
// All others follow for a shorter way: 1/32 of the contact slack, and less where the distance might change its sign. A contact has a point on each surface,
// and each point stays with its body. The contact is halfway between them, and the separation is the way from one to the other along the normal. While the
// bodies move by m, neither that nor the signed distance changes by more.
//
// On the longer way contacts follow while the deepest is surely within the contact slack of the signed distance. Where they overlap, the shapes must, too: B's
// surface next to the deepest contact is in A. The hull of A's face and of a point that is `deep` below the middle is a part of A.
//
// A margin may change from frame to frame, as an engine's does with the velocities. A greater one counts as a motion: so much nearer is what it may let in.
//
// With Settings::follow_distance all contacts follow for that distance, without these proofs. The normal rotates with A, or with B where it is the normal of
// B's face alone.
#pragma once

#include "chunk/payloads.hpp"
#include "chunk/store.hpp"
#include "frame/warm_marks.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// In WarmCache::opaque, behind a WarmRecord, under kFollowTag: where a pair was in contact. A's frame, metres.
struct FollowRecord {
    std::uint32_t mark;  // in the high half: how many contacts follow, or 0; what has become of the record; and the most that the faces may tilt
    std::uint32_t checksum;
    float offset[3], orientation[3];  // B's; the orientation by its projection (separation/motion_bound.hpp)
    float normal[3];                  // of the contacts
    // The high halves of two floats. `margin`: of these contacts, rounded upwards. `room`: contacts follow while the bodies move and the margin grows by
    // no more, together; negative where the normal stays with B.
    std::uint32_t margin_and_room;
    // The high half of a float, and two numbers of 8 bits. `smaller`: of the two sizes; negative where the room is that of the features, its last bit 1 where A is known
    // to be deep below the middle of its side of the contacts. `rise`: the slope of B's face against A's, along the tangents of the normal.
    std::uint32_t smaller_and_rise;
    struct {
        float on_a[3], separation;
        std::uint32_t feature;
        std::uint32_t law;  // manifold/contact_law.hpp
    } contact[kManifoldPoints];
};
static_assert(sizeof(FollowRecord) == sizeof(WarmCache) - kSearchBytes);

// The contacts of a group and the answers that they were computed from. Metres.
struct AnsweredW {
    const ToWorldW& to_world;
    const ManifoldW& manifold;
    FloatW distance;   // signed, or a little more
    FloatW slack;      // the contact slack
    FloatW tolerance;  // promise 1's bound
    FloatW smaller;    // of both sizes
    MaskW is_deep;     // A is so deep below the middle of its side of the contacts, by kDeepBelowShare of that
};

// Keeps where `lanes` are, the axis of their contacts, and the contacts of those that can follow.
void store_follow_record(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach, const AnsweredW& answered);

// Answers those of `lanes` (all under kFollowTag) whose contacts follow; returns them. The others' marks say whether the pairs rest or move.
std::uint32_t answer_following(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach);

}  // namespace abut::ABUT_ISA_NAMESPACE
