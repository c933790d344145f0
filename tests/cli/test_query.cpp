// Query: every line answered, each in its place, and no line's trouble harms another.
#include "support/catch.hpp"
#include "support/count.hpp"

#include <random>

#include <abut/abut.hpp>

#include "query_lines.hpp"

using namespace abut;
using namespace abut::tests;

namespace {

std::string random_shape(std::mt19937& random) {
    std::uniform_real_distribution<float> u(0.1f, 1.0f), p(-1.0f, 1.0f);
    switch (random() % 4) {
        case 0: return fmt::format(R"({{"shape": "sphere", "radius": {}}})", u(random));
        case 1:
            return fmt::format(R"({{"shape": "capsule", "radius": {}, "half_height": {}, "rounding": 0.01}})",
                               u(random), u(random));
        case 2:
            return fmt::format(R"({{"shape": "box", "half_extents": [{}, {}, {}]}})", u(random), u(random), u(random));
        default: break;
    }
    std::string vertices;
    for (int i = 0; i < 8; ++i)
        vertices += fmt::format("{}[{}, {}, {}]", i ? ", " : "", p(random), p(random), p(random));
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
        {question("x", R"({"shape": "sphere", "radius": 1e400})", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit),
         "bad_shape"},
        {question("x", R"({"shape": "hull", "vertices": []})", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit), "bad_shape"},
        {question("x", R"({"shape": "box", "half_extents": [1,1,1], "rounding": -0.1})", "[0,0,0]", kUnit, kBox,
                  "[0,0,0]", kUnit),
         "bad_shape"},
        {question("x", R"({"shape": "ellipsoid", "radii": [1,0,1]})", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit),
         "bad_shape"},
        {question("x", R"({"shape": "halfspace", "normal": [0,0,0], "offset": 1})", "[0,0,0]", kUnit, kBox, "[0,0,0]",
                  kUnit),
         "bad_shape"},
        {question("x", R"({"shape": "sphere", "radius": 1, "pos": [0,0]})", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit),
         "bad_shape"},
        {question("x", R"({"shape": "sphere", "radius": 1, "quat": [0,0,0,2]})", "[0,0,0]", kUnit, kBox, "[0,0,0]",
                  kUnit),
         "bad_shape"},
        {question("x", R"({"shape": "compound", "children": []})", "[0,0,0]", kUnit, kBox, "[0,0,0]", kUnit),
         "bad_shape"},
    };
}

}  // namespace

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
    const Outcome mixed = run_abut("query {}/mixed.jsonl"),
                  good = run_abut("query - -o {}/good.out", "cat {}/good.jsonl |");
    REQUIRE(mixed.code == 0);
    REQUIRE(good.code == 0);
    CHECK(good.out.empty());
    const std::vector<std::string> lines = lines_of(mixed.out), good_lines = lines_of(read_file(scratch("good.out")));
    REQUIRE(lines.size() == 10000);
    std::size_t next_good = 0, hits = 0;
    test::Count wrong;
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
            const Outcome other =
                run_abut(fmt::format("query {{}}/same.jsonl --isa {} --threads {}", to_string(isa), threads));
            CHECK((other.out == reference.out));
        }
    }
    CHECK(run_abut("query", "head -n 1 {}/same.jsonl |").out == lines_of(reference.out)[0] + "\n");
}

TEST_CASE("more threads than the machine has are no reason for a warning") {
    std::string input;
    for (int i = 0; i < 2000; ++i)
        input +=
            question(std::to_string(i), kBox, "[0,0,0]", kUnit, kSphere, fmt::format("[0,{},0]", 0.002 * i), kUnit) +
            "\n";
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

TEST_CASE("no answer says null for a number, and none past float32's range is ok") {
    const auto ball = [](const char* radius) { return fmt::format(R"({{"shape": "sphere", "radius": {}}})", radius); };
    const auto plane = [](const char* offset) {
        return fmt::format(R"({{"shape": "halfspace", "normal": [0,1e-40,0], "offset": {}}})", offset);
    };
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
    const json result = answer(question("big", R"({"shape": "hull", "vertices": [)" + vertices + "]}", "[0,0,0]", kUnit,
                                        kSphere, "[3,0,0]", kUnit));
    CHECK(result["status"] == "ok");
    CHECK(near(result["signed_distance"], 1.6, 0.1));
}

TEST_CASE("the output may not overwrite the input") {
    const std::string path = write_scratch("same_file.jsonl", "{}\n");
    CHECK(run_abut("query " + path + " -o " + path).code == 2);
    CHECK(read_file(path) == "{}\n");
}
