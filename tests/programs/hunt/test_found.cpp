// Pairs that abut_hunt found wrong once, each beside others of its root: all answers on every instruction set, in both
// orders, by the oracle, and the same bits alone as in this company. found.jsonl has them as abut_hunt prints them:
// append its line, and name the cause as its "id".
#include "support/catch.hpp"

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/pair_answer.hpp"

using namespace abut;
using nlohmann::json;

namespace {

Vec3 vec3(const json& v) { return {v.at(0), v.at(1), v.at(2)}; }
Quat quat(const json& q) { return {q.at(0), q.at(1), q.at(2), q.at(3)}; }

ShapeKind kind_of(const std::string& name) {
    static const std::map<std::string, ShapeKind> kinds = {
        {"sphere", ShapeKind::sphere},       {"capsule", ShapeKind::capsule},     {"box", ShapeKind::box},
        {"cylinder", ShapeKind::cylinder},   {"cone", ShapeKind::cone},           {"hull", ShapeKind::hull},
        {"ellipsoid", ShapeKind::ellipsoid}, {"halfspace", ShapeKind::halfspace},
    };
    return kinds.at(name);
}

oracle::Shape shape_of(const json& line) {
    oracle::Shape shape;
    shape.kind = kind_of(line.at("shape"));
    shape.radius = line.value("radius", 0.0f);
    shape.half_height = line.value("half_height", 0.0f);
    shape.rounding = line.value("rounding", 0.0f);
    shape.offset = line.value("offset", 0.0f);
    if (line.contains("half_extents")) shape.half_extents = vec3(line["half_extents"]);
    if (line.contains("radii")) shape.half_extents = vec3(line["radii"]);
    if (line.contains("normal")) shape.normal = vec3(line["normal"]);
    for (const json& v : line.value("vertices", json::array())) shape.points.push_back(vec3(v));
    if (const json scale = line.value("scale", json(1)); scale.is_array())
        shape.scale = vec3(scale);
    else
        shape.scale = {scale, scale, scale};
    return shape;
}

// Adds the pair of a line, in both orders.
void add(scenes::Scene& scene, const json& line) {
    const auto body = [&](const char* shape, const char* at, const char* turn) {
        const std::uint32_t solid = scene.add_solid(shape_of(line.at(shape)));
        return scene.add_body(solid, oracle::Vec3d(vec3(line.at(at))), quat(line.at(turn)));
    };
    const std::uint32_t a = body("a", "a_pos", "a_quat"), b = body("b", "b_pos", "b_quat");
    scene.add_pair(a, b, "found"), scene.add_pair(b, a, "found, in the other order");
    scene.margins.insert(scene.margins.end(), 2, line.at("margin"));
}

}  // namespace

TEST_CASE("found: what abut_hunt found once is right", "[found]") {
    std::map<std::string, scenes::Scene> scenes;
    std::ifstream file(ABUT_FOUND);
    REQUIRE(file);
    for (std::string text; std::getline(file, text);) {
        const json line = json::parse(text);
        scenes::Scene& scene = scenes[line.at("id")];
        scene.name = line.at("id");
        add(scene, line);
    }
    CHECK(scenes.size() >= 10);
    for (auto& [cause, scene] : scenes) {
        scene.compute_reference();
        for (const Isa isa : test::usable_isas()) {
            const judge::Answers answers = judge::ask(scene.frame(), {.isa = isa});
            const judge::Report report = judge::judge(scene, answers, 0);
            INFO(cause << ", " << to_string(isa) << ": " << judge::summary(scene, report));
            CHECK(report.wrong == 0);
            for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
                Frame alone = scene.frame();
                alone.pairs = {&scene.pairs[i], 1};
                alone.margins = {&scene.margins[i], 1};
                CHECK(test::words_of(judge::ask(alone, {.isa = isa}), 0) == test::words_of(answers, i));
            }
        }
    }
}
