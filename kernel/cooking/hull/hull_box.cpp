// See hull_box.hpp. A box along the axes has its eight vertices at the eight corners of its bounds. A box in any
// orientation has them at the sums of the three edges of one vertex.
#include "cooking/hull/hull_box.hpp"

#include <algorithm>
#include <cmath>

#include "base/double_math.hpp"
#include "cooking/cooking_tolerances.hpp"

namespace abut::cooking {
namespace {

using maths::Quatd;
using maths::Vec3d;

Vec3d vertex_at(const HullGeometry& hull, std::uint32_t i) {
    const HullVertex& v = hull.vertices[i];
    return maths::to_double(hull.centre) + Vec3d{v.x, v.y, v.z};
}

// The quaternion of the rotation with these columns [Shepperd 1978]; w is 0 or more.
Quatd quaternion_of(const Vec3d& x, const Vec3d& y, const Vec3d& z) {
    const double trace = x.x + y.y + z.z;
    Quatd q;
    if (trace >= x.x && trace >= y.y && trace >= z.z)
        q = {y.z - z.y, z.x - x.z, x.y - y.x, 1 + trace};
    else if (x.x >= y.y && x.x >= z.z)
        q = {1 + x.x - y.y - z.z, y.x + x.y, z.x + x.z, y.z - z.y};
    else if (y.y >= z.z)
        q = {y.x + x.y, 1 + y.y - x.x - z.z, z.y + y.z, z.x - x.z};
    else
        q = {z.x + x.z, z.y + y.z, 1 + z.z - x.x - y.y, x.y - y.x};
    const double sign = q.w < 0 ? -1.0 : 1.0;
    return maths::normalised({sign * q.x, sign * q.y, sign * q.z, sign * q.w});
}

struct BoxAxes {
    Vec3d axis[3];
    double length[3];  // of the box along each axis
};

// Assigns the axes x, y and z to three edges, right-handed, so that the rotation is nearest to the identity: it has the
// largest trace.
BoxAxes nearest_to_identity(const Vec3d (&edges)[3]) {
    constexpr int kOrders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    BoxAxes best{};
    double most = -4;
    for (const auto& order : kOrders) {
        for (int signs = 0; signs < 8; ++signs) {
            BoxAxes axes;
            double trace = 0;
            for (int k = 0; k < 3; ++k) {
                axes.length[k] = maths::norm(edges[order[k]]);
                axes.axis[k] = maths::unit(edges[order[k]]) * (signs >> k & 1 ? -1.0 : 1.0);
                trace += maths::component(axes.axis[k], k);
            }
            const bool is_right_handed = maths::dot(maths::cross(axes.axis[0], axes.axis[1]), axes.axis[2]) > 0;
            if (is_right_handed && trace > most) most = trace, best = axes;
        }
    }
    return best;
}

}  // namespace

void recognise_box(HullGeometry& hull) {
    hull.report.is_box = false;
    if (hull.report.dimension != 3 || hull.vertex_count != 8 || hull.face_count != 6) return;
    const Vec3 low = hull.bounds_min, high = hull.bounds_max, c = hull.centre;
    const double sides[3] = {double(high.x) - low.x, double(high.y) - low.y, double(high.z) - low.z};
    const double slack = kBoxSlack * std::min({sides[0], sides[1], sides[2]});
    unsigned corners = 0;
    for (std::uint32_t i = 0; i < 8; ++i) {
        const HullVertex& v = hull.vertices[i];
        const double at[3] = {double(c.x) + v.x, double(c.y) + v.y, double(c.z) + v.z};
        const double lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
        unsigned corner = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const double below = at[axis] - lows[axis], above = highs[axis] - at[axis];
            if (std::min(below, above) > slack) return;
            corner |= unsigned(above < below) << axis;
        }
        corners |= 1u << corner;
    }
    if (corners != 0xff) return;
    hull.report.is_box = true;
    hull.report.box_half_extents = {float(0.5 * sides[0]), float(0.5 * sides[1]), float(0.5 * sides[2])};
    hull.report.box_centre = {float(0.5 * (double(high.x) + low.x)), float(0.5 * (double(high.y) + low.y)),
                              float(0.5 * (double(high.z) + low.z))};
}

bool is_centred_box(const HullReport& report) {
    const Vec3 h = report.box_half_extents, c = report.box_centre;
    const double slack = kBoxSlack * 2.0 * std::min({h.x, h.y, h.z});
    return report.is_box && std::abs(c.x) <= slack && std::abs(c.y) <= slack && std::abs(c.z) <= slack;
}

std::optional<HullBox> box_of(const HullGeometry& hull) {
    if (hull.report.dimension != 3 || hull.vertex_count != 8 || hull.face_count != 6) return std::nullopt;
    if (hull.report.is_box) return HullBox{hull.report.box_half_extents, hull.report.box_centre, {}};
    Vec3d edges[3];
    int count = 0;
    for (const HullEdge& edge : hull.edges) {
        if (edge.v0 != 0) continue;  // edges are sorted by their lower end
        if (count == 3) return std::nullopt;
        edges[count++] = vertex_at(hull, edge.v1) - vertex_at(hull, 0);
    }
    if (count != 3) return std::nullopt;
    Vec3d sum = {0, 0, 0};
    double reach = 0;
    for (std::uint32_t i = 0; i < 8; ++i) {
        const Vec3d v = vertex_at(hull, i);
        sum = sum + v;
        reach = maths::max(reach, maths::max_abs(v));
    }
    const Vec3d centre = sum * 0.125;
    // Orthonormal axes from the edges: the direction of the longest edge is kept, because it is the most exact, then
    // that of the second longest.
    BoxAxes box = nearest_to_identity(edges);
    const double shortest = std::min({box.length[0], box.length[1], box.length[2]});
    const int least = box.length[0] == shortest   ? 0
                      : box.length[1] == shortest ? 1
                                                  : 2,
              next = (least + 1) % 3, last = (least + 2) % 3;
    const int first = box.length[next] >= box.length[last] ? next : last, second = first == next ? last : next;
    box.axis[second] = maths::unit(box.axis[second] - box.axis[first] * maths::dot(box.axis[first], box.axis[second]));
    box.axis[least] = maths::cross(box.axis[next], box.axis[last]);
    // The allowed error of a corner: kBoxSlack, plus the rounding error of float coordinates, which is larger for a box
    // far from the origin.
    const double slack = kBoxSlack * shortest + 0x1p-22 * reach;
    unsigned corners = 0;
    for (std::uint32_t i = 0; i < 8; ++i) {
        const Vec3d from_centre = vertex_at(hull, i) - centre;
        unsigned corner = 0;
        for (int k = 0; k < 3; ++k) {
            const double along = maths::dot(from_centre, box.axis[k]);
            if (std::fabs(std::fabs(along) - 0.5 * box.length[k]) > slack) return std::nullopt;
            corner |= unsigned(along < 0) << k;
        }
        corners |= 1u << corner;
    }
    if (corners != 0xff) return std::nullopt;
    const Quatd q = quaternion_of(box.axis[0], box.axis[1], box.axis[2]);
    return HullBox{{float(0.5 * box.length[0]), float(0.5 * box.length[1]), float(0.5 * box.length[2])},
                   {float(centre.x), float(centre.y), float(centre.z)},
                   {float(q.x), float(q.y), float(q.z), float(q.w)}};
}

}  // namespace abut::cooking
