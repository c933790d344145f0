// abut_ground: are the contacts of bodies on meshes and height fields right?
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arguments.hpp"
#include "scenes/environment.hpp"
#include "surfaces/contacts/families.hpp"

namespace abut::ground {
namespace {

constexpr const char* kAbout =
    "Poses bodies on ground of triangles and counts wrong contacts, judged in double precision. One line per family:\n"
    "  noisy, decimals, hills, fields   bodies at rest on nearly flat ground: the centre of mass is over the contacts\n"
    "  load                             bodies at rest on uneven ground: contacts that bear load are there at every "
    "margin\n"
    "  deep                             bodies in flat ground have the contacts that a half-space gives\n"
    "  served                           contacts are on body and ground, and part the body from every triangle";
constexpr const char* kExamples =
    "Examples:\n"
    "  abut_ground                                       all families\n"
    "  abut_ground --family noisy --family deep/rod --poses 10000\n"
    "  abut_ground --family load/ridges --seed 7 --only 123    one pose: contacts there and found, and a line for abut "
    "query\n"
    "  abut_ground --family load/ridges --only 123 --query | abut query --margin 0.04\n"
    "  abut_ground --list                                the families\n"
    "Exit code: 0 each family is within its limits, 1 one is not, 2 the command line is wrong.";

struct Options {
    Plan plan;
    std::vector<std::string> families;
    std::string isa = "auto";
    long long only = -1;
    bool list = false, query = false;
};

std::string names_of(const Family& family, std::uint32_t faults) {
    std::string out;
    for (std::size_t i = 0; i < family.faults.size(); ++i)
        if ((faults >> i & 1) != 0) out += (out.empty() ? "" : ", ") + std::string(family.faults[i].name);
    return out;
}

void print(const Tally& tally, const Plan& plan) {
    std::string line = fmt::format("{:<22} {:>7} poses", tally.family->name, tally.judged);
    for (std::size_t i = 0; i < tally.counts.size(); ++i)
        line += fmt::format("  {} {} ({:.2f}%)", tally.family->faults[i].name, tally.counts[i], 100 * tally.share(i));
    fmt::print("{}{}\n", line, tally.is_within_limits() ? "" : "  BEYOND THE LIMIT");
    for (const Example& e : tally.worst)
        fmt::print("    --family {} --seed {} --only {}: {}: {}\n", tally.family->name, plan.seed, e.index,
                   names_of(*tally.family, e.faults), e.details);
    std::fflush(stdout);
}

int show_one(const Family& family, const Options& o) {
    const Finding f = examine_one(family, o.plan, std::size_t(o.only));
    if (o.query) {
        fmt::print("{}\n", f.query);
        return 0;
    }
    if (!f.is_judged) fmt::print("This pose is not judged.\n");
    fmt::print("{}\n{}\n{}{}\n", f.faults != 0 ? names_of(family, f.faults) : "nothing is wrong", f.details, f.lists,
               f.query);
    return f.faults != 0 ? 1 : 0;
}

int run(const Options& o) {
    std::vector<const Family*> chosen;
    for (const std::string& name : o.families) {
        const std::vector<const Family*> found = find_families(name);
        if (found.empty()) {
            fmt::print(stderr, "abut_ground: no family is named {}; --list prints them\n", name);
            return 2;
        }
        chosen.insert(chosen.end(), found.begin(), found.end());
    }
    if (o.families.empty())
        for (const Family& family : all_families()) chosen.push_back(&family);
    if (o.list) {
        for (const Family* family : chosen) fmt::print("{:<22} {}\n", family->name, family->what);
        return 0;
    }
    if (o.only >= 0 && chosen.size() != 1) {
        fmt::print(stderr, "abut_ground: --only is a pose of one family: name it with --family\n");
        return 2;
    }
    if (o.only >= 0) return show_one(*chosen[0], o);
    bool is_right = true;
    for (const Family* family : chosen) {
        const Tally tally = run(*family, o.plan);
        print(tally, o.plan);
        is_right = is_right && tally.is_within_limits();
    }
    return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (!scenes::obey_environment("abut_ground")) return 2;
    abut::tools::CommandLine app(kAbout, "abut_ground");
    Options o;
    app.footer(kExamples);
    app.add("--family", o.families, "only these: a name of --list, or its part before the slash").comma_separated();
    app.add("--poses,--pairs", o.plan.poses, "poses of each family").show_default().in_range(1, 100000000);
    app.add("--seed", o.plan.seed, "another one gives other poses").show_default();
    app.add("--only", o.only, "the pose of this number alone, with a line for abut query").in_range(0LL, 99999999LL);
    app.add_flag("--query", o.query, "with --only: print the line for abut query alone");
    app.add("--show", o.plan.show, "examples of each family, the worst").show_default();
    app.add("--threads", o.plan.threads, "threads; 0: all cores").show_default().in_range(0, 1024);
    app.add("--contacts", o.plan.contacts, "the most contacts of a manifold").in_range(4, 8).show_default();
    app.add("--isa", o.isa, "instruction set").show_default();
    app.add_flag("--list", o.list, "print the families and end");
    if (const std::optional<int> code = app.parse(argc, argv)) return *code;
    const Expected<Isa> isa = parse_isa(o.isa);
    if (!isa || !is_supported(*isa)) {
        fmt::print(stderr, "abut_ground: --isa {}: not an instruction set of this machine\n", o.isa);
        return 2;
    }
    o.plan.isa = *isa;
    return run(o);
}

}  // namespace abut::ground

int main(int argc, char** argv) { return abut::ground::main(argc, argv); }
