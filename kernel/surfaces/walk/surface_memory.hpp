// The content of a WarmCache for a body on a mesh or a height field (for a compound, child by child). Either the
// triangles near the body, which save the walk down the tree until the body has moved too far; or, for a body that
// hardly moves, the features of its contacts, which are contacts again at the next pose (GroundPair::follow). Both are
// stored only if the body has hardly moved since the last call, because a fast body meets other triangles in the next
// call.
//
// Both records are facts, true for any frame, pair or store, as in convex/separation/motion_bound.hpp: two shapes,
// identified by their content, at these poses have no other triangle within this reach, or have these contacts.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <abut/frame.hpp>

#include "base/double_math.hpp"
#include "base/tolerances.hpp"
#include "convex/contract/chunk.hpp"
#include "shapes/tables.hpp"
#include "surfaces/walk/child_pair.hpp"

namespace abut {

// The triangle of each contact of a manifold's record on a surface.
struct ContactTriangles {
    std::array<std::uint32_t, kMaxContacts> input, cooked;  // the caller's indices, and those of the cooked surface
};

// A manifold of a surface, ready to be packed. Its contacts fill one record after the other.
struct MergedManifold {
    static constexpr std::uint32_t kRecords = kMostGroundContacts / kMaxContacts;

    ChildPair pair = {};  // b: the caller's index of the triangle
    Vec3 normal;
    std::uint32_t count;
    ManifoldRecord records[kRecords];
    ContactTriangles triangles[kRecords];

    Contact& contact(std::uint32_t k) { return records[k / kMaxContacts].contacts[k % kMaxContacts]; }
    const Contact& contact(std::uint32_t k) const { return records[k / kMaxContacts].contacts[k % kMaxContacts]; }
    std::uint32_t cooked(std::uint32_t k) const { return triangles[k / kMaxContacts].cooked[k % kMaxContacts]; }
    std::uint32_t input(std::uint32_t k) const { return triangles[k / kMaxContacts].input[k % kMaxContacts]; }
    void set_triangle(std::uint32_t k, std::uint32_t cooked, std::uint32_t input) {
        triangles[k / kMaxContacts].cooked[k % kMaxContacts] = cooked;
        triangles[k / kMaxContacts].input[k % kMaxContacts] = input;
    }
    void erase(std::uint32_t k) {
        for (--count; k < count; ++k) contact(k) = contact(k + 1), set_triangle(k, cooked(k + 1), input(k + 1));
        if (count != 0) pair.b = input(0);
    }
};

struct NearTriangle {
    std::uint32_t child, triangle;
};
// The triangles near a body, sorted by child.
struct NearTriangles {
    static constexpr std::uint32_t kMost = 40;
    NearTriangle at[kMost];
    std::uint32_t count = 0;
};

// The contacts of a body that hardly moves: those of one manifold's record after those of the other.
struct KeptContacts {
    static constexpr std::uint32_t kMostRecords = 4, kMostContacts = kMostRecords * kMaxContacts;
    struct Features {
        std::uint32_t triangle, feature;  // triangle: its index in the surface; feature: the id as in Contact
    };
    struct Place {
        Vec3 position;
        float separation;
    };

    std::uint32_t record_count = 0, contact_count = 0;
    std::uint32_t count[kMostRecords] = {};  // contacts of each record
    std::uint32_t child[kMostRecords];       // the child of the body, by record
    Vec3 normal[kMostRecords];               // in the surface's frame
    bool has_own_normal[kMostRecords];       // false if it is the normal of the record before, and is stored once
    Features features[kMostContacts];
    // The positions at the poses at which the contacts were found, as the caller gets them. A cache stores them only
    // for few contacts.
    Place places[kMostContacts];
    bool may_follow = false;  // true if the features give the contacts at other poses
    float deepest = 0;        // the least separation; 0 without contacts
    double moved = 0;         // an upper bound on the body's motion since then

    // Adds the record of one manifold of one child. False if there is no room for it.
    bool add(std::uint32_t of_child, std::uint32_t contacts, const ManifoldRecord& record, const ContactTriangles& of,
             const Quat& surface_orientation);
    // The end of the records from `first` on that belong to one manifold of at most `most` contacts: they have one
    // child and one normal, and all except the last are full.
    std::uint32_t end_of_manifold(std::uint32_t first, std::uint32_t most) const {
        std::uint32_t end = first + 1;
        while (end < record_count && (end - first) * kMaxContacts < most && count[end - 1] == kMaxContacts &&
               child[end] == child[first] && normal[end] == normal[first])
            ++end;
        return end;
    }
};

// The cache of a body and a surface at their present poses.
class SurfaceMemory {
public:
    SurfaceMemory(const Frame& frame, const Entry& entry, const Body& body, const Body& surface,
                  const QueryParameters& parameters);

    enum class Contacts : std::uint8_t {
        none,    // nothing is known, or the body has moved too far
        moved,   // the body has moved a little; the features give the contacts
        placed,  // the poses are the same, and so are the contacts
    };
    // Reads the contacts in a cache.
    Contacts recall(const WarmCache& cache, KeptContacts& contacts) const;
    static bool keeps_contacts(const WarmCache& cache);
    // Marks contacts that have followed the body once: when the body has moved too far, new contacts are stored at
    // once.
    static void set_followed(WarmCache& cache);
    static bool has_followed(const WarmCache& cache);

    enum class Recalled : std::uint8_t {
        triangles,  // the triangles are read: all within `reach`, and others
        too_many,   // there are more triangles than a record holds
        unknown,    // the body has hardly moved, so a search for triangles pays
        moving,     // the body has moved, or nothing is known
    };
    // `is_slow`: since the last call the body has moved by so little that contacts are worth keeping.
    Recalled recall(WarmCache& cache, double reach, NearTriangles& triangles, bool& is_slow) const;

    // The distance by which a body may move with contacts of this depth, metres. The contacts of a deep body may change
    // by more than the body moves, so they are kept only for the motion that is promised without
    // Settings::follow_distance.
    double room_of(float deepest) const {
        return deepest >= -2 * kMostFollowed * least_size_ ? most_room_ : std::min(most_room_, sure_room_);
    }
    // True if a cache can store these contacts.
    bool has_room(const KeptContacts& contacts) const;
    // Precondition: has_room.
    void keep(WarmCache& cache, KeptContacts contacts) const;
    // Stores `triangles`, which are all within `reach`. If a record does not hold that many, stores only this fact.
    void keep(WarmCache& cache, float reach, const NearTriangles& triangles) const;
    // Stores only the pose.
    void keep(WarmCache& cache) const;

    // The distance beyond the reach within which triangles are remembered, metres.
    float extra_reach() const;
    // The number of triangles that a record holds.
    std::uint32_t most_triangles() const;

private:
    struct NearRecord;
    struct ContactsRecord;

    // The bits of a triangle's and of a child's index, and the bytes of both together.
    std::uint32_t triangle_bits() const;
    std::uint32_t child_bits() const;
    std::uint32_t width() const;
    bool has_bits() const { return triangle_bits() + child_bits() < 32; }
    maths::Vec3d position_in_surface() const;
    maths::Quatd orientation_in_surface() const;
    template <class Record>
    void set_place(Record& record) const;
    template <class Record>
    float moved_since(const Record& record) const;
    void keep(WarmCache& cache, float reach, std::uint32_t count, NearRecord& record) const;
    std::size_t bytes_of(const KeptContacts& contacts) const;
    bool has_places(const KeptContacts& contacts) const;
    template <class Kept, class Each>
    void for_each_part(Kept& contacts, const Each& each) const;
    std::uint32_t here() const;
    std::uint64_t checksum_of(NearRecord record) const;
    std::uint64_t checksum_of(ContactsRecord record) const;
    // False if the cache has no record with this tag of these shapes.
    template <class Record>
    bool read(const WarmCache& cache, std::uint32_t tag, Record& record) const;
    template <class Record>
    void write(WarmCache& cache, Record& record) const;

    const Body& body_;
    const Body& surface_;
    maths::Vec3d offset_;  // of the surface from the body, world axes
    float reach_;
    std::uint64_t contents_,
        conditions_;  // hashes: of both shapes; of everything else that contacts depend on, except poses and reach
    float origin_radius_, size_, least_size_, surface_origin_radius_, most_room_,
        sure_room_;  // of all children, the least
    std::uint32_t child_count_, triangle_count_;
};

}  // namespace abut
