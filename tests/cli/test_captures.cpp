// Captures go through JSON lines and back without losing a bit.
#include "support/catch.hpp"

#include <bit>
#include <cstring>

#include "capture.hpp"
#include "capture_json.hpp"
#include "embedded.hpp"
#include "program.hpp"

using namespace abut;
using namespace abut::tests;
using namespace abut::tools;

namespace {

const char* const kEveryShape =
    R"({"shapes": [{"shape": "sphere", "radius": 0.1}, {"shape": "capsule", "radius": 0.1, "half_height": 0.3, "rounding": 0.05}, )"
    R"({"shape": "box", "half_extents": [1,2,3], "scale": [2,2,2]}, {"shape": "hull", "vertices": [[0,0,0],[1,0,0],[0,1,1e-30]]}, )"
    R"({"shape": "compound", "children": [{"shape": {"shape": "sphere", "radius": 1}, "pos": [1,2,3], "quat": [0,0,0,1]}]}, )"
    R"({"shape": "halfspace", "normal": [0,1,0], "offset": -2}, {"shape": "ellipsoid", "radii": [1,2,3]}, )"
    R"({"shape": "cylinder", "radius": "NaN", "half_height": "Infinity"}, {"shape": "cone", "radius": 1, "half_height": 2}, )"
    R"({"shape": "box", "half_extents": [1,1,1], "pos": [1,-0.0,"NaN"], "quat": [0,0,0,1]}, )"
    R"({"shape": "heightfield", "rows": 2, "columns": 3, "spacing": [1,1], "heights": [0,1,0,0,null,0], "cells": [3,2], "sides": "both"}, )"
    R"({"shape": "heightfield", "rows": 2, "columns": 3, "spacing": [1,1], "heights": [0,1,0,0,0,0], "cells": 2}]})";

std::string every_value() {
    return std::string(kEveryShape) + "\n" +
           R"({"label": "é \"1\"\n", "bodies": [[0,1,2,3,0,0,0,1],[8,0.1,-0.0,1e+30,"NaN","-Infinity","NaN:7fc00001",1]], "pairs": [[0,1],[1,1]]})"
           "\n" +
           R"({"label": "", "bodies": [], "pairs": []})" + "\n" +
           R"({"label": "moves", "bodies": [[0,1,2,3,0,0,0,1],[1,0,0,0,0,0,0,1]], "pairs": [[0,1]], "ends": [[1,2,-3,0,0,0,1],["NaN",0,0,0,1,0,-0.0]]})"
           "\n"
           R"({"label": "margins", "bodies": [[0,1,2,3,0,0,0,1]], "pairs": [[0,0],[0,0]], "margins": [0.25,"NaN"]})"
           "\n";
}

}  // namespace

TEST_CASE("pack and dump undo each other, byte for byte") {
    write_scratch("every.jsonl", every_value());
    REQUIRE(run_abut("pack {}/every.jsonl {}/every.abut").code == 0);
    const Outcome dumped = run_abut("dump {}/every.abut");
    CHECK(dumped.code == 0);
    CHECK(dumped.out == every_value());
    REQUIRE(run_abut("pack - {}/again.abut", "cat {}/every.jsonl |").code == 0);
    CHECK(read_file(scratch("again.abut")) == read_file(scratch("every.abut")));
}

TEST_CASE("captures keep which surfaces are solid") {
    const std::string field =
        R"({"shape": "heightfield", "rows": 2, "columns": 2, "spacing": [1,1], "heights": [0,0,0,0])";
    const std::string solids =
        R"({"shapes": [{"shape": "mesh", "vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "triangles": [[0,2,1],[0,1,3],[0,3,2],[1,2,3]], "solid": true}, )" +
        field + R"(, "thickness": 0.25}, )" + field + R"(, "thickness": "Infinity"}]})" + "\n";
    write_scratch("solids.jsonl", solids);
    REQUIRE(run_abut("pack {}/solids.jsonl {}/solids.abut").code == 0);
    CHECK(run_abut("dump {}/solids.abut").out == solids);
}

TEST_CASE("the recorded pile goes through JSON lines unchanged") {
    REQUIRE(run_abut("dump '" ABUT_PILE "' -o {}/pile.jsonl").code == 0);
    REQUIRE(run_abut("pack {}/pile.jsonl {}/pile.abut").code == 0);
    CHECK(read_file(scratch("pile.abut")) == read_file(ABUT_PILE));
}

TEST_CASE("the recorded pile is what it should be, and the one built in") {
    const CaptureFile file(ABUT_PILE);
    const Capture& pile = file.capture();
    REQUIRE(pile.frames.size() >= 4);
    CHECK(read_file(ABUT_PILE).size() <= 3u << 20);
    for (const CaptureFrame& frame : pile.frames) {
        CHECK(frame.bodies.size() >= 2000);
        CHECK(frame.pairs.size() > 2000);
    }
    const std::span<const std::byte> embedded = embedded_capture();
    const std::string bytes = read_file(ABUT_PILE);
    REQUIRE(embedded.size() == bytes.size());
    CHECK(std::memcmp(embedded.data(), bytes.data(), bytes.size()) == 0);
}

TEST_CASE("pack tells what is wrong with a line, and leaves no file behind") {
    const std::string shapes = R"({"shapes": [{"shape": "sphere", "radius": 1}]})"
                               "\n";
    const auto refused = [&](const std::string& text, const std::string& part) {
        INFO(text);
        write_scratch("bad.jsonl", text);
        const Outcome outcome = run_abut("pack {}/bad.jsonl {}/never.abut");
        CHECK(outcome.code == 2);
        CHECK(outcome.out.empty());
        CHECK(outcome.error.find(part) != std::string::npos);
        CHECK(outcome.error.find("bad.jsonl") != std::string::npos);
        CHECK(read_file(scratch("never.abut")).empty());
    };
    refused("", "empty");
    refused("{}\n", "line 1");
    refused("[]\n", "line 1");
    refused(R"({"shapes": [{"shape": "sphere"}]})", "shapes[0]");
    refused(R"({"shapes": [], "frames": []})", "frames");
    refused(shapes + "nonsense\n", "line 2");
    refused(shapes + R"({"label": "x", "bodies": []})", "pairs");
    refused(shapes + R"({"label": 3, "bodies": [], "pairs": []})", "label");
    refused(shapes + R"({"label": "x", "bodies": [], "pairs": [], "end": []})", "unknown member");
    refused(shapes + R"({"label": "x", "bodies": [[0,0,0,0,0,0,0,1]], "pairs": [], "ends": []})",
            "ends has 0 poses for 1 bodies");
    refused(shapes + R"({"label": "x", "bodies": [[0,0,0,0,0,0,0,1]], "pairs": [], "ends": [[0,0,0,0,0,0]]})",
            "ends[0]");
    refused(shapes + R"({"label": "x", "bodies": [[0,0,0,0,0,0,0,1]], "pairs": [], "ends": 1})", "ends");
    refused(shapes + R"({"label": "x", "bodies": [[0,0,0,0,0,0,0,1]], "pairs": [[0,0]], "margins": []})",
            "margins has 0 lengths for 1 pairs");
    refused(shapes + R"({"label": "x", "bodies": [[0,0,0,0,0,0,0,1]], "pairs": [[0,0]], "margins": ["x"]})", "margins");
    refused(shapes + R"({"label": "x", "bodies": [[0,0,0,0,0,0,0,1]], "pairs": [[0,0]], "margins": 1})", "margins");
    refused(shapes + "\n" + R"({"label": "x", "bodies": [[1,0,0,0,0,0,0,1]], "pairs": []})",
            "line 3: bodies[0] has shape 1");
    refused(shapes + R"({"label": "x", "bodies": [[0.5,0,0,0,0,0,0,1]], "pairs": []})", "bodies[0]");
    refused(shapes + R"({"label": "x", "bodies": [[-1,0,0,0,0,0,0,1]], "pairs": []})", "bodies[0]");
    refused(shapes + R"({"label": "x", "bodies": [[0,0,0,0,0,0,0]], "pairs": []})", "bodies[0]");
    refused(shapes + R"({"label": "x", "bodies": [[0,1e39,0,0,0,0,0,1]], "pairs": []})", "past float32");
    refused(shapes + R"({"label": "x", "bodies": [[0,null,0,0,0,0,0,1]], "pairs": []})", "bodies[0]");
    refused(shapes + R"({"label": "x", "bodies": [[0,0,0,0,0,0,0,1]], "pairs": [[0,1]]})", "pairs[0]");
    refused(shapes + R"({"label": "x", "bodies": [[0,0,0,0,0,0,0,1]], "pairs": [[0]]})", "pairs[0]");
    refused(shapes + R"({"label": "x", "bodies": [[0,0,0,0,0,0,0,1]], "pairs": [[0, 4294967296]]})", "pairs[0]");
}
