// abut_record: drops mixed bodies into a pit under Bullet and writes a capture of chosen moments.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "broad_phase.hpp"
#include "capture.hpp"
#include "program.hpp"
#include "progress.hpp"
#include "scene.hpp"
#include "simulation.hpp"
#include "subcommands.hpp"

namespace abut::tools {
namespace {

constexpr double kStep = 1.0 / 60.0;

struct Moment {
    std::string phase;
    double seconds;
};

struct Options {
    std::uint32_t bodies = 2000;
    std::uint64_t seed = 1;
    double margin = 0.02;
    std::vector<std::string> moments = {"falling@1.5",  "piling@2.5",       "piling@2.51667",
                                        "settled@12.0", "settled@12.01667", "settled@12.03333"};
    std::string output;
};

// "phase@seconds", in ascending order.
std::vector<Moment> parse_moments(const std::vector<std::string>& texts) {
    std::vector<Moment> moments;
    for (const std::string& text : texts) {
        const std::size_t at = text.rfind('@');
        std::size_t used = 0;
        double seconds = -1;
        if (at != std::string::npos) {
            try {
                seconds = std::stod(text.substr(at + 1), &used);
            } catch (const std::exception&) {
                used = 0;
            }
        }
        const bool valid = used > 0 && used == text.size() - at - 1 && seconds >= 0 && seconds <= 3600;
        if (!valid) throw InputError(fmt::format("--frames: \"{}\" is not of the form phase@seconds", text));
        if (!moments.empty() && seconds < moments.back().seconds) throw InputError("--frames: the moments must ascend");
        moments.push_back({text.substr(0, at), seconds});
    }
    return moments;
}

void report(const std::string& label, std::size_t pairs, const std::vector<double>& overlaps) {
    fmt::print("{:<20} {:>6} pairs, {:>6} touch in Bullet", label, pairs, overlaps.size());
    if (!overlaps.empty()) {
        const auto millimetres = [&](double share) {
            return 1000.0 * overlaps[std::size_t(share * double(overlaps.size() - 1))];
        };
        fmt::print(": overlap median {:.2f} mm, 90% {:.2f}, 99% {:.2f}, most {:.1f}", millimetres(0.5),
                   millimetres(0.9), millimetres(0.99), millimetres(1.0));
    }
    fmt::print("\n");
    if (std::fflush(stdout) != 0) throw OutputError("standard output: cannot be written");
}

void record(const Options& options) {
    const std::vector<Moment> moments = parse_moments(options.moments);
    const Scene scene = make_pit(options.bodies, options.seed);
    Simulation simulation(scene);
    OutputFile out(options.output);
    CaptureWriter writer;
    add_shapes(writer, scene.shapes);

    Progress progress("simulating, steps", std::size_t(std::lround(moments.back().seconds / kStep)));
    long steps = 0;
    for (const Moment& moment : moments) {
        for (; steps < std::lround(moment.seconds / kStep); ++steps) {
            simulation.step(kStep);
            progress.step();
        }
        const std::vector<CaptureBody> bodies = simulation.bodies();
        const std::vector<Pair> pairs = candidate_pairs(scene.shapes, bodies, scene.fixed_bodies, options.margin / 2);
        const std::string label = fmt::format("{} t={:.3f}", moment.phase, double(steps) * kStep);
        add_frame(writer, {label, bodies, pairs});
        report(label, pairs.size(), simulation.overlaps());
    }
    out.write(file_bytes(writer));
    out.commit();
}

int run(int argc, char** argv) {
    Options options;
    CLI::App app("Records a pile under Bullet: mixed bodies dropped into a walled pit, 60 steps a second.",
                 "abut_record");
    app.add_option("-o,--out", options.output, "The capture to write")->required();
    app.add_option("--bodies", options.bodies, "How many bodies fall")
        ->check(CLI::Range(1u, 1000000u))
        ->capture_default_str();
    app.add_option("--seed", options.seed, "Of shapes and poses")->capture_default_str();
    app.add_option("--margin", options.margin, "Metres: pairs are those whose AABBs come this close")
        ->check(CLI::Range(0.0, 10.0))
        ->capture_default_str();
    app.add_option("--frames", options.moments, "phase@seconds of each frame to write, ascending")
        ->delimiter(',')
        ->capture_default_str();
    app.footer("Example:\n  abut_record -o pile.abut --bodies 2000 --frames falling@1,settled@12,settled@12.0167");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return end_of_parse(app, error);
    }
    record(options);
    return 0;
}

}  // namespace
}  // namespace abut::tools

int main(int argc, char** argv) {
    return abut::tools::run_program("abut_record", [&] { return abut::tools::run(argc, argv); });
}
