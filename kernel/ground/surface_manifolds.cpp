// See surface_manifolds.hpp. All of it in double, one pair at a time: triangles are many, what they become is little.
#include "ground/surface_manifolds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "exact/core.hpp"
#include "frame/pair_placer.hpp"
#include "ground/patch.hpp"
#include "pairs/child_poses.hpp"
#include "shapes/surfaces.hpp"
#include "shapes/tables.hpp"
#include "tolerances.hpp"

namespace abut {
namespace {

using exact::Vec3d;

// Normals that are told apart for one body; the rest goes to the nearest of these.
constexpr std::uint32_t kMostClusters = 32;
// Planes that a triangle may join are looked for among so many, the last ones first; planes that may part the body from others' triangles are so many.
constexpr std::uint32_t kMostTried = 16, kMostAccepted = 16;

// Other triangles that an edge or a corner is held against, on either side in the mesh's order: of a soup of thousands not all, which would take seconds.
constexpr std::uint32_t kMostBeside = 2048;

struct Clusters {
    Vec3d normal[kMostClusters];
    std::uint32_t count = 0;

    std::uint32_t place(const Vec3d& n) {
        std::uint32_t nearest = 0;
        double most = -2;
        for (std::uint32_t i = 0; i < count; ++i)
            if (const double cosine = dot(normal[i], n); cosine > most) most = cosine, nearest = i;
        if (most >= kSameNormalCosine || count == kMostClusters) return nearest;
        normal[count] = n;
        return count++;
    }
};

std::uint32_t swap_halves(std::uint32_t feature) { return std::rotl(feature, 16); }

Vec3d centroid_of(const SurfaceCorners& corners) { return centre_of(corners); }

double twice_area(const SurfaceCorners& corners) {
    const Vec3d a = exact::to_double(corners.at[0]);
    return norm(cross(exact::to_double(corners.at[1]) - a, exact::to_double(corners.at[2]) - a));
}

bool lies_in(const SurfaceCorners& corners, const Vec3d& normal, const Vec3d& point, double slack) {
    for (const Vec3& v : corners.at)
        if (std::fabs(dot(normal, exact::to_double(v) - point)) > slack) return false;
    return true;
}

// Planes that part the body from what is behind them, once their contacts are solved. World axes, from the body's position.
struct Parting {
    struct Plane {
        Vec3d normal;  // towards the body
        double level;
    };
    Plane planes[kMostAccepted];
    std::uint32_t count = 0;

    void add(const Vec3d& normal, double level) {
        if (count < kMostAccepted) planes[count++] = {normal, level};
    }
    bool is_behind(const Vec3d (&corners)[3], double slack) const {
        for (std::uint32_t i = 0; i < count; ++i) {
            double highest = -INFINITY;
            for (const Vec3d& v : corners) highest = exact::most(highest, dot(planes[i].normal, v));
            if (highest <= planes[i].level + slack) return true;
        }
        return false;
    }
};

}  // namespace

// One convex body of A on the surface.
class GroundPair::Side {
public:
    Side(const GroundPair& of, std::uint32_t child, std::uint32_t first, std::uint32_t end)
        : of_(of),
          first_(first),
          end_(end),
          place_(ChildPlaces(tables_of(*of.frame_.shapes), of.a_)[child]),
          axes_(exact::rotation(exact::to_double(of.b_.orientation))),
          surface_from_body_(exact::to_double(of.b_.position) - exact::to_double(of.a_.position) - place_.offset) {
        const ShapeTables& tables = tables_of(*of.frame_.shapes);
        const InstanceRecord& record = tables.record(place_.shape);
        is_halfspace_ = place_.shape.kind() == ShapeKind::halfspace;
        size_ = is_halfspace_ ? tables.record(of.b_.shape).size : record.size;
        from_a_ = of.entry_.swapped() ? -surface_from_body_ : place_.offset;
    }

    std::uint32_t find_planes(GroundPlane* planes);
    void place_plane(GroundPlane& plane) const;
    std::uint32_t merge(std::span<GroundPlane> planes, MergedManifold* merged);

private:
    Touching& touching(std::uint32_t i) const { return of_.touching_[i]; }
    const SurfaceCorners& corners(std::uint32_t i) const { return touching(i).corners; }
    double flat_slack(const SeenSurface& seen) const { return kPlaneShare * size_ + 4 * kBendRounding * seen.coordinate; }
    SeenSurface seen_surface() const;

    // World axes, from the body's position.
    Vec3d from_body(const Vec3d& in_surface) const { return axes_ * in_surface + surface_from_body_; }
    void see_corners(std::uint32_t i, Vec3d (&out)[3]) const {
        const SurfaceCorners& of = corners(i);
        for (int k = 0; k < 3; ++k) out[k] = from_body(exact::to_double(of.at[k]));
    }
    // What a triangle's contacts are relative to.
    Vec3d contact_origin(std::uint32_t i) const { return touching(i).pair.is_turned ? from_body(centre_of(corners(i))) : Vec3d{}; }
    // Towards the body.
    Vec3d way(std::uint32_t i) const {
        const Vec3d n = exact::to_double(touching(i).record.normal);
        return touching(i).pair.is_turned ? n : -n;
    }
    // From the body.
    static Vec3 turned_normal(const ManifoldRecord& record, bool is_turned) {
        const Vec3 n = record.normal;
        return is_turned ? Vec3{-n.x, -n.y, -n.z} : n;
    }

    GroundPoint point_of(const Contact& contact, const Vec3d& origin, bool is_turned, std::uint32_t triangle) const {
        return {exact::to_double(contact.position) + origin,
                contact.separation,
                is_turned ? swap_halves(contact.feature) : contact.feature,
                triangle,
                true,
                0,
                0};
    }
    bool is_among_others(std::uint32_t i, const exact::Mat3& back, double near) const;
    bool rises_beside(std::uint32_t i, const Vec3d& place, const Vec3d& towards, double near) const;
    void add_own(std::uint32_t i, GroundPoints& points) const;
    void add_deepest(std::uint32_t i, const GroundPlane& plane, GroundPoints& points) const;
    void add_plane(const GroundPlane& plane, const PatchAxes& axes, GroundPoints& points) const;
    void join_planes(const SeenSurface& seen, GroundPlane* planes, std::uint32_t& count);
    void choose_planes(std::span<GroundPlane> planes);
    std::uint32_t cluster_count(std::span<const GroundPlane> planes) const;
    bool merge_cluster(std::uint32_t cluster, std::span<const GroundPlane> planes, MergedManifold& out) const;
    double height_along(std::uint32_t i, const Vec3d& towards, Vec3d& lowest) const;
    bool keep_one(MergedManifold& out) const;
    bool store(const Vec3& normal, GroundPoints& points, MergedManifold& out) const;

    const GroundPair& of_;
    std::uint32_t first_, end_;
    ChildPlace place_;
    exact::Mat3 axes_;
    Vec3d surface_from_body_, from_a_{};  // the latter: of the body, from the position of the caller's A
    bool is_halfspace_ = false;
    double size_ = 0;
    Clusters clusters_;
};

SeenSurface GroundPair::Side::seen_surface() const {
    SeenSurface out = {of_.surface_, {}, {}, 0};
    if (is_halfspace_) return out;
    const ShapeTables& tables = tables_of(*of_.frame_.shapes);
    const exact::Mat3 back = exact::transposed(axes_);
    const Vec3d centre = exact::rotation(exact::to_double(place_.orientation)) * local_box(tables, place_.shape).centre;
    out.centre = back * (centre - surface_from_body_);
    const Vec3d body_centre = exact::rotation(exact::to_double(of_.a_.orientation)) * centre_of_bounds(tables, of_.a_.shape);
    out.body_centre = back * (body_centre - place_.offset - surface_from_body_);
    out.coordinate = max_abs(out.centre) + tables.record(place_.shape).bound_radius;
    return out;
}

// --- Which planes ---

std::uint32_t GroundPair::Side::find_planes(GroundPlane* planes) {
    const SeenSurface seen = seen_surface();
    const exact::Mat3 back = exact::transposed(axes_);
    std::uint32_t count = 0;
    for (std::uint32_t i = first_; i < end_; ++i) {
        Touching& t = touching(i);
        t.corners = corners_at(of_.surface_, t.pair.b);
        t.next = kNoTouching;
        t.own = seen.normal_at(t.corners);
        if (t.pair.contact != TriangleContact::unknown)
            t.hold = t.pair.contact == TriangleContact::on_face ? Hold::face : Hold::replaced;
        else
            t.hold = is_halfspace_ ? Hold::feature : hold_of(seen, t.pair.b, t.corners, t.own, back * way(i));
    }
    for (std::uint32_t i = first_; i < end_; ++i) {
        Touching& t = touching(i);
        if (t.hold == Hold::feature && !is_halfspace_ && is_among_others(i, back, flat_slack(seen))) t.hold = Hold::replaced;
        t.cluster = clusters_.place(t.hold == Hold::feature ? back * way(i) : t.own);
    }
    join_planes(seen, planes, count);
    for (std::uint32_t k = 0; k < count; ++k) place_plane(planes[k]);
    return count;
}

// Whether triangles in touch rise above every contact of a triangle: itself where the contact is on no outermost corner or edge, or another.
bool GroundPair::Side::is_among_others(std::uint32_t i, const exact::Mat3& back, double near) const {
    const Touching& t = touching(i);
    const Vec3d towards = back * way(i), origin = contact_origin(i) - surface_from_body_;
    for (std::uint32_t k = 0; k < t.count; ++k) {
        const Contact& contact = t.record.contacts[k];
        const Vec3d point = back * (exact::to_double(contact.position) + origin) - towards * (0.5 * contact.separation + of_.surface_.rounding);
        const Vec3d place = place_on_feature(t.corners, towards, point);
        const bool rises = norm(point - place) > kOverShare * size_ || rises_beside(i, place, towards, near);
        if (!rises) return false;
    }
    return true;
}

// Looks first at the triangles that are nearest in the mesh's order: they are near in space, too.
bool GroundPair::Side::rises_beside(std::uint32_t i, const Vec3d& place, const Vec3d& towards, double near) const {
    for (std::uint32_t step = 1; step <= kMostBeside; ++step) {
        const bool is_before = i >= first_ + step, is_after = i + step < end_;
        if (is_before && rises_about(corners(i - step), place, towards, near)) return true;
        if (is_after && rises_about(corners(i + step), place, towards, near)) return true;
        if (!is_before && !is_after) break;
    }
    return false;
}

// Of each cluster one plane where all triangles lie in it, else triangle by triangle.
void GroundPair::Side::join_planes(const SeenSurface& seen, GroundPlane* planes, std::uint32_t& count) {
    for (std::uint32_t cluster = 0; cluster < clusters_.count; ++cluster) {
        Vec3d normal{}, point{};
        double area = 0;
        const auto each = [&](const auto& visit) {
            for (std::uint32_t i = end_; i-- > first_;)
                if (touching(i).cluster == cluster && touching(i).hold != Hold::feature) visit(i, corners(i));
        };
        each([&](std::uint32_t i, const SurfaceCorners& at) {
            const double own = twice_area(at);
            normal = normal + touching(i).own * own, point = point + centroid_of(at) * own, area += own;
        });
        const std::uint32_t first_plane = count;
        const auto make = [&](const Vec3d& n, const Vec3d& p) {
            GroundPlane& plane = planes[count++];
            plane.child = touching(first_).pair.a;
            plane.normal = n, plane.point = p, plane.cluster = cluster, plane.first = kNoTouching, plane.has_face = false, plane.count = 0;
        };
        const auto join = [&](GroundPlane& plane, std::uint32_t i) {
            touching(i).next = plane.first;
            plane.first = i;
            plane.has_face |= touching(i).hold == Hold::face;
        };
        bool is_flat = area > 0;
        if (is_flat) {
            normal = exact::unit(normal), point = point * (1 / area);
            each([&](std::uint32_t, const SurfaceCorners& at) { is_flat = is_flat && lies_in(at, normal, point, flat_slack(seen)); });
        }
        if (is_flat) make(normal, point);
        each([&](std::uint32_t i, const SurfaceCorners& at) {
            if (is_flat) return join(planes[first_plane], i);
            for (std::uint32_t k = count; k > first_plane && count - k < kMostTried; --k)
                if (lies_in(at, planes[k - 1].normal, planes[k - 1].point, flat_slack(seen))) return join(planes[k - 1], i);
            make(touching(i).own, centroid_of(at));
            join(planes[count - 1], i);
        });
    }
}

void GroundPair::Side::place_plane(GroundPlane& plane) const {
    const Vec3d way_there = from_body(plane.point);
    const Vec3 rounded = finite_float(way_there);
    plane.body = {finite_float(exact::to_double(rounded) - way_there), place_.shape, place_.orientation};
    plane.surface = {rounded, {}, of_.b_.orientation};
    plane.rounding = of_.surface_.rounding;
}

// --- What becomes of them ---

// The contacts that the kernels gave a triangle.
void GroundPair::Side::add_own(std::uint32_t i, GroundPoints& points) const {
    const Touching& t = touching(i);
    const Vec3d origin = contact_origin(i);
    for (std::uint32_t k = 0; k < t.count; ++k) points.add(point_of(t.record.contacts[k], origin, t.pair.is_turned, i));
}

// What of the body is deepest below a triangle that it touches on its face, where the contacts of its plane leave it out.
void GroundPair::Side::add_deepest(std::uint32_t i, const GroundPlane& plane, GroundPoints& points) const {
    if (plane.count == 0) return;
    const Vec3d towards = -exact::to_double(plane.record.normal);
    Vec3d lowest;
    const double height = height_along(i, towards, lowest), radius = tables_of(*of_.frame_.shapes).record(place_.shape).radius;
    points.add({lowest - towards * (radius + 0.5 * height), height, plane.record.contacts[0].feature, i, true, 0, 0});
}

// A plane's contacts that are over its triangles, or what is left where some are not.
void GroundPair::Side::add_plane(const GroundPlane& plane, const PatchAxes& axes, GroundPoints& points) const {
    PatchPolygon polygon;
    bool is_over[kMaxContacts] = {};
    std::uint32_t over = 0;
    for (std::uint32_t k = 0; k < plane.count; ++k) {
        GroundPoint& p = polygon.points[polygon.size++] = point_of(plane.record.contacts[k], {}, false, kNoTouching);
        axes.see(p);
    }
    Vec3d at[3];
    const double slack = kOverShare * size_;
    for (std::uint32_t i = plane.first; i != kNoTouching && over < plane.count; i = touching(i).next) {
        see_corners(i, at);
        const PatchTriangle triangle(axes, at);
        for (std::uint32_t k = 0; k < plane.count; ++k) {
            if (is_over[k] || !triangle.is_under(polygon.points[k], slack)) continue;
            is_over[k] = true, ++over;
            polygon.points[k].triangle = i;
        }
    }
    for (std::uint32_t k = 0; k < plane.count; ++k)
        if (is_over[k]) points.add(polygon.points[k]);
    if (over == plane.count || plane.count < 2) return;
    polygon.sort_around();
    PatchPolygon cut;
    for (std::uint32_t i = plane.first; i != kNoTouching; i = touching(i).next) {
        see_corners(i, at);
        polygon.cut(PatchTriangle(axes, at), cut);
        for (std::uint32_t k = 0; k < cut.size; ++k) {
            if (cut.points[k].is_whole) continue;  // listed
            cut.points[k].triangle = i;
            points.add(cut.points[k]);
        }
    }
}

// Takes the triangles out of planes of replaced normals alone that need no contact of their own.
void GroundPair::Side::choose_planes(std::span<GroundPlane> planes) {
    if (std::all_of(planes.begin(), planes.end(), [](const GroundPlane& p) { return p.has_face; })) return;
    Parting parting;
    const double slack = 0.1 * kOverShare * size_;
    const auto world = [&](const GroundPlane& plane) { return -exact::to_double(plane.record.normal); };
    const auto level_of = [&](const GroundPlane& plane) { return dot(world(plane), from_body(plane.point)); };
    Vec3d at[3];
    for (std::uint32_t i = first_; i < end_; ++i) {
        if (touching(i).hold != Hold::feature) continue;
        see_corners(i, at);
        const Vec3d n = way(i);
        parting.add(n, exact::most(dot(n, at[0]), exact::most(dot(n, at[1]), dot(n, at[2]))));
    }
    for (std::uint32_t i = 0; i < planes.size(); ++i) {
        planes[i].order = i;
        if (planes[i].has_face && planes[i].count != 0) parting.add(world(planes[i]), level_of(planes[i]));
    }
    // The shallowest first.
    const auto separation = [](const GroundPlane& plane) { return plane.count == 0 ? INFINITY : plane.record.contacts[0].separation; };
    std::sort(planes.begin(), planes.end(), [&](const GroundPlane& p, const GroundPlane& q) {
        return separation(p) != separation(q) ? separation(p) > separation(q) : p.order < q.order;
    });
    for (GroundPlane& plane : planes) {
        if (plane.has_face || plane.count == 0) continue;
        std::uint32_t kept = kNoTouching;
        for (std::uint32_t i = plane.first, next = 0; i != kNoTouching; i = next) {
            next = touching(i).next;
            see_corners(i, at);
            if (parting.is_behind(at, slack)) continue;
            touching(i).next = kept;
            kept = i;
        }
        plane.first = kept;
        if (kept == kNoTouching) continue;
        const PatchAxes axes(world(plane));
        GroundPoints points(axes);
        add_plane(plane, axes, points);
        double deepest = INFINITY;
        for (std::uint32_t i = 0; i < points.size(); ++i) deepest = exact::least(deepest, points[i].separation);
        // The plane parts the body from what is below its lowest point by as much as its contacts are deep.
        if (deepest < INFINITY) parting.add(world(plane), level_of(plane) + separation(plane) - deepest);
    }
}

std::uint32_t GroundPair::Side::cluster_count(std::span<const GroundPlane> planes) const {
    std::uint32_t count = 0;
    for (std::uint32_t i = first_; i < end_; ++i) count = std::max(count, touching(i).cluster + 1);
    for (const GroundPlane& plane : planes) count = std::max(count, plane.cluster + 1);
    return count;
}

bool GroundPair::Side::store(const Vec3& normal, GroundPoints& points, MergedManifold& out) const {
    if (points.size() == 0) return false;
    points.choose_four(double(kSamePlaceShare) * size_, kOverShare * size_);
    const GroundPoint& deepest = points[0];
    const ChildPair& pair = touching(deepest.triangle).pair;
    out.pair = {pair.a, input_index(of_.surface_, pair.b), false};
    out.record.normal = normal;
    out.count = points.size();
    for (std::uint32_t k = 0; k < out.count; ++k) {
        const GroundPoint& p = points[k];
        std::uint32_t feature = p.feature;
        for (std::uint32_t i = 0; i < k; ++i)
            if (out.record.contacts[i].feature == feature) ++feature, i = ~0u;  // names of cut points may meet
        out.record.contacts[k] = {finite_float(p.position + from_a_), static_cast<float>(p.separation), feature};
    }
    if (!of_.entry_.swapped()) return true;
    out.record.normal = {-normal.x, -normal.y, -normal.z};
    for (std::uint32_t k = 0; k < out.count; ++k) out.record.contacts[k].feature = swap_halves(out.record.contacts[k].feature);
    return true;
}

bool GroundPair::Side::merge_cluster(std::uint32_t cluster, std::span<const GroundPlane> planes, MergedManifold& out) const {
    // The normal is that of the deepest.
    Vec3 normal{};
    double deepest = INFINITY;
    const auto take = [&](const Vec3& n, double separation) {
        if (separation < deepest) deepest = separation, normal = n;
    };
    for (const GroundPlane& plane : planes)
        if (plane.cluster == cluster && plane.count != 0 && plane.first != kNoTouching)
            take(plane.record.normal, plane.record.contacts[0].separation);
    if (deepest == INFINITY) {
        for (std::uint32_t i = first_; i < end_; ++i)
            if (const Touching& t = touching(i); t.cluster == cluster && t.hold == Hold::feature)
                take(turned_normal(t.record, t.pair.is_turned), t.record.contacts[0].separation);
    }
    if (deepest == INFINITY) return false;
    const PatchAxes axes(exact::to_double(normal));
    GroundPoints points(axes);
    for (const GroundPlane& plane : planes) {
        if (plane.cluster != cluster || plane.first == kNoTouching) continue;
        const std::uint32_t before = points.size();
        if (plane.count != 0) add_plane(plane, axes, points);
        if (points.size() != before || !plane.has_face) continue;
        for (std::uint32_t i = plane.first; i != kNoTouching; i = touching(i).next) {
            if (touching(i).pair.contact == TriangleContact::on_face)
                add_deepest(i, plane, points);
            else if (touching(i).hold == Hold::face)
                add_own(i, points);
        }
    }
    for (std::uint32_t i = first_; i < end_; ++i)
        if (touching(i).cluster == cluster && touching(i).hold == Hold::feature) add_own(i, points);
    return store(normal, points, out);
}

// How far the body is above the triangle along a unit way towards it, and its lowest point there (on the core). World axes.
double GroundPair::Side::height_along(std::uint32_t i, const Vec3d& towards, Vec3d& lowest) const {
    Vec3d at[3];
    see_corners(i, at);
    const double top = exact::most(dot(towards, at[0]), exact::most(dot(towards, at[1]), dot(towards, at[2])));
    const ShapeTables& tables = tables_of(*of_.frame_.shapes);
    const InstanceRecord& record = tables.record(place_.shape);
    exact::Core core;
    core.kind = place_.shape.kind();
    core.half = {record.extent_x, record.extent_y, record.extent_z};
    Vec3d centre{};
    if (core.kind == ShapeKind::hull) core.hull = &tables.hulls[record.geometry], centre = times(core.half, exact::to_double(core.hull->centre));
    if (core.kind == ShapeKind::ellipsoid) core.erosion = erosion_of(record);
    core.custom = tables.custom(core.kind, record.geometry);
    const exact::Mat3 turned = exact::rotation(exact::to_double(place_.orientation));
    lowest = turned * (core_support(core, transposed_times(turned, -towards)) + centre);
    return dot(towards, lowest) - record.radius - of_.surface_.rounding - top;
}

// Where all normals were replaced and no plane has a contact over its triangles: the deepest contact, along its own normal if that points out of the
// surface, else, of an overlap, along what of it is in the triangle's plane.
bool GroundPair::Side::keep_one(MergedManifold& out) const {
    const SeenSurface seen = seen_surface();
    std::uint32_t best = kNoTouching;
    for (std::uint32_t i = first_; i < end_; ++i) {
        if (touching(i).pair.contact != TriangleContact::unknown) continue;  // too far for its plane, by a rounding
        if (best == kNoTouching || touching(i).record.contacts[0].separation < touching(best).record.contacts[0].separation) best = i;
    }
    if (best == kNoTouching) return false;
    const Vec3d own = axes_ * seen.normal_at(corners(best)), towards = way(best);
    const double along = dot(own, towards);
    if (along >= 0) {
        const Vec3 normal = turned_normal(touching(best).record, touching(best).pair.is_turned);
        GroundPoints points{PatchAxes(exact::to_double(normal))};
        add_own(best, points);
        return store(normal, points, out);
    }
    if (touching(best).record.contacts[0].separation > 0) return false;
    const Vec3d sideways = towards - own * along, level = norm(sideways) > kTopSlack ? exact::unit(sideways) : own;
    Vec3d lowest;
    const double height = height_along(best, level, lowest);
    const InstanceRecord& record = tables_of(*of_.frame_.shapes).record(place_.shape);
    GroundPoints points{PatchAxes(level)};
    const std::uint32_t feature = touching(best).record.contacts[0].feature;
    points.add(
        {lowest - level * (record.radius + 0.5 * height), height, touching(best).pair.is_turned ? swap_halves(feature) : feature, best, true, 0, 0});
    return store(finite_float(-level), points, out);
}

std::uint32_t GroundPair::Side::merge(std::span<GroundPlane> planes, MergedManifold* merged) {
    choose_planes(planes);
    std::uint32_t count = 0;
    const std::uint32_t clusters = cluster_count(planes);
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) count += merge_cluster(cluster, planes, merged[count]);
    if (count == 0) count += keep_one(merged[0]);
    return count;
}

GroundPair::GroundPair(const Frame& frame, const CompoundPair& owner, std::span<Touching> touching)
    : frame_(frame), entry_(owner.entry), touching_(touching) {
    const auto [a, b] = PairPlacer(frame)(owner.entry);
    a_ = a, b_ = b;
    surface_ = surface_of(tables_of(*frame.shapes), b_.shape);
}

std::uint32_t GroundPair::find_planes(GroundPlane* planes) const {
    std::uint32_t count = 0;
    for (std::uint32_t first = 0, end = 0; first < touching_.size(); first = end) {
        while (end < touching_.size() && touching_[end].pair.a == touching_[first].pair.a) ++end;
        count += Side(*this, touching_[first].pair.a, first, end).find_planes(planes + count);
    }
    return count;
}

std::uint32_t GroundPair::merge(std::span<GroundPlane> planes, MergedManifold* merged) const {
    std::uint32_t count = 0;
    std::size_t plane = 0;
    for (std::uint32_t first = 0, end = 0; first < touching_.size(); first = end) {
        const std::uint32_t child = touching_[first].pair.a;
        while (end < touching_.size() && touching_[end].pair.a == child) ++end;
        const std::size_t first_plane = plane;
        while (plane < planes.size() && planes[plane].child == child) ++plane;
        count += Side(*this, child, first, end).merge(planes.subspan(first_plane, plane - first_plane), merged + count);
    }
    return count;
}

}  // namespace abut
