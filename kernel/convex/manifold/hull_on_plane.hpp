// Contacts of hulls over half-spaces: every vertex within the limit that is not on the hull's back.
#pragma once

#include "convex/manifold/contacts_on_plane.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace plane_detail {

// For each vertex, the edges whose other end is as deep as the deepest vertex, to rounding, as linked lists in the
// order of the edges. An entry is twice the edge's index, plus one if the vertex is the edge's second end.
struct LowEdges {
    static constexpr std::uint16_t kNone = 0xffff;
    bool is_listed = false;
    std::uint16_t first[ShapeStore::kMaxHullVertices], next[6 * ShapeStore::kMaxHullVertices];
};

// The hull of one lane; vertices are processed in lanes.
struct HullOnPlane {
    Polytope p;
    Float3 x, y, up;
    float level, radius, deepest, margin, limit, share, slack, smaller, apart;

    // Finds the normal of the most downward face at a vertex. False for a vertex on the back, such as a thin plate's
    // upper corners, and for segments.
    bool find_outward(std::uint32_t vertex, Float3& outward) const {
        const HullGeometry& hull = *p.hull;
        float most = kSteepFace;
        bool found = false;
        for (std::uint32_t i = hull.vertex_first[vertex]; i < hull.vertex_first[vertex + 1]; ++i) {
            const Float3 n = normal_of(p, hull.vertex_face[i]);
            const float along = -dot(up, n);
            if (!(along > most)) continue;
            outward = n, most = along, found = true;
            if (radius == 0.0f) return true;
        }
        return found;
    }
    // Finds the downward perpendicular of an edge from a deepest vertex to this one: for a plate on its rim, which has
    // no downward face, and for rounded bars. `deep`: the height up to which vertices count as deepest.
    bool find_outward_of_edge(std::uint32_t vertex, float deep, Float3& outward, LowEdges& edges) const {
        const Float3 at = vertex_of(p, vertex);
        if (radius == 0.0f && dot(up, at) - level > deepest + slack) return false;
        if (!edges.is_listed) list_low_edges(edges, deep);
        for (std::uint16_t i = edges.first[vertex]; i != LowEdges::kNone; i = edges.next[i]) {
            const HullEdge& edge = p.hull->edges[i / 2];
            const Float3 from = vertex_of(p, (i & 1) != 0 ? edge.v0 : edge.v1), along = at - from;
            const float rise = dot(up, along), squared = dot(along, along);
            if (rise * rise > (1.0f - kSteepSegmentSquared) * squared) continue;
            const Float3 down = along * (rise / squared) - up;  // perpendicular to the edge
            outward = down * (1.0f / sqrt_of(dot(down, down)));
            const Float3 lowest = vertex_of(p, support_vertex_of(p, outward));
            if (dot(outward, lowest - from) <= share) return true;  // no part of the hull is below the edge
        }
        return false;
    }
    // Makes the lists once per hull, because a search per vertex would read thousands of edges each time.
    inline void list_low_edges(LowEdges& edges, float deep) const {
        const HullGeometry& hull = *p.hull;
        bool is_low[ShapeStore::kMaxHullVertices];
        for (std::uint32_t v = 0; v < hull.vertex_count; ++v)
            edges.first[v] = LowEdges::kNone, is_low[v] = dot(up, vertex_of(p, v)) <= deep;
        const auto add = [&](std::uint16_t vertex, std::uint32_t i) {
            edges.next[i] = edges.first[vertex], edges.first[vertex] = static_cast<std::uint16_t>(i);
        };
        for (auto i = static_cast<std::uint32_t>(hull.edges.size()); i-- > 0;) {
            const HullEdge& edge = hull.edges[i];
            if (is_low[edge.v0]) add(edge.v1, 2 * i + 1);
            if (is_low[edge.v1]) add(edge.v0, 2 * i);
        }
        edges.is_listed = true;
    }
    // Calls use(vertex, direction) in ascending order, whatever the number of lanes. `direction` leads from the vertex
    // to the surface below it. At the deepest vertices, to rounding, it is straight down: both ends of an edge may be
    // deepest.
    template <class Use>
    ABUT_INLINE void for_each_low_vertex(Use&& use) const {
        const HullGeometry& hull = *p.hull;
        const FloatW dx = up.x * p.x, dy = up.y * p.y, dz = up.z * p.z, reach = limit + level + radius,
                     deep = deepest + share + level + radius;
        const float *px = hull.column_x(), *py = hull.column_y(), *pz = hull.column_z();
        LowEdges edges;
        for (std::uint32_t i = 0; i < hull.vertex_count; i += kLanes) {
            const FloatW height = dx * FloatW::load(px + i) + dy * FloatW::load(py + i) + dz * FloatW::load(pz + i);
            const std::uint32_t low = (height <= reach).bits() & lane_bits(hull.vertex_count - i),
                                lowest = (height <= deep).bits();
            for (std::uint32_t left = low; left != 0; left &= left - 1) {
                const auto lane = static_cast<std::uint32_t>(lowest_bit(left));
                Float3 outward = -up;
                const auto is_off_edge = [&] {
                    return find_outward_of_edge(i + lane, deepest + share + level + radius, outward, edges);
                };
                const bool is_below = (lowest >> lane & 1) != 0 || (radius > 0.0f && is_off_edge()) ||
                                      find_outward(i + lane, outward) || (radius == 0.0f && is_off_edge());
                if (is_below) use(i + lane, outward);
            }
        }
    }
    inline void find_candidates(Candidates& out) const {
        out.count = 0, out.apart = apart;
        for_each_low_vertex([&](std::uint32_t vertex, Float3 outward) {
            const Float3 at = vertex_of(p, vertex) + outward * radius;
            const float height = dot(up, at), separation = height - level;
            if (!(separation <= limit)) return;
            const float near = separation < margin ? separation : margin, kept = near > deepest ? near : deepest;
            if (out.count == kMaxCandidates) thin_out(out, slack, smaller);
            put(out, dot(x, at), dot(y, at), kept * 0.5f - height, kept,
                static_cast<std::int32_t>(vertex_name(vertex) << 16 | kFaceName));
        });
        thin_out(out, slack, smaller);
    }
    // Adds a point. Of two points closer than `apart` the first stays, unless the other is lower by more than `share`.
    void put(Candidates& out, float px, float py, float height, float separation, std::int32_t name) const {
        for (std::uint32_t k = 0; k < out.count; ++k) {
            const float dx = out.x[k] - px, dy = out.y[k] - py, higher = out.separation[k] - separation;
            if (dx * dx + dy * dy + higher * higher > apart * apart) continue;
            if (higher > share) out.set(k, px, py, height, separation, name);
            return;
        }
        out.set(out.count++, px, py, height, separation, name);
    }
};

ABUT_NOINLINE inline void put_features(ContactsOnPlaneW& contacts, const HullCore& core, CoreForm,
                                       const FrameView& frame) {
    const LaneArray<float> scale[3] = {lanes_of(core.scale.x), lanes_of(core.scale.y), lanes_of(core.scale.z)};
    const Vec3Lanes x(contacts.axes.x), y(contacts.axes.y), up(contacts.up);
    const FloatW least_apart = FloatW(kLeastApart) * contacts.tolerance;
    const LaneArray<float> level = lanes_of(contacts.level), radius = lanes_of(contacts.radius),
                           deepest = lanes_of(contacts.deepest), margin = lanes_of(contacts.margin),
                           limit = lanes_of(contacts.limit()),
                           share = lanes_of(FloatW(kFeatureShare) * contacts.tolerance +
                                            FloatW(kHeightRounding) * abs(contacts.level)),
                           slack = lanes_of(contacts.slack), smaller = lanes_of(contacts.smaller),
                           apart = lanes_of(least_apart);
    CandidateLanes lone = {};
    Candidates found;
    for_each_lane(contacts.lanes.bits(), [&](int lane) {
        const HullOnPlane hull = {polytope_of(core, scale, frame, lane),
                                  x[lane],
                                  y[lane],
                                  up[lane],
                                  level[lane],
                                  radius[lane],
                                  deepest[lane],
                                  margin[lane],
                                  limit[lane],
                                  share[lane],
                                  slack[lane],
                                  smaller[lane],
                                  apart[lane]};
        hull.find_candidates(found);
        lone.set(lane, found);
    });
    lone.merge_into(contacts.found);
}

}  // namespace plane_detail

}  // namespace abut::ABUT_ISA_NAMESPACE
