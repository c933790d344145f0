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
constexpr std::size_t kRayEvery = 4, kCastEvery = 6;  // of the pairs, of the rays
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
            ++tally_.quality.solved, tally_.quality.undecided += wanted.is_open;
            if (!wanted.is_open && off < plane::kInfinity)
                tally_.quality.distance = std::max(tally_.quality.distance, double(off));
            note(i, check_distance(wanted, answers, i));
            note(i, check_manifolds(wanted, answers, i, scene_.margins[i]));
            note(i, check_mirrored(answers, i, tally_.pairs + i));
        }
        check_motions();
        return tally_;
    }

private:
    void check_motions() {
        const plane::MovingScene moving(scene_, kRayEvery);
        for (std::size_t k = 0; k < moving.size(); ++k) {
            if (plan_.first_only && tally_.wrong > 0) return;
            const std::size_t i = moving.pair(k);
            const plane::Motion& m = moving.motion(k);
            const json pose = {{"b", as_json(plane::as_asked(scene_.given[i].a))},
                               {"b_pos", plane::list(m.start_a)},
                               {"b_angle", m.angle_a},
                               {"origin", plane::list(m.start_b)},
                               {"direction", {m.end_b.x - m.start_b.x, m.end_b.y - m.start_b.y}},
                               {"point", plane::list(m.start_b)}};
            note(i, moving.check_ray(k, kSamples), pose, " --2d --query ray");
            note(i, moving.check_point(k), pose, " --2d --query point");
            if (k % kCastEvery == 0)
                note(i, moving.check_cast(k, plane::Case(scene_.given[i]), kSamples), motion_of(m),
                     " --2d --query cast");
        }
    }

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

    plane::Scene scene_;
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
