// Meshes stay meshes with `abut cook --as mesh`: as shapes that `abut pack` and `abut query` take, or as the library's
// cooked bytes.
#include "support/catch.hpp"

#include <algorithm>
#include <filesystem>
#include <span>

#include <abut/cooking.hpp>
#include <abut/shape_store.hpp>
#include <nlohmann/json.hpp>

#include "files.hpp"
#include "mesh.hpp"
#include "program.hpp"

using namespace abut::tests;
using nlohmann::json;

namespace {

// A unit square of two triangles about y = 0, its front up; one of them twice, one degenerate, and a vertex in the
// square's edge that a third has.
const std::string kFloor =
    "o floor\nv 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 0.5 0 0\nv 0.5 0 -1\nv 0 0.00001 -1\n"
    "f 1 4 3\nf 1 3 2\nf 4 3 1\nf 1 2 2\nf 5 6 7\no apart\nv 9 0 0\nv 10 0 0\nv 9 0 -1\nf 8 9 10\n";

json cook(const std::string& arguments) {
    const Outcome outcome = run_abut("cook --as mesh --json " + arguments);
    INFO(arguments << ": " << outcome.error);
    REQUIRE(outcome.code == 0);
    CHECK(outcome.error.empty());
    return json::parse(outcome.out)["parts"];
}

}  // namespace

TEST_CASE("a mesh is cooked as such, and its report counts what was dropped") {
    const std::string path = write_scratch("floor.obj", kFloor);
    const json all = cook(path), objects = cook(path + " --by object"), parts = cook(path + " --by part --sides both");
    REQUIRE((all.size() == 1 && objects.size() == 2 && parts.size() == 3));
    CHECK((all[0]["name"] == "floor" && objects[1]["name"] == "apart"));
    CHECK((all[0]["input_vertices"] == 10 && all[0]["input_triangles"] == 6 && all[0]["triangles"] == 4 &&
           all[0]["vertices"] == 10));
    CHECK((all[0]["duplicate_triangles"] == 1 && all[0]["degenerate_triangles"] == 1 && all[0]["t_junctions"] == 1));
    CHECK((all[0]["flat_edges"] == 1 && all[0]["open_edges"] == 10 && all[0]["nonmanifold_edges"] == 0 &&
           all[0]["inconsistent_edges"] == 0));
    CHECK((all[0]["sides"] == "front" && parts[0]["sides"] == "both" && all[0]["bytes"] > 0));
    CHECK((parts[0]["triangles"] == 2 && parts[1]["triangles"] == 1 && parts[2]["vertices"] == 3));
    CHECK(cook(path + " --weld 0.6")[0]["welded_vertices"] > 0);

    const Outcome table = run_abut("cook --as mesh --by object " + path);
    CHECK(lines_of(table.out).size() == 6);
    CHECK(table.out.find("floor.obj: 2 meshes by object") != std::string::npos);
    CHECK(table.out.find("T-junctions") != std::string::npos);
    const auto rows = lines_of(table.out);
    CHECK(rows[3].rfind("floor ", 0) == 0);
    CHECK(rows[5].rfind("all ", 0) == 0);
}

TEST_CASE("a mesh's shape goes through pack and query, its cooked bytes through the library") {
    const std::string path = write_scratch("ground.obj", kFloor);
    cook(path + " -o {}/ground.jsonl");
    cook(path + " -o {}/ground.abut");
    const std::string line = read_file(scratch("ground.jsonl"));
    const json shape = json::parse(line)["shapes"][0];
    CHECK((shape["shape"] == "mesh" && shape["triangles"].size() == 4 && shape["vertices"].size() == 10 &&
           !shape.contains("sides")));
    CHECK(run_abut("pack {}/ground.jsonl {}/packed.abut").code == 0);
    CHECK(read_file(scratch("ground.abut")) == read_file(scratch("packed.abut")));
    const json question = {{"id", "q"},
                           {"a", {{"shape", "sphere"}, {"radius", 0.25}}},
                           {"a_pos", {0.25, 0.5, 0.5}},
                           {"a_quat", {0, 0, 0, 1}},
                           {"b", shape},
                           {"b_pos", {0, 0, 0}},
                           {"b_quat", {0, 0, 0, 1}}};
    const Outcome answer = run_abut("query " + write_scratch("question.jsonl", question.dump() + "\n"));
    CHECK(json::parse(answer.out)["signed_distance"].get<double>() == Approx(0.25));

    // What was kept is the same mesh, cooked again: its vertices have their numbers.
    std::vector<abut::Vec3> vertices;
    for (const json& v : shape["vertices"])
        vertices.push_back({v[0].get<float>(), v[1].get<float>(), v[2].get<float>()});
    std::vector<abut::MeshTriangle> triangles;
    for (const json& t : shape["triangles"])
        triangles.push_back({{t[0].get<unsigned>(), t[1].get<unsigned>(), t[2].get<unsigned>()}});
    abut::ShapeStore store;
    const auto again = store.add_mesh(vertices, triangles);
    REQUIRE(again);
    std::vector<abut::Vec3> cooked(vertices.size());
    CHECK((store.mesh_vertices(*again, cooked) == vertices.size() && cooked == vertices));
    std::vector<abut::MeshTriangle> kept(triangles.size());
    CHECK(store.mesh_triangles(*again, kept) == triangles.size());
    for (std::size_t i = 0; i < kept.size(); ++i)
        CHECK(std::equal(kept[i].corners, kept[i].corners + 3, triangles[i].corners));

    const json report = cook(path + " --sides both -o {}/ground.abutmesh")[0];
    const std::string bytes = read_file(scratch("ground.abutmesh"));
    CHECK(report["file_bytes"] == bytes.size());
    const auto mesh = abut::CookedMesh::read(std::as_bytes(std::span(bytes)));
    REQUIRE(mesh);
    CHECK((mesh->report().triangles == 4 && mesh->report().input_triangles == 6 &&
           mesh->report().sides == abut::MeshSides::both));
    const Outcome piped = run_abut("cook --as mesh " + path + " -o -");
    CHECK(piped.out == line);
    CHECK(piped.error.find("1 mesh by all") != std::string::npos);
}

TEST_CASE("cooked bytes are read back: shown as they are, or cooked again") {
    const std::string path = write_scratch("back.obj", kFloor), cooked = scratch("back.abutmesh");
    const json report = cook(path + " --sides both -o {}/back.abutmesh")[0];
    json shown = json::parse(run_abut("cook --json " + cooked + " -o {}/again.abutmesh").out)["parts"][0];
    CHECK(read_file(scratch("again.abutmesh")) == read_file(cooked));
    for (const char* key : {"input_triangles", "triangles", "vertices", "duplicate_triangles", "degenerate_triangles",
                            "open_edges", "sides", "bytes"}) {
        INFO(key);
        CHECK(shown[key] == report[key]);
    }
    CHECK(shown["name"] == "back");
    const json parts = cook(cooked + " --by part");
    CHECK((parts.size() == 3 && parts[0]["sides"] == "both"));
    CHECK(cook(cooked + " --sides front")[0]["sides"] == "front");
    CHECK(json::parse(run_abut("cook --json --as hull --by all --scale 2 " + cooked).out)["parts"][0]["size"]
              .get<double>() == Approx(10.0));
    CHECK(run_abut("cook " + cooked).out.find("back.abutmesh: 1 mesh by all") != std::string::npos);

    std::string bytes = read_file(cooked);
    bytes[bytes.size() / 2] ^= 1;
    const Outcome bad = run_abut("cook " + write_scratch("bad.abutmesh", bytes));
    CHECK((bad.code == 2 && bad.error.find("bad.abutmesh: cooked mesh, byte 64: the checksum") != std::string::npos));
    CHECK(run_abut("cook " + write_scratch("none.abutmesh", "")).code == 2);
    CHECK(run_abut("cook " + cooked + " -o " + cooked).code == 2);
}

TEST_CASE("a mesh that is open by rounding alone is offered the weld that closes it") {
    // A corner at 0 is written as 1e-12 by one face.
    const std::string path = write_scratch(
        "noise.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1e-12 0 0\nf 1 3 2\nf 5 2 4\nf 2 3 4\nf 1 4 3\n");
    const json open = cook(path)[0];
    CHECK((open["open_edges"] > 0 && open["closing_weld"].get<double>() == Approx(1e-9)));
    CHECK(cook(path + " --weld 1e-9")[0]["open_edges"] == 0);
    CHECK(run_abut("cook --as mesh " + path).out.find("noise is open by rounding alone: --weld 1e-09 closes it") !=
          std::string::npos);
    CHECK(cook(write_scratch("floor.obj", kFloor))[0]["closing_weld"] == 0.0);
}

TEST_CASE("what makes no mesh, and options of the other kind, are refused by name") {
    const std::string path = write_scratch("plane.obj", kFloor),
                      flat = write_scratch("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    const auto refused = [](const std::string& arguments, const std::string& part) {
        const Outcome outcome = run_abut("cook " + arguments);
        INFO(arguments << ": " << outcome.error);
        CHECK(outcome.code == 2);
        CHECK(outcome.out.empty());
        CHECK(outcome.error.find(part) != std::string::npos);
    };
    refused(flat + " --as mesh -o {}/never.jsonl", "part \"flat\": triangles has 1 of them, but all are degenerate");
    refused(path + " --as mesh --by part -o {}/never.abutmesh", "has 3: try --by all");
    refused(path + " --as mesh --max-vertices 8", "--max-vertices is for --as hull");
    refused(path + " --as mesh --tolerance 0", "--tolerance is for --as hull");
    refused(path + " --weld 0.1", "--weld is for --as mesh");
    refused(path + " --sides both", "--sides is for --as mesh");
    refused(path + " -o {}/never.abutmesh", ".abutmesh) is for --as mesh");
    refused(path + " --as soup", "--as");
    refused(path + " --as mesh --weld -1", "--weld");
    CHECK_FALSE(std::filesystem::exists(scratch("never.jsonl")));
    CHECK_FALSE(std::filesystem::exists(scratch("never.abutmesh")));
}
