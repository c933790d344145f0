// Steps 3 to 5 of surface_manifolds.hpp: the contacts of each cluster of normals. In double, in world axes from the
// body's position, one pair at a time, because many triangles give few contacts.
#include "surfaces/contacts/surface_manifolds.hpp"

#include <algorithm>
#include <cmath>

#include <abut/results.hpp>

#include "shapes/surface_walk.hpp"
#include "surfaces/contacts/ground_body.hpp"
#include "surfaces/triangles/probe.hpp"

namespace abut {
namespace {

using maths::Vec3d;

// The largest number of planes that may separate the body from the triangles of other planes.
constexpr std::uint32_t kMostAccepted = 64;

// Planes that separate the body from everything behind them, after a solver has resolved their contacts. World axes,
// relative to the body's position.
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
            if (highest(corners, planes[i].normal) <= planes[i].level + slack) return true;
        }
        return false;
    }
};

}  // namespace

// Converts the kernels' name of a triangle's feature into a name that uses the surface's vertex numbers.
std::uint32_t GroundPair::ConvexBody::surface_name(std::uint32_t i, std::uint32_t own) const {
    const Feature of = decode_feature(static_cast<std::uint16_t>(own));
    const auto vertex = [&](std::uint32_t k) { return vertex_at(of_.surface_, pair_at(i).pair.b, std::min(k, 2u)); };
    switch (of.type) {
        case FeatureType::vertex: return surface_vertex_name(vertex(of.v0));
        case FeatureType::edge: return edge_feature_id(vertex(of.v0), vertex(of.v1));
        case FeatureType::face: break;
    }
    return kGroundName;
}

// Adds the contacts that the kernels found with a triangle, if their depths along `towards` differ by less than level()
// from the depths found.
void GroundPair::ConvexBody::add_own(std::uint32_t i, const Vec3d& towards, GroundPoints& points) const {
    const ContactPair& t = pair_at(i);
    const Vec3d origin = contact_origin(i);
    const double off = norm(cross(towards_body(i), towards));
    for (std::uint32_t k = 0; k < t.count; ++k) {
        if (std::fabs(t.record.contacts[k].separation) * off > level()) continue;
        GroundPoint point = point_of(t.record.contacts[k], origin, t.pair.is_swapped, t.pair.b);
        point.feature = (point.feature & 0xffff0000u) | surface_name(i, point.feature & 0xffffu);
        points.add(point);
    }
}

// Adds the contacts of a plane and returns true, if all of them are over the plane's triangles.
bool GroundPair::ConvexBody::add_plane(const GroundPlane& plane, const PatchAxes& axes, GroundPoints& points) const {
    GroundPoint on_plane[kMaxContacts];
    bool is_over[kMaxContacts] = {};
    std::uint32_t over = 0;
    for (std::uint32_t k = 0; k < plane.count; ++k) {
        on_plane[k] = point_of(plane.record.contacts[k], {}, false, 0);
        axes.see(on_plane[k]);
    }
    Vec3d at[3];
    const double slack = kOverShare * size_;
    for (std::uint32_t i = plane.first; i != kNoContactPair && over < plane.count; i = pair_at(i).next) {
        see_corners(i, at);
        const PatchTriangle triangle(axes, at);
        for (std::uint32_t k = 0; k < plane.count; ++k) {
            if (is_over[k] || !triangle.is_under(on_plane[k].x, on_plane[k].y, slack)) continue;
            is_over[k] = true, ++over;
            on_plane[k].triangle = pair_at(i).pair.b;
        }
    }
    for (std::uint32_t k = 0; k < plane.count; ++k)
        if (!is_over[k] && !is_over_plane(plane, on_plane[k])) return false;
    for (std::uint32_t k = 0; k < plane.count; ++k) points.add(on_plane[k]);
    return plane.count != 0;
}

// True if a triangle of the surface that lies in the plane is under the plane's contact; stores this triangle in the
// contact. A deep body has contacts over triangles that it does not touch.
bool GroundPair::ConvexBody::is_over_plane(const GroundPlane& plane, GroundPoint& point) const {
    const maths::Mat3 back = maths::transposed(axes_);
    const Vec3d in_surface = back * (point.position - surface_from_body_);
    const Vec3d on_plane = in_surface - plane.normal * dot(plane.normal, in_surface - plane.point);
    const double slack = kOverShare * size_, flat = flat_slack(seen_surface());
    bool is_over = false;
    walk_within(of_.surface_, box_volume({on_plane, on_plane}), slack, [&](std::uint32_t triangle) {
        const SurfaceCorners corners = corners_at(of_.surface_, triangle);
        is_over = distance_to(on_plane, corners) <= slack && lies_in(corners, plane.normal, plane.point, flat);
        if (is_over) point.triangle = triangle;
        return !is_over;
    });
    return is_over;
}

bool GroundPair::ConvexBody::is_held(std::uint32_t cluster) const {
    for (std::uint32_t i = first_; i < end_; ++i)
        if (pair_at(i).cluster == cluster && pair_at(i).hold != NormalSource::replaced) return true;
    return false;
}

bool GroundPair::ConvexBody::is_only(std::uint32_t cluster) const {
    for (std::uint32_t i = first_; i < end_; ++i)
        if (pair_at(i).cluster != cluster) return false;
    return true;
}

// The separation along a triangle's normal, for a triangle that keeps its normal.
double GroundPair::ConvexBody::separation_of(std::uint32_t i) const {
    Vec3d lowest;
    return pair_at(i).count != 0 ? pair_at(i).record.contacts[0].separation
                                 : height_along(i, axes_ * pair_at(i).own, lowest);
}

// The height above its lowest point up to which the body may be in contact with some triangles, if its supporting
// feature depends on that height.
template <class Each>
double GroundPair::ConvexBody::depth_over(const Each& each, const Vec3d& towards) const {
    if (place_.shape.kind() != ShapeKind::hull) return 0;
    const ShapeTables& tables = tables_of(*of_.frame_.shapes);
    const Vec3d up = transposed_times(axes_, towards);  // in the surface's frame
    double top = -INFINITY;
    each([&](std::uint32_t, const SurfaceCorners& corners) { top = maths::max(top, corners.highest(up)); });
    top += dot(towards, surface_from_body_);
    const double lowest = least_along(tables, place_.shape,
                                      transposed_times(maths::rotation(maths::to_double(place_.orientation)), towards));
    return maths::max(0, top + of_.reach_ + of_.surface_.rounding - lowest + tables.record(place_.shape).radius);
}

// Adds the points of the body's supporting feature over some triangles: those with the names in `only`, or all.
// each(visit) calls visit(the triangle's number, its corners) for each triangle.
template <class Each>
void GroundPair::ConvexBody::add_overlay_of(const Each& each, const Vec3d& towards, const PatchAxes& axes,
                                            std::span<const std::uint32_t> only, GroundPoints& points) const {
    const BodyFeature feature = supporting_feature(tables_of(*of_.frame_.shapes), place_.shape, place_.orientation,
                                                   -towards, depth_over(each, towards));
    const Overlay overlay(of_.surface_, axes, towards, feature, of_.reach_, kOverShare * size_, only);
    each([&](std::uint32_t number, const SurfaceCorners& corners) {
        OverlayTriangle triangle;
        see_corners(corners, triangle.corners);
        triangle.number = number;
        overlay.add(triangle, points);
    });
}

// As above, over all triangles of a cluster.
void GroundPair::ConvexBody::add_overlay(std::uint32_t cluster, const Vec3d& towards, const PatchAxes& axes,
                                         GroundPoints& points) const {
    const auto each = [&](const auto& visit) {
        for (std::uint32_t i = first_; i < end_; ++i)
            if (pair_at(i).cluster == cluster && !pair_at(i).is_parted) visit(i);
    };
    add_overlay_of_pairs(each, towards, axes, points);
}

// As above, over all triangles of a plane.
void GroundPair::ConvexBody::add_overlay(const GroundPlane& plane, const Vec3d& towards, const PatchAxes& axes,
                                         GroundPoints& points) const {
    const auto each = [&](const auto& visit) {
        for (std::uint32_t i = plane.first; i != kNoContactPair; i = pair_at(i).next) visit(i);
    };
    add_overlay_of_pairs(each, towards, axes, points);
}

template <class Each>
void GroundPair::ConvexBody::add_overlay_of_pairs(const Each& each, const Vec3d& towards, const PatchAxes& axes,
                                                  GroundPoints& points) const {
    const Vec3d up = transposed_times(axes_, towards);
    const auto each_facing = [&](const auto& visit) {
        each([&](std::uint32_t i) {
            if (dot(pair_at(i).own, up) > double(kSteepFace)) visit(pair_at(i).pair.b, corners(i));
        });
    };
    add_overlay_of(each_facing, towards, axes, {}, points);
}

bool GroundPair::ConvexBody::follow(const Vec3& normal, std::span<const KeptContacts::Features> features,
                                    MergedManifold& out) const {
    const Vec3d n = axes_ * maths::to_double(normal), towards = of_.entry_.swapped() ? n : -n;
    const PatchAxes axes(towards);
    GroundPoints points(axes, level());
    std::uint32_t names[KeptContacts::kMostContacts], triangles[KeptContacts::kMostContacts];
    SurfaceCorners corners[KeptContacts::kMostContacts];
    std::uint32_t name_count = 0, triangle_count = 0;
    for (const KeptContacts::Features& f : features) {
        names[name_count++] = of_.entry_.swapped() ? swap_halves(f.feature) : f.feature;
        if (std::find(triangles, triangles + triangle_count, f.triangle) != triangles + triangle_count) continue;
        corners[triangle_count] = corners_at(of_.surface_, f.triangle);
        triangles[triangle_count++] = f.triangle;
    }
    const auto each = [&](const auto& visit) {
        for (std::uint32_t k = 0; k < triangle_count; ++k) visit(triangles[k], corners[k]);
    };
    add_overlay_of(each, towards, axes, {names, name_count}, points);
    if (points.size() != features.size()) return false;
    points.sort();
    write(finite_float(-towards), points, out);
    return true;
}

// Removes triangles that need no contact of their own from planes in which all normals were replaced.
void GroundPair::ConvexBody::choose_planes(std::span<GroundPlane> planes) {
    if (std::all_of(planes.begin(), planes.end(), [](const GroundPlane& p) { return p.has_face; })) return;
    Parting parting;
    const double slack = 0.1 * kOverShare * size_;
    const auto world = [&](const GroundPlane& plane) { return -maths::to_double(plane.record.normal); };
    const auto level_of = [&](const GroundPlane& plane) { return dot(world(plane), from_body(plane.point)); };
    Vec3d at[3];
    for (std::uint32_t i = first_; i < end_; ++i) {
        if (pair_at(i).hold == NormalSource::replaced) continue;
        see_corners(i, at);
        const Vec3d n = held_direction(i);
        parting.add(n, highest(at, n));
    }
    for (std::uint32_t i = 0; i < planes.size(); ++i) planes[i].order = i;
    // The order: the shallowest plane first.
    const auto separation = [](const GroundPlane& plane) {
        return plane.count == 0 ? INFINITY : plane.record.contacts[0].separation;
    };
    std::sort(planes.begin(), planes.end(), [&](const GroundPlane& p, const GroundPlane& q) {
        return separation(p) != separation(q) ? separation(p) > separation(q) : p.order < q.order;
    });
    for (GroundPlane& plane : planes) {
        if (plane.has_face || plane.count == 0) continue;
        std::uint32_t kept = kNoContactPair;
        for (std::uint32_t i = plane.first, next = 0; i != kNoContactPair; i = next) {
            next = pair_at(i).next;
            see_corners(i, at);
            pair_at(i).is_parted = parting.is_behind(at, slack);
            if (pair_at(i).is_parted) continue;
            pair_at(i).next = kept;
            kept = i;
        }
        plane.first = kept;
        if (kept == kNoContactPair) continue;
        const PatchAxes axes(world(plane));
        GroundPoints points(axes, level());
        if (!add_plane(plane, axes, points)) add_overlay(plane, world(plane), axes, points);
        double deepest = INFINITY;
        for (std::uint32_t i = 0; i < points.size(); ++i) deepest = maths::min(deepest, points[i].separation);
        // After its contacts are resolved, the plane separates the body from everything that is below the body's lowest
        // point by at least their depth.
        if (deepest < INFINITY) parting.add(world(plane), level_of(plane) + separation(plane) - deepest);
    }
}

std::uint32_t GroundPair::ConvexBody::cluster_count(std::span<const GroundPlane> planes) const {
    std::uint32_t count = 0;
    for (std::uint32_t i = first_; i < end_; ++i) count = std::max(count, pair_at(i).cluster + 1);
    for (const GroundPlane& plane : planes) count = std::max(count, plane.cluster + 1);
    return count;
}

bool GroundPair::ConvexBody::store(const Vec3& normal, GroundPoints& points, MergedManifold& out) const {
    if (points.size() == 0) return false;
    points.choose(double(kSamePlaceShare) * size_, of_.most_contacts_);
    out.pair.a = pair_at(first_).pair.a;
    write(normal, points, out);
    return true;
}

void GroundPair::ConvexBody::write(const Vec3& normal, const GroundPoints& points, MergedManifold& out) const {
    out.normal = normal;
    out.count = points.size();
    for (std::uint32_t k = 0; k < out.count; ++k) {
        const GroundPoint& p = points[k];
        std::uint32_t feature = p.feature;
        for (std::uint32_t i = 0; i < k; ++i)
            if (out.contact(i).feature == feature) ++feature, i = ~0u;  // names of crossings may be equal
        out.contact(k) = {finite_float(p.position + from_a_), static_cast<float>(p.separation), feature};
        out.set_triangle(k, p.triangle, input_index(of_.surface_, p.triangle));
    }
    out.pair.b = out.input(0);
    if (!of_.entry_.swapped()) return;
    out.normal = {-normal.x, -normal.y, -normal.z};
    for (std::uint32_t k = 0; k < out.count; ++k) out.contact(k).feature = swap_halves(out.contact(k).feature);
}

// Replaces a normal near that of the body's own face by the face's normal, as in contacts of convex bodies.
maths::Vec3d GroundPair::ConvexBody::snapped(const Vec3d& towards) const {
    if (is_halfspace_) return towards;
    const Vec3d normal = supporting_normal(tables_of(*of_.frame_.shapes), place_.shape, place_.orientation, -towards);
    const Vec3d off = normal + towards;
    return dot(off, off) <= double(kSnapSquared) ? -normal : towards;
}

// Merges a cluster that keeps its normal: that of the deepest triangle or, if near, that of the body's own face
// (snapped).
bool GroundPair::ConvexBody::merge_held(std::uint32_t cluster, MergedManifold& out) const {
    std::uint32_t best = kNoContactPair;
    double deepest = INFINITY;
    for (std::uint32_t i = first_; i < end_; ++i) {
        if (pair_at(i).cluster != cluster || pair_at(i).hold == NormalSource::replaced) continue;
        if (const double separation = separation_of(i); separation < deepest || best == kNoContactPair)
            best = i, deepest = separation;
    }
    // A corner may be over the triangle along the triangle's normal, but not along the normal of the body's face. So
    // both directions are tried.
    const Vec3d own = held_direction(best), along_face = snapped(own);
    for (const Vec3d& towards : {along_face, own}) {
        const PatchAxes axes(towards);
        GroundPoints points(axes, level());
        if (!is_halfspace_) add_overlay(cluster, towards, axes, points);
        // Contacts that the feature does not reach: the deepest point of a curved body, or a point over an edge.
        if (deepest < points.deepest() - level())
            for (std::uint32_t i = first_; i < end_; ++i)
                if (pair_at(i).cluster == cluster && pair_at(i).hold == NormalSource::feature)
                    add_own(i, towards, points);
        if (points.size() != 0) return store(finite_float(-towards), points, out);
    }
    GroundPoints points(PatchAxes(along_face), level());
    for (std::uint32_t i = first_; i < end_; ++i)
        if (pair_at(i).cluster == cluster && pair_at(i).hold != NormalSource::replaced)
            add_own(i, towards_body(i), points);
    return store(finite_float(-along_face), points, out);
}

bool GroundPair::ConvexBody::merge_cluster(std::uint32_t cluster, std::span<const GroundPlane> planes,
                                           MergedManifold& out) const {
    // The normal is that of the deepest plane.
    const GroundPlane* deepest = nullptr;
    for (const GroundPlane& plane : planes) {
        if (plane.cluster != cluster || plane.count == 0 || plane.first == kNoContactPair) continue;
        if (deepest == nullptr || plane.record.contacts[0].separation < deepest->record.contacts[0].separation)
            deepest = &plane;
    }
    if (deepest == nullptr) return is_held(cluster) && merge_held(cluster, out);
    const Vec3 normal = deepest->record.normal;
    const PatchAxes axes(maths::to_double(normal));
    GroundPoints points(axes, level());
    // On flat ground the contacts are those of one plane. On other ground they are chosen from all points, by the rule
    // of this file.
    if (!is_only(cluster) || !add_plane(*deepest, axes, points)) {
        add_overlay(cluster, -maths::to_double(normal), axes, points);
        // The deep contacts are over triangles that the body does not touch: adds the plane's.
        if (deepest->record.contacts[0].separation < points.deepest() - level()) add_plane(*deepest, axes, points);
    }
    if (points.size() == 0 && is_held(cluster)) return merge_held(cluster, out);
    return store(normal, points, out);
}

// The contacts of a body in the solid: those with the plane through which the body leaves.
bool GroundPair::ConvexBody::keep_exit(MergedManifold& out) const {
    const ContactPair& t = pair_at(first_);
    GroundPoints points(PatchAxes(maths::to_double(t.record.normal)), level());
    for (std::uint32_t k = 0; k < t.count; ++k) points.add(point_of(t.record.contacts[k], {}, false, t.pair.b));
    return store(t.record.normal, points, out);
}

std::uint32_t GroundPair::ConvexBody::merge(std::span<GroundPlane> planes, MergedManifold* merged) {
    if (is_inside()) return keep_exit(merged[0]);
    choose_planes(planes);
    std::uint32_t count = 0;
    const std::uint32_t clusters = cluster_count(planes);
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster)
        count += merge_cluster(cluster, planes, merged[count]);
    count = join_twins(merged, count);
    return add_deepest(merged, count);
}

GroundPair::GroundPair(const Frame& frame, const Entry& entry, double reach, std::uint32_t most_contacts,
                       std::span<ContactPair> contact_pairs)
    : frame_(frame), entry_(entry), reach_(reach), most_contacts_(most_contacts), contact_pairs_(contact_pairs) {
    const auto [a, b] = PairRecordBuilder(frame)(entry);
    a_ = a, b_ = b;
    surface_ = surface_of(tables_of(*frame.shapes), b_.shape);
}

// Calls each(body, its child index) for each convex body of A.
template <class Each>
void GroundPair::for_each_side(const Each& each) const {
    for (std::uint32_t first = 0, next = 0; first < contact_pairs_.size(); first = next) {
        const std::uint32_t child = contact_pairs_[first].pair.a;
        std::uint32_t end = first;
        for (next = first; next < contact_pairs_.size() && contact_pairs_[next].pair.a == child; ++next)
            if (!contact_pairs_[next].is_left_out) end = next + 1;
        ConvexBody body(*this, child, first, end);
        each(body, child);
    }
}

std::uint32_t GroundPair::find_planes(GroundPlane* planes) const {
    std::uint32_t count = 0;
    for_each_side([&](ConvexBody& body, std::uint32_t) { count += body.find_planes(planes + count); });
    return count;
}

MergedManifold* GroundPair::follow(const KeptContacts& kept, MergedManifold* out) const {
    const KeptContacts::Features* first = kept.features;
    for (std::uint32_t i = 0; i < kept.record_count; ++out) {
        const Vec3& normal = kept.normal[i];
        out->pair.a = kept.child[i];
        std::uint32_t count = 0;
        for (const std::uint32_t end = kept.end_of_manifold(i, most_contacts_); i < end; ++i) count += kept.count[i];
        if (!ConvexBody(*this, out->pair.a, 0, 0).follow(normal, {first, count}, *out)) return nullptr;
        first += count;
    }
    return out;
}

bool GroundPair::may_follow(const KeptContacts& kept) const {
    MergedManifold again[KeptContacts::kMostRecords];
    const MergedManifold* const end = follow(kept, again);
    if (end == nullptr) return false;
    const ShapeTables& tables = tables_of(*frame_.shapes);
    const ChildPoses children(tables, a_);
    std::uint32_t at = 0;
    for (MergedManifold* m = again; m != end; ++m) {
        const double size = tables.record(children[m->pair.a].shape).size;
        for (const std::uint32_t first = at; at < first + m->count; ++at) {
            std::uint32_t k = 0;
            while (k + 1 < m->count && m->contact(k).feature != kept.features[at].feature) ++k;
            const Contact& same = m->contact(k);
            const Vec3d place = maths::to_double(kept.places[at].position),
                        off = maths::to_double(same.position) - place;
            const double near = kMostOff * (kToleranceSmaller * size + kToleranceLarger * max_abs(place));
            if (!(max_abs(off) <= near && std::fabs(same.separation - kept.places[at].separation) <= near))
                return false;
        }
    }
    return true;
}

MergedManifold* GroundPair::restore(const KeptContacts& kept, MergedManifold* out) const {
    const maths::Mat3 axes = maths::rotation(maths::to_double(b_.orientation));
    for (std::uint32_t i = 0, at = 0; i < kept.record_count; ++out) {
        out->pair.a = kept.child[i];
        out->normal = finite_float(axes * maths::to_double(kept.normal[i]));
        out->count = 0;
        for (const std::uint32_t end = kept.end_of_manifold(i, most_contacts_); i < end; ++i)
            out->count += kept.count[i];
        for (std::uint32_t k = 0; k < out->count; ++k, ++at) {
            out->contact(k) = {kept.places[at].position, kept.places[at].separation, kept.features[at].feature};
            out->set_triangle(k, kept.features[at].triangle, input_index(surface_, kept.features[at].triangle));
        }
        out->pair.b = out->input(0);
    }
    return out;
}

std::uint32_t GroundPair::merge(std::span<GroundPlane> planes, MergedManifold* merged) const {
    std::uint32_t count = 0;
    std::size_t plane = 0;
    for_each_side([&](ConvexBody& body, std::uint32_t child) {
        const std::size_t first = plane;
        while (plane < planes.size() && planes[plane].child == child) ++plane;
        count += body.merge(planes.subspan(first, plane - first), merged + count);
    });
    return count;
}

}  // namespace abut
