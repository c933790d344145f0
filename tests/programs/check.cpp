// abut_check: any number of pairs a kind against the oracle, and the table of the worst errors.
//
// Half of the pairs are random (a third apart, two thirds overlapping), a quarter are chosen to be hard, a quarter rest
// on one another. With --frames the resting ones are walked on from frame to frame with their warm-start caches.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "scenes/environment.hpp"
#include "scenes/resting.hpp"
#include "scenes/scene.hpp"
#include "support/judge.hpp"
#include "support/pair_answer.hpp"
#include "support/walked.hpp"

namespace {

using namespace abut;

constexpr float kMargin = 0.02f;
constexpr std::size_t kBatch = 16384;

struct Kind {
    const char* name;
    ShapeKind a, b;
};
#define ABUT_KIND(a, b) {#a "-" #b, ShapeKind::a, ShapeKind::b},
constexpr Kind kKinds[] = {ABUT_EACH_KIND_OF_PAIR(ABUT_KIND)};

struct Options {
    std::size_t pairs = 1'000'000;
    std::vector<std::string> kinds;
    std::vector<std::string> isas;
    std::uint64_t seed = 1;
    std::size_t show = 3;
    std::size_t frames = 0;
    bool exact = false;
};

std::vector<Isa> chosen_isas(const Options& options) {
    std::vector<Isa> isas;
    for (const std::string& name : options.isas) {
        const Expected<Isa> isa = parse_isa(name);
        if (!isa || !is_supported(*isa)) {
            std::fprintf(stderr, "%s: %s\n", name.c_str(), isa ? "not supported here" : isa.error().message.c_str());
            std::exit(2);
        }
        isas.push_back(*isa == Isa::best ? best_isa() : *isa);
    }
    if (!isas.empty()) return isas;
    for (const Isa isa : kAllIsas)
        if (is_supported(isa)) isas.insert(isas.begin(), isa);  // the widest first
    return isas;
}

// How many more of a kind's failures to print.
struct Left {
    std::size_t wrong, differing;
};

void show_failures(const scenes::Scene& scene, const judge::Report& report, Isa isa, Left& left) {
    for (const auto* failures : {&report.failures, &report.shortest}) {
        for (const judge::Failure& failure : *failures) {
            if (left.wrong == 0) return;
            --left.wrong;
            std::fprintf(stderr, "%s, %s, %s: %s\n%s\n", scene.name.c_str(), scene.family[failure.pair], to_string(isa),
                         failure.why.c_str(), scene.query_line(failure.pair).c_str());
        }
    }
}

std::size_t count_differing(const scenes::Scene& scene, const judge::Answers& x, const judge::Answers& y, Left& left,
                            const std::string& which) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
        if (test::words_of(x, i) == test::words_of(y, i)) continue;
        ++count;
        if (left.differing == 0) continue;
        --left.differing;
        std::fprintf(stderr, "%s, %s, %s: the bits differ\n%s\n", scene.name.c_str(), scene.family[i], which.c_str(),
                     scene.query_line(i).c_str());
    }
    return count;
}

// The widest instruction set is judged by the oracle; another one only where its bits differ, which is a failure too.
judge::Report check_scene(const scenes::Scene& scene, const std::vector<Isa>& isas, DepthPath depth, Left& left) {
    judge::Report report;
    judge::Answers first;
    for (const Isa isa : isas) {
        judge::Answers answers = judge::ask(scene.frame(), {.speculative_margin = kMargin, .isa = isa, .depth = depth});
        if (isa == isas.front()) {
            first = std::move(answers);
            report = judge::judge(scene, first, kMargin);
            show_failures(scene, report, isa, left);
        } else if (!judge::same_bits(first, answers)) {
            const judge::Report other = judge::judge(scene, answers, kMargin);
            show_failures(scene, other, isa, left);
            const std::string both = std::string(to_string(isas.front())) + " and " + to_string(isa);
            report.wrong += std::max(other.wrong, count_differing(scene, first, answers, left, both));
        }
    }
    return report;
}

// A kind's failures: promises broken, and manifolds that leave too much of their patch out.
// Patches that fall short are shown and counted, but are no wrong answers.
std::size_t failures(const judge::Report& r) { return r.wrong; }

void print_header() {
    std::printf("%-18s %9s %6s %8s %8s %6s %9s %9s %6s %8s %8s %6s %7s  %s\n", "kind", "pairs", "hits", "distance",
                "all", "signs", "exact", "not ok", "wrong", "contacts", "patch", "short", "s", "worst of all");
}

void print(const Kind& kind, const judge::Report& r, double seconds) {
    std::printf("%-18s %9zu %5.1f%% %8.4f %8.4f %6zu %8.4f%% %9zu %6zu %8.3f %8.4f %6zu %7.1f  %s\n", kind.name,
                r.pairs, 100.0 * double(r.hits) / double(r.pairs), r.worst_distance, r.worst, r.wrong_signs,
                100.0 * double(r.exact_path) / double(r.pairs), r.pairs - r.statuses[0], r.wrong,
                double(r.contacts) / double(std::max<std::size_t>(r.manifolds, 1)), r.least_share, r.short_patches,
                seconds, r.worst_what.c_str());
    std::fflush(stdout);
}

// A few resting pairs for many frames, once with small steps and once with large ones over teleports.
judge::Report check_walks(const Kind& kind, const Options& options, Isa isa, Left& left) {
    constexpr std::size_t kSlots = 8;
    judge::Report all;
    for (const double step : {1e-2, 0.2}) {
        const scenes::Scene start = scenes::make_resting(kind.a, kind.b, kSlots, options.seed);
        const scenes::Scene walk = scenes::make_walk(
            start,
            {.frames = options.frames, .step = step, .teleport_every = step > 0.1 ? 50u : 0u, .seed = options.seed});
        const judge::Report report = test::judge_walk(walk, kSlots, {.speculative_margin = kMargin, .isa = isa});
        show_failures(walk, report, isa, left);
        all.add(report);
    }
    return all;
}

judge::Report check_kind(const Kind& kind, const Options& options, const std::vector<Isa>& isas) {
    judge::Report all;
    Left left{options.show, options.show};
    const DepthPath depth = options.exact ? DepthPath::exact : DepthPath::automatic;
    for (std::size_t done = 0, batch = 0; done < options.pairs; done += kBatch, ++batch) {
        const std::size_t pairs = std::min(kBatch, options.pairs - done), quarter = pairs / 4;
        const std::uint64_t seed = options.seed * 1'000'003 + batch;
        all.add(
            check_scene(scenes::make_row(kind.name, pairs - 2 * quarter, seed, scenes::Keep::no), isas, depth, left));
        all.add(check_scene(scenes::make_hard(kind.a, kind.b, quarter, seed), isas, depth, left));
        all.add(check_scene(scenes::make_resting(kind.a, kind.b, quarter, seed), isas, depth, left));
    }
    if (options.frames > 0) all.add(check_walks(kind, options, isas.front(), left));
    return all;
}

}  // namespace

int main(int argc, char** argv) {
    if (!abut::scenes::obey_environment("abut_check")) return 2;
    abut::tools::CommandLine app{"Checks abut's answers against the independent oracle."};
    Options options;
    app.add("--pairs", options.pairs, "Pairs a kind").show_default();
    app.add("--kinds", options.kinds, "Such as box-box,box-hull; all where not given").comma_separated();
    app.add("--isa", options.isas, "Such as avx512,sse2; all usable ones where not given").comma_separated();
    app.add("--seed", options.seed, "Another one gives other pairs").show_default();
    app.add("--show", options.show, "Failing pairs a kind to print as lines of `abut query`").show_default();
    app.add("--frames", options.frames, "Frames to walk a few resting pairs a kind, with warm-start caches")
        .show_default();
    app.add_flag("--exact", options.exact, "Send every pair through the exact path");
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;

    const std::vector<Isa> isas = chosen_isas(options);
    for (const std::string& name : options.kinds) {
        if (std::ranges::any_of(kKinds, [&](const Kind& kind) { return name == kind.name; })) continue;
        std::fprintf(stderr, "no such kind: %s\n", name.c_str());
        return 2;
    }
    std::printf(
        "Worst error as a fraction of what promise 1 allows, least share of a contact patch that a manifold spans; "
        "isa");
    for (const Isa isa : isas) std::printf(" %s", to_string(isa));
    std::printf(", seed %llu\n", static_cast<unsigned long long>(options.seed));
    print_header();
    std::size_t wrong = 0;
    for (const Kind& kind : kKinds) {
        if (!options.kinds.empty() && std::ranges::find(options.kinds, kind.name) == options.kinds.end()) continue;
        const auto start = std::chrono::steady_clock::now();
        const judge::Report report = check_kind(kind, options, isas);
        print(kind, report, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        wrong += failures(report);
    }
    if (wrong > 0) std::printf("%zu pairs are wrong\n", wrong);
    return wrong > 0 ? 1 : 0;
}
