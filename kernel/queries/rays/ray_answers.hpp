// The hits of rays, one pair per lane, and the code that writes them to the caller's columns.
#pragma once

#include "queries/rays/ray_lanes.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

using MetW = Met<LaneRays>;
using RayW = LaneRays::Ray;

struct HitW {
    MetW met = {HUGE_VAL, {0.0, 0.0, 0.0}, DoubleW(1.0) < DoubleW(0.0)};
    std::uint32_t one_by_one = 0;  // lanes whose hits load_hits replaces; if 0, child and status are not set
    LaneArray<std::int32_t> child, status;
    IntW face = kNoFace;
};

// The rays of all lanes in memory, to read those of single lanes.
struct RayArrays {
    LaneArray<double> at[7];
    LaneArray<std::int32_t> sides;

    ABUT_INLINE RayArrays(const RayW& ray, const LaneArray<std::int32_t>& sides_of_lanes)
        : at{lanes_of(ray.origin.x),    lanes_of(ray.origin.y),    lanes_of(ray.origin.z), lanes_of(ray.direction.x),
             lanes_of(ray.direction.y), lanes_of(ray.direction.z), lanes_of(ray.length)},
          sides(sides_of_lanes) {}
    ABUT_INLINE LaneRay operator[](int lane) const {
        LaneRay one;
        for (int k = 0; k < 3; ++k) one.origin[k] = at[k][lane], one.direction[k] = at[3 + k][lane];
        one.length = at[6][lane], one.sides = static_cast<QuerySides>(sides[lane]);
        return one;
    }
};

// Replaces the hits of the lanes of hit.one_by_one by found(lane).
template <class Found>
ABUT_INLINE void load_hits(HitW& hit, Found&& found) {
    LaneArray<double> met[5] = {lanes_of(hit.met.distance), lanes_of(hit.met.normal.x), lanes_of(hit.met.normal.y),
                                lanes_of(hit.met.normal.z),
                                lanes_of(select(hit.met.inside, DoubleW(1.0), DoubleW(0.0)))};
    LaneArray<std::int32_t> face = lanes_of(hit.face);
    clear_upper();
    for_each_lane(hit.one_by_one, [&](int lane) {
        const LaneHit& one = found(lane);
        met[0][lane] = one.distance;
        for (int k = 0; k < 3; ++k) met[1 + k][lane] = one.normal[k];
        met[4][lane] = one.starts_inside ? 1.0 : 0.0;
        hit.child[lane] = static_cast<std::int32_t>(one.child),
        hit.status[lane] = static_cast<std::int32_t>(one.status), face[lane] = one.face;
    });
    hit.face = load(face);
    hit.met = {load(met[0]), {load(met[1]), load(met[2]), load(met[3])}, DoubleW(0.5) < load(met[4])};
}

struct AnswersW {
    DoubleW fraction;
    Vec3W point, normal;
    IntW hit, inside, child, status, face;
};

ABUT_INLINE AnswersW answers_of(const LoadedRays& in, const HitW& hit) {
    const DoubleW one = 1.0;
    const std::uint32_t hits = in.needed & bits_of(hit.met.distance < DoubleW(HUGE_VAL));
    const MaskW is_hit = MaskW::from_bits(hits), is_valid = MaskW::from_bits(in.valid);
    const IntW yes = 1, no = 0, no_face = kNoFace;
    const Vec3W none = splat(0.0f);
    const DoubleMaskW are_hits = widen(is_hit), are_valid = widen(is_valid);
    const DoubleW distance = select(are_hits, hit.met.distance, DoubleW(0.0));
    AnswersW out = {select(are_hits, min(distance / in.length, one), select(are_valid, one, DoubleW(0.0))),
                    select(is_hit, narrow(in.from_body + in.direction * distance), none),
                    select(is_hit, narrow(rotate(in.axes, hit.met.normal)), none),
                    select(is_hit, yes, no),
                    select(MaskW::from_bits(hits & bits_of(hit.met.inside)), yes, no),
                    no,
                    select(is_valid, IntW(static_cast<std::int32_t>(Status::ok)),
                           IntW(static_cast<std::int32_t>(Status::bad_pose))),
                    select(MaskW::from_bits(hits & ~bits_of(hit.met.inside)), hit.face, no_face)};
    if (hit.one_by_one == 0) return out;
    out.child = select(is_hit, load(hit.child), no);
    out.status = select(is_hit, load(hit.status), out.status);
    return out;
}

// Writes whole vectors, for lanes with adjacent pairs.
ABUT_INLINE void store_in_order(const RayChunk& chunk, std::uint32_t pair, const AnswersW& of) {
    of.hit.store_bytes(chunk.hit + pair);
    of.status.store_bytes(reinterpret_cast<std::uint8_t*>(chunk.status + pair));
    of.fraction.lo.store_unaligned(chunk.fraction + pair),
        of.fraction.hi.store_unaligned(chunk.fraction + pair + kLanes / 2);
    if (chunk.point != nullptr) store_threes(of.point.x, of.point.y, of.point.z, &chunk.point[pair].x);
    if (chunk.normal != nullptr) store_threes(of.normal.x, of.normal.y, of.normal.z, &chunk.normal[pair].x);
    if (chunk.child != nullptr) of.child.store_unaligned(reinterpret_cast<std::int32_t*>(chunk.child + pair));
    if (chunk.inside != nullptr) of.inside.store_bytes(chunk.inside + pair);
    if (chunk.face == nullptr) return;
    const LaneArray<std::int32_t> face = lanes_of(of.face);
    for (int lane = 0; lane < kLanes; ++lane)
        chunk.face[pair + static_cast<std::uint32_t>(lane)] = static_cast<std::uint16_t>(face[lane]);
}

ABUT_INLINE void store_each(const RayChunk& chunk, const PairRows& rows, const AnswersW& of) {
    const LaneArray<double> fraction = lanes_of(of.fraction);
    const FloatW none = 0.0f;
    const LaneRecords4 point(of.point.x, of.point.y, of.point.z, none),
        normal(of.normal.x, of.normal.y, of.normal.z, none);
    const LaneArray<std::int32_t> hit = lanes_of(of.hit), inside = lanes_of(of.inside), child = lanes_of(of.child),
                                  status = lanes_of(of.status), face = lanes_of(of.face);
    for_each_lane(rows.lanes, [&](int lane) {
        const auto pair = static_cast<std::uint32_t>(rows.pair[lane]);
        chunk.hit[pair] = static_cast<std::uint8_t>(hit[lane]);
        chunk.status[pair] = static_cast<Status>(status[lane]);
        chunk.fraction[pair] = fraction[lane];
        if (chunk.point != nullptr) std::memcpy(&chunk.point[pair].x, point[lane], sizeof(Vec3));
        if (chunk.normal != nullptr) std::memcpy(&chunk.normal[pair].x, normal[lane], sizeof(Vec3));
        if (chunk.child != nullptr) chunk.child[pair] = static_cast<std::uint32_t>(child[lane]);
        if (chunk.inside != nullptr) chunk.inside[pair] = static_cast<std::uint8_t>(inside[lane]);
        if (chunk.face != nullptr) chunk.face[pair] = static_cast<std::uint16_t>(face[lane]);
    });
}

ABUT_INLINE void store(const RayChunk& chunk, const PairRows& rows, const AnswersW& answers) {
    if (rows.are_adjacent())
        store_in_order(chunk, static_cast<std::uint32_t>(rows.pair[0]), answers);
    else
        store_each(chunk, rows, answers);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
