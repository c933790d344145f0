// `abut query`: pairs in, answers out, one JSON object a line.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <unordered_map>

#include <fmt/format.h>

#include <abut/abut.hpp>
#include <abut/range.hpp>

#include "commands.hpp"
#include "files.hpp"
#include "json_string.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "question.hpp"
#include "run_options.hpp"

namespace abut::tools {
namespace {

// Lines answered in one call: bounds memory on endless input; answers do not depend on it.
constexpr std::size_t kBatch = std::size_t(1) << 16;
// Of the shapes that are kept from line to line, as their keys count it: bounds memory as well.
constexpr std::size_t kMaxShapeBytes = std::size_t(1) << 28;
constexpr std::uint32_t kNoPair = ~0u;

struct Options {
    RunOptions run;
    std::string input = "-", output = "-";
    std::string query = "distance";
    bool stream = false, trace = false;

    QuestionKind kind() const { return query == "cast" ? QuestionKind::cast : query == "ray" ? QuestionKind::ray : QuestionKind::distance; }
};

struct Row {
    std::string id;  // as JSON
    std::size_t line = 0;
    std::uint32_t pair = kNoPair;
    const char* refused = nullptr;  // a status, where the pair was never asked
    std::string message;
};

// Adds each different shape once: cooking a hull costs far more than a query.
class SharedShapes {
public:
    Expected<ShapeId> add(const ShapeSpec& spec) {
        std::string key = shape_key(spec);
        if (const auto known = ids_.find(key); known != ids_.end()) return known->second;
        Expected<ShapeId> id = add_shape(store_, spec);
        used_ += instances_of(spec);
        bytes_ += key.size();
        if (id) ids_.emplace(std::move(key), *id);
        return id;
    }
    // Whether many of the store's slots, and enough memory, are left.
    bool has_room() const { return used_ < ShapeId::kMaxSlots / 2 && bytes_ < kMaxShapeBytes; }
    // Between batches: makes room where a long input has used it up.
    void make_room() {
        if (has_room()) return;
        used_ = bytes_ = 0;
        ids_.clear();
        store_ = ShapeStore();
    }
    const ShapeStore& store() const { return store_; }

private:
    static std::size_t instances_of(const ShapeSpec& spec) {
        std::size_t count = 1;
        for (const ChildSpec& child : spec.children) count += instances_of(child.shape);
        return count;
    }

    ShapeStore store_;
    std::unordered_map<std::string, ShapeId> ids_;
    std::size_t used_ = 0, bytes_ = 0;
};

struct Batch {
    std::vector<Row> rows;
    std::vector<Body> bodies;
    std::vector<Pair> pairs;
    Distances distances;
    Manifolds manifolds;
    // Of casts:
    std::vector<Body> ends;
    std::vector<float> targets;     // by pair
    std::vector<CastStart> starts;  // by pair
    Casts casts[3];                 // by CastStart
    // Of rays:
    std::vector<Vec3> origins, directions;                    // by pair
    std::vector<std::uint8_t> solid;                          // by pair: the shape is a solid mesh
    RayHits rays[2];                                          // by `solid`
    std::vector<PairTrace> distance_traces, manifold_traces;  // empty where they are not asked

    void clear() {
        rows.clear();
        bodies.clear();
        pairs.clear();
        ends.clear();
        targets.clear();
        starts.clear();
        origins.clear();
        directions.clear();
        solid.clear();
    }
    const RayHits& rays_of(std::uint32_t pair) const { return rays[solid[pair]]; }
    const Casts& cast_of(std::uint32_t pair) const { return casts[int(starts[pair])]; }
};

bool add_body(Batch& batch, SharedShapes& shapes, const PosedShape& posed, const char* side, Row& row) {
    const Expected<ShapeId> id = shapes.add(posed.shape);
    if (!id) {
        row.refused = "bad_shape";
        row.message = fmt::format("{}: {}", side, id.error().message.view());
        return false;
    }
    batch.bodies.push_back({posed.position, *id, posed.orientation});
    batch.ends.push_back({posed.end_position, *id, posed.end_orientation});
    return true;
}

void add_row(Batch& batch, SharedShapes& shapes, Question question, QuestionKind kind, std::size_t line) {
    Row row{std::move(question.id), line, kNoPair, question.refused, std::move(question.message)};
    if (!row.refused && kind == QuestionKind::ray) {
        if (add_body(batch, shapes, question.b, "b", row)) {
            row.pair = std::uint32_t(batch.pairs.size());
            batch.pairs.push_back({row.pair, std::uint32_t(batch.bodies.size() - 1)});
            batch.origins.push_back(question.origin);
            batch.directions.push_back(question.direction);
            batch.solid.push_back(question.b.shape.solid);
        }
    } else if (!row.refused) {
        const auto first = std::uint32_t(batch.bodies.size());
        if (add_body(batch, shapes, question.a, "a", row) && add_body(batch, shapes, question.b, "b", row)) {
            row.pair = std::uint32_t(batch.pairs.size());
            batch.pairs.push_back({first, first + 1});
            batch.targets.push_back(question.target);
            batch.starts.push_back(question.start);
        }
    }
    batch.rows.push_back(std::move(row));
}

void ask(Batch& batch, const SharedShapes& shapes, NarrowPhase& narrow, bool trace) {
    const auto frame = [&](std::vector<PairTrace>& traces) {
        if (trace) traces.resize(batch.pairs.size());
        Frame of_batch;
        of_batch.shapes = &shapes.store();
        of_batch.bodies = batch.bodies;
        of_batch.pairs = batch.pairs;
        of_batch.traces = traces;
        return of_batch;
    };
    const CallResult distances = narrow.distance(frame(batch.distance_traces), batch.distances);
    if (!distances) throw InputError(distances.error().message);
    const CallResult manifolds = narrow.collide(frame(batch.manifold_traces), batch.manifolds);
    if (!manifolds) throw InputError(manifolds.error().message);
}

// All pairs once for each start mode that some pair has.
void ask_casts(Batch& batch, const SharedShapes& shapes, NarrowPhase& narrow) {
    const Bodies ends[] = {batch.ends};
    for (const CastStart start : {CastStart::stop, CastStart::closing_only, CastStart::ignore}) {
        if (std::find(batch.starts.begin(), batch.starts.end(), start) == batch.starts.end()) continue;
        CastOptions options;
        options.targets = batch.targets;
        options.start = start;
        const CallResult result = narrow.cast({&shapes.store(), batch.bodies, batch.pairs}, {ends}, batch.casts[int(start)], options);
        if (!result) throw InputError(result.error().message);
    }
}

// All pairs once, and once more where some have a solid mesh.
void ask_rays(Batch& batch, const SharedShapes& shapes, NarrowPhase& narrow) {
    Rays rays;
    rays.origins = batch.origins, rays.directions = batch.directions;
    for (const bool solid : {false, true}) {
        if (std::find(batch.solid.begin(), batch.solid.end(), std::uint8_t(solid)) == batch.solid.end()) continue;
        RayOptions options;
        options.solid_meshes = solid;
        const CallResult result = narrow.raycast({&shapes.store(), batch.bodies, batch.pairs}, rays, batch.rays[int(solid)], options);
        if (!result) throw InputError(result.error().message);
    }
}

// Which of the pair's numbers the library refused.
std::string pose_problem(const Body& body, const std::string& side) {
    const Vec3 p = body.position;
    const Quat q = body.orientation;
    const float reach = std::fabs(p.x) + std::fabs(p.y) + std::fabs(p.z);
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) return fmt::format("{}_pos is past float32's range", side);
    const double length = std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w);
    if (!std::isfinite(length)) return fmt::format("{}_quat is past float32's range", side);
    if (std::fabs(length - 1.0) > 0.01) return fmt::format("{}_quat has length {:.6g}, over 1% off 1", side, length);
    if (!(reach <= kMostMetres)) return fmt::format("{}_pos is past the range of {:g} m", side, kMostMetres);
    return {};
}

bool is_surface(ShapeId id) { return id.kind() == ShapeKind::mesh || id.kind() == ShapeKind::heightfield; }
bool are_surfaces(const Batch& batch, Pair pair) { return is_surface(batch.bodies[pair.a].shape) && is_surface(batch.bodies[pair.b].shape); }

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

std::string status_message(const Batch& batch, const Row& row, Status status, QuestionKind kind) {
    if (kind == QuestionKind::ray && status == Status::bad_pose) return ray_problem(batch, row.pair);
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
    const auto has_triangles = [&](std::uint32_t body) { return is(body, ShapeKind::mesh) || is(body, ShapeKind::heightfield); };
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
                fmt::format_to(std::back_inserter(out), ", \"child_a\": {}, \"child_b\": {}", has_triangles(of.a) ? 0 : manifold.child_a,
                               has_triangles(of.b) ? 0 : manifold.child_b);
            }
            if (has_triangles(of.a) || has_triangles(of.b))
                fmt::format_to(std::back_inserter(out), ", \"triangle\": {}", batch.manifolds.triangles[manifold.first_contact + c]);
            out.push_back('}');
            separator = ", ";
        }
    }
    out.push_back(']');
}

// A body behind all triangles of a one-sided surface.
bool meets_nothing(const Batch& batch, std::uint32_t pair) { return batch.distances.signed_distance[pair] == std::numeric_limits<float>::infinity(); }

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
    if (a.kind() == ShapeKind::compound) fmt::format_to(std::back_inserter(out), ", \"child_a\": {}", casts.child_a[pair]);
    if (b.kind() == ShapeKind::compound) fmt::format_to(std::back_inserter(out), ", \"child_b\": {}", casts.child_b[pair]);
    if (is_surface(a) || is_surface(b))
        fmt::format_to(std::back_inserter(out), ", \"triangle\": {}", is_surface(a) ? casts.child_a[pair] : casts.child_b[pair]);
}

void append_ray(std::string& out, const Batch& batch, std::uint32_t pair) {
    const RayHits& rays = batch.rays_of(pair);
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
    if (body.shape.kind() == ShapeKind::compound) fmt::format_to(std::back_inserter(out), ", \"child\": {}", rays.child[pair]);
    if (is_surface(body.shape) && !is_inside) fmt::format_to(std::back_inserter(out), ", \"triangle\": {}", rays.child[pair]);
}

void append_states(std::string& out, const PairTrace& trace) {
    out.append("\"states\": [");
    for (int i = 0; i < trace.count; ++i) fmt::format_to(std::back_inserter(out), "{}\"{}\"", i == 0 ? "" : ", ", to_string(trace.states[i]));
    fmt::format_to(std::back_inserter(out), "], \"iterations\": {}, \"certified_by\": \"{}\"", trace.iterations, to_string(certified_by(trace)));
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

Verdict verdict_of(const Batch& batch, const Row& row, QuestionKind kind) {
    if (row.refused) return {row.refused, row.message, false};
    const bool is_distance = kind == QuestionKind::distance;
    Status status = is_distance                  ? batch.distances.status[row.pair]
                    : kind == QuestionKind::cast ? batch.cast_of(row.pair).status[row.pair]
                                                 : batch.rays_of(row.pair).status[row.pair];
    // Two surfaces have a distance and no contacts.
    if (status == Status::ok && is_distance && !are_surfaces(batch, batch.pairs[row.pair])) status = batch.manifolds.status[row.pair];
    Verdict verdict{to_string(status), {}, status == Status::ok || status == Status::not_converged};
    if (status != Status::ok) verdict.message = status_message(batch, row, status, kind);
    if (!verdict.has_answer) return verdict;
    if (const char* member = is_distance ? non_finite_member(batch, row.pair) : nullptr) {
        return {to_string(Status::bad_pose), fmt::format("{} is past float32's range", member), false};
    }
    return verdict;
}

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
    } else if (verdict.has_answer) {
        append_answer(out, batch, row.pair);
        append_trace(out, batch, row.pair);
    }
    out.append("}\n");
}

int run(const Options& options) {
    NarrowPhase narrow(make_settings(options.run));
    LineReader lines(options.input);
    const NamedFile inputs[] = {lines.file()};
    TextWriter out(options.output, inputs);
    if (options.stream && !out.file().is_direct()) {
        throw InputError(fmt::format("--stream: {} is a file, which changes only once everything is written; answer to a pipe", out.file().name()));
    }
    // A trace counts the rounds of a group of lanes: a pair on its own has its own.
    const std::size_t most_rows = options.stream || options.trace ? 1 : kBatch;
    Progress progress("answering, lines");
    SharedShapes shapes;
    Batch batch;
    std::string line;
    for (bool more = true; more;) {
        batch.clear();
        shapes.make_room();
        while (batch.rows.size() < most_rows && shapes.has_room() && (more = lines.next(line))) {
            add_row(batch, shapes, read_question(line, options.kind()), options.kind(), lines.line_number());
            progress.step();
        }
        if (options.kind() == QuestionKind::cast)
            ask_casts(batch, shapes, narrow);
        else if (options.kind() == QuestionKind::ray)
            ask_rays(batch, shapes, narrow);
        else
            ask(batch, shapes, narrow, options.trace);
        for (const Row& row : batch.rows) {
            append_row(out.buffer(), batch, row, options.kind());
            out.flush_if_large();
        }
        if (options.stream) out.flush();
    }
    out.finish();
    return 0;
}

}  // namespace

Command add_query(Arguments& program) {
    auto options = std::make_shared<Options>();
    Arguments command = program.subcommand("query", "Answer pairs of shapes: one JSON object per line in, one per line out");
    add_run_options(command, options->run, "Contacts are reported up to this far apart; 0.02 by default");
    command.add("FILE", options->input, "Questions; - or nothing is standard input");
    command.add("-o,--output", options->output, "Where to write; standard output by default").type_name("FILE");
    command
        .add("--query", options->query, "distance, with contacts; cast: the first time at which moving shapes meet; ray: where a ray meets a shape")
        .one_of({"distance", "cast", "ray"});
    command.add_flag("--stream", options->stream, "Answer each line before the next is read, for a program that asks through pipes");
    command.add_flag("--trace", options->trace,
                     "Add to each answer the states that the pair went through, the iterations, and the state that certified the answer");
    command.footer(
        "A question:\n"
        "  {\"id\": \"q1\", \"a\": {\"shape\": \"sphere\", \"radius\": 0.5}, \"a_pos\": [0,0,0], \"a_quat\": [0,0,0,1],\n"
        "                \"b\": {\"shape\": \"box\", \"half_extents\": [1,1,1]}, \"b_pos\": [0,1.4,0], \"b_quat\": [0,0,0,1]}\n"
        "Of --query cast it may also have \"a_end_pos\", \"a_end_quat\", \"b_end_pos\", \"b_end_quat\" (poses at time 1), \"target\" (metres) and\n"
        "\"start\" (\"stop\", \"closing_only\" or \"ignore\").\n"
        "A question of --query ray:\n"
        "  {\"id\": \"r1\", \"origin\": [0,3,0], \"direction\": [0,-9,0], \"b\": {\"shape\": \"sphere\", \"radius\": 0.5}, \"b_pos\": [0,0,0],\n"
        "                \"b_quat\": [0,0,0,1]}\n"
        "Every line is answered in its place; a bad one gets a status and a message, and harms no other.\n"
        "Examples:\n"
        "  abut query questions.jsonl -o answers.jsonl\n"
        "  head -n 1 questions.jsonl | abut query --isa sse2 --threads 1\n"
        "  abut query --trace wrong.jsonl | jq .trace\n"
        "  abut query --query cast motions.jsonl\n"
        "  coproc ABUT { abut query --stream; }         # bash: write to ${ABUT[1]}, read from ${ABUT[0]}\n"
        "docs/formats.md describes the shapes' fields and the answers.");
    return [options] { return run(*options); };
}

}  // namespace abut::tools
