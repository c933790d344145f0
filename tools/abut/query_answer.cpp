#include "query_answer.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <abut/math.hpp>

#include "json_string.hpp"
#include "numbers.hpp"

namespace abut::tools {
namespace {

// Which of the pair's numbers the library refused.
std::string pose_problem(const Body& body, const std::string& side) {
    const Vec3 p = body.position;
    const Quat q = body.orientation;
    const float reach = std::fabs(p.x) + std::fabs(p.y) + std::fabs(p.z);
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
        return fmt::format("{}_pos is past float32's range", side);
    const double length = std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w);
    if (!std::isfinite(length)) return fmt::format("{}_quat is past float32's range", side);
    if (std::fabs(length - 1.0) > 0.01) return fmt::format("{}_quat has length {:.6g}, over 1% off 1", side, length);
    if (!(reach <= kMostMetres)) return fmt::format("{}_pos is past the range of {:g} m", side, kMostMetres);
    return {};
}

bool is_surface(ShapeId id) { return id.kind() == ShapeKind::mesh || id.kind() == ShapeKind::heightfield; }
bool are_surfaces(const Batch& batch, Pair pair) {
    return is_surface(batch.bodies[pair.a].shape) && is_surface(batch.bodies[pair.b].shape);
}

std::string unsupported_message(const Batch& batch, Pair pair) {
    const ShapeKind a = batch.bodies[pair.a].shape.kind(), b = batch.bodies[pair.b].shape.kind();
    if (a == ShapeKind::halfspace && b == ShapeKind::halfspace) return "two half-spaces have no deepest point";
    return fmt::format("a {} against a {} has no answer", to_string(a), to_string(b));
}

bool is_finite(Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

std::string ray_problem(const Batch& batch, std::uint32_t pair) {
    if (!is_finite(batch.origins[pair])) return "origin is past float32's range";
    if (!is_finite(batch.directions[pair])) return "direction is past float32's range";
    const std::string problem = pose_problem(batch.bodies[batch.pairs[pair].b], "b");
    return problem.empty() ? "the ray is out of range" : problem;
}

std::string point_problem(const Batch& batch, std::uint32_t pair) {
    if (!is_finite(batch.origins[pair])) return "point is past float32's range";
    const std::string problem = pose_problem(batch.bodies[batch.pairs[pair].b], "b");
    return problem.empty() ? "the point is out of range" : problem;
}

std::string status_message(const Batch& batch, const Row& row, Status status, QuestionKind kind) {
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
    return problem.empty() ? "a position or a quaternion is out of range" : problem;
}

void append_vector(std::string& out, const char* name, Vec3 v) {
    fmt::format_to(std::back_inserter(out), ", \"{}\": [", name);
    append_number(out, v.x);
    out.append(", ");
    append_number(out, v.y);
    out.append(", ");
    append_number(out, v.z);
    out.push_back(']');
}

// A point of the answer in world space, in double: exact far from the origin too.
void append_point(std::string& out, const char* name, const DVec3& origin, Vec3 relative) {
    fmt::format_to(std::back_inserter(out), "\"{}\": [", name);
    append_number(out, origin.x + double(relative.x));
    out.append(", ");
    append_number(out, origin.y + double(relative.y));
    out.append(", ");
    append_number(out, origin.z + double(relative.z));
    out.push_back(']');
}

void append_contacts(std::string& out, const Batch& batch, std::uint32_t pair, const DVec3& origin) {
    const char* separator = "";
    const auto is = [&](std::uint32_t body, ShapeKind kind) { return batch.bodies[body].shape.kind() == kind; };
    const auto has_triangles = [&](std::uint32_t body) {
        return is(body, ShapeKind::mesh) || is(body, ShapeKind::heightfield);
    };
    const Pair of = batch.pairs[pair];
    const bool of_compound = is(of.a, ShapeKind::compound) || is(of.b, ShapeKind::compound);
    out.append(", \"contacts\": [");
    for (std::uint32_t m = batch.manifolds.first_manifold[pair]; m < batch.manifolds.first_manifold[pair + 1]; ++m) {
        const Manifold& manifold = batch.manifolds.manifolds[m];
        for (std::uint32_t c = 0; c < manifold.contact_count; ++c) {
            const Contact& contact = batch.manifolds.contacts[manifold.first_contact + c];
            out.append(separator);
            out.push_back('{');
            append_point(out, "position", origin, contact.position);
            out.append(", \"separation\": ");
            append_number(out, contact.separation);
            fmt::format_to(std::back_inserter(out), ", \"feature\": {}", contact.feature);
            append_vector(out, "normal", manifold.normal);
            if (of_compound) {
                fmt::format_to(std::back_inserter(out), ", \"child_a\": {}, \"child_b\": {}",
                               has_triangles(of.a) ? 0 : manifold.child_a, has_triangles(of.b) ? 0 : manifold.child_b);
            }
            if (has_triangles(of.a) || has_triangles(of.b))
                fmt::format_to(std::back_inserter(out), ", \"triangle\": {}",
                               batch.manifolds.triangles[manifold.first_contact + c]);
            out.push_back('}');
            separator = ", ";
        }
    }
    out.push_back(']');
}

// A body behind all triangles of a one-sided surface.
bool meets_nothing(const Batch& batch, std::uint32_t pair) {
    return batch.distances.signed_distance[pair] == std::numeric_limits<float>::infinity();
}

void append_answer(std::string& out, const Batch& batch, std::uint32_t pair) {
    const float distance = batch.distances.signed_distance[pair];
    const Vec3 position = batch.bodies[batch.pairs[pair].a].position;
    const DVec3 origin = {position.x, position.y, position.z};
    if (meets_nothing(batch, pair)) {
        out.append(", \"intersects\": false");
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

void append_cast(std::string& out, const Batch& batch, std::uint32_t pair) {
    const Casts& casts = batch.cast_of(pair);
    const double time = casts.time[pair];
    fmt::format_to(std::back_inserter(out), ", \"hit\": {}, \"time\": ", casts.hit(pair));
    append_number(out, time);
    if (!casts.hit(pair)) return;
    const Pair of = batch.pairs[pair];
    const Vec3 from = batch.bodies[of.a].position, to = batch.ends[of.a].position;
    const auto at = [&](float start, float end) { return double(start) + (double(end) - double(start)) * time; };
    const DVec3 origin = {at(from.x, to.x), at(from.y, to.y), at(from.z, to.z)};
    out.append(", \"signed_distance\": ");
    append_number(out, casts.signed_distance[pair]);
    append_vector(out, "normal", casts.normal[pair]);
    out.append(", ");
    append_point(out, "point_a", origin, casts.point_a[pair]);
    out.append(", ");
    append_point(out, "point_b", origin, casts.point_b[pair]);
    const ShapeId a = batch.bodies[of.a].shape, b = batch.bodies[of.b].shape;
    if (a.kind() == ShapeKind::compound)
        fmt::format_to(std::back_inserter(out), ", \"child_a\": {}", casts.child_a[pair]);
    if (b.kind() == ShapeKind::compound)
        fmt::format_to(std::back_inserter(out), ", \"child_b\": {}", casts.child_b[pair]);
    if (is_surface(a) || is_surface(b))
        fmt::format_to(std::back_inserter(out), ", \"triangle\": {}",
                       is_surface(a) ? casts.child_a[pair] : casts.child_b[pair]);
}

void append_ray(std::string& out, const Batch& batch, std::uint32_t pair) {
    const RayHits& rays = batch.rays;
    fmt::format_to(std::back_inserter(out), ", \"hit\": {}, \"fraction\": ", rays.hit(pair));
    append_number(out, rays.fraction[pair]);
    if (!rays.hit(pair)) return;
    const Body& body = batch.bodies[batch.pairs[pair].b];
    const bool is_inside = rays.inside[pair] != 0;
    if (!is_inside) append_vector(out, "normal", rays.normal[pair]);
    out.append(", ");
    const Vec3 from = is_inside ? batch.origins[pair] : body.position;
    append_point(out, "point", {from.x, from.y, from.z}, is_inside ? Vec3{} : rays.point[pair]);
    fmt::format_to(std::back_inserter(out), ", \"inside\": {}", is_inside);
    if (body.shape.kind() == ShapeKind::compound)
        fmt::format_to(std::back_inserter(out), ", \"child\": {}", rays.child[pair]);
    if (is_surface(body.shape) && !is_inside)
        fmt::format_to(std::back_inserter(out), ", \"triangle\": {}", rays.child[pair]);
}

// Nothing but `inside` for a point behind all triangles.
void append_point_distance(std::string& out, const Batch& batch, std::uint32_t pair) {
    const PointDistances& points = batch.points;
    const float distance = points.signed_distance[pair];
    fmt::format_to(std::back_inserter(out), ", \"inside\": {}", distance < 0);
    if (distance == std::numeric_limits<float>::infinity()) return;
    out.append(", \"signed_distance\": ");
    append_number(out, distance);
    append_vector(out, "normal", points.normal[pair]);
    out.append(", ");
    const Body& body = batch.bodies[batch.pairs[pair].b];
    append_point(out, "nearest", {body.position.x, body.position.y, body.position.z}, points.nearest[pair]);
    if (body.shape.kind() == ShapeKind::compound)
        fmt::format_to(std::back_inserter(out), ", \"child\": {}", points.child[pair]);
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
void append_trace(std::string& out, const Batch& batch, std::uint32_t pair) {
    if (batch.distance_traces.empty()) return;
    out.append(", \"trace\": {");
    append_states(out, batch.distance_traces[pair]);
    out.append(", \"contacts\": {");
    append_states(out, batch.manifold_traces[pair]);
    out.append("}}");
}

// The first of the answer's members that JSON could not write as a number; null where all of them are finite.
const char* non_finite_member(const Batch& batch, std::uint32_t pair) {
    const Manifolds& m = batch.manifolds;
    if (meets_nothing(batch, pair)) return nullptr;
    if (!std::isfinite(batch.distances.signed_distance[pair])) return "signed_distance";
    if (!is_finite(batch.distances.normal[pair])) return "normal";
    if (!is_finite(batch.distances.point_a[pair])) return "point_a";
    if (!is_finite(batch.distances.point_b[pair])) return "point_b";
    for (std::uint32_t i = m.first_manifold[pair]; i < m.first_manifold[pair + 1]; ++i) {
        for (std::uint32_t c = 0; c < m.manifolds[i].contact_count; ++c) {
            const Contact& contact = m.contacts[m.manifolds[i].first_contact + c];
            if (!is_finite(contact.position) || !std::isfinite(contact.separation)) return "contacts";
        }
    }
    return nullptr;
}

struct Verdict {
    const char* status = "ok";
    std::string message;  // why the status is not ok
    bool has_answer = true;
};

Status library_status(const Batch& batch, std::uint32_t pair, QuestionKind kind) {
    switch (kind) {
        case QuestionKind::cast: return batch.cast_of(pair).status[pair];
        case QuestionKind::ray: return batch.rays.status[pair];
        case QuestionKind::point: return batch.points.status[pair];
        case QuestionKind::distance: break;
    }
    return batch.distances.status[pair];
}

Verdict verdict_of(const Batch& batch, const Row& row, QuestionKind kind) {
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

void append_row(std::string& out, const Batch& batch, const Row& row, QuestionKind kind) {
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

}  // namespace abut::tools
