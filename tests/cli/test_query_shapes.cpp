// Query: the shapes of the formats, their poses, and what they cannot be.
#include "support/catch.hpp"

#include <cmath>

#include <abut/abut.hpp>

#include "query_lines.hpp"

using namespace abut;
using namespace abut::tests;

TEST_CASE("a shape's pos and quat are its pose in its body's frame, or in its compound's") {
    const std::string half_turn = "[0,0,1,0]", posed = R"({"shape": "sphere", "radius": 0.5, "pos": [2,0,0]})";
    const std::string in_compound = fmt::format(
        R"({{"shape": "compound", "children": [{{"shape": {}, "pos": [1,0,0], "quat": [0,0,0,1]}}]}})", posed);
    const std::string plane =
        R"({"shape": "halfspace", "normal": [1,0,0], "offset": 1, "pos": [0,5,0], "quat": [0,0,0.70710678,0.70710678]})";
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

TEST_CASE("every convex shape of the formats is answered") {
    const std::pair<const char*, double> shapes[] = {
        {R"({"shape": "cylinder", "radius": 1, "half_height": 2})", 1},
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
    const std::string field =
        R"({"shape": "heightfield", "rows": 3, "columns": 3, "spacing": [5,5], "heights": [0,0,0,0,0,0,0,0,null]})";
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
    const std::string inner =
        R"({"shape": "compound", "children": [{"shape": )" + mesh + R"(, "pos": [0,0,0], "quat": [0,0,0,1]}]})";
    CHECK(answer(question("x", kSphere, "[0,0,0]", kUnit, inner, "[0,0,0]", kUnit))["status"] == "bad_shape");
}

TEST_CASE("a height field's cells may be holes or have the other diagonal") {
    const auto ask = [](const std::string& cells) {
        const std::string field =
            R"({"shape": "heightfield", "rows": 2, "columns": 3, "spacing": [1,1], "heights": [0,1,0,1,0,1], "cells": )" +
            cells + "}";
        return answer(
            question("x", R"({"shape": "sphere", "radius": 0.1})", "[0.5,1,0.5]", kUnit, field, "[0,0,0]", kUnit));
    };
    // The centre of the first cell is at the height 0 of the one diagonal, and 1 of the other.
    CHECK(near(ask("[0,1]")["signed_distance"], 1 / std::sqrt(3.0) - 0.1, 1e-5));
    CHECK(near(ask("[2,1]")["signed_distance"], -0.1, 1e-5));
    CHECK(near(ask("2")["signed_distance"], -0.1, 1e-5));
    CHECK(ask("[2,1]")["contacts"].size() == 1);
    const json bad = ask("[0,4]");
    CHECK(bad["status"] == "bad_shape");
    CHECK(bad["message"].get<std::string>().find("cells[1] is 4") != std::string::npos);
    CHECK(ask("[0,1,2]")["message"].get<std::string>().find("cells has 3 flags, but the field has 2 cells") !=
          std::string::npos);
}

TEST_CASE("what is below a height field is solid as far as its thickness") {
    const auto ask = [](const std::string& thickness) {
        const std::string field =
            R"({"shape": "heightfield", "rows": 2, "columns": 2, "spacing": [1,1], "heights": [0,0,0,0], "thickness": )" +
            thickness + "}";
        return answer(
            question("x", R"({"shape": "sphere", "radius": 0.1})", "[0.5,-0.25,0.5]", kUnit, field, "[0,0,0]", kUnit));
    };
    CHECK(near(ask("0.5")["signed_distance"], -0.35, 1e-6));
    CHECK(near(ask(R"("Infinity")")["signed_distance"], -0.35, 1e-6));
    CHECK(ask("0.5")["contacts"].size() == 1);
    CHECK(ask("0.2")["intersects"] == false);
    CHECK(ask("-1")["message"].get<std::string>().find("thickness must be 0 or more") != std::string::npos);
}

TEST_CASE("two half-spaces, and a scale that a shape cannot have, are told so") {
    const char* plane = R"({"shape": "halfspace", "normal": [0,2,0], "offset": 1})";
    const json two = answer(question("x", plane, "[0,0,0]", kUnit, plane, "[0,0,0]", kUnit));
    CHECK(two["status"] == "unsupported");
    CHECK(two.contains("message"));
    const json uneven = answer(question("x", R"({"shape": "sphere", "radius": 1, "scale": [1,2,1]})", "[0,0,0]", kUnit,
                                        kBox, "[0,0,0]", kUnit));
    CHECK(uneven["status"] == "bad_shape");
    CHECK(std::string(uneven["message"]).find("same along all axes") != std::string::npos);
}

TEST_CASE("compounds are answered, with all contacts of all their children, however they nest") {
    const auto child = [](const std::string& shape, const char* pos) {
        return fmt::format(R"({{"shape": {}, "pos": {}, "quat": [0,0,0,1]}})", shape, pos);
    };
    const std::string feet = fmt::format(R"({{"shape": "compound", "children": [{}, {}]}})", child(kBox, "[2,0,0]"),
                                         child(kBox, "[-2,0,0]"));
    std::string nested = feet;
    for (int depth = 1; depth < 16; ++depth)
        nested = R"({"shape": "compound", "children": [)" + child(nested, "[0,0.25,0]") + "]}";
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
        const json result = answer(question("x", R"({"shape": "compound", "children": [)" + child + "]}", "[0,0,0]",
                                            kUnit, kBox, "[0,0,0]", kUnit));
        CHECK(result["status"] == "bad_shape");
        return std::string(result["message"]);
    };
    CHECK(message(R"({"shape": {"shape": "sphere", "radius": -1}, "pos": [0,0,0], "quat": [0,0,0,1]})")
              .find("children[0]: radius") != std::string::npos);
    CHECK(message(R"({"shape": {"shape": "sphere", "radius": 1}, "pos": [0,0,0], "quat": [0,0,0,2]})")
              .find("children[0].orientation") != std::string::npos);
    CHECK(message(
              R"({"shape": {"shape": "halfspace", "normal": [0,1,0], "offset": 0}, "pos": [0,0,0], "quat": [0,0,0,1]})")
              .find("halfspace") != std::string::npos);
}
