// glTF files: nodes with their poses, buffers wherever they are, and files of unknown origin.
#include "support/catch.hpp"

#include <bit>
#include <cstring>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "files.hpp"
#include "mesh.hpp"
#include "mesh_survival.hpp"
#include "program.hpp"

using namespace abut::tests;
using nlohmann::json;

namespace {

template <class T>
void append(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string base64(const std::string& bytes) {
    const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (i + k < bytes.size() ? std::uint8_t(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? digits[bits >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

// A tetrahedron's corners, then its faces as 16-bit indices.
std::string tetrahedron() {
    std::string bytes;
    for (const float v : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f}) append(bytes, v);
    for (const std::uint16_t i : {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2}) append(bytes, i);
    return bytes;
}

// Two nodes show it: "left" where it is, "right" below a parent, mirrored, twice as large and turned by 90 degrees
// about Y.
json document() {
    return json::parse(R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": "left", "mesh": 0}, {"translation": [10, 0, 0], "children": [2]},
                  {"name": "right", "mesh": 0, "rotation": [0, 0.70710678118654752, 0, 0.70710678118654752], "scale": [-2, 2, 2]}],
        "meshes": [{"name": "tetra", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                      {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
        "buffers": [{"byteLength": 72}]})");
}

std::string text_file(json gltf = document()) {
    gltf["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(tetrahedron());
    return gltf.dump();
}

std::string binary_file(const json& gltf = document()) {
    std::string text = gltf.dump(), bytes = tetrahedron(), out;
    while (text.size() % 4 != 0) text += ' ';
    append(out, std::uint32_t(0x46546c67)), append(out, std::uint32_t(2)),
        append(out, std::uint32_t(28 + text.size() + bytes.size()));
    append(out, std::uint32_t(text.size())), append(out, std::uint32_t(0x4e4f534a));
    out += text;
    append(out, std::uint32_t(bytes.size())), append(out, std::uint32_t(0x004e4942));
    return out + bytes;
}

json cook(const std::string& arguments) {
    const Outcome outcome = run_abut("cook --json " + arguments);
    INFO(arguments << ": " << outcome.error);
    REQUIRE(outcome.code == 0);
    return json::parse(outcome.out)["parts"];
}

void refused(const json& gltf, const std::string& part) {
    const Outcome outcome = run_abut("cook " + write_scratch("bad.gltf", text_file(gltf)));
    INFO(part << ": " << outcome.error);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.error.find("bad.gltf: ") != std::string::npos);
    CHECK(outcome.error.find(part) != std::string::npos);
}

json changed(const std::string& pointer, const json& value) {
    json gltf = document();
    gltf[json::json_pointer(pointer)] = value;
    return gltf;
}

}  // namespace

TEST_CASE("the nodes of a glTF file are parts at their poses, whatever holds the buffer") {
    write_scratch("tetra.bin", tetrahedron());
    json beside = document();
    beside["buffers"][0]["uri"] = "tetr%61.bin";
    for (const std::string& path : {write_scratch("text.gltf", text_file()), write_scratch("binary.GLB", binary_file()),
                                    write_scratch("beside.gltf", beside.dump())}) {
        INFO(path);
        const json parts = cook(path + " -o {}/parts.jsonl");
        REQUIRE(parts.size() == 2);
        CHECK((parts[0]["name"] == "left" && parts[1]["name"] == "right"));
        CHECK(parts[0]["mesh_volume"].get<double>() == Approx(1.0 / 6));
        CHECK(parts[1]["mesh_volume"].get<double>() == Approx(8.0 / 6));
        const json shapes = json::parse(read_file(scratch("parts.jsonl")))["shapes"];
        // (x, y, z) becomes (z, y, -x) by the rotation, after the scale.
        json expected = {{10, 0, 0}, {10, 0, 2}, {10, 2, 0}, {12, 0, 0}};
        for (const json& v : shapes[1]["vertices"]) {
            const auto is_near = [&](const json& e) {
                return std::abs(e[0].get<double>() - v[0].get<double>()) +
                           std::abs(e[1].get<double>() - v[1].get<double>()) +
                           std::abs(e[2].get<double>() - v[2].get<double>()) <
                       1e-5;
            };
            CHECK(std::count_if(expected.begin(), expected.end(), is_near) == 1);
        }
        // A mirrored node's triangles still show their fronts.
        const json meshes = cook("--as mesh --by object " + path);
        CHECK((meshes[1]["convex_edges"] == 6 && meshes[1]["concave_edges"] == 0 && meshes[0]["convex_edges"] == 6));
    }
    CHECK(cook(scratch("text.gltf") + " --as compound --by object").size() == 2);
}

TEST_CASE("strips, fans and triangles without indices are read, points and lines are not") {
    json gltf = document();
    gltf["nodes"] = json::array({{{"mesh", 0}}});
    gltf["scenes"][0]["nodes"] = {0};
    json& primitive = gltf["meshes"][0]["primitives"][0];
    primitive.erase("indices");
    for (const auto& [mode, triangles] : {std::pair(4, 1), {5, 2}, {6, 2}}) {
        primitive["mode"] = mode;
        const json parts = cook(write_scratch("mode.gltf", text_file(gltf)) + " --by all");
        CHECK(parts[0]["triangles"] == triangles);
        CHECK(cook(write_scratch("mode.gltf", text_file(gltf)) + " --by object")[0]["name"] == "tetra");
    }
    primitive["mode"] = 1;
    refused(gltf, "no triangles");
}

TEST_CASE("what is wrong in a glTF file is said") {
    refused(changed("/asset/version", "1.0"), "version 2");
    refused(changed("/scenes/0/nodes/0", 7), "nodes[7] is none of 3");
    refused(changed("/scenes/0/nodes/0", -1), "nodes[-1] is none of 3");
    refused(changed("/nodes/2/children", {1}), "two parents, or is its own");
    refused(changed("/nodes/2/scale", {1, 2}), "scale has not 3 numbers");
    refused(changed("/nodes/2/translation", {1e300, 0, 0}), "not finite");
    refused(changed("/nodes/0/mesh", 4), "meshes[4] is none of 1");
    refused(changed("/meshes/0/primitives/0/attributes", json::object()), "accessors[null]");
    refused(changed("/accessors/0/type", "VEC2"), "is no VEC3 of floats");
    refused(changed("/accessors/0/componentType", 5123), "wrong componentType 5123");
    refused(changed("/accessors/0/count", 5), "past the end of its bufferView");
    refused(changed("/accessors/0/count", 4000000000u), "no index or size");
    refused(changed("/accessors/0/count", 3), "names a vertex");
    refused(changed("/accessors/0/sparse", json::object()), "sparse");
    refused(changed("/accessors/1/componentType", 5120), "wrong componentType 5120");
    refused(changed("/accessors/1/componentType", 5126), "wrong componentType 5126");
    refused(changed("/bufferViews/1/byteLength", 25), "past the end of its buffer");
    refused(changed("/bufferViews/1/byteStride", 1), "byteStride");
    refused(changed("/buffers/0/byteLength", 73), "has 72 bytes, but byteLength says 73");
    refused(changed("/extensionsRequired", {"KHR_draco_mesh_compression"}), "KHR_draco_mesh_compression");
    refused(changed("/nodes", 3), "nodes[0] is none of 0");
    refused(changed("/meshes/0/primitives", 3), "");
    refused(changed("/nodes/0/matrix", {"a", "b", "c"}), "matrix has not 16 numbers");
    json chain = document();
    for (int i = 3; i < 400; ++i) chain["nodes"].push_back({{"children", {i + 1}}});
    chain["nodes"][2]["children"] = {3};
    refused(chain, "nest deeper than 256");
    for (const int mode : {5, 6}) {
        json strip = changed("/meshes/0/primitives/0/mode", mode);
        strip["accessors"][1]["count"] = 1;
        refused(strip, "fewer than three corners");
    }
    for (const auto& [uri, part] : {std::pair("../tetra.bin", "beside"),
                                    {"%2e%2e/tetra.bin", "beside"},
                                    {"/etc/passwd", "beside"},
                                    {"http://a/b.bin", "beside"},
                                    {"nothing.bin", "No such"},
                                    {"data:text/plain,abc", "base64"}}) {
        json gltf = document();
        gltf["buffers"][0]["uri"] = uri;
        const Outcome outcome = run_abut("cook " + write_scratch("uri.gltf", gltf.dump()));
        INFO(uri << ": " << outcome.error);
        CHECK((outcome.code == 2 && outcome.error.find(part) != std::string::npos));
    }
    const Outcome short_json = run_abut("cook " + write_scratch("length.glb", binary_file().replace(15, 1, "8")));
    CHECK((short_json.code == 2 && short_json.error.find("cut short") != std::string::npos));
    CHECK(run_abut("cook " + write_scratch("empty.glb", "")).code == 2);
    CHECK(run_abut("cook " + write_scratch("no.gltf", "{]")).code == 2);
    CHECK(run_abut("cook " + write_scratch("list.gltf", "[]")).code == 2);
}

TEST_CASE("a glTF file cut anywhere or with any byte changed ends with an answer or a reason") {
    std::uint32_t random = 1;
    for (const auto& [name, content] : {std::pair("b.gltf", text_file()), {"c.glb", binary_file()}}) {
        for (std::size_t length = 0; length < content.size(); length += 3)
            check_survives(name, content.substr(0, length));
        for (int i = 0; i < 3000; ++i) {
            std::string other = content;
            for (int j = 0; j <= i % 3; ++j) {
                random = random * 1664525u + 1013904223u;
                other[random % other.size()] = i % 2 == 0 ? char('0' + (random >> 24) % 10) : char(random >> 24);
            }
            check_survives(name, other);
        }
    }
}
