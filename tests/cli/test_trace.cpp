// `abut query --trace`: the states that a pair went through.
#include "support/catch.hpp"

#include <string>

#include <nlohmann/json.hpp>

#include "program.hpp"

using namespace abut::tests;
using nlohmann::json;

namespace {

std::string question(const std::string& a, const std::string& b, double height) {
    return R"({"id": 1, "a": )" + a + R"(, "a_pos": [0,0,0], "a_quat": [0,0,0,1], "b": )" + b + R"(, "b_pos": [0.1,)" +
           std::to_string(height) + R"(,0.1], "b_quat": [0.1,0.2,0.3,0.927361849549570]})" + "\n";
}

json trace_of(const std::string& line) {
    write_scratch("trace.jsonl", line);
    const Outcome outcome = run_abut("query --trace --threads 1 {}/trace.jsonl");
    REQUIRE(outcome.code == 0);
    const json answer = json::parse(lines_of(outcome.out).at(0));
    REQUIRE(answer["status"] == "ok");
    return answer["trace"];
}

const std::string kSphere = R"({"shape": "sphere", "radius": 0.5})",
                  kBox = R"({"shape": "box", "half_extents": [1,1,1]})",
                  kHull = R"({"shape": "hull", "vertices": [[-1,-1,-1],[1,-1,-1],[0,-1,1],[0,1,0]]})",
                  kCylinder = R"({"shape": "cylinder", "radius": 1, "half_height": 1})";

}  // namespace

TEST_CASE("a trace names the states of a pair and the one that certified its answer") {
    const json sphere = trace_of(question(kSphere, kBox, 1.45));
    CHECK(sphere["states"] == json{"direct"});
    CHECK(sphere["certified_by"] == "direct");
    CHECK(sphere["iterations"] == 0);

    const json apart = trace_of(question(kBox, kBox, 4));
    CHECK(apart["states"] == json{"direct", "search"});
    CHECK(apart["certified_by"] == "search");
    CHECK(apart["iterations"].get<int>() > 0);

    const json deep = trace_of(question(kHull, kHull, 0.5));
    CHECK(deep["states"][0] == "search");
    CHECK(deep["certified_by"] == "depth");
    CHECK(deep["contacts"]["states"].back() == "manifold");
    CHECK(deep["contacts"]["certified_by"] == "depth");

    const json curved = trace_of(question(kCylinder, kCylinder, 1));
    CHECK(curved["states"] == json{"direct"});
    CHECK(curved["certified_by"] == "direct");

    const json compound = trace_of(question(
        R"({"shape": "compound", "children": [{"shape": {"shape": "sphere", "radius": 1}, "pos": [0,0,0], "quat": [0,0,0,1]}]})",
        kBox, 1));
    CHECK(compound["states"] == json{"children"});
}

TEST_CASE("answers with traces are the answers without, and bad lines have none") {
    const std::string input =
        question(kBox, kBox, 1.9) + question(kHull, kCylinder, 0.3) + "nonsense\n" + question(kSphere, kSphere, 3);
    write_scratch("trace.jsonl", input);
    const Outcome plain = run_abut("query {}/trace.jsonl"), traced = run_abut("query --trace {}/trace.jsonl");
    const auto before = lines_of(plain.out), after = lines_of(traced.out);
    REQUIRE(after.size() == 4);
    for (std::size_t i = 0; i < after.size(); ++i) {
        json answer = json::parse(after[i]);
        CHECK(answer.contains("trace") == (i != 2));
        answer.erase("trace");
        CHECK(answer == json::parse(before[i]));
    }
}
