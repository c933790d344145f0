// Batches, see batch.hpp. Everything runs on the calling thread.
#include "programs/hunt/batch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <functional>

#include <fmt/format.h>

#include "scenes/random.hpp"
#include "support/mirrored.hpp"
#include "support/oracle/worsen.hpp"
#include "surfaces/contacts/families.hpp"

namespace abut::hunt {
namespace {

using families::Family;
using oracle::Vec3d;
using test::CompoundScene;

constexpr std::size_t kCrossCheckEvery = 97;  // overlapping polytopes
constexpr std::size_t kTimedTogether = 32;

Settings settings_for(Isa isa) { return {.executor = serial_executor(), .isa = isa}; }

oracle::Claim claim_of(const Distances& d, std::size_t pair) {
    return {d.signed_distance[pair], d.normal[pair], d.point_a[pair], d.point_b[pair]};
}

// A scene of either sort, as this file needs it.
struct Subject {
    const Frame frame;
    std::function<std::string(std::size_t pair)> line;
};

class Batch {
public:
    Batch(const Family& family, std::uint64_t seed, const Plan& plan, const Subject& subject)
        : family_(family), seed_(seed), plan_(plan), subject_(subject) {}

    Tally tally;

    // The judged instruction set's answers; the others' are compared with them, and so is the frame with all pairs
    // swapped.
    judge::Answers ask() {
        judge::Answers answers = judge::ask(subject_.frame, settings_for(plan_.isas[0]));
        tally.pairs = subject_.frame.pairs.size(), tally.exact_path = answers.exact_path;
        for (std::size_t i = 1; i < plan_.isas.size(); ++i) {
            const judge::Answers other = judge::ask(subject_.frame, settings_for(plan_.isas[i]));
            if (!judge::same_bits(answers, other)) find_differing(answers, other, plan_.isas[i]);
        }
        check_mirrored(answers);
        return answers;
    }

    // The mistakes of a pair; one wrong pair however many there are.
    void note(std::size_t pair, std::vector<Mistake> mistakes) {
        if (mistakes.empty()) return;
        const bool wrong = std::ranges::any_of(mistakes, [](const Mistake& m) { return !m.is_short; });
        ++(wrong ? tally.wrong : tally.shorts);
        for (Mistake& mistake : mistakes) {
            Class& c = tally.classes[mistake.what];
            ++c.count;
            if (c.worst.size() >= plan_.keep && mistake.bounds <= c.worst.back().bounds) continue;
            c.note({family_.name, mistake.what, mistake.details, subject_.line(pair), mistake.bounds, margin(pair),
                    seed_, pair, mistake.is_short},
                   plan_.keep);
        }
    }

    float margin(std::size_t pair) const { return subject_.frame.margins[pair]; }

    // The slowest pair by itself: of few pairs together that took longer than the slowest so far, each is timed.
    void time_pairs() {
        NarrowPhase narrow(settings_for(plan_.isas[0]));
        for (std::size_t first = 0; first < tally.pairs; first += kTimedTogether) {
            const std::size_t count = std::min(kTimedTogether, tally.pairs - first);
            if (time_of(narrow, first, count) <= tally.slowest) continue;
            for (std::size_t i = first; i < first + count; ++i) {
                double seconds = time_of(narrow, i, 1);
                for (int again = 0; again < 2 && seconds > tally.slowest; ++again)
                    seconds = std::min(seconds, time_of(narrow, i, 1));
                if (seconds > tally.slowest) tally.slowest = seconds, slowest_ = i;
            }
        }
        if (tally.pairs > 0) tally.slowest_line = subject_.line(slowest_);
    }

private:
    void find_differing(const judge::Answers& x, const judge::Answers& y, Isa isa) {
        for (std::size_t i = 0; i < tally.pairs; ++i)
            if (test::words_of(x, i) != test::words_of(y, i))
                note(i, {{"same bits", oracle::kInfinity,
                          fmt::format("{} and {} differ", to_string(plan_.isas[0]), to_string(isa))}});
    }

    void check_mirrored(const judge::Answers& answers) {
        std::vector<Pair> swapped;
        for (std::size_t i = 0; i < tally.pairs; ++i)
            swapped.push_back({subject_.frame.pairs[i].b, subject_.frame.pairs[i].a});
        Frame frame = subject_.frame;
        frame.pairs = swapped;
        const judge::Answers other = judge::ask(frame, settings_for(plan_.isas[0]));
        for (std::size_t i = 0; i < tally.pairs; ++i) {
            const Pair pair = subject_.frame.pairs[i];
            const Vec3 b_from_a =
                test::plus(frame.bodies[pair.b].position, test::negated(frame.bodies[pair.a].position));
            const test::Unmirrored u = test::unmirrored(answers, i, other, i, b_from_a);
            if (u.any())
                note(i, {{"mirrored", oracle::kInfinity,
                          fmt::format("swapped, these differ:{}{}{}{}{}{}", u.distance ? " distance" : "",
                                      u.normal ? " normal" : "", u.points ? " points" : "", u.hit ? " hit" : "",
                                      u.manifolds ? " manifolds" : "", u.status ? " status" : "")}});
        }
    }

    double time_of(NarrowPhase& narrow, std::size_t first, std::size_t count) {
        pairs_.clear();
        for (std::size_t i = first; i < first + count; ++i) pairs_.push_back(subject_.frame.pairs[i]);
        Frame frame = subject_.frame;
        frame.pairs = pairs_;
        frame.margins = frame.margins.subspan(first, count);
        const double start = cpu_seconds();
        const bool ran = bool(narrow.collide(frame, manifolds_)) && bool(narrow.distance(frame, distances_));
        return ran ? cpu_seconds() - start : 0;
    }

    const Family& family_;
    std::uint64_t seed_;
    const Plan& plan_;
    const Subject& subject_;
    std::size_t slowest_ = 0;
    std::vector<Pair> pairs_;
    Manifolds manifolds_;
    Distances distances_;
};

// --- convex shapes ---

void judge_pair(const scenes::Scene& scene, std::size_t i, const judge::Answers& answers, Batch& batch) {
    const Placed a{scene.solid_a(i), oracle::pose_of(scene.body_a(i))},
        b{scene.solid_b(i), oracle::pose_of(scene.body_b(i))};
    Trial trial(a, b, a.pose.position, batch.margin(i), batch.tally.quality);
    const oracle::Claim claim = claim_of(answers.distances, i);
    trial.check_distance(answers.distances.status[i], claim, i % kCrossCheckEvery == 0);
    trial.check_separation(answers.separations.status[i], claim_of(answers.separations, i), claim);
    trial.check_overlap(answers.overlaps.status[i], answers.overlaps.hit(i));
    const Manifolds& m = answers.manifolds;
    const bool found = m.first_manifold[i] < m.first_manifold[i + 1];
    trial.check_manifold(m.status[i], found ? &m.manifolds[m.first_manifold[i]] : nullptr, test::contacts_of(m, i));
    batch.note(i, std::move(trial.mistakes));
}

// --- compounds ---

// All pairs of children of one pair. The answer is that of the nearest two; manifolds come child by child.
class ChildrenTrial {
public:
    ChildrenTrial(const CompoundScene& scene, std::size_t i, Batch& batch)
        : scene_(scene), i_(i), pair_(scene.pairs[i]) {
        for (std::size_t a = 0; a < scene.parts[pair_.a].size(); ++a)
            for (std::size_t b = 0; b < scene.parts[pair_.b].size(); ++b) {
                const Placed in_a{scene.solid(pair_.a, a), scene.pose(pair_.a, a)},
                    in_b{scene.solid(pair_.b, b), scene.pose(pair_.b, b)};
                trials_.emplace_back(in_a, in_b, Vec3d(scene.bodies[pair_.a].position), batch.margin(i),
                                     batch.tally.quality);
                distances_.push_back(trials_.back().exact({}));
            }
        nearest_ = std::size_t(std::ranges::min_element(distances_, {}, &Trial::Known::upper) - distances_.begin());
    }

    std::vector<Mistake> judge(const judge::Answers& answers) {
        check_distance(answers.distances.status[i_], claim_of(answers.distances, i_));
        trials_[nearest_].check_overlap(answers.overlaps.status[i_], answers.overlaps.hit(i_));
        check_manifolds(answers.manifolds);
        std::vector<Mistake> all;
        for (Trial& trial : trials_) all.insert(all.end(), trial.mistakes.begin(), trial.mistakes.end());
        return all;
    }

private:
    // Right if it is that of a child pair which may be as near as any to within the nearest's bound.
    void check_distance(Status status, const oracle::Claim& claim) {
        const double nearest = distances_[nearest_].upper, limit = nearest + trials_[nearest_].bound(nearest);
        if (status == Status::ok)
            for (std::size_t i = 0; i < trials_.size(); ++i) {
                const Trial::Known& known = distances_[i];
                if (known.lower <= limit && trials_[i].verdict(claim, known.nearest_to(claim.signed_distance)).right())
                    return trials_[i].check_distance(status, claim, false);
            }
        trials_[nearest_].check_distance(status, claim, false);
    }

    void check_manifolds(const Manifolds& m) {
        std::vector<const Manifold*> of(trials_.size());
        const std::size_t columns = scene_.parts[pair_.b].size();
        for (std::uint32_t k = m.first_manifold[i_]; k < m.first_manifold[i_ + 1]; ++k) {
            const Manifold& manifold = m.manifolds[k];
            const std::size_t child = manifold.child_a * columns + manifold.child_b;
            if (child < of.size())
                of[child] = &manifold;
            else
                trials_[0].mistakes.push_back({"collide: no such child", oracle::kInfinity, ""});
        }
        for (std::size_t i = 0; i < trials_.size(); ++i) {
            std::span<const Contact> contacts;
            if (of[i]) contacts = std::span(m.contacts).subspan(of[i]->first_contact, of[i]->contact_count);
            trials_[i].check_manifold(m.status[i_], of[i], contacts);
        }
    }

    const CompoundScene& scene_;
    std::size_t i_;
    Pair pair_;
    std::vector<Trial> trials_;
    std::vector<Trial::Known> distances_;
    std::size_t nearest_ = 0;
};

// --- bodies on ground ---

// The group's families have an equal share of the poses each. One thread: the hunt has its own.
Tally run_ground(const Family& family, std::uint64_t seed, const Plan& plan) {
    Tally tally;
    const std::vector<const ground::Family*> families = ground::find_families(family.ground);
    ground::Plan poses;
    poses.poses = (plan.pairs + families.size() - 1) / families.size();
    poses.seed = seed, poses.threads = 1, poses.show = poses.poses, poses.isa = plan.isas[0];
    for (const ground::Family* of : families) {
        if (plan.first_only && tally.wrong > 0) break;
        const ground::Tally found = ground::run(*of, poses);
        tally.pairs += found.poses, tally.wrong += found.wrong;
        for (std::size_t k = 0; k < found.counts.size(); ++k) {
            if (found.counts[k] == 0) continue;
            Class& c = tally.classes[fmt::format("{}: {}", of->name, of->faults[k].name)];
            c.count += found.counts[k];
            std::size_t noted = 0;
            for (const ground::Example& e : found.worst) {
                if ((e.faults >> k & 1) == 0 || noted++ >= plan.keep) continue;
                const std::string again =
                    fmt::format("abut_ground --family {} --seed {} --only {}: {}", of->name, seed, e.index, e.details);
                const ground::Finding shown = ground::examine_one(*of, poses, e.index);
                c.note({family.name, fmt::format("{}: {}", of->name, of->faults[k].name), again, shown.query, e.worst,
                        0.02f, seed, e.index},
                       plan.keep);
            }
        }
    }
    return tally;
}

template <class JudgePair>
void run(Batch& batch, const Plan& plan, JudgePair judge_one) {
    const judge::Answers answers = batch.ask();
    for (std::size_t i = 0; i < batch.tally.pairs && !(plan.first_only && batch.tally.wrong > 0); ++i)
        judge_one(i, answers);
    if (plan.timed) batch.time_pairs();
}

}  // namespace

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

void Class::note(Finding finding, std::size_t keep) {
    const auto after = std::ranges::find_if(worst, [&](const Finding& f) { return f.bounds < finding.bounds; });
    worst.insert(after, std::move(finding));
    if (worst.size() > keep) worst.pop_back();
}

void Tally::add(const Tally& other, std::size_t keep) {
    pairs += other.pairs, wrong += other.wrong, shorts += other.shorts, exact_path += other.exact_path,
        seconds += other.seconds;
    quality.add(other.quality);
    if (other.slowest > slowest) slowest = other.slowest, slowest_line = other.slowest_line;
    for (const auto& [what, theirs] : other.classes) {
        Class& c = classes[what];
        for (const Finding& finding : theirs.worst) c.note(finding, keep);
        c.count += theirs.count;
    }
}

Tally run_batch(const Family& family, std::uint64_t seed, const Plan& plan) {
    const double start = cpu_seconds();
    Tally tally;
    if (family.ground != nullptr) {
        tally = run_ground(family, seed, plan);
    } else if (family.compounds) {
        const CompoundScene scene = families::make_compounds(family, plan.pairs, seed);
        const Subject subject{scene.frame(), [&](std::size_t i) { return scene.query_line(i); }};
        Batch batch(family, seed, plan, subject);
        run(batch, plan, [&](std::size_t i, const judge::Answers& answers) {
            batch.note(i, ChildrenTrial(scene, i, batch).judge(answers));
        });
        tally = std::move(batch.tally);
    } else {
        const scenes::Scene scene = families::make(family, plan.pairs, seed);
        const Subject subject{scene.frame(), [&](std::size_t i) { return scene.query_line(i); }};
        Batch batch(family, seed, plan, subject);
        run(batch, plan, [&](std::size_t i, const judge::Answers& answers) { judge_pair(scene, i, answers, batch); });
        tally = std::move(batch.tally);
    }
    tally.seconds = cpu_seconds() - start;
    return tally;
}

std::vector<Game> games() {
    std::vector<Game> all;
    for (const Family& family : families::all())
        all.push_back({family.name, family.what,
                       [&](std::uint64_t seed, const Plan& plan) { return run_batch(family, seed, plan); }});
    return all;
}

}  // namespace abut::hunt
