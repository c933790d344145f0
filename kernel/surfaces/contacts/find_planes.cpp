// Steps 1 and 2 of surface_manifolds.hpp, and the planes of step 3: chooses the triangles that keep the kernels'
// normals, clusters nearly equal normals, and finds planes of coplanar triangles. In double, in the surface's frame.
#include <cmath>
#include <utility>

#include "shapes/surface_walk.hpp"
#include "surfaces/contacts/ground_body.hpp"
#include "surfaces/contacts/surface_side.hpp"
#include "surfaces/solids/solid.hpp"
#include "surfaces/triangles/probe.hpp"

namespace abut {
namespace {

// A triangle is compared with at most this many planes, the newest first.
constexpr std::uint32_t kMostTried = 16;
// Up to this many triangles in contact are compared one by one. If there are more, a search of the surface's tree finds
// those near a point.
constexpr std::uint32_t kFewBeside = 32;
// These searches examine at most this many triangles in total: a soup of triangles whose boxes contain each other's
// corners would take seconds.
constexpr std::uint32_t kMostBeside = 1u << 18;

}  // namespace

bool GroundPair::ConvexBody::lies_in(const SurfaceCorners& corners, const Vec3d& normal, const Vec3d& point,
                                     double slack) {
    for (const Vec3& v : corners.at)
        if (std::fabs(dot(normal, maths::to_double(v) - point)) > slack) return false;
    return true;
}

SeenSurface GroundPair::ConvexBody::seen_surface() const {
    SeenSurface out = {of_.surface_, {}, {}, 0};
    if (is_halfspace_) return out;
    const ShapeTables& tables = tables_of(*of_.frame_.shapes);
    const maths::Mat3 back = maths::transposed(axes_);
    const Vec3d centre = maths::rotation(maths::to_double(place_.orientation)) * local_box(tables, place_.shape).centre;
    out.centre = back * (centre - surface_from_body_);
    const Vec3d body_centre =
        maths::rotation(maths::to_double(of_.a_.orientation)) * centre_of_bounds(tables, of_.a_.shape);
    out.body_centre = is_solid(of_.surface_) ? out.centre : back * (body_centre - place_.offset - surface_from_body_);
    out.coordinate = max_abs(out.centre) + tables.record(place_.shape).bound_radius;
    return out;
}

// On a two-sided surface, leaves out triangles that face away from the body. Leaves out none if all face away, or if
// the centre is in front of all or of none.
void GroundPair::ConvexBody::leave_out_turned_away(const SeenSurface& seen) {
    if (is_halfspace_ || of_.surface_.sides() != MeshSides::both) return;
    std::uint32_t in_front = 0;
    for (std::uint32_t i = first_; i < end_; ++i) in_front += is_in_front(seen.centre, corners(i));
    if (in_front == 0 || in_front == end_ - first_) return;
    SurfaceSide side(of_.surface_, seen.centre);
    std::uint32_t taking_part = first_;
    for (std::uint32_t i = first_; i < end_; ++i) {
        ContactPair& t = pair_at(i);
        t.is_left_out = side.is_turned_away(t.pair.b);
        if (!t.is_left_out && i != taking_part++) std::swap(pair_at(taking_part - 1), t);
    }
    if (taking_part != first_)
        end_ = taking_part;
    else
        for (std::uint32_t i = first_; i < end_; ++i) pair_at(i).is_left_out = false;
}

std::uint32_t GroundPair::ConvexBody::find_planes(GroundPlane* planes) {
    if (is_inside()) return 0;
    const SeenSurface seen = seen_surface();
    const maths::Mat3 back = maths::transposed(axes_);
    for (std::uint32_t i = first_; i < end_; ++i) pair_at(i).corners = corners_at(of_.surface_, pair_at(i).pair.b);
    leave_out_turned_away(seen);
    for (std::uint32_t i = first_; i < end_; ++i) {
        ContactPair& t = pair_at(i);
        t.next = kNoContactPair, t.is_parted = false;
        t.own = seen.normal_at(t.corners);
    }
    // First the normals that are kept form clusters.
    for (std::uint32_t i = first_; i < end_; ++i) {
        ContactPair& t = pair_at(i);
        t.hold = source_of(seen, i, back);
        if (t.hold == NormalSource::replaced) continue;
        t.cluster = clusters_.find_or_add(t.hold == NormalSource::feature ? back * towards_body(i) : t.own);
    }
    if (clusters_.count > 1) {
        for (std::uint32_t k = 0; k < clusters_.count; ++k) clusters_.snap(k, snapped(axes_ * clusters_.normal[k]));
        for (std::uint32_t i = first_; i < end_; ++i)
            if (pair_at(i).hold != NormalSource::replaced) pair_at(i).cluster = clusters_.same[pair_at(i).cluster];
    }
    // Triangles with replaced normals join these clusters, or form clusters of their own.
    const std::uint32_t held = clusters_.count;
    for (std::uint32_t i = first_; i < end_; ++i) {
        ContactPair& t = pair_at(i);
        if (t.hold != NormalSource::replaced) continue;
        std::uint32_t nearest = 0;
        const bool joins = clusters_.nearest(t.own, held, nearest) >= kAlongCosine;
        t.cluster = joins ? clusters_.same[nearest] : clusters_.find_or_add(t.own, held);
    }
    std::uint32_t count = 0;
    join_planes(seen, held, planes, count);
    for (std::uint32_t k = 0; k < count; ++k) set_plane_pose(planes[k]);
    return count;
}

// True if the kernels have taken a normal from the body's face.
bool GroundPair::ConvexBody::is_of_own_face(const Vec3d& towards) const {
    const Vec3d off =
        supporting_normal(tables_of(*of_.frame_.shapes), place_.shape, place_.orientation, -towards) + towards;
    return dot(off, off) <= double(kFlat);
}

// The source of a triangle's normal. The kernels replace a normal that an edge allows by the normal of the body's face,
// if that is near. Flat ground under such a face keeps its own normal.
NormalSource GroundPair::ConvexBody::source_of(const SeenSurface& seen, std::uint32_t i, const maths::Mat3& back) {
    const ContactPair& t = pair_at(i);
    if (t.pair.contact != TriangleContact::unknown)
        return t.pair.contact == TriangleContact::on_face ? NormalSource::face : NormalSource::replaced;
    if (is_halfspace_) return NormalSource::feature;
    const Vec3d towards = towards_body(i), off = axes_ * t.own - towards;
    const bool is_near_own = dot(off, off) <= double(kSnapSquared);
    NormalSource source = NormalSource::replaced;
    for (const double slack : {kTopSlack, std::sqrt(double(kSnapSquared))}) {
        source = normal_source_of(seen, t.pair.b, t.corners, t.own, back * towards, slack);
        if (source == NormalSource::feature && is_among_others(i, back, flat_slack(seen), slack))
            source = NormalSource::replaced;
        if (source != NormalSource::replaced || is_near_own || !is_of_own_face(towards)) break;
    }
    return source;
}

// True if, at each contact of triangle i, some triangle rises above the contact: i itself, if the contact is off its
// outermost corners and edges, or another one (rises_beside).
bool GroundPair::ConvexBody::is_among_others(std::uint32_t i, const maths::Mat3& back, double near, double slack) {
    const ContactPair& t = pair_at(i);
    const Vec3d towards = back * towards_body(i), origin = contact_origin(i) - surface_from_body_;
    for (std::uint32_t k = 0; k < t.count; ++k) {
        const Contact& contact = t.record.contacts[k];
        const Vec3d point = back * (maths::to_double(contact.position) + origin) -
                            towards * (0.5 * contact.separation + of_.surface_.rounding);
        const Vec3d position = point_on_feature(t.corners, towards, point, slack);
        const bool rises =
            norm(point - position) > kOverShare * size_ || rises_beside(i, position, towards, near, slack);
        if (!rises) return false;
    }
    return true;
}

// True if another triangle in contact rises above the position. On a surface with T-junctions, triangles without
// contact count, too.
bool GroundPair::ConvexBody::rises_beside(std::uint32_t i, const Vec3d& position, const Vec3d& towards, double near,
                                          double slack) {
    // Across a T-junction flat ground continues in triangles that are no neighbours, whether the body is over them or
    // not.
    const bool has_junctions = of_.surface_.mesh != nullptr && of_.surface_.mesh->report.t_junctions != 0;
    if (end_ - first_ <= kFewBeside) {
        for (std::uint32_t k = first_; k < end_; ++k)
            if (k != i && rises_at(corners(k), position, towards, near, slack)) return true;
        if (!has_junctions) return false;
    }
    if (held_beside_ >= kMostBeside) return false;
    bool rises = false;
    walk_within(of_.surface_, box_volume({position, position}), near, [&](std::uint32_t triangle) {
        rises = triangle != pair_at(i).pair.b &&
                rises_at(corners_at(of_.surface_, triangle), position, towards, near, slack) &&
                (has_junctions || is_in_touch(triangle));
        return !rises && ++held_beside_ < kMostBeside;
    });
    return rises;
}

bool GroundPair::ConvexBody::is_in_touch(std::uint32_t triangle) const {
    std::uint32_t low = first_, high = end_;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        (pair_at(middle).pair.b < triangle ? low : high) = pair_at(middle).pair.b < triangle ? middle + 1 : middle;
    }
    return low < end_ && pair_at(low).pair.b == triangle;
}

// Makes one plane of each cluster whose triangles all lie in it. Otherwise a cluster without kept normals gets planes
// triangle by triangle, and one with kept normals gets none. `held`: the number of clusters with kept normals, which
// come first.
void GroundPair::ConvexBody::join_planes(const SeenSurface& seen, std::uint32_t held, GroundPlane* planes,
                                         std::uint32_t& count) {
    for (std::uint32_t cluster = 0; cluster < clusters_.count; ++cluster) {
        bool has_feature = false;
        Vec3d normal{}, point{};
        double area = 0;
        const auto each = [&](const auto& visit) {
            for (std::uint32_t i = end_; i-- > first_;)
                if (pair_at(i).cluster == cluster && pair_at(i).hold != NormalSource::feature)
                    visit(i, corners(i));
                else if (pair_at(i).cluster == cluster)
                    has_feature = true;
        };
        each([&](std::uint32_t i, const SurfaceCorners& at) {
            const double own = norm(at.area());
            normal = normal + pair_at(i).own * own, point = point + centre_of(at) * own, area += own;
        });
        const std::uint32_t first_plane = count;
        const auto make = [&](const Vec3d& n, const Vec3d& p) {
            GroundPlane& plane = planes[count++];
            plane.child = pair_at(first_).pair.a;
            plane.normal = n, plane.point = p, plane.cluster = cluster, plane.first = kNoContactPair,
            plane.has_face = false, plane.count = 0;
        };
        const auto join = [&](GroundPlane& plane, std::uint32_t i) {
            pair_at(i).next = plane.first;
            plane.first = i;
            plane.has_face |= pair_at(i).hold == NormalSource::face;
        };
        bool is_flat = area > 0;
        if (is_flat) {
            normal = maths::unit(normal), point = point * (1 / area);
            each([&](std::uint32_t, const SurfaceCorners& at) {
                is_flat = is_flat && lies_in(at, normal, point, flat_slack(seen));
            });
        }
        if (cluster < held && (has_feature || !is_flat)) continue;
        if (is_flat) make(normal, point);
        each([&](std::uint32_t i, const SurfaceCorners& at) {
            if (is_flat) return join(planes[first_plane], i);
            for (std::uint32_t k = count; k > first_plane && count - k < kMostTried; --k)
                if (lies_in(at, planes[k - 1].normal, planes[k - 1].point, flat_slack(seen)))
                    return join(planes[k - 1], i);
            make(pair_at(i).own, centre_of(at));
            join(planes[count - 1], i);
        });
    }
}

void GroundPair::ConvexBody::set_plane_pose(GroundPlane& plane) const {
    const Vec3d way_there = from_body(plane.point);
    const Vec3 rounded = finite_float(way_there);
    plane.body = {finite_float(maths::to_double(rounded) - way_there), place_.shape, place_.orientation};
    plane.surface = {rounded, {}, of_.b_.orientation};
    plane.rounding = of_.surface_.rounding;
}

}  // namespace abut
