// `abut query --stream` as a co-process: each line is answered before the next is written.
#include "support/catch.hpp"

#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "program.hpp"

using namespace abut::tests;
using nlohmann::json;

namespace {

constexpr double kSeconds = 60;  // a loaded machine is slow to start a program

std::string spheres(int id, double distance) {
    return fmt::format(
        R"({{"id": "{}", "a": {{"shape": "sphere", "radius": 1}}, "a_pos": [0,0,0], "a_quat": [0,0,0,1], )"
        R"("b": {{"shape": "sphere", "radius": 1}}, "b_pos": [{},0,0], "b_quat": [0,0,0,1]}})",
        id, distance);
}

}  // namespace

TEST_CASE("a co-process answers each line before its input ends") {
    CoProcess abut({"query", "--stream", "--threads", "1"});
    for (int i = 0; i < 20; ++i) {
        abut.write(spheres(i, 3 + i) + "\n");
        const auto line = abut.read_line(kSeconds);
        REQUIRE(line);
        const json answer = json::parse(*line);
        CHECK(answer["id"] == std::to_string(i));
        CHECK(answer["signed_distance"] == 1 + i);
    }
    abut.write("nonsense\n");
    const auto refused = abut.read_line(kSeconds);
    REQUIRE(refused);
    CHECK(json::parse(*refused)["status"] == "bad_input");
    CHECK(json::parse(*refused)["line"] == 21);
    // A line that arrives in parts is one line.
    const std::string question = spheres(22, 5);
    abut.write(question.substr(0, 30));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    abut.write(question.substr(30) + "\n");
    const auto late = abut.read_line(kSeconds);
    REQUIRE(late);
    CHECK(json::parse(*late)["signed_distance"] == 3);
    CHECK(abut.finish() == 0);
}

TEST_CASE("streamed answers are those of a batch, and go to pipes alone") {
    std::string input;
    for (int i = 0; i < 50; ++i) input += spheres(i, 1.5 + 0.1 * i) + "\n";
    write_scratch("stream.jsonl", input + "{}");
    const Outcome batch = run_abut("query {}/stream.jsonl"), stream = run_abut("query --stream {}/stream.jsonl");
    CHECK(stream.code == 0);
    CHECK(lines_of(stream.out).size() == 51);
    CHECK((stream.out == batch.out));
    const Outcome file = run_abut("query --stream {}/stream.jsonl -o {}/stream.out");
    CHECK(file.code == 2);
    CHECK(file.error.find("stream.out") != std::string::npos);
    CHECK(read_file(scratch("stream.out")).empty());
}
