// See contact_faces.hpp.
#include "cooking/hull/contact_faces.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/memory.hpp"
#include "base/tolerances.hpp"
#include "cooking/cooking_tolerances.hpp"
#include "cooking/cooking_types.hpp"
#include "cooking/hull/exact_hull.hpp"

namespace abut {
namespace {

using cooking::Indices;
using cooking::normal_of;
using cooking::Vec3d;
using cooking::vertex_of;

constexpr std::uint32_t kMostQuadCorners = 64;

void lay_out_vertex_faces(HullGeometry& hull) {
    hull.vertex_first.assign(hull.vertex_count + 1, 0);
    for (const std::uint16_t vertex : hull.loop) ++hull.vertex_first[vertex + 1];
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) hull.vertex_first[v + 1] += hull.vertex_first[v];
    hull.vertex_face.resize(hull.loop.size());
    Vector<std::uint32_t> next(hull.vertex_first.begin(), hull.vertex_first.end() - 1);
    for (std::uint32_t f = 0; f < hull.face_count; ++f)
        for (std::uint32_t i = hull.face_first[f]; i < hull.face_first[f + 1]; ++i)
            hull.vertex_face[next[hull.loop[i]]++] = static_cast<std::uint16_t>(f);
}

// --- One face ---

struct Polygon {
    Vector<Vec3d> corners;  // counter-clockwise from outside
    Vector<std::uint16_t> vertices;
    Vec3d normal;
};

constexpr std::size_t kFewCorners = 64;

// The width of a face: over its edges, the least of the largest distances of a corner from the edge's line.
float width_of(const Polygon& face) {
    const std::size_t count = face.corners.size();
    double width = INFINITY;
    if (count == 3) {
        const Vec3d a = face.corners[1] - face.corners[0], b = face.corners[2] - face.corners[0], c = b - a,
                    across = cross(a, b);
        return static_cast<float>(std::sqrt(dot(across, across) / std::max(dot(a, a), std::max(dot(b, b), dot(c, c)))));
    }
    std::size_t farthest = 1;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d from = face.corners[i], side = face.corners[i + 1 < count ? i + 1 : 0] - from;
        const auto off = [&](std::size_t corner) {
            const Vec3d across = cross(side, face.corners[corner] - from);
            return dot(across, across);
        };
        double most = 0;
        if (count <= kFewCorners) {
            for (std::size_t corner = 0; corner < count; ++corner) most = std::max(most, off(corner));
        } else {
            // Rotating calipers [Shamos 1978].
            most = off(farthest);
            for (std::size_t steps = 0; steps < count; ++steps) {
                const std::size_t next = farthest + 1 < count ? farthest + 1 : 0;
                const double value = off(next);
                if (value < most) break;
                most = value, farthest = next;
            }
        }
        width = std::min(width, most / dot(side, side));
    }
    return static_cast<float>(std::sqrt(width));
}

// Finds the quadrilateral of four corners with the largest area. Tries all diagonals, each with the farthest corner on
// both of its sides. If areas differ by less than 1%, prefers the quadrilateral whose mean corner is nearest to the
// mean of all corners, then the first one found: a hexagon gives a rectangle, not a kite. Samples faces with more than
// kMostQuadCorners corners evenly.
std::array<std::uint16_t, 4> largest_quad(const Polygon& face) {
    const auto total = static_cast<std::uint32_t>(face.corners.size()), count = std::min(total, kMostQuadCorners);
    const auto place = [&](std::uint32_t i) { return static_cast<std::uint16_t>(std::uint64_t(i) * total / count); };
    if (count <= 4) return {0, 1, 2, static_cast<std::uint16_t>(count - 1)};
    Vector<std::array<double, 2>> p;
    const double normal[3] = {face.normal.x, face.normal.y, face.normal.z};
    const int axis = std::fabs(normal[0]) > 0.6   ? 0
                     : std::fabs(normal[1]) > 0.6 ? 1
                                                  : 2;  // all areas are scaled alike if seen along this axis
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec3d& v = face.corners[place(i)];
        const double at[3] = {v.x, v.y, v.z};
        p.push_back({at[(axis + 1) % 3], at[(axis + 2) % 3]});
    }
    const double turn = normal[axis] > 0 ? 1 : -1;
    const auto twice_area = [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
        return turn * ((p[j][0] - p[i][0]) * (p[k][1] - p[i][1]) - (p[j][1] - p[i][1]) * (p[k][0] - p[i][0]));
    };
    std::array<double, 2> middle = {0, 0};
    for (const auto& at : p) middle[0] += at[0] / count, middle[1] += at[1] / count;
    const auto off_middle = [&](const std::array<std::uint32_t, 4>& quad) {
        double x = -middle[0], y = -middle[1];
        for (const std::uint32_t i : quad) x += 0.25 * p[i][0], y += 0.25 * p[i][1];
        return x * x + y * y;
    };
    std::array<std::uint16_t, 4> best = {0, 1, 2, 3};
    double most = 0, least_off = 0;
    for (std::uint32_t i = 0; i + 2 < count; ++i) {
        for (std::uint32_t j = i + 2; j < count; ++j) {
            std::uint32_t right = i + 1, left = j;  // the best corners between i and j, and after j
            for (std::uint32_t k = i + 1; k < j; ++k)
                if (twice_area(j, i, k) > kSameQuad * twice_area(j, i, right)) right = k;
            for (std::uint32_t k = j + 1; k < count; ++k)
                if (twice_area(i, j, k) > kSameQuad * twice_area(i, j, left)) left = k;
            const double area = twice_area(j, i, right) + twice_area(i, j, left);
            if (left == j || kSameQuad * area < most) continue;
            // Offsets are squared lengths, so they are compared up to a thousandth of an area.
            const double off = off_middle({i, right, j, left});
            if (area <= kSameQuad * most && off >= least_off - 1e-3 * most) continue;
            most = area, least_off = off;
            best = {place(i), place(right), place(j), place(left)};
        }
    }
    return best;
}

// Four points of a face whose middle is the face's middle. A face with an odd number of corners has no such four
// corners, and a stack of prisms on corners would lean. These four points have the largest area among those whose
// mirror images about the middle are also in the face; the first wins ties. Only for faces with corners on a circle,
// and at most as many corners as lanes read.
struct BalancedQuad {
    Vec3d at[4];
    std::uint16_t vertex[4];
};

class Balancer {
public:
    explicit Balancer(const Polygon& face) : face_(face), count_(face.corners.size()) {
        for (const Vec3d& v : face.corners) middle_ = middle_ + v * (1.0 / double(count_));
        const Vec3d& n = face.normal;
        u_ = unit(face.corners[0] - middle_), v_ = cross(n, u_);
    }
    bool is_wanted() const {
        if (count_ < 5 || count_ > kCornerPad || count_ % 2 == 0) return false;
        double least = INFINITY, most = 0;
        for (const Vec3d& v : face_.corners)
            least = std::min(least, norm(v - middle_)), most = std::max(most, norm(v - middle_));
        return most <= kRound * least;
    }
    BalancedQuad find() const {
        double reach[kDirections];
        for (int i = 0; i < kDirections; ++i)
            reach[i] = std::min(border_along(direction(i)), border_along(direction(i) * -1.0));
        int best[2] = {0, 0};
        double most = 0;
        for (int i = 0; i < kDirections; ++i)
            for (int j = i + 1; j < kDirections; ++j) {
                const double area = reach[i] * reach[j] * std::sin(kStep * (j - i));
                if (area > kSameQuad * most) most = area, best[0] = i, best[1] = j;
            }
        BalancedQuad out;
        for (int k = 0; k < 4; ++k) {
            const int along = best[k % 2];
            out.at[k] = middle_ + direction(along) * (k < 2 ? reach[along] : -reach[along]);
            out.vertex[k] = nearest_vertex(out, k);
        }
        return out;
    }

private:
    static constexpr int kDirections = 180;
    static constexpr double kStep = 3.14159265358979323846 / kDirections, kRound = 1.01;

    Vec3d direction(int i) const { return u_ * std::cos(kStep * i) + v_ * std::sin(kStep * i); }
    double border_along(const Vec3d& towards) const {
        double nearest = INFINITY;
        for (std::size_t i = 0; i < count_; ++i) {
            const Vec3d from = face_.corners[i] - middle_,
                        out = cross(face_.corners[i + 1 < count_ ? i + 1 : 0] - face_.corners[i], face_.normal);
            if (const double along = dot(out, towards); along > 0) nearest = std::min(nearest, dot(out, from) / along);
        }
        return nearest;
    }
    // The nearest corner that none of the points before k names.
    std::uint16_t nearest_vertex(const BalancedQuad& quad, int k) const {
        std::size_t best = count_;
        for (std::size_t i = 0; i < count_; ++i) {
            if (std::find(quad.vertex, quad.vertex + k, face_.vertices[i]) != quad.vertex + k) continue;
            if (best == count_ || norm(face_.corners[i] - quad.at[k]) < norm(face_.corners[best] - quad.at[k]))
                best = i;
        }
        return face_.vertices[best];
    }

    const Polygon& face_;
    std::size_t count_;
    Vec3d middle_{}, u_, v_;
};

ContactFace contact_face(const Polygon& face, std::size_t first) {
    ContactFace out;
    out.x = float(face.normal.x) + 0.0f, out.y = float(face.normal.y) + 0.0f, out.z = float(face.normal.z) + 0.0f;
    out.width = width_of(face);
    out.first = static_cast<std::uint32_t>(first);
    out.count = static_cast<std::uint32_t>(face.corners.size());
    const std::array<std::uint16_t, 4> quad = largest_quad(face);
    std::copy(quad.begin(), quad.end(), out.quad);
    if (Balancer(face).is_wanted())
        for (std::uint16_t k = 0; k < 4; ++k)
            out.quad[k] = static_cast<std::uint16_t>(out.count + k);  // stored after the face's corners
    return out;
}

void set_polygon(const HullGeometry& hull, std::uint32_t face, Polygon& polygon) {
    const std::uint32_t first = hull.face_first[face], count = hull.face_first[face + 1] - first;
    polygon.corners.resize(count);
    polygon.vertices.assign(hull.loop.data() + first, hull.loop.data() + first + count);
    for (std::uint32_t i = 0; i < count; ++i) polygon.corners[i] = vertex_of(hull, hull.loop[first + i]);
    polygon.normal = normal_of(hull, face);
}

// `of`: the contact face of `face`; its four points may come after the corners.
void append_corners(HullGeometry& hull, const Polygon& face, const ContactFace& of) {
    const std::size_t count = face.corners.size(), first = hull.corners.size();
    const bool is_balanced = of.quad[0] >= of.count && of.count != 0;
    hull.corners.resize(first + count + (is_balanced ? 4 : 0));
    HullCorner* const corners = hull.corners.data() + first;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d v = face.corners[i], edge = face.corners[i + 1 < count ? i + 1 : 0] - v;
        corners[i] = {float(v.x),    float(v.y),    float(v.z),    face.vertices[i],
                      float(edge.x), float(edge.y), float(edge.z), 0.0f};
    }
    if (!is_balanced) return;
    const BalancedQuad quad = Balancer(face).find();
    for (std::size_t k = 0; k < 4; ++k)
        corners[count + k] = {
            float(quad.at[k].x), float(quad.at[k].y), float(quad.at[k].z), quad.vertex[k], 0.0f, 0.0f, 0.0f, 0.0f};
}

// --- Several faces merged into one ---

struct Group {
    Indices faces, vertices;   // vertices ascending
    Vec3d area{};              // twice the vector area
    double low = 0, high = 0;  // of the vertices along the normal

    Vec3d normal() const { return unit(area); }
};

class Grouper {
public:
    explicit Grouper(const HullGeometry& hull)
        : hull_(hull), limit_(kMergedThickness * hull.half_extent), most_level_gap_(kMostLevelGap * hull.half_extent) {}

    // HullGeometry::level_gap, by face; known after `run`.
    Vector<float> level_gaps() { return std::move(level_gaps_); }
    // The groups of two or more faces.
    Vector<Group> run() {
        Vector<Group> groups;
        if (!link_flat_neighbours()) return groups;
        taken_.assign(hull_.face_count, false);
        for (std::uint32_t f = 0; f < hull_.face_count; ++f) areas_.push_back(area_of(f));
        Indices order(areas_.size());
        std::iota(order.begin(), order.end(), 0u);
        std::sort(order.begin(), order.end(),
                  [&](std::uint32_t f, std::uint32_t g) { return larger(f, g) || (f < g && !larger(g, f)); });
        for (const std::uint32_t seed : order) {
            if (taken_[seed] || neighbours_[seed].empty()) continue;
            // The plane of an incomplete group is tilted. So the group grows within twice the limit first and, if the
            // result is not flat, within the limit.
            for (const double room : {2.0, 1.0}) {
                Group group = grow(seed, room * limit_);
                if (group.faces.size() < 2 || !is_flat(group, limit_)) continue;
                for (const std::uint32_t f : group.faces) taken_[f] = true;
                groups.push_back(std::move(group));
                break;
            }
        }
        return groups;
    }

private:
    Vec3d area_of(std::uint32_t face) const {
        const std::uint32_t first = hull_.face_first[face];
        return cooking::twice_area(hull_.face_first[face + 1] - first,
                                   [&](std::size_t i) { return vertex_of(hull_, hull_.loop[first + i]); });
    }
    bool larger(std::uint32_t f, std::uint32_t g) const {
        return dot(areas_[f], areas_[f]) > dot(areas_[g], areas_[g]);
    }

    // The largest distance of a face's corners below another face's plane. The search stops above most_level_gap_. No
    // corner is above a plane.
    double level_gap(std::uint32_t of, std::uint32_t below) const {
        const Vec3d n = normal_of(hull_, below);
        const double height = cooking::offset_of(hull_, below);
        double most = 0;
        for (std::uint32_t i = hull_.face_first[of]; i < hull_.face_first[of + 1] && most <= most_level_gap_; ++i)
            most = std::max(most, height - dot(n, vertex_of(hull_, hull_.loop[i])));
        return most;
    }
    // Links two faces across a nearly flat edge if all corners of one face are close to the other's plane. So a small
    // face may have a quite different normal.
    bool link_flat_neighbours() {
        for (const HullEdge& edge : hull_.edges) {
            if (!(dot(normal_of(hull_, edge.f0), normal_of(hull_, edge.f1)) >= kLeastCosine - 0.2)) continue;
            const double by = std::min(level_gap(edge.f0, edge.f1), level_gap(edge.f1, edge.f0));
            if (by > most_level_gap_) continue;
            if (level_gaps_.empty()) level_gaps_.assign(hull_.face_count, INFINITY);
            for (const std::uint32_t f : {edge.f0, edge.f1})
                level_gaps_[f] = std::min(level_gaps_[f], static_cast<float>(by));
            if (by > 4.0 * limit_) continue;
            if (neighbours_.empty()) neighbours_.resize(hull_.face_count);
            neighbours_[edge.f0].push_back(edge.f1);
            neighbours_[edge.f1].push_back(edge.f0);
        }
        return !neighbours_.empty();
    }

    bool is_flat(Group& group, double thickness) const {
        const Vec3d n = group.normal();
        group.low = INFINITY, group.high = -INFINITY;
        for (const std::uint32_t v : group.vertices) {
            const double height = dot(n, vertex_of(hull_, v));
            group.low = std::min(group.low, height), group.high = std::max(group.high, height);
        }
        return group.high - group.low <= thickness;
    }

    Group with(const Group& group, std::uint32_t face) const {
        Group out;
        out.faces = group.faces, out.faces.push_back(face);
        Indices own(hull_.loop.begin() + hull_.face_first[face], hull_.loop.begin() + hull_.face_first[face + 1]);
        std::sort(own.begin(), own.end());
        std::set_union(group.vertices.begin(), group.vertices.end(), own.begin(), own.end(),
                       std::back_inserter(out.vertices));
        out.area = group.area + areas_[face];
        return out;
    }

    // Adds neighbours to a group, the largest first, while one fits.
    Group grow(std::uint32_t seed, double thickness) const {
        Group group = with({}, seed);
        Indices open = neighbours_[seed];
        for (bool grown = true; grown;) {
            grown = false;
            std::sort(open.begin(), open.end(),
                      [&](std::uint32_t f, std::uint32_t g) { return larger(f, g) || (!larger(g, f) && f < g); });
            open.erase(std::unique(open.begin(), open.end()), open.end());
            Indices left;
            for (const std::uint32_t f : open) {
                if (taken_[f] || std::find(group.faces.begin(), group.faces.end(), f) != group.faces.end()) continue;
                Group larger_group = with(group, f);
                const bool fits =
                    dot(normal_of(hull_, f), larger_group.normal()) >= kLeastCosine && is_flat(larger_group, thickness);
                if (!fits) {
                    left.push_back(f);
                    continue;
                }
                group = std::move(larger_group);
                left.insert(left.end(), neighbours_[f].begin(), neighbours_[f].end());
                grown = true;
            }
            open = std::move(left);
        }
        return group;
    }

    const HullGeometry& hull_;
    double limit_, most_level_gap_;
    Vector<float> level_gaps_;
    Vector<bool> taken_;
    Vector<Vec3d> areas_;
    Vector<Indices> neighbours_;
};

// The outline of a group's vertices [Andrew 1979], in the plane halfway between the highest and the lowest. Of vertices
// that are closer to each other than the thickness limit, the first stays. The outline has fewer than 3 corners if the
// vertices are nearly on a line.
Polygon outline_of(const HullGeometry& hull, const Group& group) {
    Polygon out;
    out.normal = group.normal();
    const Vec3d n = out.normal, any = std::fabs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d u = unit(cross(n, any)), v = cross(n, u);
    struct Point {
        double x, y;
        std::uint32_t vertex;
    };
    Vector<Point> points;
    for (const std::uint32_t i : group.vertices)
        points.push_back({dot(u, vertex_of(hull, i)), dot(v, vertex_of(hull, i)), i});
    std::sort(points.begin(), points.end(),
              [](const Point& p, const Point& q) { return p.x != q.x ? p.x < q.x : p.y < q.y; });
    Vector<Point> loop = cooking::chain_hull(points, [](const Point& p, const Point& q, const Point& r) {
        return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x) > 0;
    });
    const double near = kMergedThickness * hull.half_extent, middle = 0.5 * (group.low + group.high);
    std::rotate(
        loop.begin(),
        std::min_element(loop.begin(), loop.end(), [](const Point& p, const Point& q) { return p.vertex < q.vertex; }),
        loop.end());
    const auto distance = [](const Point& p, const Point& q) { return std::hypot(q.x - p.x, q.y - p.y); };
    Vector<Point> kept;
    for (const Point& p : loop)
        if (kept.empty() || distance(kept.back(), p) > near) kept.push_back(p);
    while (kept.size() > 1 && distance(kept.back(), kept.front()) <= near) kept.pop_back();
    for (const Point& p : kept) {
        out.corners.push_back(u * p.x + v * p.y + n * middle);
        out.vertices.push_back(static_cast<std::uint16_t>(p.vertex));
    }
    return out;
}

void merge_faces(HullGeometry& hull) {
    // A flat hull may stand on an edge, where the contact normal is that of neither face.
    if (hull.report.dimension == 2) hull.level_gap.assign(hull.face_count, 0.0f);
    if (hull.report.dimension != 3) return;
    Grouper grouper(hull);
    const Vector<Group> groups = grouper.run();
    hull.level_gap = grouper.level_gaps();
    for (const Group& group : groups) {
        const Polygon outline = outline_of(hull, group);
        if (outline.corners.size() < 3) continue;
        if (hull.merged.empty()) hull.merged.assign(hull.face_count, kNotMerged);
        const auto name = *std::min_element(group.faces.begin(), group.faces.end());
        const auto at = static_cast<std::uint16_t>(hull.merged_faces.size());
        for (const std::uint32_t f : group.faces) hull.merged[f] = at;
        MergedFace merged;
        merged.face = contact_face(outline, hull.corners.size());
        merged.name = name;
        merged.thickness = static_cast<float>((group.high - group.low) * (1.0 + 0x1p-20));
        hull.merged_faces.push_back(merged);
        append_corners(hull, outline, merged.face);
    }
}

}  // namespace

void lay_out_contact_faces(HullGeometry& hull) {
    lay_out_vertex_faces(hull);
    hull.contact_faces.reserve(hull.face_count + std::size_t(1));
    hull.corners.reserve(hull.loop.size() + kCornerPad);
    Polygon face;
    for (std::uint32_t f = 0; f < hull.face_count; ++f) {
        set_polygon(hull, f, face);
        hull.contact_faces.push_back(contact_face(face, hull.corners.size()));
        append_corners(hull, face, hull.contact_faces.back());
    }
    if (hull.face_count == 0) hull.contact_faces.push_back({});
    merge_faces(hull);
    hull.corners.resize(hull.corners.size() + kCornerPad);
}

void measure_widths(HullGeometry& hull, Vec3 scale) {
    const double least = std::min({scale.x, scale.y, scale.z});
    Polygon scaled;
    const auto measure = [&](ContactFace& face) {
        scaled.corners.clear();
        for (std::uint32_t i = 0; i < face.count; ++i) {
            const HullCorner& c = hull.corners[face.first + i];
            scaled.corners.push_back({double(c.x) * scale.x, double(c.y) * scale.y, double(c.z) * scale.z});
        }
        if (face.count != 0) face.width = static_cast<float>(width_of(scaled) / least);
    };
    for (ContactFace& face : hull.contact_faces) measure(face);
    for (MergedFace& merged : hull.merged_faces) measure(merged.face);
}

}  // namespace abut
