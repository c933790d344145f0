// JSON of unknown origin: deep, repeated, out of range, broken off.
#include "support/catch.hpp"

#include "json_text.hpp"
#include "shape_json.hpp"

using namespace abut;
using namespace abut::tools;

namespace {

JsonText parsed(std::string text) { return parse_json(text); }

std::string repeated(const std::string& part, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += part;
    return text;
}

std::string shape_error(std::string text) {
    const JsonText tree = parse_json(text);
    REQUIRE(tree.error.empty());
    const Expected<ShapeSpec> spec = shape_from_json(tree.value, NumberRule::strict);
    return spec ? std::string() : std::string(spec.error().message);
}

std::string nested_compound(int depth) {
    std::string text = R"({"shape": "sphere", "radius": 1})";
    for (int i = 0; i < depth; ++i) {
        text = R"({"shape": "compound", "children": [{"shape": )" + text + R"(, "pos": [0,0,0], "quat": [0,0,0,1]}]})";
    }
    return text;
}

}  // namespace

TEST_CASE("the tree is nlohmann's own") {
    const std::string text = R"({"a": [1, -2, 3.5, true, false, null, "x\u00e9", {}], "b": {"c": []}})";
    CHECK(parsed(text).error.empty());
    CHECK(parsed(text).value == nlohmann::json::parse(text));
    CHECK(parsed("7").value == 7);
}

TEST_CASE("nesting is bounded") {
    CHECK(parsed(repeated("[", 64) + repeated("]", 64)).error.empty());
    CHECK_FALSE(parsed(repeated("[", 65) + repeated("]", 65)).error.empty());
    CHECK_FALSE(parsed(repeated("[", 3000000)).error.empty());
    CHECK_FALSE(parsed(repeated("{\"a\":", 1000000)).error.empty());
}

TEST_CASE("a key given twice is an error") {
    CHECK_FALSE(parsed(R"({"a": 1, "a": 1})").error.empty());
    CHECK(parsed(R"({"a": {"a": 1}, "b": {"a": 1}})").error.empty());
}

TEST_CASE("numbers past double's range stay numbers, and huge") {
    const JsonText tree = parsed(R"({"a": 1e400, "b": [-2e5000, 1e-400], "c": "1e400"})");
    REQUIRE(tree.error.empty());
    CHECK(tree.value["a"] == 1e308);
    CHECK(tree.value["b"][0] == -1e308);
    CHECK(tree.value["b"][1] == 0.0);
    CHECK(tree.value["c"] == "1e400");
    CHECK(parsed(repeated("9", 400)).value == 1e308);
    CHECK_FALSE(parsed("01e400").error.empty());
    CHECK_FALSE(parsed("[" + repeated("1e999,", 100000) + "1]").error.empty());
}

TEST_CASE("what is not JSON is refused, with what was read before it") {
    for (const char* text : {"", "{", "NaN", "[Infinity]", "{\"a\" 1}", "{'a': 1}", "[1,]", "\"\x80\"", "1 2", "tru"}) {
        CHECK_FALSE(parsed(text).error.empty());
    }
    CHECK(parsed(R"({"id": "x", "a": NaN})").value["id"] == "x");
}

TEST_CASE("shapes say which field is wrong") {
    const auto contains = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    CHECK(shape_error(R"({"shape": "sphere", "radius": 1, "rounding": 0.1, "axis": "y", "scale": 1})").empty());
    CHECK(contains(shape_error("3"), "object"));
    CHECK(contains(shape_error("{}"), "shape"));
    CHECK(contains(shape_error(R"({"shape": 3})"), "shape"));
    CHECK(contains(shape_error(R"({"shape": "cube"})"), "cube"));
    CHECK(contains(shape_error(R"({"shape": "custom"})"), "custom"));
    CHECK(contains(shape_error(R"({"shape": "sphere"})"), "radius"));
    CHECK(contains(shape_error(R"({"shape": "sphere", "radius": "1"})"), "radius"));
    CHECK(contains(shape_error(R"({"shape": "sphere", "radius": "NaN"})"), "radius"));
    CHECK(contains(shape_error(R"({"shape": "sphere", "radius": 1e39})"), "1e+39"));
    CHECK(contains(shape_error(R"({"shape": "sphere", "radius": 1, "rouding": 1})"), "rouding"));
    CHECK(contains(shape_error(R"({"shape": "sphere", "radius": 1, "axis": "z"})"), "axis"));
    CHECK(contains(shape_error(R"({"shape": "box", "half_extents": [1, 2]})"), "half_extents"));
    CHECK(contains(shape_error(R"({"shape": "box", "half_extents": [1, null, 2]})"), "[1]"));
    CHECK(contains(shape_error(R"({"shape": "hull", "vertices": [[0,0,0], [1,1]]})"), "vertices[1]"));
    CHECK(contains(shape_error(R"({"shape": "hull", "vertices": {}})"), "vertices"));
    const auto cells = [](const char* value) {
        const std::string field =
            R"({"shape": "heightfield", "rows": 2, "columns": 2, "spacing": [1,1], "heights": [0,0,0,0], "cells": )";
        return shape_error(field + value + "}");
    };
    CHECK((cells("2").empty() && cells("[1]").empty() && cells("[]").empty()));
    CHECK(contains(cells("\"hole\""), "cells is string, not a whole number or a list"));
    CHECK(contains(cells("-1"), "cells is number, not a whole number or a list"));
    CHECK(contains(cells("256"), "cells must be a whole number, 0 to 255"));
    CHECK(contains(cells("[0, 1.5]"), "cells[1] must be a whole number, 0 to 255"));
    CHECK(contains(shape_error(R"({"shape": "compound", "children": [3]})"), "children[0]"));
    CHECK(contains(shape_error(R"({"shape": "compound", "children": [{"shape": {}, "pos": [0,0,0]}]})"), "quat"));
}

TEST_CASE("compounds nest, within bounds") {
    CHECK(shape_error(nested_compound(kMaxCompoundDepth)).empty());
    CHECK_FALSE(shape_error(nested_compound(kMaxCompoundDepth + 1)).empty());
}

TEST_CASE("a shape survives the way through JSON") {
    for (
        const char* text :
        {R"({"shape": "capsule", "radius": 0.1, "half_height": 2, "rounding": 0.25, "scale": [1,2,3]})",
         R"({"shape": "halfspace", "normal": [0,1,0], "offset": -3.5})",
         R"({"shape": "hull", "vertices": [[0,0,0],[1,0,0],[0,1e-30,-0.0]]})",
         R"({"shape": "heightfield", "rows": 2, "columns": 3, "spacing": [1,2], "heights": [0,1,0,0,null,0], "cells": [1,2]})",
         R"({"shape": "heightfield", "rows": 2, "columns": 2, "spacing": [1,2], "heights": [0,1,0,0], "cells": 2, "sides": "both"})",
         R"({"shape": "ellipsoid", "radii": [1,2,3]})", R"({"shape": "cone", "radius": 1, "half_height": 2})"}) {
        std::string once = text;
        const Expected<ShapeSpec> spec = shape_from_json(parse_json(once).value, NumberRule::strict);
        REQUIRE(spec);
        std::string again;
        append_shape(again, *spec);
        CHECK(again == text);
    }
}
