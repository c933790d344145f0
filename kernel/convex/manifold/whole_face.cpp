// See whole_face.hpp.
#include "convex/manifold/whole_face.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

namespace {

// The four corners of a face that span the largest area, in contact coordinates.
struct QuadW {
    FloatW x[4], y[4], height[4];
    IntW vertex[4];
    FloatW middle_x = 0.0f, middle_y = 0.0f, middle = 0.0f;

    explicit QuadW(const WholeFaceW& of) {
        const FloatW quarter = 0.25f;
        for (int k = 0; k < 4; ++k) {
            const float* rows[kLanes];
            for (int lane = 0; lane < kLanes; ++lane)
                rows[lane] = &of.view.corners[lane][of.view.face[lane]->quad[k]].x;
            FloatW corner[4];
            transpose_records4(rows, corner);
            const Vec3W at = multiply({corner[0], corner[1], corner[2]}, of.scale);
            x[k] = dot(of.axes.x, at) + of.view.origin.x, y[k] = dot(of.axes.y, at) + of.view.origin.y;
            height[k] = dot(of.axes.normal, at) + of.view.origin.z;
            vertex[k] = bits_of(corner[3]);
            middle_x += quarter * x[k], middle_y += quarter * y[k], middle += quarter * height[k];
        }
    }
    FloatW twice_area() const { return abs((x[2] - x[0]) * (y[3] - y[1]) - (y[2] - y[0]) * (x[3] - x[1])); }
    void pull(int k, FloatW kept) {
        const MaskW moves = kept < FloatW(1.0f);
        x[k] = select(moves, middle_x + (x[k] - middle_x) * kept, x[k]);
        y[k] = select(moves, middle_y + (y[k] - middle_y) * kept, y[k]);
        height[k] = select(moves, middle + (height[k] - middle) * kept, height[k]);
    }
};

// Sets `kept` to the share of the line from the quadrilateral's middle to each corner that is over a face. Returns
// those of the `alive` lanes whose middle is over the face. `height_0`: the height of the face's plane at x = y = 0.
inline MaskW keep_over(const WholeFaceW& over, const QuadW& quad, MaskW alive, FloatW (&kept)[4], FloatW& height_0) {
    const FloatW zero = 0.0f;
    const float* rows[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) rows[lane] = &over.view.corners[lane]->x;
    const int most = static_cast<int>(reduce_max(select(alive, over.view.count, zero)));
    for (int j = 0; j < most; ++j) {
        FloatW corner[4], offset[4];
        transpose_records4(rows, corner, 8 * j);
        transpose_records4(rows, offset, 8 * j + 4);
        const Vec3W at = multiply({corner[0], corner[1], corner[2]}, over.scale),
                    step = {offset[0], offset[1], offset[2]};
        const Vec3W direction = over.has_box_sides ? step : multiply(step, over.scale);
        const FloatW x = dot(over.axes.x, at) + over.view.origin.x, y = dot(over.axes.y, at) + over.view.origin.y;
        if (j == 0)
            height_0 = dot(over.axes.normal, at) + over.view.origin.z - (over.view.slope_x * x + over.view.slope_y * y);
        const FloatW ex = dot(over.axes.x, direction), ey = dot(over.axes.y, direction);
        const FloatW inverse = over.view.winding / sqrt(max(ex * ex + ey * ey, FloatW(kTiny)));
        const FloatW nx = -(ey * inverse), ny = ex * inverse, line_0 = -(nx * x + ny * y);
        const MaskW has = over.view.count > FloatW(static_cast<float>(j));
        const FloatW inside = nx * quad.middle_x + ny * quad.middle_y + line_0;
        alive &= (inside > zero) | ~has;
        FloatW at_corner[4];
        for (int k = 0; k < 4; ++k) at_corner[k] = nx * quad.x[k] + ny * quad.y[k] + line_0;
        const FloatW least = min(min(at_corner[0], at_corner[1]), min(at_corner[2], at_corner[3]));
        const MaskW cuts = alive & has & (least < zero);
        if (!any(cuts)) continue;
        for (int k = 0; k < 4; ++k) {
            const FloatW share = inside / (inside - at_corner[k]);
            kept[k] = select(cuts & (at_corner[k] < zero), min(share, kept[k]), kept[k]);
        }
    }
    return alive;
}

// Sorts corners by id. Corners of B and of A are then in the same order, because the other face's name is the same for
// all.
inline void sort_by_vertex(const QuadW& quad, WholeFacesW& out, MaskW lanes) {
    FloatW key[4];
    for (int k = 0; k < 4; ++k) key[k] = names_detail::comparable(quad.vertex[k] & IntW(kNameIndex));
    for (int end = 3; end > 0; --end)
        for (int k = 0; k < end; ++k) {
            const MaskW swaps = lanes & (key[k] > key[k + 1]);
            const CandidateW first = select(swaps, out.at[k + 1], out.at[k]);
            const FloatW first_key = select(swaps, key[k + 1], key[k]);
            out.at[k + 1] = select(swaps, out.at[k], out.at[k + 1]), out.at[k] = first;
            key[k + 1] = select(swaps, key[k], key[k + 1]), key[k] = first_key;
        }
}

void put(const WholeFaceW& of, const WholeFaceW& over, bool over_is_a, const ClipLimitsW& limits, FloatW as_deep,
         MaskW lanes, WholeFacesW& out) {
    if (!any(lanes)) return;
    const FloatW one = 1.0f;
    QuadW quad(of);
    FloatW kept[4] = {one, one, one, one}, height_0 = 0.0f;
    lanes = keep_over(over, quad, lanes, kept, height_0);
    const FloatW whole = quad.twice_area();
    for (int k = 0; k < 4; ++k) quad.pull(k, kept[k]);
    lanes &= (whole > FloatW(0.0f)) & ~(quad.twice_area() < FloatW(kWholeFace) * whole);
    if (!any(lanes)) return;
    CandidateW corner[4];
    FloatW least = HUGE_VALF, most = -least;
    for (int k = 0; k < 4; ++k) {
        const FloatW other = height_0 + over.view.slope_x * quad.x[k] + over.view.slope_y * quad.y[k];
        const FloatW separation = over_is_a ? quad.height[k] - other : other - quad.height[k];
        const IntW own = quad.vertex[k] & IntW(kNameIndex),
                   name = over_is_a ? (over.view.name << 16) | own : (own << 16) | over.view.name;
        lanes &= limits.keep(separation);
        corner[k] = {quad.x[k], quad.y[k], FloatW(0.5f) * (quad.height[k] + other), max(separation, limits.separation),
                     name};
        least = min(least, corner[k].separation), most = max(most, corner[k].separation);
    }
    // If the corners are not level, other points may carry the load.
    lanes &= (least <= as_deep) & (most - least <= FloatW(kLevelRange) * limits.smaller);
    for (int k = 0; k < 4; ++k) out.at[k] = select(lanes, corner[k], out.at[k]);
    sort_by_vertex(quad, out, lanes);
    out.found |= lanes;
}

}  // namespace

void find_whole_faces(const WholeFaceW& a, const WholeFaceW& b, const ClipLimitsW& limits, FloatW as_deep, MaskW lanes,
                      WholeFacesW& out) {
    const FloatW few = kFewCorners,
                 apart = limits.apart(min(a.view.width, b.view.width), min(a.view.facing, b.view.facing));
    out.apart_squared = apart * apart;
    for (int k = 0; k < 4; ++k) out.at[k] = {0.0f, 0.0f, 0.0f, 0.0f, 0};
    put(b, a, true, limits, as_deep, lanes & (b.view.count > few), out);
    put(a, b, false, limits, as_deep, lanes & (a.view.count > few) & ~out.found, out);
}

}  // namespace abut::ABUT_ISA_NAMESPACE
