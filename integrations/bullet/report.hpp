// What was measured, for readers and for programs.
#pragma once

#include <string>
#include <vector>

#include "measure.hpp"

namespace abut::tools {

struct SceneReport {
    const NamedScene* scene;
    struct Line {
        NarrowPhaseKind kind;
        Measured measured;
    };
    std::vector<Line> lines;  // Bullet's first
};

struct RunReport {
    double seconds;
    std::string isa;
    unsigned threads;
    std::vector<SceneReport> scenes;
};

std::string table_head(const RunReport& report);
// Whether outcome, mean energy and drift are as good as with Bullet's own narrow phase, and if not, which are worse
// with what.
std::string verdict_line(const SceneReport& scene);
// With the verdict.
std::string table_lines(const SceneReport& scene);
// Where abut falls short of Bullet or of its own promise; empty where it does not.
std::vector<std::string> shortcomings(const SceneReport& scene);
std::string report_json(const RunReport& report);

}  // namespace abut::tools
