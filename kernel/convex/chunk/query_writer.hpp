// The writer: what the query asks, and where its answers are stored. No other wide code knows which query runs.
#pragma once

#include "convex/chunk/store.hpp"
#include "convex/separation/gjk.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

inline constexpr float kInfinity = HUGE_VALF;

struct QueryWriter {
    const Chunk& chunk;

    // --- The question ---

    // True if the query asks for hit bits only.
    bool needs_hits() const { return abut::needs_hits(query()); }
    bool needs_contacts() const { return query() == Query::collide; }
    // True if the query needs the depth of overlapping shapes. Otherwise overlapping cores are an answer.
    bool needs_depth() const {
        return needs_contacts() || (query() == Query::distance && !chunk.parameters->separation_only);
    }
    bool has_reach() const { return query() != Query::distance || chunk.parameters->reach < kInfinity; }
    // True for overlap, which needs only the sign of the distance.
    bool needs_sign() const { return query() == Query::overlap; }

    // The distance, in metres, beyond which pairs need no answer.
    ABUT_INLINE FloatW reach(const std::uint16_t* list, std::uint32_t lanes) const {
        if (chunk.parameters->margins.empty()) return chunk.parameters->reach;
        LaneArray<float> reach = lanes_of(FloatW(0.0f));
        for_each_lane(lanes, [&](int lane) { reach[lane] = chunk.parameters->margins[chunk.pair(list[lane])]; });
        return load(reach);
    }

    // The largest distance between cores, scaled, that is a hit.
    template <class Pair>
    ABUT_INLINE FloatW hit_limit(const Pair& pair) const {
        return chunk.parameters->reach * pair.scale + pair.radius;
    }

    // The distances at which a search may end: beyond the reach or, for hits, within it.
    template <class Pair>
    ABUT_INLINE GjkLimitsW limits(const Pair& pair, const std::uint16_t* list, std::uint32_t lanes) const {
        // The error of lower bounds by packed supports.
        const FloatW uncertainty = packing_error(pair.a) + packing_error(pair.b);
        if (needs_hits()) return {hit_limit(pair) + uncertainty, hit_limit(pair)};
        // Slightly more than asked, because the answer, not this bound, is compared with the reach.
        return {(reach(list, lanes) * pair.scale + pair.radius) * FloatW(1.0f + kGjkStopShare * kToleranceSmaller) +
                    pair.tolerance + uncertainty,
                FloatW(-1.0f)};
    }

    // Lanes whose answer needs a point. `distance`: metres.
    ABUT_INLINE std::uint32_t point_lanes(const std::uint16_t* list, std::uint32_t lanes, FloatW distance) const {
        if (needs_hits()) return 0;
        const MaskW asked = distance <= reach(list, lanes);
        return (needs_depth() ? asked : asked & (distance > FloatW(0.0f))).bits() & lanes;
    }

    // --- The answer ---

    // Answers pairs beyond the reach.
    ABUT_INLINE void beyond(const std::uint16_t* list, std::uint32_t lanes) const {
        store_without_points(list, lanes, kInfinity);
    }
    // Answers pairs within the reach, for hits; or overlapping pairs, without depth.
    ABUT_INLINE void within(const std::uint16_t* list, std::uint32_t lanes) const {
        store_without_points(list, lanes, 0.0f);
    }

    // Stores the hit bits of pairs. `distance`: scaled.
    template <class Pair>
    ABUT_INLINE void write_hits_of(const Pair& pair, const std::uint16_t* list, std::uint32_t lanes,
                                   FloatW distance) const {
        store_hits(chunk, list, lanes, distance <= FloatW(chunk.parameters->reach) * pair.scale);
    }
    // Takes answers of any sign. Returns the lanes that need a manifold.
    template <class Pair>
    ABUT_INLINE std::uint32_t take(const Pair& pair, const std::uint16_t* list, std::uint32_t lanes,
                                   const AnswerW& answer) const {
        if (needs_hits()) {
            write_hits_of(pair, list, lanes, answer.signed_distance);
            return 0;
        }
        if (!needs_contacts()) {
            write_distances_of(pair, list, lanes, answer);
            return 0;
        }
        return (answer.signed_distance * pair.to_world.unit <= reach(list, lanes)).bits() & lanes;
    }
    // Takes answers of distance queries.
    template <class Pair>
    ABUT_INLINE void write_distances_of(const Pair& pair, const std::uint16_t* list, std::uint32_t lanes,
                                        const AnswerW& answer) const {
        const FloatW distance = answer.signed_distance * pair.to_world.unit;
        const std::uint32_t far = (~(distance <= reach(list, lanes))).bits() & lanes;
        const std::uint32_t flat = needs_depth() ? 0 : (distance <= FloatW(0.0f)).bits() & lanes;
        if (far != 0) beyond(list, far);
        if (flat != 0) within(list, flat);
        store_distances(chunk, list, lanes & ~(far | flat), pair.to_world, answer);
    }

    // Takes an answer of the exact path. Returns true if the pair needs a manifold.
    bool take_exact(std::uint32_t i, const ExactAnswer& answer) const {
        const OutputView& out = *chunk.out;
        const std::uint32_t pair = chunk.pair(i);
        out.status[pair] = answer.status;
        if (answer.status == Status::bad_pose) return false;
        if (needs_sign()) {
            out.hit[pair] = answer.overlaps;
            return false;
        }
        const bool is_within = answer.signed_distance <= chunk.parameters->reach_of(pair);
        if (needs_contacts()) return is_within;
        if (needs_hits())
            out.hit[pair] = is_within;
        else if (!is_within)
            store_distance(pair, kInfinity);
        else if (!needs_depth() && answer.signed_distance <= 0.0f)
            store_distance(pair, 0.0f);
        else
            store_exact_distance(chunk, i, answer);
        return false;
    }

private:
    Query query() const { return chunk.parameters->query; }

    // Stores a distance without points, a hit bit, or that there is no contact.
    ABUT_INLINE void store_without_points(const std::uint16_t* list, std::uint32_t lanes, float distance) const {
        for_each_lane(lanes, [&](int lane) {
            const std::uint32_t pair = chunk.pair(list[lane]);
            if (needs_hits())
                chunk.out->hit[pair] = distance <= 0.0f;
            else if (needs_contacts())
                chunk.out->contact_count[pair] = 0;
            else
                store_distance(pair, distance);
        });
    }
    ABUT_INLINE void store_distance(std::uint32_t pair, float distance) const {
        const OutputView& out = *chunk.out;
        out.signed_distance[pair] = distance;
        if (out.normal) out.normal[pair] = {};
        if (out.point_a) out.point_a[pair] = {};
        if (out.point_b) out.point_b[pair] = {};
    }
};

}  // namespace abut::ABUT_ISA_NAMESPACE
