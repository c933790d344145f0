// The content of a WarmCache for a body on a mesh or a height field: the triangles near it (for a compound child by child), which save the walk down
// the tree until it has moved too far; or, for a convex body at rest, its contacts. Triangles are stored only if the body has hardly moved since the
// last call: a fast body meets others in the next.
//
// Both are statements that are true by themselves, for any frame, pair or store, as in separation/motion_bound.hpp: two shapes, by their content, at
// these poses, have no other triangle within this reach, or have these contacts. Contacts are used for equal bits alone (chunk/at_rest.hpp says why).
#pragma once

#include <array>
#include <cstdint>

#include <abut/frame.hpp>

#include "frame/chunk.hpp"
#include "geometry/double_math.hpp"
#include "shapes/tables.hpp"

namespace abut {

// The triangle of each contact of a manifold, by the caller's index.
using ContactTriangles = std::array<std::uint32_t, kMaxContacts>;

struct NearTriangle {
    std::uint32_t child, triangle;
};
// By child.
struct NearTriangles {
    static constexpr std::uint32_t kMost = 40;
    NearTriangle at[kMost];
    std::uint32_t count = 0;
};

// The contacts of a body at rest: few, of one plane or two.
struct RestingContacts {
    static constexpr std::uint32_t kMostManifolds = 2, kMostContacts = 4;

    std::uint32_t manifold_count = 0;
    std::uint32_t contact_count[kMostManifolds] = {};
    Vec3 normal[kMostManifolds];
    std::uint32_t triangles[kMostContacts] = {};  // of each contact
    Contact contacts[kMostContacts];              // of one manifold after the other; as the caller gets them

    // False where there is no room.
    bool add(std::uint32_t count, const ManifoldRecord& record, const ContactTriangles& of);
    ManifoldRecord record(std::uint32_t manifold) const;
    ContactTriangles triangles_of(std::uint32_t manifold) const;
};

// A body and a surface at their places.
class SurfaceMemory {
public:
    SurfaceMemory(const ShapeTables& tables, const Body& body, const Body& surface, bool is_swapped, const QueryParameters& parameters, double reach);

    // True if the last call had the bodies at the same poses, by its record.
    bool was_here(const WarmCache& cache) const;
    // True if the contacts at the same poses are kept.
    bool has_contacts(const WarmCache& cache) const;
    // Those of a cache that has them.
    static RestingContacts contacts_of(const WarmCache& cache);
    enum class Recalled : std::uint8_t {
        triangles,  // all within `reach`, and others
        too_many,   // they are known to have no room
        unknown,    // the body has hardly moved: they are worth looking for
        moving,     // ... or it has, or nothing is known
    };
    Recalled recall(const WarmCache& cache, double reach, NearTriangles& triangles) const;

    void keep(WarmCache& cache, const RestingContacts& contacts) const;
    // Those are all within `reach`; more than there is room for: that they are too many.
    void keep(WarmCache& cache, float reach, const NearTriangles& triangles) const;
    // The place alone.
    void keep(WarmCache& cache) const;
    // The triangles that are kept stay so, and the places are those of the last call from now on.
    void store_follow_record(WarmCache& cache) const;

    // The distance beyond the reach within which triangles are remembered, metres.
    float extra_reach() const;
    // The number of triangles that a record holds.
    std::uint32_t most_triangles() const;

private:
    struct Record;
    struct Near;

    void keep(WarmCache& cache, float reach, std::uint32_t count, const Near& near) const;
    // The size of a triangle's and a child's number: bits each, and bytes of both.
    std::uint32_t triangle_bits() const;
    std::uint32_t child_bits() const;
    std::uint32_t width() const;
    exact::Vec3d position_in_surface() const;
    exact::Quatd turned_in_surface() const;
    bool read(const WarmCache& cache, Record& record) const;
    void write(WarmCache& cache, Record& record) const;
    std::uint64_t checksum_of(const Record& record) const;

    const Body& body_;
    const Body& surface_;
    exact::Vec3d offset_;  // of the surface from the body, world axes
    std::uint64_t contents_, here_;
    float origin_radius_, size_, surface_origin_radius_;
    std::uint32_t child_count_, triangle_count_;
};

}  // namespace abut
