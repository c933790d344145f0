// See surface_manifolds.hpp. All of it in double, one pair at a time: triangles are many, what they become is little.
#include "ground/surface_manifolds.hpp"

#include <algorithm>
#include <cmath>

#include "ground/side.hpp"

namespace abut {
namespace {

using exact::Vec3d;

// Planes that may part the body from others' triangles.
constexpr std::uint32_t kMostAccepted = 16;

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
    // What is behind a plane that it lies nearly along may be touched once the body tilts.
    bool is_behind(const Vec3d (&corners)[3], const Vec3d& own, double slack) const {
        for (std::uint32_t i = 0; i < count; ++i) {
            if (dot(planes[i].normal, own) > kAlongCosine) continue;
            double highest = -INFINITY;
            for (const Vec3d& v : corners) highest = exact::most(highest, dot(planes[i].normal, v));
            if (highest <= planes[i].level + slack) return true;
        }
        return false;
    }
};

}  // namespace

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
            if (parting.is_behind(at, world(plane), slack)) continue;
            touching(i).next = kept;
            kept = i;
        }
        plane.first = kept;
        if (kept == kNoTouching) continue;
        const PatchAxes axes(world(plane));
        GroundPoints points(axes, level());
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
    points.choose_four(double(kSamePlaceShare) * size_);
    const GroundPoint& deepest = points[0];
    const ChildPair& pair = touching(deepest.triangle).pair;
    out.pair = {pair.a, input_index(of_.surface_, pair.b), false, TriangleContact::unknown};
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
    GroundPoints points(axes, level());
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
        GroundPoints points(PatchAxes(exact::to_double(normal)), level());
        add_own(best, points);
        return store(normal, points, out);
    }
    if (touching(best).record.contacts[0].separation > 0) return false;
    const Vec3d sideways = towards - own * along, level = norm(sideways) > kTopSlack ? exact::unit(sideways) : own;
    Vec3d lowest;
    const double height = height_along(best, level, lowest);
    const InstanceRecord& record = tables_of(*of_.frame_.shapes).record(place_.shape);
    GroundPoints points(PatchAxes(level), this->level());
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
