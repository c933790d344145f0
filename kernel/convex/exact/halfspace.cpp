// See halfspace.hpp. All computations are in double: the origin of a ground plane may be a kilometre away from the body
// on it.
#include "convex/exact/halfspace.hpp"

namespace abut::exact {
namespace {

// A half-space in world axes, relative to A's position: solid where normal . x <= offset.
struct Plane {
    Vec3d normal;
    double offset;
};

bool is_finite(const Posed& p) {
    const Quat q = p.orientation;
    const double sum = double{p.position.x} + p.position.y + p.position.z + q.x + q.y + q.z + q.w;
    return std::isfinite(sum) && (q.x != 0 || q.y != 0 || q.z != 0 || q.w != 0);
}

// The squares of the normal's components stay within a double's range, because the components are floats.
Plane plane_of(const Posed& halfspace, const Vec3& from) {
    const Vec3d& local = halfspace.shape.extents;
    const double length = norm(local);
    const Vec3d normal = unit(rotation(to_double(halfspace.orientation)) * (local * (1.0 / length)));
    return {normal, dot(normal, to_double(halfspace.position) - to_double(from)) + halfspace.shape.offset / length +
                        halfspace.shape.radius};
}

// The point of A farthest along -normal, radius included, in world axes relative to A's position.
Vec3d lowest_point(const Posed& a, const Vec3d& normal) {
    const Mat3 axes = rotation(to_double(a.orientation));
    return axes * core_support(a.shape, transposed_times(axes, -normal)) - normal * a.shape.radius;
}

Answer over_plane(const Posed& a, const Posed& halfspace, const Options& options) {
    Answer answer;
    const Plane plane = plane_of(halfspace, a.position);
    const Vec3d low = lowest_point(a, plane.normal);
    const double distance = dot(plane.normal, low) - plane.offset;
    if (options.separation_only && distance <= 0) return answer;
    answer.signed_distance = distance > options.max_distance ? std::numeric_limits<double>::infinity() : distance;
    if (distance > options.max_distance) return answer;
    answer.normal = -plane.normal;
    answer.point_a = low;
    answer.point_b = low - plane.normal * distance;
    return answer;
}

// Converts the answer of (b, a) to that of (a, b).
Answer swapped(Answer answer, const Posed& a, const Posed& b) {
    if (answer.status != Status::ok || is_zero(answer.normal)) return answer;
    const Vec3d between = to_double(b.position) - to_double(a.position);
    const Vec3d on_a = answer.point_b + between;
    answer.point_b = answer.point_a + between;
    answer.point_a = on_a;
    answer.normal = -answer.normal;
    return answer;
}

}  // namespace

Answer halfspace_distance(const Posed& a, const Posed& b, const Options& options) {
    Answer answer;
    answer.status = !is_finite(a) || !is_finite(b) ? Status::bad_pose : Status::unsupported;
    if (answer.status == Status::bad_pose) return answer;
    if (is_halfspace(b)) return has_core(a.shape) ? over_plane(a, b, options) : answer;
    return has_core(b.shape) ? swapped(over_plane(b, a, options), a, b) : answer;
}

}  // namespace abut::exact
