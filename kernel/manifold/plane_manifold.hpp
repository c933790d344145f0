// Manifolds over a half-space. Nothing is clipped against a plane without end: of the shape's supporting feature every corner within the
// margin is a contact, whose other half is the plane's one face.
//
// A rounded shape's corners are moved out to its surface: the lowest straight down, one at the upper end of an edge square to the edge, and
// the one across a face along the face's normal. So the deepest point of all is mostly among them, and keeps its corner's name.
#pragma once

#include "cooking/unit_prism.hpp"
#include "manifold/manifold.hpp"
#include "manifold/rim.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace plane_detail {

ABUT_INLINE IntW over_plane(IntW name) { return (name << 16) | IntW(static_cast<std::int32_t>(kFaceName)); }

// Contacts of a group on their way: points of A's surface, in A's frame.
struct ContactsOnPlaneW {
    Mat3W axes;  // of the contacts: two along the plane, and the normal, which looks into it
    Vec3W up;
    FloatW level, radius, deepest, margin, tolerance, slack;
    MaskW lanes;
    CandidatesW found = {};

    template <class CoreA>
    ABUT_INLINE ContactsOnPlaneW(const PairW<CoreA, PlaneCore>& pair, const ContactSeedW& seed, std::uint32_t which)
        : up(pair.b.normal),
          level(pair.b.level),
          radius(pair.radius_a),
          deepest(seed.answer.signed_distance),
          margin(seed.margin),
          tolerance(pair.tolerance),
          slack(max(seed.slack, FloatW(kDeepShare) * pair.tolerance)),
          lanes(MaskW::from_bits(which)) {
        const Vec3W n = seed.answer.normal, x = manifold_detail::tangent(n);
        axes = {x, cross(n, x), n};
    }
    // What is as deep as the deepest to rounding is within the margin, as that is.
    ABUT_INLINE FloatW limit() const { return max(margin, deepest + FloatW(kFeatureShare) * tolerance); }

    ABUT_INLINE CandidateW candidate(Vec3W p, FloatW height, FloatW separation, IntW name) const {
        const FloatW kept = max(min(separation, margin), deepest);
        return {dot(axes.x, p), dot(axes.y, p), kept * FloatW(0.5f) - height, kept, over_plane(name)};
    }
    ABUT_INLINE void put(MaskW wanted, Vec3W p, IntW name) {
        const FloatW height = dot(up, p), separation = height - level;
        wanted &= lanes & (separation <= limit());
        if (any(wanted)) found.append(wanted, candidate(p, height, separation, name));
    }
    // Both ends of an edge whose surface is round; `outward` is square to it. Seen end on it is its lower end.
    ABUT_INLINE void put_edge(MaskW wanted, Vec3W top, Vec3W bottom, Vec3W outward, std::uint32_t top_name,
                              std::uint32_t bottom_name) {
        const Vec3W way = top - bottom;
        const FloatW rise = dot(up, way), squared = length_squared(way), narrow = FloatW(kSliver) * tolerance;
        const MaskW upside_down = rise < FloatW(0.0f);
        const MaskW lies = (rise * rise < FloatW(1.0f - kSteepSegmentSquared) * squared) & (squared > narrow * narrow);
        put(wanted & (lies | upside_down), top + select(upside_down, -up, outward) * radius,
            IntW(static_cast<std::int32_t>(top_name)));
        put(wanted & (lies | ~upside_down), bottom + select(upside_down, outward, -up) * radius,
            IntW(static_cast<std::int32_t>(bottom_name)));
    }
};

// A vector's direction square to Y.
ABUT_INLINE Vec3W sideways_of(Vec3W d) {
    const FloatW by = FloatW(1.0f) / sqrt(max(d.x * d.x + d.z * d.z, FloatW(kTiny)));
    return {d.x * by, 0.0f, d.z * by};
}

// The corners of the face that looks most downwards, the lowest first: of twins, as a thin box has them, the first stays.
inline void put_box(ContactsOnPlaneW& contacts, Vec3W extent) {
    const FloatW zero = 0.0f;
    const Vec3W down = -contacts.up, m = abs(down);
    const MaskW is_x = (m.x >= m.y) & (m.x >= m.z), is_y = ~is_x & (m.y >= m.z), is_z = ~(is_x | is_y),
                rounded = contacts.radius > zero;
    const bool some_rounded = any(rounded & contacts.lanes);
    ABUT_UNROLL(4)
    for (int i = 0; i < 4; ++i) {
        // To the next corner along each of the two axes in the face, which follow its normal's.
        const MaskW u = MaskW::from_bits(i == 1 || i == 2 ? kAllLanes : 0), v = MaskW::from_bits(i >= 2 ? kAllLanes : 0);
        const MaskW flip_x = (is_z & u) | (is_y & v), flip_y = (is_x & u) | (is_z & v), flip_z = (is_y & u) | (is_x & v);
        const Vec3W side = {select(flip_x, -down.x, down.x), select(flip_y, -down.y, down.y), select(flip_z, -down.z, down.z)};
        Vec3W p = copysign(extent, side);
        if (some_rounded) {
            // Down, as far as that is outwards of all three faces that meet here.
            const Vec3W out = {select(flip_x, zero, down.x), select(flip_y, zero, down.y), select(flip_z, zero, down.z)};
            p = select(rounded, p + out * (contacts.radius / sqrt(length_squared(out))), p);
        }
        const IntW name = (bits_of(side.x) >> 31) | ((bits_of(side.y) >> 31) << 1) | ((bits_of(side.z) >> 31) << 2);
        contacts.put(contacts.lanes, p, name);
    }
}

inline void put_features(ContactsOnPlaneW& contacts, const ExtentCore& core, CoreForm form, const FrameView&, FloatW) {
    if (form == CoreForm::polytope) return put_box(contacts, core.extent);
    const Vec3W end = {0.0f, core.extent.y, 0.0f};
    contacts.put_edge(contacts.lanes, end, -end, sideways_of(-contacts.up), 0, 1);
}

// Of a cap's whole rim a square of the prism's corners is the best four: the first that has a corner as deep as the deepest.
struct RimW {
    static constexpr std::uint32_t kSquares = kPrismSides / 4;
    MaskW whole = MaskW::from_bits(kAllLanes);
    FloatW square = static_cast<float>(kSquares);  // its first corner

    // `slack`: as deep as the deepest.
    ABUT_INLINE RimW(const FloatW (&separation)[kPrismSides], FloatW limit, FloatW slack) {
        FloatW least = separation[0];
        for (std::uint32_t i = 0; i < kPrismSides; ++i) {
            whole &= separation[i] <= limit;
            least = min(least, separation[i]);
        }
        for (std::uint32_t i = 0; i < kPrismSides; ++i)
            square = select(separation[i] <= least + slack, min(square, FloatW(static_cast<float>(i % kSquares))), square);
    }
    ABUT_INLINE MaskW is_wanted(std::uint32_t i) const { return whole & (square == FloatW(static_cast<float>(i % kSquares))); }
};

// Of a part of a rim the ends and two points between them, evenly spread over the arc or over three quarters of the rim, if that is less: the best four.
inline void put_arc(ContactsOnPlaneW& contacts, MaskW wanted, FloatW radius, FloatW height, IntW first_corner) {
    const FloatW one = 1.0f, zero = 0.0f, up_x = contacts.up.x, up_z = contacts.up.z;
    const FloatW tilt = sqrt(max(up_x * up_x + up_z * up_z, FloatW(kTiny))), inverse = one / tilt;
    const FloatW low_x = -(up_x * inverse), low_z = -(up_z * inverse), middle = contacts.up.y * height - contacts.level;
    constexpr float kThreeQuarters = -0.70710678f;  // the cosine of half of that
    const FloatW end = max((middle - contacts.limit()) * inverse / radius, FloatW(kThreeQuarters));
    wanted &= end < one;
    const FloatW c = min(end, one);
    // The cosine of a third of the angle: 4 x^3 - 3 x = c.
    FloatW third = FloatW(0.8284f) + FloatW(0.1716f) * c;
    for (int step = 0; step < 3; ++step) {
        const FloatW squared = third * third;
        third -= ((FloatW(4.0f) * squared - FloatW(3.0f)) * third - c) / (FloatW(12.0f) * squared - FloatW(3.0f));
    }
    third = min(third, one);
    const auto put = [&](FloatW cosine, float sign, std::uint32_t point) {
        const FloatW sine = FloatW(sign) * sqrt(max(one - cosine * cosine, zero));
        const Vec3W at = {radius * (low_x * cosine - low_z * sine), height, radius * (low_z * cosine + low_x * sine)};
        const FloatW along = dot(contacts.up, at);
        const IntW name = (first_corner << 7) | IntW(static_cast<std::int32_t>(edge_name(0, point)));
        contacts.found.append(wanted, contacts.candidate(at, along, along - contacts.level, name));
    };
    put(c, 1.0f, rim_detail::kCrossing), put(c, -1.0f, rim_detail::kCrossing + 1);
    put(third, 1.0f, rim_detail::kArcPoint), put(third, -1.0f, rim_detail::kArcPoint + 1);
}

// A cylinder's or cone's cap, and its lowest point where none of the corners is.
inline void put_cap(ContactsOnPlaneW& contacts, const CurvedCore& core, MaskW caps, MaskW top, const FrameView& frame,
                    FloatW near) {
    const FloatW one = 1.0f, towards = select(top, one, -one);
    FloatW up = core.extent.y, width = core.extent.x;
    if (core.kind == ShapeKind::cone) {
        const auto disc = curved_feature_detail::apex_disc(core.extent.y, contacts.tolerance);
        up = select(top, disc.height, up), width = select(top, width * disc.share, width);
    }
    const FloatW height = towards * (up + contacts.radius);
    const MaskW wide = caps & (width + width > FloatW(kSliver) * contacts.tolerance) & (abs(contacts.up.y) > FloatW(kSteepFace));
    const auto corner = [&](std::uint32_t i) {
        const HullVertex& v = frame.prism->vertices[i];
        return Vec3W{width * FloatW(v.x), height, width * FloatW(v.z)};
    };
    FloatW separation[kPrismSides];
    for (std::uint32_t i = 0; i < kPrismSides; ++i) separation[i] = dot(contacts.up, corner(i)) - contacts.level;
    const RimW rim(separation, contacts.limit(), contacts.slack);
    for (std::uint32_t i = 0; i < kPrismSides; ++i)
        if (const MaskW wanted = wide & rim.is_wanted(i); any(wanted & contacts.lanes))
            contacts.put(wanted, corner(i),
                         select(top, IntW(static_cast<std::int32_t>(i)), IntW(static_cast<std::int32_t>(i + kPrismSides))));
    if (const MaskW part = wide & ~rim.whole & contacts.lanes; any(part))
        put_arc(contacts, part, width, height,
                select(top, IntW(0), IntW(static_cast<std::int32_t>(kPrismSides))));
    const MaskW reached = contacts.found.least_separation() <= contacts.deepest + contacts.slack;
    const Vec3W low = farthest_point(core, -contacts.up) - contacts.up * contacts.radius;
    const IntW name = select(top, IntW(static_cast<std::int32_t>(face_name(kTopFace))),
                             IntW(static_cast<std::int32_t>(face_name(kBottomFace))));
    const FloatW depth = dot(contacts.up, low);
    contacts.found.add_deepest(caps & contacts.lanes & ~reached, contacts.candidate(low, depth, contacts.deepest, name), near);
}

inline void put_features(ContactsOnPlaneW& contacts, const CurvedCore& core, CoreForm, const FrameView& frame, FloatW near) {
    const Vec3W down = -contacts.up;
    std::uint32_t level = 0;
    const IntW face = load(best_faces(core, down, kAllLanes, contacts.tolerance, level));
    const MaskW side = face == IntW(kSideFace), top = face == IntW(kTopFace);
    if (any(side & contacts.lanes)) {
        const Vec3W rim = sideways_of(down) * core.extent.x, end = {0.0f, core.extent.y, 0.0f};
        const Vec3W upper = core.kind == ShapeKind::cone ? end : rim + end;
        const auto of_side = curved_feature_detail::side_normal(core, down);
        const MaskW apex = side & of_side.is_of_apex();
        contacts.put_edge(side & ~apex, upper, rim - end, of_side.normal, kUpperEnd, kLowerEnd);
        contacts.put(apex, upper - contacts.up * contacts.radius, IntW(static_cast<std::int32_t>(kUpperEnd)));
    }
    if (any(~side & contacts.lanes)) put_cap(contacts, core, ~side, top, frame, near);
}

// --- Hulls: every vertex within the limit that is not on their back ---

// One lane's hull, its vertices as lanes.
struct HullOnPlane {
    Polytope p;
    Float3 x, y, up;
    float level, radius, deepest, margin, limit, share, slack;

    // The way from a vertex to the surface under it; false for one on the back, as a thin plate's upper corners are. A segment has no faces.
    ABUT_INLINE bool find_way_out(std::uint32_t vertex, Float3& way) const {
        const HullGeometry& hull = *p.hull;
        float most = kSteepFace;
        bool found = false;
        for (std::uint32_t i = hull.vertex_first[vertex]; i < hull.vertex_first[vertex + 1]; ++i) {
            const Float3 n = normal_of(p, hull.vertex_face[i]);
            const float along = -dot(up, n);
            if (!(along > most)) continue;
            way = n, most = along, found = true;
            if (radius == 0.0f) return true;
        }
        return found;
    }
    // The same for the other end of an edge of the deepest vertex, as deep to within the slack: a plate on its rim has no face that looks down.
    ABUT_INLINE bool find_way_off_edge(std::uint32_t vertex, float deep, Float3& way) const {
        const Float3 at = vertex_of(p, vertex);
        if (dot(up, at) - level - radius > deepest + slack) return false;
        for (const HullEdge& edge : p.hull->edges) {
            if (edge.v0 != vertex && edge.v1 != vertex) continue;
            const Float3 from = vertex_of(p, edge.v0 == vertex ? edge.v1 : edge.v0), along = at - from;
            const float rise = dot(up, along), squared = dot(along, along);
            if (dot(up, from) > deep || rise * rise > (1.0f - kSteepSegmentSquared) * squared) continue;
            const Float3 down = along * (rise / squared) - up;  // square to the edge
            way = down * (1.0f / sqrt_of(dot(down, down)));
            const Float3 lowest = vertex_of(p, support_vertex_of(p, way));
            if (dot(way, lowest - from) <= share) return true;  // nothing is under the edge
        }
        return false;
    }
    // use(vertex, the way from it to the surface under it), while that is true, by rising index whatever the number of lanes. The way is
    // straight down from those that are as deep as the deepest to rounding: both ends of an edge may be.
    template <class Use>
    ABUT_INLINE void for_each_low_vertex(Use&& use) const {
        const HullGeometry& hull = *p.hull;
        const FloatW dx = up.x * p.x, dy = up.y * p.y, dz = up.z * p.z, reach = limit + level + radius,
                     deep = deepest + share + level + radius;
        const float *px = hull.column_x(), *py = hull.column_y(), *pz = hull.column_z();
        for (std::uint32_t i = 0; i < hull.vertex_count; i += kLanes) {
            const FloatW height = dx * FloatW::load(px + i) + dy * FloatW::load(py + i) + dz * FloatW::load(pz + i);
            const std::uint32_t low = (height <= reach).bits() & lane_bits(hull.vertex_count - i),
                                lowest = (height <= deep).bits();
            for (std::uint32_t left = low; left != 0; left &= left - 1) {
                const auto lane = static_cast<std::uint32_t>(__builtin_ctz(left));
                Float3 way = -up;
                const bool is_below = (lowest >> lane & 1) != 0 || find_way_out(i + lane, way) ||
                                      find_way_off_edge(i + lane, deepest + share + level + radius, way);
                if (is_below && !use(i + lane, way)) return;
            }
        }
    }
    inline void find_candidates(Candidates& out) const {
        out.count = 0;
        for_each_low_vertex([&](std::uint32_t vertex, Float3 way) {
            const Float3 at = vertex_of(p, vertex) + way * radius;
            const float height = dot(up, at), separation = height - level;
            if (!(separation <= limit)) return true;
            const float near = separation < margin ? separation : margin, kept = near > deepest ? near : deepest;
            if (out.count == kMaxCandidates) thin_out(out, deepest + slack);
            out.append(dot(x, at), dot(y, at), kept * 0.5f - height, kept, vertex_name(vertex) << 16 | kFaceName);
            return true;
        });
        thin_out(out, deepest + slack);
    }
};

// The vertices of lanes whose hulls are sharp and have no more of them than slots.
struct LowVertices {
    LaneArray<std::int32_t> vertex[kMaxSearched] = {};
    LaneArray<float> count = {};
    std::uint32_t most = 0;

    // False, and nothing is changed, where it is not such a lane.
    ABUT_INLINE bool find(const HullOnPlane& hull, int lane) {
        if (hull.radius > 0.0f) return false;
        std::uint32_t found = 0;
        hull.for_each_low_vertex([&](std::uint32_t i, Float3) {
            if (found < kMaxSearched) vertex[found][lane] = static_cast<std::int32_t>(i);
            return ++found <= kMaxSearched;
        });
        if (found > kMaxSearched) return false;
        count[lane] = static_cast<float>(found);
        most = most < found ? found : most;
        return true;
    }
    ABUT_INLINE void put(ContactsOnPlaneW& contacts, const HullCore& core) const {
        contacts.found.count = load(count);
        contacts.found.most = static_cast<int>(most);
        for (std::uint32_t k = 0; k < most; ++k) {
            const Vec3W at = abut::ABUT_ISA_NAMESPACE::vertex(core, load(vertex[k]));
            const FloatW height = dot(contacts.up, at);
            contacts.found.slot[k] = contacts.candidate(at, height, height - contacts.level, load(vertex[k]));
        }
    }
};

[[gnu::noinline]] inline void put_features(ContactsOnPlaneW& contacts, const HullCore& core, CoreForm, const FrameView& frame,
                                           FloatW) {
    const auto parts = [](Vec3W v, LaneArray<float>(&out)[3]) {
        out[0] = lanes_of(v.x), out[1] = lanes_of(v.y), out[2] = lanes_of(v.z);
    };
    LaneArray<float> scale[3], x[3], y[3], up[3];
    parts(core.scale, scale), parts(contacts.axes.x, x), parts(contacts.axes.y, y), parts(contacts.up, up);
    const LaneArray<float> level = lanes_of(contacts.level), radius = lanes_of(contacts.radius),
                           deepest = lanes_of(contacts.deepest), margin = lanes_of(contacts.margin),
                           limit = lanes_of(contacts.limit()),
                           share = lanes_of(FloatW(kFeatureShare) * contacts.tolerance +
                                            FloatW(kHeightRounding) * abs(contacts.level)),
                           slack = lanes_of(contacts.slack);
    const auto at = [](const LaneArray<float>(&v)[3], int lane) { return Float3{v[0][lane], v[1][lane], v[2][lane]}; };
    LowVertices few;
    CandidateLanes lone = {};
    Candidates found;
    for_each_lane(contacts.lanes.bits(), [&](int lane) {
        const HullOnPlane hull = {polytope_of(core, scale, frame, lane),
                                  at(x, lane),
                                  at(y, lane),
                                  at(up, lane),
                                  level[lane],
                                  radius[lane],
                                  deepest[lane],
                                  margin[lane],
                                  limit[lane],
                                  share[lane],
                                  slack[lane]};
        if (few.find(hull, lane)) return;
        hull.find_candidates(found);
        lone.set(lane, found);
    });
    few.put(contacts, core);
    lone.merge_into(contacts.found);
}

template <class CoreA>
ABUT_INLINE bool has_one_contact(const CoreA&) {
    return false;
}
ABUT_INLINE bool has_one_contact(const CurvedCore& core) { return !has_features(core.kind); }

}  // namespace plane_detail

// As find_manifolds of two convex shapes: nothing is missing.
template <class CoreA>
manifold_detail::Lacking find_manifolds(const PairW<CoreA, PlaneCore>& pair, CoreForm form_a, CoreForm, const ContactSeedW& seed,
                                        const FrameView& frame, Turn, std::uint32_t lanes, ManifoldW& out) {
    using namespace plane_detail;
    if (has_one_contact(pair.a)) {
        out = lone_point(seed.answer, over_plane(IntW(static_cast<std::int32_t>(face_name(kSideFace)))));
        return {};
    }
    ContactsOnPlaneW contacts(pair, seed, lanes);
    put_features(contacts, pair.a, form_a, frame, FloatW(kSamePointShare) * pair.smaller);
    const ClipLimitsW limits = {seed.margin, seed.answer.signed_distance, pair.tolerance, FloatW(kSamePlaceShare) * pair.smaller,
                                seed.slack};
    manifold_detail::store_four(contacts.found, contacts.axes, splat(0.0f), limits, lanes, out);
    return {};
}

// A sphere's contact.
inline ManifoldW one_point(const PairW<PointCore, PlaneCore>&, CoreForm, const AnswerW& answer, IntW, std::uint32_t) {
    return lone_point(answer, plane_detail::over_plane(IntW(0)));
}

}  // namespace abut::ABUT_ISA_NAMESPACE
