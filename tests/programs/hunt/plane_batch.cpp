// Batches in two dimensions: families_2d.hpp before the oracle of the plane.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "programs/hunt/batch.hpp"
#include "support/judge_2d.hpp"
#include "support/question_2d.hpp"

namespace abut::hunt {
namespace {

using nlohmann::json;
using plane::HardPair;
using plane::Real;

// Casts and rays cost hundreds of distances of the oracle each.
constexpr std::size_t kCastEvery = 24, kRayEvery = 4;
constexpr int kSamples = 128;

std::string line_of(const HardPair& pair, const json& more = json::object()) {
    json line = {{"id", 1},
                 {"a", as_json(plane::as_asked(pair.a))},
                 {"a_pos", plane::list(pair.position_a)},
                 {"a_angle", plane::angle_of(pair.rotation_a)},
                 {"b", as_json(plane::as_asked(pair.b))},
                 {"b_pos", plane::list(pair.position_b)},
                 {"b_angle", plane::angle_of(pair.rotation_b)}};
    line.update(more);
    return line.dump();
}

json motion_of(const plane::Motion& m) {
    return {{"a_pos", plane::list(m.start_a)},   {"a_angle", m.angle_a},
            {"b_pos", plane::list(m.start_b)},   {"b_angle", m.angle_b},
            {"a_end_pos", plane::list(m.end_a)}, {"a_end_angle", m.end_angle_a},
            {"b_end_pos", plane::list(m.end_b)}, {"b_end_angle", m.end_angle_b}};
}

class PlaneBatch {
public:
    PlaneBatch(plane::Family family, std::uint64_t seed, const Plan& plan)
        : scene_(family, plan.pairs, seed), name_(plane::to_string(family)), seed_(seed), plan_(plan) {}

    Tally run() {
        const plane::Answers answers = ask(scene_, plan_.isas[0]);
        tally_.pairs = scene_.given.size(), tally_.exact_path = answers.exact / 2;
        for (std::size_t k = 1; k < plan_.isas.size(); ++k) {
            const plane::Answers other = ask(scene_, plan_.isas[k]);
            if (plane::same_bits(answers, other)) continue;
            for (std::size_t i = 0; i < tally_.pairs; ++i)
                if (!plane::same_bits(answers, other, i))
                    note(i, {{"same bits", plane::kInfinity, to_string(plan_.isas[k])}});
        }
        for (std::size_t i = 0; i < tally_.pairs; ++i) {
            if (plan_.first_only && tally_.wrong > 0) break;
            const plane::Case wanted(scene_.given[i]);
            const Real off = std::fabs(answers.distances.signed_distance[i] - wanted.wanted.distance) / wanted.bound;
            tally_.quality.undecided += wanted.is_open;
            if (!wanted.is_open && off < plane::kInfinity)
                tally_.quality.distance = std::max(tally_.quality.distance, double(off));
            note(i, check_distance(wanted, answers, i));
            note(i, check_manifolds(wanted, answers, i, scene_.margins[i]));
            note(i, check_mirrored(answers, i, tally_.pairs + i));
            if (i % kRayEvery == 0) check_ray(i, wanted);
            if (i % kCastEvery == 0) check_cast(i, wanted);
        }
        return tally_;
    }

private:
    void note(std::size_t i, const plane::Mistakes& mistakes, const json& more = json::object(),
              const char* options = " --2d") {
        tally_.wrong += !mistakes.empty();
        for (const plane::Mistake& m : mistakes) {
            Class& c = tally_.classes[m.what];
            ++c.count;
            c.note({name_, m.what, m.details, line_of(scene_.given[i], more), double(m.bounds), scene_.margins[i],
                    seed_, i, false, options},
                   plan_.keep);
        }
    }

    // B moves past A. No sample before the time found may overlap, and at that time the two touch.
    void check_cast(std::size_t i, const plane::Case& wanted) {
        const HardPair& pair = scene_.given[i];
        const plane::Motion m(pair, wanted, i);
        const float angles[] = {m.angle_a, m.angle_b}, end_angles[] = {m.end_angle_a, m.end_angle_b};
        const d2::Vec2 starts[] = {m.start_a, m.start_b}, ends[] = {m.end_a, m.end_b};
        const d2::ShapeId shapes[] = {scene_.bodies[2 * i].shape, scene_.bodies[2 * i + 1].shape};
        const Pair ab[] = {{0, 1}};
        d2::BodyColumns from, to;
        from.shapes = to.shapes = shapes, from.positions = starts, to.positions = ends;
        from.angles = angles, to.angles = end_angles;
        const d2::Frame frame{&scene_.shapes, from, ab, {}};
        d2::Casts out;
        if (const CallResult r = phase_.cast(frame, {to}, out); !r) throw std::runtime_error(r.error().message.c_str());
        if (out.status[0] != Status::ok && out.status[0] != Status::unsupported)
            note(i, {{"cast: status", plane::kInfinity, to_string(out.status[0])}}, motion_of(m), " --2d --query cast");
        // Which segments of a chain take part is decided at the start.
        const bool is_chain = wanted.a.form == plane::Form::chain || wanted.b.form == plane::Form::chain;
        if (out.status[0] != Status::ok || is_chain) return;
        const Real bound = 1e-5L * wanted.smaller + 4e-6L * wanted.larger +
                           0x1p-22L * (plane::length({pair.position_a.x, pair.position_a.y}) + wanted.larger);
        const auto distance = [&](Real time) {
            const auto [a, b] = m.at(pair, time);
            return plane::signed_distance(a, b).distance;
        };
        plane::Mistakes mistakes;
        for (int k = 0; k < kSamples && mistakes.empty(); ++k) {
            const Real time = Real(k) / kSamples;
            if (out.hit(0) && time >= Real(out.time[0])) break;
            const Real deep = -distance(time);
            if (deep > bound) mistakes.push_back({"cast: late", deep / bound, "overlaps at " + std::to_string(time)});
        }
        const Real apart = out.hit(0) ? distance(out.time[0]) : 0, near = bound + 1.2e-4L * wanted.smaller;
        if (apart > near) mistakes.push_back({"cast: early", apart / near, "apart by " + std::to_string(apart)});
        note(i, mistakes, motion_of(m), " --2d --query cast");
    }

    // A ray from B's start to its end, and its origin as a point, against A.
    void check_ray(std::size_t i, const plane::Case& wanted) {
        const HardPair& pair = scene_.given[i];
        const plane::Motion m(pair, wanted, i);
        if (wanted.a.form == plane::Form::chain) return;
        const d2::Vec2 origin[] = {m.start_b}, way[] = {{m.end_b.x - m.start_b.x, m.end_b.y - m.start_b.y}};
        const d2::Body body[] = {scene_.bodies[2 * i]};
        const Pair pairs[] = {{0, 0}};
        const d2::Frame frame{&scene_.shapes, d2::Bodies(Strided<d2::Body>(body)), pairs, {}};
        d2::RayHits hits;
        d2::PointDistances distances;
        for (const CallResult& r : {phase_.raycast(frame, {.origins = origin, .directions = way}, hits),
                                    phase_.measure(frame, {.positions = origin}, distances)})
            if (!r) throw std::runtime_error(r.error().message.c_str());
        const plane::Point from = plane::Point{m.start_b.x, m.start_b.y} - plane::Point{m.start_a.x, m.start_a.y},
                           along = {way[0].x, way[0].y};
        const Real bound = 1e-5L * plane::size_of(wanted.a) + 0x1p-20L * (plane::length(from) + plane::length(along));
        plane::Mistakes mistakes;
        for (int k = 0; k < kSamples && mistakes.empty(); ++k) {
            const Real fraction = Real(k) / kSamples;
            if (hits.hit(0) && fraction >= Real(hits.fraction[0])) break;
            const Real deep = -plane::distance_to(wanted.a, from + along * fraction);
            if (deep > bound) mistakes.push_back({"ray: late", deep / bound, "inside at " + std::to_string(fraction)});
        }
        const plane::Point point = {hits.point[0].x, hits.point[0].y};
        if (hits.hit(0) && !hits.inside[0] && !plane::is_on_surface(wanted.a, point, bound))
            mistakes.push_back({"ray: point", plane::kInfinity, "off the surface"});
        const json ray = {{"origin", plane::list(origin[0])}, {"direction", plane::list(way[0])}};
        note(i, mistakes, ray, " --2d --query ray");
        const Real apart = plane::distance_to(wanted.a, from), off = std::fabs(distances.signed_distance[0] - apart),
                   least = bound + 1e-6L * std::fabs(apart) + wanted.coordinates;
        if (off > least) note(i, {{"point: signed distance", off / least, ""}}, ray, " --2d --query point");
    }

    plane::Scene scene_;
    d2::NarrowPhase phase_{{.executor = serial_executor()}};
    Tally tally_;
    std::string name_;
    std::uint64_t seed_;
    const Plan& plan_;
};

}  // namespace

std::vector<Game> plane_games() {
    std::vector<Game> all;
    for (int i = 0; i < plane::kFamilies; ++i) {
        const auto family = static_cast<plane::Family>(i);
        all.push_back({plane::to_string(family), "tests/support/families_2d.hpp",
                       [family](std::uint64_t seed, const Plan& plan) {
            const double start = cpu_seconds();
            Tally tally = PlaneBatch(family, seed, plan).run();
            tally.seconds = cpu_seconds() - start;
            return tally;
                       }});
    }
    return all;
}

}  // namespace abut::hunt
