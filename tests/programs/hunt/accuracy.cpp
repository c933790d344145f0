// abut_accuracy: how often abut, Bullet, FCL and libccd are right on the families, as docs/accuracy.md has it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "harness/machine.hpp"
#include "programs/hunt/contest.hpp"
#include "rivals/rival.hpp"
#include "scenes/environment.hpp"
#include "scenes/random.hpp"

namespace abut::hunt {
namespace {

constexpr const char* kAbout =
    "Asks abut, Bullet, FCL and libccd about the families' pairs and prints how often each is right, as Markdown. "
    "Every pair is asked by\n"
    "itself in a child process, so that a crash or a hang costs that pair alone.";
constexpr const char* kExamples =
    "Examples:\n"
    "  abut_accuracy --pairs 2000 > docs/accuracy.md\n"
    "  abut_accuracy --family touching --family thin --json";

struct Options {
    std::size_t pairs = 1000;
    std::uint64_t seed = 1;
    double seconds = 2;
    std::vector<std::string> families;
    bool json = false;
};

struct Table {
    std::vector<const families::Family*> families;
    std::vector<Contestant> contestants;
    std::vector<std::vector<Score>> scores;  // by contestant, by family

    Score total(std::size_t contestant) const {
        Score all;
        for (const Score& score : scores[contestant]) all.add(score);
        return all;
    }
    // Of each library the variant that is right most often, in the order of the list.
    std::vector<std::size_t> best_variants() const {
        std::vector<std::size_t> best;
        for (std::size_t c = 0; c < contestants.size(); ++c) {
            const auto same =
                std::ranges::find(best, contestants[c].library, [&](std::size_t b) { return contestants[b].library; });
            if (same == best.end())
                best.push_back(c);
            else if (total(c).within_size > total(*same).within_size)
                *same = c;
        }
        return best;
    }
};

Table measure(const Options& o) {
    Table table;
    for (const families::Family& family : families::all()) {
        const bool chosen = o.families.empty() || std::ranges::find(o.families, family.name) != o.families.end();
        if (chosen && !family.compounds && family.ground == nullptr) table.families.push_back(&family);
    }
    table.contestants = contestants();
    table.scores.resize(table.contestants.size());
    for (const families::Family* family : table.families) {
        for (std::vector<Score>& scores : table.scores) scores.emplace_back();
        for (std::size_t done = 0; done < o.pairs; done += kContestBatch) {
            const scenes::Scene scene =
                plain_scene(*family, std::min(kContestBatch, o.pairs - done), scenes::Random(o.seed, done).bits());
            for (std::size_t c = 0; c < table.contestants.size(); ++c) {
                const Contestant& contestant = table.contestants[c];
                if (isatty(STDERR_FILENO))
                    fmt::print(stderr, "\r\033[K{}, {} of {}: {}", family->name, done, o.pairs, contestant.library);
                table.scores[c].back().add(
                    score(scene, ask_apart(scene, contestant.ask, o.seconds), contestant.library == "libccd"));
            }
        }
    }
    if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r\033[K");
    return table;
}

std::string percent(std::size_t part, std::size_t whole) {
    if (whole == 0) return "-";
    return part == whole ? "100%"
                         : fmt::format("{:.{}f}%", 100.0 * double(part) / double(whole),
                                       double(whole - part) < 0.01 * double(whole) ? 2 : 1);
}

std::string to_markdown(const Table& table, const Options& o, const std::string& command) {
    const bench::Machine machine = bench::this_machine();
    const std::vector<std::size_t> best = table.best_variants();
    std::string text = fmt::format(
        "# Accuracy\n\n"
        "Signed distances of abut and of other libraries on `abut_hunt`'s families of hard pairs, against the oracle's "
        "certified answers.\n"
        "`{}`; {}, {}.\n\n"
        "Each family has {} pairs (fewer where the oracle's bounds do not meet). Scales are multiplied into the shapes "
        "and rounding is\n"
        "left out, as the other libraries have neither. Pairs that a library has no shape for are left out of its "
        "figures. Each pair has a\n"
        "child process of its own, with a limit of {} s.\n\n"
        "## Share of right signed distances\n\n"
        "Of each library the variant that is right most often. First figure: within promise 1's bound\n"
        "(1e-5 of the smaller size and 1e-6 of the larger of larger size and separation). Second figure: within 1e-4 "
        "of the smaller size.\n"
        "libccd tells no distance of separated shapes: its figures are of depths alone. Shapes are of a millimetre to "
        "a kilometre\n"
        "in most families; tolerances in metres, as other libraries have, do not suit all of them.\n\n| family |",
        command, machine.cpu, machine.date, o.pairs, o.seconds);
    for (const std::size_t c : best)
        text += fmt::format(" {} {} |", table.contestants[c].library, table.contestants[c].variant);
    text += "\n|---|" + std::string();
    for (std::size_t i = 0; i < best.size(); ++i) text += "---:|";
    const auto cell = [](const Score& s) {
        return fmt::format(" {}, {} |", percent(s.within_bound, s.judged), percent(s.within_size, s.judged));
    };
    for (std::size_t f = 0; f < table.families.size(); ++f) {
        text += fmt::format("\n| {}: {} |", table.families[f]->name, table.families[f]->what);
        for (const std::size_t c : best) text += cell(table.scores[c][f]);
    }
    text += "\n| **all** |";
    for (const std::size_t c : best) text += cell(table.total(c));
    text +=
        "\n\n## All variants\n\n"
        "Hit: overlap or not, where the exact distance exceeds the bound. Worst: largest error in bounds; inf where a "
        "library\n"
        "says so. No answer: it says that it failed.\n\n"
        "| library | pairs | hit right | within the bound | within 1e-4 | worst | no answer | crashes | hangs "
        "|\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    for (std::size_t c = 0; c < table.contestants.size(); ++c) {
        const Score s = table.total(c);
        text += fmt::format("| {} {} | {} | {} | {} | {} | {:.2g} | {} | {} | {} |\n", table.contestants[c].library,
                            table.contestants[c].variant, s.supported, percent(s.hits_right, s.supported),
                            percent(s.within_bound, s.judged), percent(s.within_size, s.judged), s.worst, s.no_answer,
                            s.crashed, s.hung);
    }
    text += "\n## Libraries\n\n";
    for (const char* note : bench::rival_notes()) text += fmt::format("- {}\n", note);
    return text;
}

std::string to_json(const Table& table, const std::string& command) {
    nlohmann::json out = {{"command", command}};
    for (std::size_t c = 0; c < table.contestants.size(); ++c)
        for (std::size_t f = 0; f < table.families.size(); ++f) {
            const Score& s = table.scores[c][f];
            out["contestants"][table.contestants[c].library + "/" + table.contestants[c].variant]
               [table.families[f]->name] = {
                   {"pairs", s.pairs},
                   {"supported", s.supported},
                   {"hits_right", s.hits_right},
                   {"judged", s.judged},
                   {"worst_bounds", std::isfinite(s.worst) ? nlohmann::json(s.worst) : nlohmann::json(nullptr)},
                   {"within_bound", s.within_bound},
                   {"within_1e-4", s.within_size},
                   {"no_answer", s.no_answer},
                   {"crashes", s.crashed},
                   {"hangs", s.hung}};
        }
    return out.dump(1) + "\n";
}

int main(int argc, char** argv) {
    if (!scenes::obey_environment("abut_accuracy")) return 2;
    abut::tools::CommandLine app(kAbout);
    Options o;
    app.footer(kExamples);
    std::vector<std::string> names;
    for (const families::Family& family : families::all())
        if (!family.compounds && family.ground == nullptr) names.push_back(family.name);
    app.add("--pairs", o.pairs, "pairs of each family").show_default().in_range(1, 1000000);
    app.add("--seed", o.seed, "another one gives other pairs").show_default();
    app.add("--seconds", o.seconds, "a pair that takes longer hangs").show_default().in_range(0.01, 3600.0);
    app.add("--family", o.families, "only these families").one_of(names).comma_separated();
    app.add_flag("--json", o.json, "print one JSON object");
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;
    const Table table = measure(o);
    const std::string command = bench::command_line(argc, argv);
    fmt::print("{}", o.json ? to_json(table, command) : to_markdown(table, o, command));
    return 0;
}

}  // namespace
}  // namespace abut::hunt

int main(int argc, char** argv) { return abut::hunt::main(argc, argv); }
