// See seam_bodies.hpp. Computes in double, and in the order of the pair before it is swapped back: (b, a) mirrors (a,
// b).
#include "batch/seam_bodies.hpp"

#include <utility>

#include <abut/results.hpp>

namespace abut {

using maths::Vec3d;

namespace {

constexpr std::uint32_t kFaceName = 0x8000;  // abut/results.hpp

PosedPolytope polytope_at(const ShapeTables& tables, const SeamBody& of, std::uint32_t child) {
    const CompoundPart& part = of.compound->parts[child];
    return {tables, part.instance, moved(of.pose, part)};
}

}  // namespace

// A half-space has one normal.
SeamBodies::SeamBodies(const ShapeTables& tables, const Body& a, const Body& b, bool is_self) : tables_(tables) {
    const bool have_seams =
        a.shape.kind() != ShapeKind::halfspace && b.shape.kind() != ShapeKind::halfspace && !is_self;
    set(a_, a, a, have_seams), set(b_, b, a, have_seams);
}

void SeamBodies::set(SeamBody& out, const Body& body, const Body& a, bool has_seams) const {
    out.body = body;
    out.pose = {maths::rotation(maths::to_double(body.orientation)),
                maths::to_double(body.position) - maths::to_double(a.position)};
    if (has_seams && body.shape.kind() == ShapeKind::compound) out.compound = &tables_.compound(body.shape);
}

double SeamBodies::noise(const ChildPair& pair) const {
    const auto size_of = [&](const Body& body, std::uint32_t child) {
        const bool is_compound = body.shape.kind() == ShapeKind::compound;
        return double(
            tables_.record(is_compound ? tables_.compound(body.shape).parts[child].instance : body.shape).size);
    };
    double smaller = size_of(a_.body, pair.a), larger = size_of(b_.body, pair.b);
    if (smaller > larger) std::swap(smaller, larger);
    return double(kToleranceSmaller) * smaller + double(kToleranceLarger) * (larger + maths::max_abs(b_.pose.position));
}

LeavingChild::LeavingChild(const SeamBodies& bodies, const SeamBody& of, const ChildPair& pair)
    : bodies_(bodies),
      of_(of),
      pair_(pair),
      noise_(bodies.noise(pair)),
      polytope_(polytope_at(bodies.tables(), of, bodies.child(of, pair))),
      pose_(bodies.pose_of_child(bodies.other(of), pair)),
      position_(bodies.other(of).pose.position + pose_.offset) {}

double LeavingChild::size() const { return bodies_.tables().record(pose_.shape).size; }

double LeavingChild::separation_along(const PosedPolytope::Face& face) const {
    const ShapeTables& tables = bodies_.tables();
    const maths::Mat3 axes = maths::rotation(maths::to_double(pose_.orientation));
    return maths::dot(face.normal, position_) - face.offset - radius_of(tables, pose_.shape) +
           least_along(tables, pose_.shape, maths::transposed_times(axes, face.normal));
}

void LeavingChild::add_points(std::uint32_t number, const PosedPolytope::Face& face, double reach,
                              GroundPoints& points) const {
    const FacePoints to = {number, face, reach, points};
    const BodyFeature feature =
        supporting_feature(bodies_.tables(), pose_.shape, pose_.orientation, -face.normal, level());
    for (std::uint32_t k = 0; k < feature.count; ++k) {
        add_point(to, feature.corners[k].position, feature.corners[k].name, number);
        if (feature.is_polygon() || (feature.count == 2 && k == 0))
            add_crossings(to, feature.corners[k], feature.corners[(k + 1) % feature.count]);
    }
    for (std::uint32_t k = 0; k < feature.other_count; ++k)
        add_point(to, feature.others[k].position, feature.others[k].name, number);
}

// Adds a point of the other child, relative to that child's position. `face_name`: this child's half of the feature id.
void LeavingChild::add_point(const FacePoints& to, const Vec3d& point, std::uint32_t name,
                             std::uint32_t face_name) const {
    const Vec3d at = position_ + point, &normal = to.face.normal;
    const double height = maths::dot(normal, at) - to.face.offset;
    const Vec3d foot = at - normal * height;
    if (height > to.reach || !polytope_.contains(foot, noise_)) return;
    if (height < 0 && !polytope_.contains(at, noise_)) return;
    const SeamPoint seam_point = bodies_.seam_point(of_, pair_, foot, normal);
    if (bodies_.rule(of_).judge(seam_point) != SeamNormal::allowed) return;
    to.points.add({point - normal * (0.5 * height), height, name << 16 | kFaceName | face_name, 0, true, 0, 0});
}

// Adds the points where an edge of the other child crosses the outline of the face. The neighbouring face at the
// crossing names the point.
void LeavingChild::add_crossings(const FacePoints& to, const FeaturePoint& from, const FeaturePoint& end) const {
    const Vec3d &normal = to.face.normal, edge = end.position - from.position;
    const std::uint32_t name = edge_feature(from.name & 0x3fff, end.name & 0x3fff);
    for (std::uint32_t f = 0; f < polytope_.face_count(); ++f) {
        const PosedPolytope::Face beside = polytope_.face(f);
        const double cosine = maths::dot(normal, beside.normal);
        const Vec3d across = beside.normal - normal * cosine;
        if (f == to.number || !(maths::dot(across, across) > double(kFlat))) continue;
        // The common line of both planes is at this height along `across`.
        const double line = beside.offset - to.face.offset * cosine,
                     share = (line - maths::dot(across, position_ + from.position)) / maths::dot(across, edge);
        if (share > 0 && share < 1) add_point(to, from.position + edge * share, name, f);
    }
}

}  // namespace abut
