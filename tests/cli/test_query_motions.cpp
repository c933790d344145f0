// Query: casts, rays and points.
#include "support/catch.hpp"

#include "query_lines.hpp"

using namespace abut::tests;

namespace {

// A ball above a box; `more` are fields of the motion.
std::string cast_question(const std::string& id, double y, const std::string& more) {
    return fmt::format(
        R"({{"id": "{}", "a": {}, "a_pos": [0.1, {}, 0.2], "a_quat": [0,0,0,1], "b": {}, "b_pos": [0,0,0], "b_quat": [0,0,0,1]{}}})",
        id, kSphere, y, kBox, more);
}

}  // namespace

TEST_CASE("query: a cast has the first time, and the answer there") {
    const std::vector<json> all =
        answers(cast_question("falls", 5, R"(, "a_end_pos": [0.1, -5, 0.2])") + "\n" +
                    cast_question("target", 5, R"(, "a_end_pos": [0.1, -5, 0.2], "target": 0.5)") + "\n" +
                    cast_question("b moves", 5, R"(, "b_end_pos": [0, 10, 0])") + "\n" +
                    cast_question("misses", 5, R"(, "a_end_pos": [0.1, 2, 0.2])") + "\n" +
                    cast_question("rests", 1.2, "") + "\n" + cast_question("ignored", 1.2, R"(, "start": "ignore")") +
                    "\n" + cast_question("leaves", 1.2, R"(, "a_end_pos": [0.1, 3, 0.2], "start": "closing_only")") +
                    "\n" + cast_question("presses", 1.2, R"(, "a_end_pos": [0.1, 0, 0.2], "start": "closing_only")"),
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
        return fmt::format(
                   R"({{"id": "{}", "origin": {}, "direction": {}, "b": {}, "b_pos": [0,1,0], "b_quat": [0,0,0,1]}})",
                   id, origin, direction, shape) +
               "\n";
    };
    constexpr const char* kBall = R"({"shape": "sphere", "radius": 0.5})";
    constexpr const char* kTriangle =
        R"({"shape": "mesh", "vertices": [[0,0,0],[0,0,1],[1,0,0]], "triangles": [[0,1,2]]})";
    constexpr const char* kTwo =
        R"({"shape": "compound", "children": [{"shape": {"shape": "sphere", "radius": 0.5}, "pos": [9,0,0], "quat": [0,0,0,1]},
 {"shape": {"shape": "sphere", "radius": 0.5}, "pos": [0,0,0], "quat": [0,0,0,1]}]})";
    std::string two = kTwo;
    std::erase(two, '\n');
    const std::vector<json> all = answers(
        ray("hits", "[0,5,0]", "[0,-7,0]", kBall) + ray("misses", "[3,5,0]", "[0,-7,0]", kBall) +
            ray("short", "[0,5,0]", "[0,-3,0]", kBall) + ray("inside", "[0,1.25,0]", "[0,-3,0]", kBall) +
            ray("front", "[0.25,5,0.25]", "[0,-8,0]", kTriangle) + ray("back", "[0.25,-3,0.25]", "[0,8,0]", kTriangle) +
            ray("child", "[0,5,0]", "[0,-7,0]", two.c_str()) + ray("nowhere", "[0,5,0]", "[0,0,0]", kBall) +
            ray("far", "[0,5,0]", "[0,1e39,0]", kBall) + ray("text", "[0,5,0]", "7", kBall) +
            R"({"id": "lacks", "origin": [0,0,0], "b": {"shape": "sphere", "radius": 1}, "b_pos": [0,0,0], "b_quat": [0,0,0,1]})" +
            "\n",
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

TEST_CASE("query: a point has a signed distance, the nearest point and a normal, inside or outside") {
    const auto point = [](const char* id, const char* at, const char* shape) {
        return fmt::format(R"({{"id": "{}", "point": {}, "b": {}, "b_pos": [0,1,0], "b_quat": [0,0,0,1]}})", id, at,
                           shape) +
               "\n";
    };
    constexpr const char* kBall = R"({"shape": "sphere", "radius": 0.5})";
    constexpr const char* kTriangle =
        R"({"shape": "mesh", "vertices": [[0,0,0],[0,0,1],[1,0,0]], "triangles": [[0,1,2]]})";
    const std::vector<json> all = answers(
        point("outside", "[0,4,0]", kBall) + point("inside", "[0,1.25,0]", kBall) +
            point("front", "[0.25,3,0.25]", kTriangle) + point("behind", "[0.25,-3,0.25]", kTriangle) +
            point("far", "[0,1e39,0]", kBall) + point("short", "[0,1]", kBall) + point("text", R"("x")", kBall) +
            point("bad", "[0,0,0]", R"({"shape": "sphere", "radius": -1})") +
            R"({"id": "lacks", "b": {"shape": "sphere", "radius": 1}, "b_pos": [0,0,0], "b_quat": [0,0,0,1]})" + "\n",
        "--query point");
    REQUIRE(all.size() == 9);
    CHECK(near(all[0]["signed_distance"], 2.5, 1e-6));
    CHECK(all[0]["normal"] == json({0, 1, 0}));
    CHECK(all[0]["nearest"] == json({0, 1.5, 0}));
    CHECK(all[0]["inside"] == false);
    CHECK(near(all[1]["signed_distance"], -0.25, 1e-6));
    CHECK(all[1]["inside"] == true);
    CHECK(all[1]["nearest"] == json({0, 1.5, 0}));
    CHECK(near(all[2]["signed_distance"], 2, 1e-6));
    CHECK(all[2]["triangle"] == 0);
    CHECK(all[3]["status"] == "ok");
    CHECK(all[3].size() == 3);  // id, status, inside
    const std::pair<const char*, const char*> kRefused[] = {{"bad_pose", "point is past"},
                                                            {"bad_input", "point must be"},
                                                            {"bad_input", "point"},
                                                            {"bad_shape", "b: "},
                                                            {"bad_input", "lacks \"point\""}};
    for (std::size_t i = 0; i < std::size(kRefused); ++i) {
        INFO(all[4 + i].dump());
        CHECK(all[4 + i]["status"] == kRefused[i].first);
        CHECK(all[4 + i]["message"].get<std::string>().find(kRefused[i].second) != std::string::npos);
    }
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
    const std::vector<json> all =
        answers(ray(kClosed, R"(, "solid": true)") + ray(kClosed, "") + ray(kOpen, R"(, "solid": true)") +
                    ray(kInwards, R"(, "solid": true)") + ray(kClosed, R"(, "solid": 1)"),
                "--query ray");
    REQUIRE(all.size() == 5);
    CHECK(all[0]["inside"] == true);
    CHECK(all[0]["fraction"] == 0);
    CHECK(all[1]["hit"] == false);
    for (const std::size_t bad : {2u, 3u, 4u}) CHECK(all[bad]["status"] == "bad_shape");
}

TEST_CASE("query: what is wrong with a cast is told, and fields of casts mean nothing to other queries") {
    const std::vector<json> all = answers(
        cast_question("negative", 5, R"(, "target": -1)") + "\n" + cast_question("text", 5, R"(, "target": "1")") +
            "\n" + cast_question("start", 5, R"(, "start": "never")") + "\n" +
            cast_question("pose", 5, R"(, "a_end_quat": [0,0,0,3])") + "\n" +
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
    const std::string mesh =
        R"({"shape": "mesh", "vertices": [[-1,0,-1],[-1,0,1],[1,0,1],[1,0,-1]], "triangles": [[0,1,2],[0,2,3]]})";
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
