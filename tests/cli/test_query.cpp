// Query: every line answered, each in its place, and no line's trouble harms another.
#include "catch.hpp"

#include <cmath>
#include <random>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <abut/abut.hpp>

#include "program.hpp"

using namespace abut;
using namespace abut::tests;
using nlohmann::json;

namespace {

const std::string kSphere = R"({"shape": "sphere", "radius": 0.5})";
const std::string kBox = R"({"shape": "box", "half_extents": [1,1,1]})";
const std::string kUnit = "[0,0,0,1]";

std::string question(const std::string& id, const std::string& a, const std::string& a_pos, const std::string& a_quat, const std::string& b,
                     const std::string& b_pos, const std::string& b_quat) {
    return fmt::format(R"({{"id": "{}", "a": {}, "a_pos": {}, "a_quat": {}, "b": {}, "b_pos": {}, "b_quat": {}}})", id, a, a_pos, a_quat, b, b_pos,
                       b_quat);
}

std::vector<json> answers(const std::string& input, const std::string& options = "") {
    write_scratch("questions.jsonl", input);
    const Outcome outcome = run_abut("query {}/questions.jsonl " + options);
    INFO(outcome.error);
    REQUIRE(outcome.code == 0);
    CHECK(outcome.error.empty());
    std::vector<json> result;
    for (const std::string& line : lines_of(outcome.out)) result.push_back(json::parse(line));
    return result;
}

json answer(const std::string& line) {
    const std::vector<json> all = answers(line + "\n");
    REQUIRE(all.size() == 1);
    return all[0];
}

bool near(const json& value, double expected, double tolerance) { return std::fabs(value.get<double>() - expected) <= tolerance; }

std::string random_shape(std::mt19937& random) {
    std::uniform_real_distribution<float> u(0.1f, 1.0f), p(-1.0f, 1.0f);
    switch (random() % 4) {
        case 0: return fmt::format(R"({{"shape": "sphere", "radius": {}}})", u(random));
        case 1: return fmt::format(R"({{"shape": "capsule", "radius": {}, "half_height": {}, "rounding": 0.01}})", u(random), u(random));
        case 2: return fmt::format(R"({{"shape": "box", "half_extents": [{}, {}, {}]}})", u(random), u(random), u(random));
        default: break;
    }
    std::string vertices;
    for (int i = 0; i < 8; ++i) vertices += fmt::format("{}[{}, {}, {}]", i ? ", " : "", p(random), p(random), p(random));
    return fmt::format(R"({{"shape": "hull", "vertices": [{}]}})", vertices);
}

std::string random_question(std::mt19937& random, const std::string& id) {
    std::uniform_real_distribution<float> p(-1.5f, 1.5f), q(-1.0f, 1.0f);
    const auto position = [&] { return fmt::format("[{}, {}, {}]", p(random), p(random), p(random)); };
    const auto rotation = [&] {
        double x = q(random), y = q(random), z = q(random), w = 1.5 + q(random);
        const double length = std::sqrt(x * x + y * y + z * z + w * w);
        return fmt::format("[{}, {}, {}, {}]", x / length, y / length, z / length, w / length);
    };
    return question(id, random_shape(random), position(), rotation(), random_shape(random), position(), rotation());
}

// Lines of every kind of trouble, with the status they must get.
std::vector<std::pair<std::string, std::string>> bad_lines() {
    return {
        {"", "bad_input"},
        {"   ", "bad_input"},
        {"nonsense", "bad_input"},
        {"[]", "bad_input"},
        {"{}", "bad_input"},
        {"null", "bad_input"},
        {std::string(200000, '['), "bad_input"},
        {R"({"id": "x"})", "bad_input"},
        {question("x", kSphere, "[NaN,0,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_input"},
        {question("x", kSphere, "[0,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_input"},
        {question("x", kSphere, "\"here\"", kUnit, kBox, "[0,0,0]", kUnit), "bad_input"},
        {question("x", kSphere, "[0,null,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_input"},
        {question("x", kSphere, "[0,0,0]", "[0,0,0,1,0]", kBox, "[0,0,0]", kUnit), "bad_input"},
        {R"({"id": [], "a": )" + kSphere + R"(, "a_pos": [0,0,0], "a_quat": [0,0,0,1], "b": )" + kSphere +
             R"(, "b_pos": [0,0,0], "b_quat": [0,0,0,1]})",
         "bad_input"},
        {question("x", kSphere, "[1e39,0,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_pose"},
        {question("x", kSphere, "[0,0,0]", kUnit, kBox, "[0,-1e400,0]", kUnit), "bad_pose"},
        {question("x", kSphere, "[0,0,0]", "[0,0,0,0]", kBox, "[0,0,0]", kUnit), "bad_pose"},
        {question("x", kSphere, "[0,0,0]", "[0,0,0,1.02]", kBox, "[0,0,0]", kUnit), "bad_pose"},
        {question("x", kSphere, "[0,0,0]", "[0,1e200,0,1]", kBox, "[0,0,0]", kUnit), "bad_pose"},
        {question("x", "3", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_shape"},
        {question("x", "{}", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_shape"},
        {question("x", R"({"shape": "cube"})", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_shape"},
        {question("x", R"({"shape": "sphere", "radius": -1})", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_shape"},
        {question("x", R"({"shape": "sphere", "radius": 1e400})", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_shape"},
        {question("x", R"({"shape": "hull", "vertices": []})", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_shape"},
        {question("x", R"({"shape": "box", "half_extents": [1,1,1], "rounding": -0.1})", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_shape"},
        {question("x", R"({"shape": "ellipsoid", "radii": [1,0,1]})", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_shape"},
        {question("x", R"({"shape": "halfspace", "normal": [0,0,0], "offset": 1})", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_shape"},
        {question("x", R"({"shape": "sphere", "radius": 1, "pos": [0,0]})", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_shape"},
        {question("x", R"({"shape": "sphere", "radius": 1, "quat": [0,0,0,2]})", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_shape"},
        {question("x", R"({"shape": "compound", "children": []})", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_shape"},
    };
}

}  // namespace

TEST_CASE("a shape's pos and quat are its pose in its body's frame, or in its compound's") {
    const std::string half_turn = "[0,0,1,0]", posed = R"({"shape": "sphere", "radius": 0.5, "pos": [2,0,0]})";
    const std::string in_compound =
        fmt::format(R"({{"shape": "compound", "children": [{{"shape": {}, "pos": [1,0,0], "quat": [0,0,0,1]}}]}})", posed);
    const std::string plane = R"({"shape": "halfspace", "normal": [1,0,0], "offset": 1, "pos": [0,5,0], "quat": [0,0,0.70710678,0.70710678]})";
    const std::string all = question("body", posed, "[0,1,0]", half_turn, kBox, "[0,0,0]", kUnit) + "\n" +
                            question("compound", in_compound, "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit) + "\n" +
                            question("plane", kSphere, "[0,8,0]", kUnit, plane, "[0,0,0]", kUnit) + "\n";
    const std::vector<json> of = answers(all);
    CHECK(near(of[0]["signed_distance"], 0.5, 1e-6));
    CHECK((near(of[0]["point_a"][0], -1.5, 1e-6) && near(of[0]["point_a"][1], 1, 1e-6)));
    CHECK(near(of[1]["signed_distance"], 1.5, 1e-6));
    CHECK(near(of[2]["signed_distance"], 1.5, 1e-6));
    CHECK(near(of[2]["normal"][1], -1, 1e-6));
}

TEST_CASE("10,000 mixed lines are answered in one batch, each in its place") {
    std::mt19937 random(3);
    const auto bad = bad_lines();
    std::string input, good_alone;
    std::vector<std::string> expected;
    for (int i = 0; i < 10000; ++i) {
        if (random() % 8 == 0) {
            const auto& [line, status] = bad[random() % (bad.size())];
            input += line + (i % 3 ? "\n" : "\r\n");
            expected.push_back(status);
        } else {
            const std::string line = random_question(random, std::to_string(i)) + "\n";
            input += line;
            good_alone += line;
            expected.push_back("ok");
        }
    }
    write_scratch("mixed.jsonl", input);
    write_scratch("good.jsonl", good_alone);
    const Outcome mixed = run_abut("query {}/mixed.jsonl"), good = run_abut("query - -o {}/good.out", "cat {}/good.jsonl |");
    REQUIRE(mixed.code == 0);
    REQUIRE(good.code == 0);
    CHECK(good.out.empty());
    const std::vector<std::string> lines = lines_of(mixed.out), good_lines = lines_of(read_file(scratch("good.out")));
    REQUIRE(lines.size() == 10000);
    std::size_t next_good = 0, wrong = 0, hits = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const json result = json::parse(lines[i]);
        if (result["status"] != expected[i]) {
            ++wrong;
            UNSCOPED_INFO(lines[i] << " is not " << expected[i]);
        }
        if (expected[i] == "ok") {
            // Bad neighbours change nothing, to the last bit.
            wrong += lines[i] != good_lines.at(next_good++) || result["id"] != std::to_string(i);
            hits += result["intersects"].get<bool>();
        } else {
            wrong += !result.contains("message") || result["line"] != i + 1;
        }
    }
    CHECK(wrong == 0);
    CHECK(hits > 2000);
    CHECK(hits < 8000);
}

TEST_CASE("the answer to a line does not depend on instruction set, threads or company") {
    std::mt19937 random(5);
    std::string input;
    for (int i = 0; i < 300; ++i) input += random_question(random, std::to_string(i)) + "\n";
    write_scratch("same.jsonl", input);
    const Outcome reference = run_abut("query {}/same.jsonl --isa auto --threads 1");
    REQUIRE(reference.code == 0);
    for (const Isa isa : kAllIsas) {
        if (!is_supported(isa)) continue;
        for (const char* threads : {"1", "2"}) {
            const Outcome other = run_abut(fmt::format("query {{}}/same.jsonl --isa {} --threads {}", to_string(isa), threads));
            CHECK((other.out == reference.out));
        }
    }
    CHECK(run_abut("query", "head -n 1 {}/same.jsonl |").out == lines_of(reference.out)[0] + "\n");
}

TEST_CASE("more threads than the machine has are no reason for a warning") {
    std::string input;
    for (int i = 0; i < 2000; ++i)
        input += question(std::to_string(i), kBox, "[0,0,0]", kUnit, kSphere, fmt::format("[0,{},0]", 0.002 * i), kUnit) + "\n";
    CHECK(answers(input, "--threads 1024").size() == 2000);  // and nothing on standard error
}

TEST_CASE("an answer has the members of the format, in world space") {
    const json touching = answer(question("q \\\"1\\\"", kSphere, "[0,0,0]", kUnit, kBox, "[0,1.4,0]", "[0,0,0,-1]"));
    CHECK(touching["id"] == "q \"1\"");
    CHECK(touching["status"] == "ok");
    CHECK(touching["intersects"] == true);
    CHECK(near(touching["signed_distance"], -0.1, 1e-6));
    CHECK(near(touching["normal"][1], 1.0, 1e-6));
    CHECK(near(touching["point_a"][1], 0.5, 1e-6));
    CHECK(near(touching["point_b"][1], 0.4, 1e-6));
    REQUIRE(touching["contacts"].size() >= 1);
    CHECK(near(touching["contacts"][0]["separation"], -0.1, 1e-6));
    CHECK(near(touching["contacts"][0]["position"][1], 0.45, 1e-6));
    CHECK(touching["contacts"][0]["feature"].is_number_unsigned());
    CHECK(touching["contacts"][0]["normal"].size() == 3);
    CHECK_FALSE(touching["contacts"][0].contains("child_a"));
    CHECK_FALSE(touching.contains("message"));

    // A million metres out the float32 positions are 6 cm apart; what is added to them is exact.
    const json far = answer(question("far", kSphere, "[1000000.1,0,0]", kUnit, kSphere, "[1000002.1,0,0]", kUnit));
    const double a = double(1000000.1f), b = double(1000002.1f);
    CHECK(far["point_a"][0].get<double>() == a + 0.5);
    CHECK(far["point_b"][0].get<double>() == b - 0.5);
    CHECK(far["intersects"] == false);
    CHECK(far["contacts"].empty());
}

TEST_CASE("the margin decides which contacts are reported") {
    const std::string line = question("m", kSphere, "[0,0,0]", kUnit, kSphere, "[1.1,0,0]", kUnit) + "\n";
    CHECK(answers(line)[0]["contacts"].empty());
    CHECK(answers(line, "--margin 0")[0]["contacts"].empty());
    const json wide = answers(line, "--margin 0.2")[0];
    REQUIRE(wide["contacts"].size() == 1);
    CHECK(near(wide["contacts"][0]["separation"], 0.1, 1e-6));
    CHECK(wide["signed_distance"] == answers(line)[0]["signed_distance"]);
}

TEST_CASE("bad lines keep their id where they have one") {
    CHECK(answer(R"({"id": "x"})")["id"] == "x");
    CHECK(answer(R"({"id": "x", "a": NaN})")["id"] == "x");
    CHECK(answer(R"({"a": NaN, "id" : "x\u00e9"})")["id"] == "x\u00e9");
    CHECK(answer(R"({"id": 7})")["id"] == 7);
    CHECK(answer(R"({"id": "cut)")["id"].is_null());
    CHECK(answer("{}")["id"].is_null());
    CHECK(answer(R"({"id": "x", "id": "y"})")["status"] == "bad_input");
    CHECK(answer("\xff\xfe")["status"] == "bad_input");
}

TEST_CASE("every convex shape of the formats is answered") {
    const std::pair<const char*, double> shapes[] = {{R"({"shape": "cylinder", "radius": 1, "half_height": 2})", 1},
                                                     {R"({"shape": "cone", "radius": 1, "half_height": 2})", 1},
                                                     {R"({"shape": "ellipsoid", "radii": [1,2,3]})", 1},
                                                     {R"({"shape": "ellipsoid", "radii": [1,1,1], "scale": [1,2,3]})", 1},
                                                     {R"({"shape": "sphere", "radius": 1, "scale": 2})", 1},
                                                     {R"({"shape": "halfspace", "normal": [0,2,0], "offset": 4})", 1}};
    for (const auto& [shape, distance] : shapes) {
        const json result = answer(question("x", shape, "[0,0,0]", kUnit, kSphere, "[0,3.5,0]", kUnit));
        INFO(shape);
        CHECK(result["status"] == "ok");
        CHECK(near(result["signed_distance"], distance, 1e-5));
        CHECK(near(result["normal"][1], 1, 1e-5));
    }
}

TEST_CASE("meshes and height fields are answered, and contacts name the triangle") {
    const std::string mesh =
        R"({"shape": "mesh", "vertices": [[9,9,9],[-5,0,-5],[-5,0,5],[5,0,5],[5,0,-5]], "triangles": [[1,1,2],[1,2,3],[1,3,4]]})";
    const std::string field = R"({"shape": "heightfield", "rows": 3, "columns": 3, "spacing": [5,5], "heights": [0,0,0,0,0,0,0,0,null]})";
    for (const auto& [shape, at, triangle] : {std::tuple(mesh, "[1,0.4,2]", 1), std::tuple(field, "[2,0.4,7]", 4)}) {
        const json result = answer(question("x", kSphere, at, kUnit, shape, "[0,0,0]", kUnit));
        INFO(result);
        CHECK(result["status"] == "ok");
        CHECK(result["intersects"] == true);
        CHECK(near(result["signed_distance"], -0.1, 1e-5));
        CHECK(near(result["normal"][1], -1, 1e-5));
        REQUIRE(result["contacts"].size() == 1);
        CHECK(result["contacts"][0]["triangle"] == triangle);
        CHECK_FALSE(result["contacts"][0].contains("child_a"));

        const json turned = answer(question("x", shape, "[0,0,0]", kUnit, kSphere, at, kUnit));
        CHECK(turned["contacts"][0]["triangle"] == triangle);
        CHECK(near(turned["normal"][1], 1, 1e-5));
        // From behind there is nothing to be near to.
        const json behind = answer(question("x", kSphere, "[2,-0.1,2]", kUnit, shape, "[0,0,0]", kUnit));
        CHECK(behind["status"] == "ok");
        CHECK(behind["intersects"] == false);
        CHECK_FALSE(behind.contains("signed_distance"));
        CHECK(behind["contacts"].empty());
    }
    const json two = answer(question("x", mesh, "[0,1,0]", kUnit, field, "[0,0,0]", kUnit));
    CHECK(two["status"] == "ok");
    CHECK(two["intersects"] == false);
    CHECK(near(two["signed_distance"], 1, 1e-5));
    CHECK(near(two["normal"][1], -1, 1e-5));
    CHECK(two["contacts"].empty());
    const std::string inner = R"({"shape": "compound", "children": [{"shape": )" + mesh + R"(, "pos": [0,0,0], "quat": [0,0,0,1]}]})";
    CHECK(answer(question("x", kSphere, "[0,0,0]", kUnit, inner, "[0,0,0]", kUnit))["status"] == "bad_shape");
}

TEST_CASE("no answer says null for a number, and none past float32's range is ok") {
    const auto ball = [](const char* radius) { return fmt::format(R"({{"shape": "sphere", "radius": {}}})", radius); };
    const auto plane = [](const char* offset) { return fmt::format(R"({{"shape": "halfspace", "normal": [0,1e-40,0], "offset": {}}})", offset); };
    std::string input;
    for (const char* far : {"1e10", "1e30", "2e38", "3e38"}) {
        for (const char* side : {"", "-"}) {
            const std::string at = fmt::format("[{}{},0,{}]", side, far, far);
            input += question(far, kSphere, at, kUnit, kSphere, fmt::format("[-{},0,0]", far), kUnit) + "\n";
            input += question(far, ball(far), at, kUnit, kBox, "[0,-3e38,0]", kUnit) + "\n";
            input += question(far, kSphere, at, kUnit, plane(far), "[0,1,0]", kUnit) + "\n";
        }
    }
    std::size_t ok = 0, past = 0;
    for (const json& result : answers(input)) {
        INFO(result);
        CHECK(result.dump().find("null") == std::string::npos);
        ok += result["status"] == "ok";
        past += result["status"] == "bad_pose";
        if (result["status"] == "ok")
            CHECK(result["signed_distance"].is_number());
        else
            CHECK(result["message"].get<std::string>().find("range") != std::string::npos);
    }
    CHECK(past > 0);
    CHECK(ok > 0);
}

TEST_CASE("two half-spaces, and a scale that a shape cannot have, are told so") {
    const char* plane = R"({"shape": "halfspace", "normal": [0,2,0], "offset": 1})";
    const json two = answer(question("x", plane, "[0,0,0]", kUnit, plane, "[0,0,0]", kUnit));
    CHECK(two["status"] == "unsupported");
    CHECK(two.contains("message"));
    const json uneven = answer(question("x", R"({"shape": "sphere", "radius": 1, "scale": [1,2,1]})", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit));
    CHECK(uneven["status"] == "bad_shape");
    CHECK(std::string(uneven["message"]).find("same along all axes") != std::string::npos);
}

TEST_CASE("compounds are answered, with all contacts of all their children, however they nest") {
    const auto child = [](const std::string& shape, const char* pos) {
        return fmt::format(R"({{"shape": {}, "pos": {}, "quat": [0,0,0,1]}})", shape, pos);
    };
    const std::string feet = fmt::format(R"({{"shape": "compound", "children": [{}, {}]}})", child(kBox, "[2,0,0]"), child(kBox, "[-2,0,0]"));
    std::string nested = feet;
    for (int depth = 1; depth < 16; ++depth) nested = R"({"shape": "compound", "children": [)" + child(nested, "[0,0.25,0]") + "]}";
    const std::string floor = R"({"shape": "box", "half_extents": [10,1,10]})";
    for (const auto& [shape, y] : {std::pair{feet, 1.99}, {nested, 1.99 - 15 * 0.25}}) {
        const json result = answer(question("x", shape, fmt::format("[0,{},0]", y), kUnit, floor, "[0,0,0]", kUnit));
        CHECK(result["status"] == "ok");
        CHECK(result["intersects"] == true);
        CHECK(near(result["signed_distance"], -0.01, 1e-5));
        CHECK(near(result["normal"][1], -1, 1e-6));
        CHECK(near(result["point_b"][1], 1, 1e-6));
        CHECK(result["contacts"].size() == 8);
    }
    const json mirrored = answer(question("x", floor, "[0,0,0]", kUnit, feet, "[0,1.99,0]", kUnit));
    CHECK(near(mirrored["normal"][1], 1, 1e-6));
    CHECK(mirrored["contacts"].size() == 8);
}

TEST_CASE("a child that is none is named, with its compound") {
    const auto message = [](const std::string& child) {
        const json result = answer(question("x", R"({"shape": "compound", "children": [)" + child + "]}", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit));
        CHECK(result["status"] == "bad_shape");
        return std::string(result["message"]);
    };
    CHECK(message(R"({"shape": {"shape": "sphere", "radius": -1}, "pos": [0,0,0], "quat": [0,0,0,1]})").find("children[0]: radius") !=
          std::string::npos);
    CHECK(message(R"({"shape": {"shape": "sphere", "radius": 1}, "pos": [0,0,0], "quat": [0,0,0,2]})").find("children[0].orientation") !=
          std::string::npos);
    CHECK(message(R"({"shape": {"shape": "halfspace", "normal": [0,1,0], "offset": 0}, "pos": [0,0,0], "quat": [0,0,0,1]})").find("halfspace") !=
          std::string::npos);
}

TEST_CASE("a last line without an ending counts, an empty input is no line") {
    CHECK(answers(question("x", kSphere, "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit)).size() == 1);
    CHECK(answers("").empty());
    CHECK(answers("\n").size() == 1);
}

TEST_CASE("a line of megabytes is a line") {
    std::string vertices;
    std::mt19937 random(9);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 100000; ++i) {
        const double x = normal(random), y = normal(random), z = normal(random), r = std::sqrt(x * x + y * y + z * z);
        const double scale = (i % 1000 ? 0.5 : 1.0) / r;
        vertices += fmt::format("{}[{}, {}, {}]", i ? ", " : "", x * scale, y * scale, z * scale);
    }
    const json result = answer(question("big", R"({"shape": "hull", "vertices": [)" + vertices + "]}", "[0,0,0]", kUnit, kSphere, "[3,0,0]", kUnit));
    CHECK(result["status"] == "ok");
    CHECK(near(result["signed_distance"], 1.6, 0.1));
}

TEST_CASE("the output may not overwrite the input") {
    const std::string path = write_scratch("same_file.jsonl", "{}\n");
    CHECK(run_abut("query " + path + " -o " + path).code == 2);
    CHECK(read_file(path) == "{}\n");
}

namespace {

// A ball above a box; `more` are fields of the motion.
std::string cast_question(const std::string& id, double y, const std::string& more) {
    return fmt::format(R"({{"id": "{}", "a": {}, "a_pos": [0.1, {}, 0.2], "a_quat": [0,0,0,1], "b": {}, "b_pos": [0,0,0], "b_quat": [0,0,0,1]{}}})",
                       id, kSphere, y, kBox, more);
}

}  // namespace

TEST_CASE("query: a cast has the first time, and the answer there") {
    const std::vector<json> all = answers(cast_question("falls", 5, R"(, "a_end_pos": [0.1, -5, 0.2])") + "\n" +
                                              cast_question("target", 5, R"(, "a_end_pos": [0.1, -5, 0.2], "target": 0.5)") + "\n" +
                                              cast_question("b moves", 5, R"(, "b_end_pos": [0, 10, 0])") + "\n" +
                                              cast_question("misses", 5, R"(, "a_end_pos": [0.1, 2, 0.2])") + "\n" + cast_question("rests", 1.2, "") +
                                              "\n" + cast_question("ignored", 1.2, R"(, "start": "ignore")") + "\n" +
                                              cast_question("leaves", 1.2, R"(, "a_end_pos": [0.1, 3, 0.2], "start": "closing_only")") + "\n" +
                                              cast_question("presses", 1.2, R"(, "a_end_pos": [0.1, 0, 0.2], "start": "closing_only")"),
                                          "--query cast");
    REQUIRE(all.size() == 8);
    for (const json& answer : all) CHECK(answer["status"] == "ok");
    CHECK(all[0]["hit"] == true);
    CHECK(near(all[0]["time"], 0.35, 1e-5));
    CHECK(near(all[0]["signed_distance"], 0, 5e-5));
    CHECK(near(all[0]["normal"][1], -1, 1e-6));
    CHECK(near(all[0]["point_a"][1], 1, 1e-4));
    CHECK(near(all[0]["point_b"][0], 0.1, 1e-5));
    CHECK(near(all[1]["time"], 0.3, 1e-5));
    CHECK(near(all[2]["time"], 0.35, 1e-5));
    CHECK(near(all[2]["point_b"][1], 4.5, 1e-4));
    for (const std::size_t missed : {3u, 5u, 6u}) {
        CHECK(all[missed]["hit"] == false);
        CHECK(all[missed]["time"] == 1);
        CHECK(all[missed].size() == 4);  // id, status, hit, time
    }
    for (const std::size_t starts : {4u, 7u}) {
        CHECK(all[starts]["hit"] == true);
        CHECK(all[starts]["time"] == 0);
        CHECK(near(all[starts]["signed_distance"], -0.3, 1e-5));
    }
}

TEST_CASE("query: a ray has its first hit, a miss nothing else, and a start inside no normal") {
    const auto ray = [](const char* id, const char* origin, const char* direction, const char* shape) {
        return fmt::format(R"({{"id": "{}", "origin": {}, "direction": {}, "b": {}, "b_pos": [0,1,0], "b_quat": [0,0,0,1]}})", id, origin, direction,
                           shape) +
               "\n";
    };
    constexpr const char* kBall = R"({"shape": "sphere", "radius": 0.5})";
    constexpr const char* kTriangle = R"({"shape": "mesh", "vertices": [[0,0,0],[0,0,1],[1,0,0]], "triangles": [[0,1,2]]})";
    constexpr const char* kTwo =
        R"({"shape": "compound", "children": [{"shape": {"shape": "sphere", "radius": 0.5}, "pos": [9,0,0], "quat": [0,0,0,1]},
 {"shape": {"shape": "sphere", "radius": 0.5}, "pos": [0,0,0], "quat": [0,0,0,1]}]})";
    std::string two = kTwo;
    std::erase(two, '\n');
    const std::vector<json> all =
        answers(ray("hits", "[0,5,0]", "[0,-7,0]", kBall) + ray("misses", "[3,5,0]", "[0,-7,0]", kBall) + ray("short", "[0,5,0]", "[0,-3,0]", kBall) +
                    ray("inside", "[0,1.25,0]", "[0,-3,0]", kBall) + ray("front", "[0.25,5,0.25]", "[0,-8,0]", kTriangle) +
                    ray("back", "[0.25,-3,0.25]", "[0,8,0]", kTriangle) + ray("child", "[0,5,0]", "[0,-7,0]", two.c_str()) +
                    ray("nowhere", "[0,5,0]", "[0,0,0]", kBall) + ray("far", "[0,5,0]", "[0,1e39,0]", kBall) + ray("text", "[0,5,0]", "7", kBall) +
                    R"({"id": "lacks", "origin": [0,0,0], "b": {"shape": "sphere", "radius": 1}, "b_pos": [0,0,0], "b_quat": [0,0,0,1]})" + "\n",
                "--query ray");
    REQUIRE(all.size() == 11);
    CHECK(all[0]["hit"] == true);
    CHECK(near(all[0]["fraction"], 0.5, 1e-12));
    CHECK(all[0]["normal"] == json({0, 1, 0}));
    CHECK(all[0]["point"] == json({0, 1.5, 0}));
    CHECK(all[0]["inside"] == false);
    for (const std::size_t missed : {1u, 2u, 5u}) {
        CHECK(all[missed]["hit"] == false);
        CHECK(all[missed]["fraction"] == 1);
        CHECK(all[missed].size() == 4);  // id, status, hit, fraction
    }
    CHECK(all[3]["fraction"] == 0);
    CHECK(all[3]["inside"] == true);
    CHECK(all[3]["point"] == json({0, 1.25, 0}));
    CHECK(!all[3].contains("normal"));
    CHECK(near(all[4]["fraction"], 0.5, 1e-12));
    CHECK(all[4]["triangle"] == 0);
    CHECK(all[6]["child"] == 1);
    CHECK(all[7]["status"] == "bad_input");
    CHECK(all[8]["status"] == "bad_pose");
    CHECK(all[9]["status"] == "bad_input");
    CHECK(all[10]["status"] == "bad_input");
}

TEST_CASE("query: a closed mesh may be solid, any other is a bad shape") {
    const auto ray = [](const char* triangles, const char* more) {
        return fmt::format(
                   R"({{"id": "x", "origin": [0.1,0.1,0.1], "direction": [0,3,0], "b": {{"shape": "mesh", "vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]],)"
                   R"( "triangles": {}{}}}, "b_pos": [0,0,0], "b_quat": [0,0,0,1]}})",
                   triangles, more) +
               "\n";
    };
    constexpr const char *kClosed = "[[0,2,1],[0,1,3],[0,3,2],[1,2,3]]", *kOpen = "[[0,2,1],[0,1,3],[0,3,2]]",
                         *kInwards = "[[0,1,2],[0,3,1],[0,2,3],[1,3,2]]";
    const std::vector<json> all = answers(ray(kClosed, R"(, "solid": true)") + ray(kClosed, "") + ray(kOpen, R"(, "solid": true)") +
                                              ray(kInwards, R"(, "solid": true)") + ray(kClosed, R"(, "solid": 1)"),
                                          "--query ray");
    REQUIRE(all.size() == 5);
    CHECK(all[0]["inside"] == true);
    CHECK(all[0]["fraction"] == 0);
    CHECK(all[1]["hit"] == false);
    for (const std::size_t bad : {2u, 3u, 4u}) CHECK(all[bad]["status"] == "bad_shape");
}

TEST_CASE("query: what is wrong with a cast is told, and fields of casts mean nothing to other queries") {
    const std::vector<json> all =
        answers(cast_question("negative", 5, R"(, "target": -1)") + "\n" + cast_question("text", 5, R"(, "target": "1")") + "\n" +
                    cast_question("start", 5, R"(, "start": "never")") + "\n" + cast_question("pose", 5, R"(, "a_end_quat": [0,0,0,3])") + "\n" +
                    cast_question("short", 5, R"(, "b_end_pos": [0,0])") + "\n" + cast_question("good", 5, ""),
                "--query cast");
    REQUIRE(all.size() == 6);
    const char* const expected[][2] = {{"bad_input", "target is -1"},
                                       {"bad_input", "target is string"},
                                       {"bad_input", "start is"},
                                       {"bad_pose", "a_end_quat has length 3"},
                                       {"bad_input", "b_end_pos"}};
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(all[i]["status"] == expected[i][0]);
        CHECK(all[i]["message"].get<std::string>().find(expected[i][1]) != std::string::npos);
    }
    CHECK(all[5]["hit"] == false);
    CHECK(answer(cast_question("distance", 5, R"(, "target": -1, "start": 3)"))["status"] == "ok");
}

TEST_CASE("query: a cast onto a mesh names its triangle, and passes through the backs") {
    const std::string mesh = R"({"shape": "mesh", "vertices": [[-1,0,-1],[-1,0,1],[1,0,1],[1,0,-1]], "triangles": [[0,1,2],[0,2,3]]})";
    const auto falls = [&](const char* id, double from, double to) {
        return fmt::format(
            R"({{"id": "{}", "a": {}, "a_pos": [0.5,{},-0.2], "a_quat": [0,0,0,1], "a_end_pos": [0.5,{},-0.2], "b": {}, "b_pos": [0,0,0], "b_quat": [0,0,0,1]}})",
            id, kSphere, from, to, mesh);
    };
    const std::vector<json> all = answers(falls("down", 4, -4) + "\n" + falls("up", -4, 4), "--query cast");
    REQUIRE(all.size() == 2);
    CHECK(all[0]["hit"] == true);
    CHECK(all[0]["triangle"] == 1);
    CHECK(near(all[0]["time"], 3.5 / 8, 1e-4));
    CHECK(all[1]["hit"] == false);
}
