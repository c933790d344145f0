// The slice of a polytope next to its support plane (slices.hpp) as the feature that a cap or a side line is clipped against: points closer than the
// bound may have split the polytope's face.
#pragma once

#include "manifold/slices.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace slices_detail {

// Of corners nearer than `apart` the first stays: what is left lies within the outline, and has no side whose direction is rounding.
inline void keep_apart(Outline& of, double apart) {
    const auto are_apart = [&](const Place& p, const Place& q) {
        const double dx = q.x - p.x, dy = q.y - p.y;
        return dx * dx + dy * dy > apart * apart;
    };
    int kept = of.count < 1 ? 0 : 1;
    for (int i = 1; i < of.count; ++i)
        if (are_apart(of.at[kept - 1], of.at[i]) && are_apart(of.at[i], of.at[0])) of.at[kept++] = of.at[i];
    of.count = kept;
}

// A line's, whose sides' directions would be rounding.
inline void keep_ends(Outline& of) {
    double most = 0.0;
    Place from = of.at[0], to = from;
    for (int i = 0; i < of.count; ++i)
        for (int k = 0; k < i; ++k) {
            const double dx = of.at[i].x - of.at[k].x, dy = of.at[i].y - of.at[k].y;
            if (const double squared = dx * dx + dy * dy; squared > most) most = squared, from = of.at[k], to = of.at[i];
        }
    of.count = 2, of.at[0] = from, of.at[1] = to;
}

// A corner where an edge leaves the slice is called after the lower end of that edge; of several of that name each has its own, in bits that few
// hulls' vertices need.
inline std::int32_t corner_id(const Outline& of, int corner) {
    std::uint32_t id = of.at[corner].vertex;
    for (int i = 0; i < corner; ++i)
        if (of.at[i].vertex == of.at[corner].vertex) id += 128;
    return static_cast<std::int32_t>(id);
}

inline void set_feature(Slice& slice, std::int32_t face, double tolerance, Feature& f) {
    Outline& outline = slice.outline;
    f.count = 0;
    if (!outline.fits) return;
    keep_apart(outline, tolerance);
    const double narrow = double(kSliver) * tolerance, length_squared = outline.length_squared();
    if (outline.count > static_cast<int>(kMaxCorners) || !(length_squared > narrow * narrow)) return;
    const double width = 0.5 * outline.twice_area() / __builtin_sqrt(length_squared);
    if (!(width > narrow)) keep_ends(outline);
    f.count = static_cast<std::uint32_t>(outline.count);
    f.face = static_cast<std::uint32_t>(face);
    f.facing = 1.0f;
    f.slope_x = f.slope_y = f.radius = 0.0f;
    f.is_round = f.has_chords = f.has_flat_ends = false;
    f.stands_for = 0;
    f.turn = 1.0f;
    f.shift = {0.0f, 0.0f, 0.0f};
    f.height0 = float(slice.level);
    for (int i = 0; i < outline.count; ++i) {
        const Place &p = outline.at[i], &q = outline.next(i);
        const double dx = q.x - p.x, dy = q.y - p.y, squared = dx * dx + dy * dy, inverse = 1.0 / __builtin_sqrt(squared);
        f.x[i] = float(p.x), f.y[i] = float(p.y), f.height[i] = f.height0, f.vertex[i] = corner_id(outline, i);
        f.side_x[i] = float(dx), f.side_y[i] = float(dy), f.side_height[i] = 0.0f, f.side_squared[i] = float(squared);
        f.line_x[i] = float(-dy * inverse), f.line_y[i] = float(dx * inverse);
        f.line_0[i] = float((dy * p.x - dx * p.y) * inverse);
    }
    f.width = float(width);
}

inline void set_outline(const Candidates& found, Outline& out) {
    out.count = 0, out.fits = true;
    for (std::uint32_t i = 0; i < found.count; ++i) out.append({double(found.x[i]), double(found.y[i]), 0, 0});
    make_convex(out);
}

}  // namespace slices_detail

// As take_slices where one shape is curved, of features that its slices are not.
template <class CoreA, class CoreB>
[[gnu::noinline]] void take_slice_features(const PairW<CoreA, CoreB>& pair, CoreForm form_a, CoreForm form_b, const ContactsW& contacts,
                                           const FrameView& frame, std::uint32_t level, std::uint32_t lanes, CandidatesW& found) {
    using namespace slices_detail;
    using namespace manifold_detail;
    const LanesOfPair of(pair, form_a, form_b, contacts, frame);
    const KnownOutlines outlines(found);
    CandidateLanes lone = {};
    Feature a, b;
    Slice slice;
    Outline part, known;
    Candidates corners;
    for_each_lane(lanes, [&](int lane) {
        const ContactSeed seed = of.seeds.of_lane(lane);
        const auto set = [&](const auto& side, std::int32_t face, Feature& f) {
            if (side.is_curved) return side.feature_of(lane, face, f);
            set_slice(side, lane, face, double(kSliceShare) * double(seed.tolerance), (level >> lane & 1) != 0, slice);
            set_feature(slice, face, double(seed.tolerance), f);
        };
        const std::int32_t face_a = contacts.face_a[lane], face_b = contacts.face_b[lane];
        set(of.a, face_a, a);
        if (a.count == 0) return;
        set(of.b, face_b, b);
        clip_features(a, b, of.a.edge_radius(lane, face_a), of.b.edge_radius(lane, face_b), clip_limits(a, b, seed), corners);
        if (!reaches(corners, seed)) return;
        set_outline(corners, part);
        outlines.set(lane, known);
        if (!spans_more(part, known, double(kSliver) * double(seed.tolerance))) return;
        sort_by_name(corners), thin_out(corners, seed.along + seed.slack), lone.set(lane, corners);
    });
    if (lone.lanes != 0) lone.merge_into(found);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
