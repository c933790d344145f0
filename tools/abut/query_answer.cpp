#include "query_answer.hpp"

#include <cmath>
#include <initializer_list>
#include <limits>
#include <span>

#include <fmt/format.h>

#include <abut/math.hpp>

#include "json_string.hpp"
#include "numbers.hpp"

namespace abut::tools {
namespace {

bool is_finite(Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }
bool is_finite(d2::Vec2 v) { return std::isfinite(v.x) && std::isfinite(v.y); }
// The limits of positions, which the library refuses past them.
float most_metres(Vec3) { return kMostMetres; }
float most_metres(d2::Vec2) { return d2::kMostMetres; }
bool is_within(Vec3 v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z) <= kMostMetres; }
bool is_within(d2::Vec2 v) { return std::fabs(v.x) <= d2::kMostMetres && std::fabs(v.y) <= d2::kMostMetres; }

std::string rotation_problem(const Quat& q, const std::string& side) {
    const double length = std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w);
    if (!std::isfinite(length)) return fmt::format("{}_quat is past float32's range", side);
    if (std::fabs(length - 1.0) > 0.01) return fmt::format("{}_quat has length {:.6g}, over 1% off 1", side, length);
    return {};
}
std::string rotation_problem(float angle, const std::string& side) {
    return std::isfinite(angle) ? std::string() : fmt::format("{}_angle is past float32's range", side);
}

// Which of the pair's numbers the library refused.
template <class Body>
std::string pose_problem(const Body& body, const std::string& side) {
    if (!is_finite(body.position)) return fmt::format("{}_pos is past float32's range", side);
    const std::string problem = rotation_problem(body.orientation, side);
    if (!problem.empty() || is_within(body.position)) return problem;
    return fmt::format("{}_pos is past the range of {:g} m", side, most_metres(body.position));
}

bool is_surface(ShapeId id) { return id.kind() == ShapeKind::mesh || id.kind() == ShapeKind::heightfield; }
bool is_surface(d2::ShapeId) { return false; }
// Whether answers number its parts.
bool has_children(ShapeId id) { return id.kind() == ShapeKind::compound; }
bool has_children(d2::ShapeId id) { return id.kind() == d2::ShapeKind::compound || id.kind() == d2::ShapeKind::chain; }
bool is_halfspace(ShapeId id) { return id.kind() == ShapeKind::halfspace; }
bool is_halfspace(d2::ShapeId id) { return id.kind() == d2::ShapeKind::halfplane; }

template <class Space>
bool are_surfaces(const Batch<Space>& batch, Pair pair) {
    return is_surface(batch.bodies[pair.a].shape) && is_surface(batch.bodies[pair.b].shape);
}

template <class Space>
std::string unsupported_message(const Batch<Space>& batch, Pair pair) {
    const auto a = batch.bodies[pair.a].shape, b = batch.bodies[pair.b].shape;
    if (is_halfspace(a) && is_halfspace(b)) return fmt::format("two {} have no deepest point", Space::kHalves);
    return fmt::format("a {} against a {} has no answer", to_string(a.kind()), to_string(b.kind()));
}

template <class Space>
std::string ray_problem(const Batch<Space>& batch, std::uint32_t pair) {
    if (!is_finite(batch.origins[pair])) return "origin is past float32's range";
    if (!is_finite(batch.directions[pair])) return "direction is past float32's range";
    const std::string problem = pose_problem(batch.bodies[batch.pairs[pair].b], "b");
    return problem.empty() ? "the ray is out of range" : problem;
}

template <class Space>
std::string point_problem(const Batch<Space>& batch, std::uint32_t pair) {
    if (!is_finite(batch.origins[pair])) return "point is past float32's range";
    const std::string problem = pose_problem(batch.bodies[batch.pairs[pair].b], "b");
    return problem.empty() ? "the point is out of range" : problem;
}

template <class Space>
std::string status_message(const Batch<Space>& batch, const Row& row, Status status, QuestionKind kind) {
    if (kind == QuestionKind::ray && status == Status::bad_pose) return ray_problem(batch, row.pair);
    if (kind == QuestionKind::point && status == Status::bad_pose) return point_problem(batch, row.pair);
    switch (status) {
        case Status::not_converged: return "the iteration cap was reached; the answer is the best bound found";
        case Status::unsupported: return unsupported_message(batch, batch.pairs[row.pair]);
        case Status::bad_pose: break;
        default: return fmt::format("the library gave {}", to_string(status));
    }
    const Pair pair = batch.pairs[row.pair];
    std::string problem = pose_problem(batch.bodies[pair.a], "a");
    if (problem.empty()) problem = pose_problem(batch.bodies[pair.b], "b");
    if (problem.empty()) problem = pose_problem(batch.ends[pair.a], "a_end");
    if (problem.empty()) problem = pose_problem(batch.ends[pair.b], "b_end");
    return problem.empty() ? "a position or a rotation is out of range" : problem;
}

template <class Number>
void append_list(std::string& out, std::initializer_list<Number> numbers) {
    const char* separator = "[";
    for (const Number number : numbers) {
        out.append(separator);
        append_number(out, number);
        separator = ", ";
    }
    out.push_back(']');
}

void append_vector(std::string& out, const char* name, Vec3 v) {
    fmt::format_to(std::back_inserter(out), ", \"{}\": ", name);
    append_list(out, {v.x, v.y, v.z});
}
void append_vector(std::string& out, const char* name, d2::Vec2 v) {
    fmt::format_to(std::back_inserter(out), ", \"{}\": ", name);
    append_list(out, {v.x, v.y});
}

// A point of the answer in world space, in double: exact far from the origin too.
void append_point(std::string& out, const char* name, const DVec3& origin, Vec3 relative) {
    fmt::format_to(std::back_inserter(out), "\"{}\": ", name);
    append_list(out, {origin.x + double(relative.x), origin.y + double(relative.y), origin.z + double(relative.z)});
}
void append_point(std::string& out, const char* name, const d2::DVec2& origin, d2::Vec2 relative) {
    fmt::format_to(std::back_inserter(out), "\"{}\": ", name);
    append_list(out, {origin.x + double(relative.x), origin.y + double(relative.y)});
}

DVec3 exactly(Vec3 v) { return {v.x, v.y, v.z}; }
d2::DVec2 exactly(d2::Vec2 v) { return {v.x, v.y}; }

double between(float start, float end, double time) { return double(start) + (double(end) - double(start)) * time; }
DVec3 between(Vec3 start, Vec3 end, double time) {
    return {between(start.x, end.x, time), between(start.y, end.y, time), between(start.z, end.z, time)};
}
d2::DVec2 between(d2::Vec2 start, d2::Vec2 end, double time) {
    return {between(start.x, end.x, time), between(start.y, end.y, time)};
}

std::span<const Contact> contacts_of(const Manifolds& all, const Manifold& manifold) {
    return std::span(all.contacts).subspan(manifold.first_contact, manifold.contact_count);
}
std::span<const d2::Contact> contacts_of(const d2::Manifolds&, const d2::Manifold& manifold) {
    return {manifold.contacts, manifold.contact_count};
}

void append_triangle(std::string& out, const Manifolds& all, const Contact& contact) {
    fmt::format_to(std::back_inserter(out), ", \"triangle\": {}", all.triangles[&contact - all.contacts.data()]);
}
void append_triangle(std::string&, const d2::Manifolds&, const d2::Contact&) {}

template <class Space>
void append_contacts(std::string& out, const Batch<Space>& batch, std::uint32_t pair,
                     const typename Space::Point& origin) {
    const char* separator = "";
    const Pair of = batch.pairs[pair];
    const auto a = batch.bodies[of.a].shape, b = batch.bodies[of.b].shape;
    const bool with_children = has_children(a) || has_children(b);
    const auto& all = batch.manifolds;
    out.append(", \"contacts\": [");
    for (std::uint32_t m = all.first_manifold[pair]; m < all.first_manifold[pair + 1]; ++m) {
        const auto& manifold = all.manifolds[m];
        for (const auto& contact : contacts_of(all, manifold)) {
            out.append(separator);
            out.push_back('{');
            append_point(out, "position", origin, contact.position);
            out.append(", \"separation\": ");
            append_number(out, contact.separation);
            fmt::format_to(std::back_inserter(out), ", \"feature\": {}", contact.feature);
            append_vector(out, "normal", manifold.normal);
            if (with_children) {
                fmt::format_to(std::back_inserter(out), ", \"child_a\": {}, \"child_b\": {}",
                               is_surface(a) ? 0 : manifold.child_a, is_surface(b) ? 0 : manifold.child_b);
            }
            if (is_surface(a) || is_surface(b)) append_triangle(out, all, contact);
            out.push_back('}');
            separator = ", ";
        }
    }
    out.push_back(']');
}

// A body behind all triangles of a one-sided surface, or all segments of a chain.
template <class Space>
bool meets_nothing(const Batch<Space>& batch, std::uint32_t pair) {
    return batch.distances.signed_distance[pair] == std::numeric_limits<float>::infinity();
}

template <class Space>
void append_answer(std::string& out, const Batch<Space>& batch, std::uint32_t pair) {
    const float distance = batch.distances.signed_distance[pair];
    const auto origin = exactly(batch.bodies[batch.pairs[pair].a].position);
    if (meets_nothing(batch, pair)) {
        out.append(", \"intersects\": false");
        out.append(Space::kNoDistance);
        return append_contacts(out, batch, pair, origin);
    }
    fmt::format_to(std::back_inserter(out), ", \"intersects\": {}, \"signed_distance\": ", distance <= 0.0f);
    append_number(out, distance);
    append_vector(out, "normal", batch.distances.normal[pair]);
    out.append(", ");
    append_point(out, "point_a", origin, batch.distances.point_a[pair]);
    out.append(", ");
    append_point(out, "point_b", origin, batch.distances.point_b[pair]);
    append_contacts(out, batch, pair, origin);
}

template <class Space>
void append_cast(std::string& out, const Batch<Space>& batch, std::uint32_t pair) {
    const auto& casts = batch.cast_of(pair);
    const double time = casts.time[pair];
    fmt::format_to(std::back_inserter(out), ", \"hit\": {}, \"time\": ", casts.hit(pair));
    append_number(out, time);
    if (!casts.hit(pair)) return;
    const Pair of = batch.pairs[pair];
    const auto origin = between(batch.bodies[of.a].position, batch.ends[of.a].position, time);
    out.append(", \"signed_distance\": ");
    append_number(out, casts.signed_distance[pair]);
    append_vector(out, "normal", casts.normal[pair]);
    out.append(", ");
    append_point(out, "point_a", origin, casts.point_a[pair]);
    out.append(", ");
    append_point(out, "point_b", origin, casts.point_b[pair]);
    const auto a = batch.bodies[of.a].shape, b = batch.bodies[of.b].shape;
    if (has_children(a)) fmt::format_to(std::back_inserter(out), ", \"child_a\": {}", casts.child_a[pair]);
    if (has_children(b)) fmt::format_to(std::back_inserter(out), ", \"child_b\": {}", casts.child_b[pair]);
    if (is_surface(a) || is_surface(b))
        fmt::format_to(std::back_inserter(out), ", \"triangle\": {}",
                       is_surface(a) ? casts.child_a[pair] : casts.child_b[pair]);
}

template <class Space>
void append_ray(std::string& out, const Batch<Space>& batch, std::uint32_t pair) {
    const auto& rays = batch.rays;
    fmt::format_to(std::back_inserter(out), ", \"hit\": {}, \"fraction\": ", rays.hit(pair));
    append_number(out, rays.fraction[pair]);
    if (!rays.hit(pair)) return;
    const auto& body = batch.bodies[batch.pairs[pair].b];
    const bool is_inside = rays.inside[pair] != 0;
    if (!is_inside) append_vector(out, "normal", rays.normal[pair]);
    out.append(", ");
    append_point(out, "point", exactly(is_inside ? batch.origins[pair] : body.position),
                 is_inside ? typename Space::Vector{} : rays.point[pair]);
    fmt::format_to(std::back_inserter(out), ", \"inside\": {}", is_inside);
    if (has_children(body.shape)) fmt::format_to(std::back_inserter(out), ", \"child\": {}", rays.child[pair]);
    if (is_surface(body.shape) && !is_inside)
        fmt::format_to(std::back_inserter(out), ", \"triangle\": {}", rays.child[pair]);
}

// Nothing but `inside` for a point behind all triangles or segments.
template <class Space>
void append_point_distance(std::string& out, const Batch<Space>& batch, std::uint32_t pair) {
    const auto& points = batch.points;
    const float distance = points.signed_distance[pair];
    fmt::format_to(std::back_inserter(out), ", \"inside\": {}", distance < 0);
    if (distance == std::numeric_limits<float>::infinity()) return;
    out.append(", \"signed_distance\": ");
    append_number(out, distance);
    append_vector(out, "normal", points.normal[pair]);
    out.append(", ");
    const auto& body = batch.bodies[batch.pairs[pair].b];
    append_point(out, "nearest", exactly(body.position), points.nearest[pair]);
    if (has_children(body.shape)) fmt::format_to(std::back_inserter(out), ", \"child\": {}", points.child[pair]);
    if (is_surface(body.shape)) fmt::format_to(std::back_inserter(out), ", \"triangle\": {}", points.child[pair]);
}

void append_states(std::string& out, const PairTrace& trace) {
    out.append("\"states\": [");
    for (int i = 0; i < trace.count; ++i)
        fmt::format_to(std::back_inserter(out), "{}\"{}\"", i == 0 ? "" : ", ", to_string(trace.states[i]));
    fmt::format_to(std::back_inserter(out), "], \"iterations\": {}, \"certified_by\": \"{}\"", trace.iterations,
                   to_string(certified_by(trace)));
}

// Of the distance, and within it of the contacts, which are a query of their own.
template <class Space>
void append_trace(std::string& out, const Batch<Space>& batch, std::uint32_t pair) {
    if (batch.distance_traces.empty()) return;
    out.append(", \"trace\": {");
    append_states(out, batch.distance_traces[pair]);
    out.append(", \"contacts\": {");
    append_states(out, batch.manifold_traces[pair]);
    out.append("}}");
}

// The first of the answer's members that JSON could not write as a number; null where all of them are finite.
template <class Space>
const char* non_finite_member(const Batch<Space>& batch, std::uint32_t pair) {
    const auto& all = batch.manifolds;
    if (meets_nothing(batch, pair)) return nullptr;
    if (!std::isfinite(batch.distances.signed_distance[pair])) return "signed_distance";
    if (!is_finite(batch.distances.normal[pair])) return "normal";
    if (!is_finite(batch.distances.point_a[pair])) return "point_a";
    if (!is_finite(batch.distances.point_b[pair])) return "point_b";
    for (std::uint32_t m = all.first_manifold[pair]; m < all.first_manifold[pair + 1]; ++m) {
        for (const auto& contact : contacts_of(all, all.manifolds[m]))
            if (!is_finite(contact.position) || !std::isfinite(contact.separation)) return "contacts";
    }
    return nullptr;
}

struct Verdict {
    const char* status = "ok";
    std::string message;  // why the status is not ok
    bool has_answer = true;
};

template <class Space>
Status library_status(const Batch<Space>& batch, std::uint32_t pair, QuestionKind kind) {
    switch (kind) {
        case QuestionKind::cast: return batch.cast_of(pair).status[pair];
        case QuestionKind::ray: return batch.rays.status[pair];
        case QuestionKind::point: return batch.points.status[pair];
        case QuestionKind::distance: break;
    }
    return batch.distances.status[pair];
}

template <class Space>
Verdict verdict_of(const Batch<Space>& batch, const Row& row, QuestionKind kind) {
    if (row.refused) return {row.refused, row.message, false};
    const bool is_distance = kind == QuestionKind::distance;
    Status status = library_status(batch, row.pair, kind);
    // Two surfaces have a distance and no contacts.
    if (status == Status::ok && is_distance && !are_surfaces(batch, batch.pairs[row.pair]))
        status = batch.manifolds.status[row.pair];
    Verdict verdict{to_string(status), {}, status == Status::ok || status == Status::not_converged};
    if (status != Status::ok) verdict.message = status_message(batch, row, status, kind);
    if (!verdict.has_answer) return verdict;
    if (const char* member = is_distance ? non_finite_member(batch, row.pair) : nullptr) {
        return {to_string(Status::bad_pose), fmt::format("{} is past float32's range", member), false};
    }
    return verdict;
}

}  // namespace

template <class Space>
void append_row(std::string& out, const Batch<Space>& batch, const Row& row, QuestionKind kind) {
    const Verdict verdict = verdict_of(batch, row, kind);
    fmt::format_to(std::back_inserter(out), "{{\"id\": {}, \"status\": \"{}\"", row.id, verdict.status);
    if (!verdict.message.empty()) {
        fmt::format_to(std::back_inserter(out), ", \"line\": {}, \"message\": {}", row.line,
                       json_string(fmt::format("line {}: {}", row.line, verdict.message)));
    }
    if (verdict.has_answer && kind == QuestionKind::cast) {
        append_cast(out, batch, row.pair);
    } else if (verdict.has_answer && kind == QuestionKind::ray) {
        append_ray(out, batch, row.pair);
    } else if (verdict.has_answer && kind == QuestionKind::point) {
        append_point_distance(out, batch, row.pair);
    } else if (verdict.has_answer) {
        append_answer(out, batch, row.pair);
        append_trace(out, batch, row.pair);
    }
    out.append("}\n");
}

template void append_row(std::string&, const Batch<Space3D>&, const Row&, QuestionKind);
template void append_row(std::string&, const Batch<Plane>&, const Row&, QuestionKind);

}  // namespace abut::tools
