// Lines for `abut query`, and its answers.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "program.hpp"
#include "support/catch.hpp"

namespace abut::tests {

using nlohmann::json;

inline const std::string kSphere = R"({"shape": "sphere", "radius": 0.5})";
inline const std::string kBox = R"({"shape": "box", "half_extents": [1,1,1]})";
inline const std::string kUnit = "[0,0,0,1]";

inline std::string question(const std::string& id, const std::string& a, const std::string& a_pos,
                            const std::string& a_quat, const std::string& b, const std::string& b_pos,
                            const std::string& b_quat) {
    return fmt::format(R"({{"id": "{}", "a": {}, "a_pos": {}, "a_quat": {}, "b": {}, "b_pos": {}, "b_quat": {}}})", id,
                       a, a_pos, a_quat, b, b_pos, b_quat);
}

inline std::vector<json> answers(const std::string& input, const std::string& options = "") {
    write_scratch("questions.jsonl", input);
    const Outcome outcome = run_abut("query {}/questions.jsonl " + options);
    INFO(outcome.error);
    REQUIRE(outcome.code == 0);
    CHECK(outcome.error.empty());
    std::vector<json> result;
    for (const std::string& line : lines_of(outcome.out)) result.push_back(json::parse(line));
    return result;
}

inline json answer(const std::string& line) {
    const std::vector<json> all = answers(line + "\n");
    REQUIRE(all.size() == 1);
    return all[0];
}

inline bool near(const json& value, double expected, double tolerance) {
    return std::fabs(value.get<double>() - expected) <= tolerance;
}

}  // namespace abut::tests
