// Contacts that follow their bodies: those of faces, while the bodies move little after the frame in which the contacts were computed. No shape is looked
// at. [Moving the points of a frame before with the bodies: PhysX's persistent manifolds, Bullet's btPersistentManifold. Keeping them on both faces is
// ours.]
//
// A contact has a point on each surface, and each point stays with its body. In the plane of contact the two drift apart as the bodies move. The contact goes
// halfway between them, and from there towards the middle of the patch, by as much as surely keeps it on both faces: a face holds a disc around the middle,
// and with it, as it is convex, a smaller disc around each place between its own point and the middle; where that is as large as half of the drift, the
// place is on the face. The separation is that of both planes there. So it is exact, and nothing but the place in the plane lags, by half of the drift.
//
// The signed distance differs from that of the frame before by no more than the motion, and so do the separations. Contacts follow while this leaves
// the deepest within the contact slack of the signed distance. Where they overlap, the shapes must, too: by that bound, or because B's surface next to the
// deepest contact is in A. The hull of A's face and of a point that is `deep` below the middle is a part of A.
//
// With Settings::follow_distance contacts of any number and any features follow for that distance, without these proofs and without going inwards: the
// normal rotates with A, or with B where it is the normal of B's face alone.
#pragma once

#include "chunk/payloads.hpp"
#include "chunk/store.hpp"
#include "frame/warm_marks.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

// In WarmCache::opaque, behind a WarmRecord, under kFollowTag: where a pair was in contact.
struct FollowRecord {
    std::uint32_t mark;  // in the high half: how many contacts follow, or 0; and what has become of the record
    std::uint32_t last;  // a hash of the place where the pair was in the last frame
    std::uint32_t checksum;
    float offset[3], orientation[4];  // B's in A's frame
    float normal[3];                  // of the contacts, in A's frame
    float most;                       // metres: the signed distance here is no greater; infinite if the axis is not worth keeping
    float room;                       // metres: contacts follow while the bodies move by no more; negative where the normal stays with B
    float deep;                       // metres: below the middle of its side of the contacts A goes at least so deep
    struct {
        float on_b[3];  // B's point, in its body's frame
        float separation;
        std::uint32_t feature;
    } contact[kManifoldPoints];
};
static_assert(sizeof(FollowRecord) <= sizeof(WarmCache) - kSearchBytes);

inline constexpr std::uint32_t kFramesToWait = 7;     // after a motion
inline constexpr std::uint32_t kContactsOfFaces = 3;  // fewer contacts are of an edge or a corner, and need the deepest point, which no axis has

// The contacts of a group and the answers that they were computed from. Metres.
struct AnsweredW {
    const ToWorldW& to_world;
    const ManifoldW& manifold;
    Vec3W normal;      // the answer's, in A's frame, for contacts along a kept axis
    FloatW distance;   // signed
    FloatW most;       // it is no greater
    FloatW slack;      // the contact slack
    FloatW tolerance;  // promise 1's bound
    FloatW deep;       // as FollowRecord has it
};

// Keeps where `lanes` are, the axis of their contacts, and the contacts of those that can follow.
void store_follow_record(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach, const AnsweredW& answered);

// Answers those of `lanes` (all under kFollowTag) whose contacts follow, and adds those whose axis may serve to `near`; returns both. The others' marks
// say whether the pairs rest or move.
std::uint32_t answer_following(const Chunk& chunk, const std::uint16_t* list, std::uint32_t lanes, FloatW reach, StateList<KeptAxisW>& near);

}  // namespace abut::ABUT_ISA_NAMESPACE
