// Query in the plane: shapes, queries and bad lines by hand, and the answers of families of hard pairs against the
// oracle, on every instruction set.
#include "support/catch.hpp"
#include "support/count.hpp"

#include <abut/abut.hpp>

#include "query_lines.hpp"
#include "support/families_2d.hpp"
#include "support/question_2d.hpp"

using namespace abut::plane;
using abut::d2::ShapeKind;
using abut::tests::lines_of;
using abut::tests::near;
using abut::tests::run_abut;
using abut::tests::write_scratch;
using nlohmann::json;

namespace {

const std::string kCircle = R"({"shape": "circle", "radius": 0.5})",
                  kSquare = R"({"shape": "box", "half_extents": [1,1]})",
                  kGround = R"({"shape": "halfplane", "normal": [0,2], "offset": 0})",
                  kRoof = R"({"shape": "chain", "vertices": [[3,0],[0,1],[-3,0]], "loop": false})",
                  kTwo = R"({"shape": "compound", "children": [{"shape": )" + kCircle +
                         R"(, "pos": [9,0], "angle": 0}, {"shape": )" + kCircle + R"(, "pos": [1,0], "angle": 1}]})";

std::string question(const std::string& a, const std::string& a_pos, const std::string& a_angle, const std::string& b,
                     const std::string& b_pos, const std::string& b_angle, const std::string& more = "") {
    return fmt::format(R"({{"id": "q", "a": {}, "a_pos": {}, "a_angle": {}, "b": {}, "b_pos": {}, "b_angle": {}{}}})",
                       a, a_pos, a_angle, b, b_pos, b_angle, more) +
           "\n";
}

std::vector<json> answers(const std::string& lines, const std::string& options = "") {
    return abut::tests::answers(lines, "--2d " + options);
}

bool is(const json& vector, double x, double y, double tolerance = 1e-5) {
    return vector.size() == 2 && near(vector[0], x, tolerance) && near(vector[1], y, tolerance);
}

// Answers of A against a circle of radius 0.5 about `at`, and of the two exchanged.
void check_against_circle(const std::string& a, const std::string& a_angle, const std::string& at, double distance,
                          double normal_x, double normal_y) {
    INFO(a << " " << at);
    const std::vector<json> both =
        answers(question(a, "[0,0]", a_angle, kCircle, at, "0") + question(kCircle, at, "0", a, "[0,0]", a_angle));
    REQUIRE(both.size() == 2);
    const json &there = both[0], &back = both[1];
    REQUIRE(there["status"] == "ok");
    CHECK(near(there["signed_distance"], distance, 2e-6));
    CHECK(there["intersects"] == (distance <= 0));
    CHECK(is(there["normal"], normal_x, normal_y));
    CHECK(back["signed_distance"] == there["signed_distance"]);
    CHECK(back["intersects"] == there["intersects"]);
    CHECK(back["contacts"].size() == there["contacts"].size());
    for (std::size_t k = 0; k < 2; ++k) {
        CHECK(back["normal"][k].get<double>() == -there["normal"][k].get<double>());
        CHECK(near(back["point_a"][k], there["point_b"][k], 1e-6));
        CHECK(near(back["point_b"][k], there["point_a"][k], 1e-6));
    }
}

}  // namespace

TEST_CASE("query --2d: every shape, and mirrored pairs") {
    check_against_circle(kCircle, "0", "[3,0]", 2, 1, 0);
    check_against_circle(R"({"shape": "circle", "radius": 0.5, "scale": 2, "rounding": 0.25})", "0", "[0,-3]", 1.25, 0,
                         -1);
    check_against_circle(R"({"shape": "capsule", "radius": 0, "half_height": 1})", "0", "[0.25,0.5]", -0.25, 1, 0);
    check_against_circle(R"({"shape": "capsule", "radius": 0.5, "half_height": 1})", "1.5707964", "[0.5,2]", 1, 0, 1);
    check_against_circle(kSquare, "0", "[2,0.5]", 0.5, 1, 0);
    check_against_circle(R"({"shape": "box", "half_extents": [1,1], "scale": [2,0.5]})", "0", "[3,0]", 0.5, 1, 0);
    check_against_circle(kSquare, "0.78539816", "[2,0]", 1.5 - std::sqrt(2.0), 1, 0);
    check_against_circle(R"({"shape": "polygon", "vertices": [[0,0],[2,0],[1,1],[0,2],[0.5,0.5]]})", "0", "[2,2]",
                         std::sqrt(2.0) - 0.5, std::sqrt(0.5), std::sqrt(0.5));
    check_against_circle(R"({"shape": "polygon", "vertices": [[3,4]], "rounding": 0.5})", "0", "[0,0]", 4, -0.6, -0.8);
    check_against_circle(R"({"shape": "box", "half_extents": [1,1], "pos": [4,0], "angle": 0.78539816})", "1.5707964",
                         "[0,2]", 1.5 - std::sqrt(2.0), 0, -1);
    check_against_circle(kGround, "0", "[7,0.75]", 0.25, 0, 1);
    check_against_circle(kGround, "-1.5707964", "[0.25,7]", -0.25, 1, 0);
    check_against_circle(kRoof, "0", "[0,1.75]", 0.25, 0, 1);
    check_against_circle(R"({"shape": "chain", "vertices": [[1,1],[1,-1],[-1,-1],[-1,1]], "loop": true})", "0",
                         "[0.75,0]", -0.25, -1, 0);
    check_against_circle(kTwo, "0", "[1,2]", 1, 0, 1);
}

TEST_CASE("query --2d: points and contacts are in world space, contacts within the margin") {
    const std::string lines = question(kSquare, "[1000000,1.0625]", "0", kGround, "[0,0]", "0") +
                              question(kTwo, "[0,0.5]", "0", kRoof, "[1,-1]", "0");
    const std::vector<json> few = answers(lines), all = answers(lines, "--margin 0.25");
    CHECK(is(few[0]["point_a"], 1e6, 0.0625, 1.0));
    CHECK(few[0]["contacts"].empty());
    REQUIRE(all[0]["contacts"].size() == 2);
    double sum = 0;
    for (const json& contact : all[0]["contacts"]) {
        CHECK(near(contact["position"][1], 0.03125, 1e-6));
        CHECK(near(std::fabs(contact["position"][0].get<double>() - 1e6), 1, 1e-6));
        CHECK(near(contact["separation"], 0.0625, 1e-6));
        CHECK(is(contact["normal"], 0, -1));
        CHECK(contact.size() == 4);
        sum += contact["position"][0].get<double>() - 1e6;
    }
    CHECK(near(sum, 0, 1e-6));
    CHECK(all[0]["contacts"][0]["feature"] != all[0]["contacts"][1]["feature"]);
    REQUIRE(few[1]["contacts"].size() == 1);
    CHECK(few[1]["contacts"][0]["child_a"] == 1);
    CHECK(few[1]["contacts"][0]["child_b"].is_number_unsigned());
}

TEST_CASE("query --2d: a cast counts the turns of its angles") {
    const std::string stick = R"({"shape": "capsule", "radius": 0, "half_height": 1})",
                      ball = R"({"shape": "circle", "radius": 0.1})";
    const auto turned = [&](const std::string& end) {
        return question(stick, "[0,0]", "0", ball, "[-0.9,0]", "0", ", \"a_end_angle\": " + end);
    };
    const std::vector<json> all = answers(
        turned("12.566371") + turned("-12.566371") + turned("0") +
            question(kCircle, "[0,4.5]", "0", kRoof, "[0,0]", "0", R"(, "a_end_pos": [0,-5.5])") +
            question(kCircle, "[0,4.5]", "0", kRoof, "[0,0]", "0", R"(, "a_end_pos": [0,-5.5], "target": 1)") +
            question(kCircle, "[0,-4.5]", "0", kRoof, "[0,0]", "0", R"(, "a_end_pos": [0,5.5])") +
            question(kTwo, "[0,1.25]", "0", kGround, "[0,1]", "0", R"(, "a_end_pos": [0,3], "start": "closing_only")") +
            question(kTwo, "[0,1.25]", "0", kGround, "[0,1]", "0", R"(, "a_end_pos": [0,0], "start": "closing_only")") +
            question(kTwo, "[0,1.25]", "0", kGround, "[0,1]", "0", R"(, "start": "ignore")"),
        "--query cast");
    REQUIRE(all.size() == 9);
    for (const json& answer : all) CHECK(answer["status"] == "ok");
    const double quarter = std::asin(1 / 9.0) / (4 * 3.14159265358979);  // short of a quarter of a turn, of two
    CHECK(near(all[0]["time"], 0.125 - quarter, 1e-5));
    CHECK(near(all[1]["time"], 0.125 - quarter, 1e-5));
    CHECK(near(all[3]["time"], 0.3, 1e-5));
    CHECK(is(all[3]["point_a"], 0, 1, 1e-4));
    CHECK(is(all[3]["normal"], 0, -1));
    CHECK(all[3]["child_b"].is_number_unsigned());
    CHECK(near(all[4]["time"], 0.2, 1e-5));
    CHECK(near(all[4]["signed_distance"], 1, 1e-4));
    CHECK(all[7]["time"] == 0);
    CHECK(near(all[7]["signed_distance"], -0.25, 1e-6));
    for (const std::size_t missed : {2u, 5u, 6u, 8u}) {
        CHECK(all[missed]["hit"] == false);
        CHECK(all[missed]["time"] == 1);
        CHECK(all[missed].size() == 4);
    }
}

TEST_CASE("query --2d: rays and points") {
    const auto ray = [](const char* origin, const char* direction, const std::string& shape) {
        return fmt::format(R"({{"id": 1, "origin": {}, "direction": {}, "b": {}, "b_pos": [0,1], "b_angle": 0}})",
                           origin, direction, shape) +
               "\n";
    };
    const std::vector<json> rays =
        answers(ray("[0,5]", "[0,-7]", kCircle) + ray("[0,5]", "[0,-6]", kRoof) + ray("[0,-4]", "[0,9]", kRoof) +
                    ray("[0.25,1]", "[0,9]", kCircle) + ray("[1,5]", "[0,-7]", kTwo) + ray("[0,5]", "[0,0]", kTwo) +
                    ray("[0,5]", "[0,1e39]", kTwo),
                "--query ray");
    REQUIRE(rays.size() == 7);
    CHECK(near(rays[0]["fraction"], 0.5, 1e-12));
    CHECK(rays[0]["normal"] == json({0, 1}));
    CHECK(rays[0]["point"] == json({0, 1.5}));
    CHECK(rays[0]["inside"] == false);
    CHECK(near(rays[1]["fraction"], 0.5, 1e-12));
    CHECK(rays[1]["child"].is_number_unsigned());
    CHECK(rays[2]["hit"] == false);
    CHECK(rays[2].size() == 4);
    CHECK(rays[3]["inside"] == true);
    CHECK(rays[3]["fraction"] == 0);
    CHECK(rays[3]["point"] == json({0.25, 1}));
    CHECK(!rays[3].contains("normal"));
    CHECK(rays[4]["child"] == 1);
    CHECK(rays[5]["status"] == "bad_input");
    CHECK(rays[6]["message"] == "line 7: direction is past float32's range");

    const auto point = [](const char* at, const std::string& shape) {
        return fmt::format(R"({{"id": 1, "point": {}, "b": {}, "b_pos": [0,1], "b_angle": 1.5707964}})", at, shape) +
               "\n";
    };
    const std::vector<json> points =
        answers(point("[0,4]", kSquare) + point("[0,1.25]", kCircle) + point("[4,1]", kRoof) + point("[-4,1]", kRoof),
                "--query point");
    REQUIRE(points.size() == 4);
    CHECK(near(points[0]["signed_distance"], 2, 1e-6));
    CHECK(is(points[0]["normal"], 0, 1));
    CHECK(is(points[0]["nearest"], 0, 2));
    CHECK(points[1]["inside"] == true);
    CHECK(near(points[1]["signed_distance"], -0.25, 1e-6));
    CHECK(points[2].size() == 3);  // behind the chain: id, status, inside
    CHECK(is(points[3]["nearest"], -1, 1));
    CHECK(points[3].contains("child"));
}

TEST_CASE("query --2d: bad lines get a status and harm no other") {
    const std::string good = question(kSquare, "[0,1.5]", "1", kRoof, "[0,0]", "0");
    const auto with = [&](const std::string& shape) { return question(shape, "[0,0]", "0", kSquare, "[0,0]", "0"); };
    const std::vector<std::array<std::string, 3>> bad = {
        {"\n", "bad_input", "the line is blank"},
        {"nonsense\n", "bad_input", ""},
        {R"({"id": "q", "a": 1, "a_pos": [0,0], "b": 1, "b_pos": [0,0]})"
         "\n",
         "bad_input", "lacks \"a_angle\""},
        {question(kSquare, "[0,0,0]", "0", kSquare, "[0,0]", "0"), "bad_input", "a_pos must be a list of 2 numbers"},
        {question(kSquare, "[0,0]", "[0]", kSquare, "[0,0]", "0"), "bad_input", "a_angle is array, not a number"},
        {question(kSquare, "[0,0]", "0", kSquare, "[0,\"x\"]", "0"), "bad_input", "b_pos [1] is string"},
        {question(kSquare, "[0,1e39]", "0", kSquare, "[0,0]", "0"), "bad_pose", "a_pos is past float32's range"},
        {question(kSquare, "[0,0]", "0", kSquare, "[0,0]", "1e39"), "bad_pose", "b_angle is past float32's range"},
        {question(kSquare, "[2e15,0]", "0", kSquare, "[0,0]", "0"), "bad_pose", "a_pos is past the range of 1e+15 m"},
        {with("3"), "bad_shape", "a: a shape must be an object"},
        {with(R"({"shape": "sphere", "radius": 1})"), "bad_shape", "no shape is called \"sphere\""},
        {with(R"({"shape": "polygon4", "vertices": [[0,0]]})"), "bad_shape", "no shape is called"},
        {with(R"({"shape": "circle"})"), "bad_shape", "radius is missing"},
        {with(R"({"shape": "circle", "radius": -1})"), "bad_shape", "radius"},
        {with(R"({"shape": "circle", "radius": 1e39})"), "bad_shape", "radius is 1e+39, past float32's range"},
        {with(R"({"shape": "circle", "radius": 1, "rouding": 1})"), "bad_shape", "unknown field \"rouding\""},
        {with(R"({"shape": "circle", "radius": 1, "rounding": -1})"), "bad_shape", "rounding"},
        {with(R"({"shape": "circle", "radius": 1, "scale": [1,2]})"), "bad_shape", "scale"},
        {with(R"({"shape": "box", "half_extents": [1,1], "scale": 0})"), "bad_shape", "scale"},
        {with(R"({"shape": "box", "half_extents": [1,1], "scale": [1,1,1]})"), "bad_shape",
         "scale must be a list of 2"},
        {with(R"({"shape": "box", "half_extents": [1,1,1]})"), "bad_shape", "half_extents must be a list of 2"},
        {with(R"({"shape": "polygon", "vertices": []})"), "bad_shape", "empty"},
        {with(R"({"shape": "polygon", "vertices": [[0,0],[1]]})"), "bad_shape", "vertices[1] must be a list of 2"},
        {with(R"({"shape": "halfplane", "normal": [0,0], "offset": 1})"), "bad_shape", "normal"},
        {with(R"({"shape": "chain", "vertices": [[0,0],[1,0]], "loop": 1})"), "bad_shape", "loop is number"},
        {with(R"({"shape": "compound", "children": []})"), "bad_shape", "children"},
        {with(R"({"shape": "compound", "children": [{"shape": )" + kCircle + R"(, "pos": [0,0]}]})"), "bad_shape",
         "children[0] lacks angle"},
        {with(R"({"shape": "compound", "children": [{"shape": )" + kGround + R"(, "pos": [0,0], "angle": 0}]})"),
         "bad_shape", "children[0]"},
        {question(kGround, "[0,0]", "0", kGround, "[0,0]", "0"), "unsupported",
         "two half-planes have no deepest point"},
        {question(kGround, "[0,0]", "0", kRoof, "[0,0]", "0"), "unsupported", "a halfplane against a chain"},
        {question(kRoof, "[0,0]", "0", kRoof, "[0,0]", "0"), "unsupported", "a chain against a chain"},
    };
    std::string lines = good;
    for (const auto& [line, status, message] : bad) lines += line + good;
    const std::vector<json> all = answers(lines);
    REQUIRE(all.size() == 2 * bad.size() + 1);
    CHECK(all[0]["status"] == "ok");
    for (std::size_t i = 0; i < bad.size(); ++i) {
        const json& answer = all[2 * i + 1];
        INFO(bad[i][0] << answer);
        CHECK(answer["status"] == bad[i][1]);
        CHECK(answer["line"] == 2 * i + 2);
        CHECK(answer["message"].get<std::string>().find(bad[i][2]) != std::string::npos);
        CHECK(answer.size() == 4);
        CHECK(all[2 * i + 2] == all[0]);
    }
}

TEST_CASE("query --2d: behind a chain there is no distance, and shapes that differ in one field are not confused") {
    const std::string open = R"({"shape": "chain", "vertices": [[-3,0],[3,0],[0,3]], "loop": false})",
                      loop = R"({"shape": "chain", "vertices": [[-3,0],[3,0],[0,3]], "loop": true})";
    const std::vector<json> all = answers(question(kCircle, "[0,-4]", "0", kRoof, "[0,0]", "0") +
                                          question(kCircle, "[-2,4]", "0", open, "[0,0]", "0") +
                                          question(kCircle, "[-2,4]", "0", loop, "[0,0]", "0"));
    CHECK(all[0]["signed_distance"].is_null());
    CHECK(all[0]["intersects"] == false);
    CHECK(all[0]["contacts"] == json::array());
    CHECK(all[0].size() == 5);
    CHECK(all[1]["signed_distance"].is_null() != all[2]["signed_distance"].is_null());
}

TEST_CASE("query --2d: a stream has the answers of a batch, and there is no trace") {
    const std::string lines = question(kSquare, "[0,1.5]", "1", kRoof, "[0,0]", "0") + "{}\n" +
                              question(kTwo, "[0,0.5]", "0", kGround, "[1,-1]", "0");
    const std::string path = write_scratch("plane.jsonl", lines);
    CHECK(run_abut("query --2d --stream " + path).out == run_abut("query --2d " + path).out);
    const auto traced = run_abut("query --2d --trace " + path);
    CHECK(traced.code == 2);
    CHECK(traced.error.find("--trace") != std::string::npos);
}

namespace {

// The pair as its line has it: angles, and segments as rounded polygons.
struct AskedPair {
    ShapeSpec a, b;
    abut::d2::Vec2 position_a, position_b;
    float angle_a, angle_b;
};

Point point_of(abut::d2::Vec2 v) { return {v.x, v.y}; }
Point to_point(const json& v) { return {v[0].get<double>(), v[1].get<double>()}; }

// How far the answer is wrong, in units of the error that promise 1 allows; 0 where the oracle leaves it open.
double wrongness(const AskedPair& pair, const json& answer) {
    const auto pose = [](Point at, float angle) { return Pose{at, std::cos(Real(angle)), std::sin(Real(angle))}; };
    const Point origin = {pair.position_a.x, pair.position_a.y};
    const Shape a = placed(pose({}, pair.angle_a), shape_of(pair.a)),
                b = placed(pose(Point{pair.position_b.x, pair.position_b.y} - origin, pair.angle_b), shape_of(pair.b));
    const Answer right = signed_distance(a, b);
    // Half-planes have no size. Points are relative to A's position in float32.
    const auto size = [](const Shape& of, const Shape& other) {
        return size_of(of.form == Form::halfplane ? other : of);
    };
    const Real apart = right.distance < kInfinity ? std::fabs(right.distance) : 0,
               way = length(Point{pair.position_b.x, pair.position_b.y} - origin) +
                     length(point_of(pair.a.options.pose.position)) + length(point_of(pair.b.options.pose.position)),
               bound = 1e-5L * std::min(size(a, b), size(b, a)) + 1e-6L * std::max({size(a, b), size(b, a), apart}) +
                       0x1p-22L * (way + size_of(a));
    if (right.decision < bound) return 0;
    if (answer["signed_distance"].is_null()) return right.distance == kInfinity ? 0 : 1e9;
    const Real distance = answer["signed_distance"].get<double>();
    const Point normal = to_point(answer["normal"]), point_a = to_point(answer["point_a"]) - origin,
                point_b = to_point(answer["point_b"]) - origin;
    Real error = std::fabs(distance - right.distance);
    error = std::max(error, length(point_b - point_a - normal * distance));
    if (!is_on_surface(a, point_a, 2 * bound) || !is_on_surface(b, point_b, 2 * bound)) error += 10 * bound;
    if (answer["intersects"].get<bool>() != (right.distance <= 0) && std::fabs(right.distance) > bound)
        error += 10 * bound;
    // The deepest contact of two convex shapes: on both surfaces, no deeper than their supporting lines along its
    // normal, which is that of the distance but for the slack of 0.4% of the smaller size.
    if (a.form == Form::convex && b.form == Form::convex && !answer["contacts"].empty()) {
        const json& contact = answer["contacts"][0];
        const Real deepest = contact["separation"].get<double>(), gap = gap_along(a, b, to_point(contact["normal"]));
        const Point at = to_point(contact["position"]) - origin, half = to_point(contact["normal"]) * (0.5L * deepest);
        if (!is_on_surface(a, at - half, 2 * bound) || !is_on_surface(b, at + half, 2 * bound)) error += 10 * bound;
        error = std::max({error, gap - deepest, deepest - gap - 0.004L * std::min(size(a, b), size(b, a)),
                          std::fabs(deepest - right.distance) - 0.004L * std::min(size(a, b), size(b, a))});
    }
    return double(error / bound);
}

}  // namespace

TEST_CASE("query --2d: hard pairs have the oracle's answers, equal on every instruction set") {
    std::vector<AskedPair> pairs;
    std::string lines;
    for (int family = 0; family < kFamilies; ++family) {
        for (const HardPair& pair : hard_pairs(Family(family), 20, 7)) {
            pairs.push_back({as_asked(pair.a), as_asked(pair.b), pair.position_a, pair.position_b,
                             angle_of(pair.rotation_a), angle_of(pair.rotation_b)});
            const AskedPair& asked = pairs.back();
            lines += json{{"id", pairs.size() - 1},   {"a", as_json(asked.a)}, {"a_pos", list(asked.position_a)},
                          {"a_angle", asked.angle_a}, {"b", as_json(asked.b)}, {"b_pos", list(asked.position_b)},
                          {"b_angle", asked.angle_b}}
                         .dump() +
                     "\n";
        }
    }
    const std::vector<json> all = answers(lines);
    REQUIRE(all.size() == pairs.size());
    std::size_t overlapping = 0, touching = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        INFO(lines_of(lines)[i] << "\n" << all[i]);
        REQUIRE(all[i]["status"] == "ok");
        overlapping += all[i]["intersects"] == true;
        touching += !all[i]["contacts"].empty();
        CHECK(wrongness(pairs[i], all[i]) <= 1.5);
    }
    CHECK(overlapping > all.size() / 4);
    CHECK(touching > all.size() / 4);
    const std::string path = write_scratch("hard.jsonl", lines);
    const std::string expected = run_abut("query --2d " + path).out;
    for (const abut::Isa isa : abut::kAllIsas)
        if (is_supported(isa))
            CHECK(run_abut(fmt::format("query --2d --isa {} --threads 1 {}", to_string(isa), path)).out == expected);
}
