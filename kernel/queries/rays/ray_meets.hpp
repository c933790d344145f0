// Where the rays of a call meet its bodies: pairs of one kind go to the SIMD code as a RayChunk.
#pragma once

#include <span>

#include <abut/frame.hpp>
#include <abut/rays.hpp>

#include "queries/rays/body_ray.hpp"
#include "queries/rays/ray_chunk.hpp"
#include "shapes/tables.hpp"

namespace abut {

// Pairs of a ray and a body, and the columns of their answers; those after `fraction` may be null.
struct RayAnswers {
    Strided<Pair> pairs;
    const RayBest* best = nullptr;  // by ray: where it ends; null if rays are not limited
    std::uint8_t* hit = nullptr;
    Status* status = nullptr;
    double* fraction = nullptr;
    Vec3 *point = nullptr, *normal = nullptr;
    std::uint32_t* child = nullptr;
    std::uint16_t* face = nullptr;
    std::uint8_t* inside = nullptr;
};

struct RayMeets {
    const Bodies& bodies;
    const Rays& rays;
    const ShapeTables& tables;
    const MeetOptions options;

    RayMeets(const ShapeStore& shapes, const Bodies& all_bodies, const Rays& all_rays, const MeetOptions& wanted);

    // Answers the listed pairs, ascending indices, whose bodies have shapes of one kind.
    void meet_kind(const RayAnswers& to, ShapeKind kind, std::span<const std::uint32_t> listed) const;

private:
    RayChunk chunk(const RayAnswers& to, ShapeKind kind) const;
    void pose(const Pair& pair, PosedRay& to) const;

    const bool reads_columns_;  // SIMD code reads the caller's bodies and rays
};

}  // namespace abut
