// Meshes become hulls that `abut pack` takes, with figures that are so; a bad file is told by its name and what is
// wrong with it.
#include "support/catch.hpp"

#include <cmath>
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

// Two tetrahedra, the second in two groups.
const std::string kTwo =
    "# C:\\models\\two.obj\no one\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    "o two\nv 5 0 0\nv 7 0 0\nv 5 2 0\nv 5 0 2\ng left\nf 5 7 6\nf 5 6 8\ng right\nf 6 7 8\nf 5 8 7\n";

const std::string kPly =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 2\n"
    "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 1 3\n";

const std::string kStl =
    "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
    "facet normal 0 1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid s\n";

template <class T>
void append(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string binary_stl() {
    std::string out(80, ' ');
    append(out, std::uint32_t(2));
    for (const float z : {0.0f, 1.0f}) {
        for (const float v : {0.0f, 0.0f, 1.0f, 0.0f, 0.0f, z, 1.0f, 0.0f, z, 0.0f, 1.0f, z}) append(out, v);
        append(out, std::uint16_t(0));
    }
    return out;
}

std::string binary_ply() {
    std::string out = kPly.substr(0, kPly.find("end_header\n") + 11);
    out.replace(out.find("ascii"), 5, "binary_little_endian");
    for (const float v : {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f}) append(out, v);
    for (const int last : {2, 3}) {
        append(out, std::uint8_t(3));
        for (const std::int32_t corner : {0, 1, last}) append(out, corner);
    }
    return out;
}

// A ball's surface in rings, so that there is something to leave out.
std::string ball_obj() {
    std::string text;
    const int n = 24;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j < n; ++j) {
            const double a = M_PI * i / n, b = 2 * M_PI * j / n;
            text += "v " + std::to_string(std::sin(a) * std::cos(b)) + " " + std::to_string(std::cos(a)) + " " +
                    std::to_string(std::sin(a) * std::sin(b)) + "\n";
        }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const int a = i * n + j + 1, b = i * n + (j + 1) % n + 1;
            text += "f " + std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(b + n) + " " +
                    std::to_string(a + n) + "\n";
        }
    return text;
}

json cook(const std::string& arguments) {
    const Outcome outcome = run_abut("cook --json " + arguments);
    INFO(arguments << ": " << outcome.error);
    REQUIRE(outcome.code == 0);
    CHECK(outcome.error.empty());
    return json::parse(outcome.out);
}

void check_refused(const std::string& name, const std::string& part) {
    const Outcome outcome = run_abut("cook '" + name + "' -o {}/never.jsonl");
    INFO(name << ": " << outcome.error);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.error.find(name) != std::string::npos);
    CHECK(outcome.error.find(part) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(scratch("never.jsonl")));
}

}  // namespace

TEST_CASE("each part, each object or all of a mesh becomes a hull") {
    const std::string path = write_scratch("two.obj", kTwo);
    const json parts = cook(path)["parts"], objects = cook(path + " --by object")["parts"],
               all = cook(path + " --by all")["parts"];
    REQUIRE((parts.size() == 2 && objects.size() == 3 && all.size() == 1));
    CHECK(parts[0]["name"] == "one");
    CHECK(parts[1]["triangles"] == 4);
    CHECK(parts[1]["size"] == 1.0);
    CHECK(parts[1]["vertices"] == 4);
    CHECK(objects[1]["name"] == "left");
    CHECK(objects[1]["vertices"] == 4);
    CHECK((all[0]["name"] == "two" && all[0]["input_vertices"] == 8 && all[0]["triangles"] == 8));
    CHECK(all[0]["deviation"].get<double>() < 1e-6);  // rounding alone
    CHECK(cook(path + " --scale 0.001")["parts"][1]["size"].get<double>() == Approx(0.001));
    const Outcome table = run_abut("cook " + path);
    CHECK(lines_of(table.out).size() == 6);
    CHECK(table.out.find("two.obj: 2 hulls by part") != std::string::npos);
}

TEST_CASE("an OBJ file without names is called after its file, another after its objects") {
    const std::string bare =
        "# o none\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\nv 9 0 0\nv 9 1 0\nv 9 0 "
        "1\nf 5 6 7\n";
    const std::string path = write_scratch("bare.obj", bare);
    const json objects = cook(path + " --by object")["parts"], parts = cook(path)["parts"];
    REQUIRE((objects.size() == 1 && parts.size() == 2));
    CHECK(objects[0]["name"] == "bare");
    CHECK((parts[0]["name"] == "bare/1" && parts[1]["name"] == "bare/2"));
    CHECK(cook(write_scratch("named.obj", "o defaultobject\n" + bare) + " --by object")["parts"][0]["name"] ==
          "defaultobject");
}

TEST_CASE("hulls have a volume, beside that of a part which its triangles close") {
    const json parts = cook(write_scratch("two.obj", kTwo))["parts"];
    CHECK(parts[0]["volume"].get<double>() == Approx(1.0 / 6));
    CHECK(parts[0]["mesh_volume"].get<double>() == Approx(1.0 / 6));
    CHECK(parts[1]["volume"].get<double>() == Approx(8.0 / 6));
    const json open =
        cook(write_scratch("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n"))["parts"];
    CHECK((open[0]["mesh_volume"].is_null() && open[0]["volume"].get<double>() == Approx(1.0 / 6)));
    // A cube with a pit: its hull is fuller than it.
    const std::string pit =
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv 0.5 0.5 0.25\n"
        "f 1 4 3 2\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\nf 5 6 9\nf 6 7 9\nf 7 8 9\nf 8 5 9\n";
    const std::string path = write_scratch("pit.obj", pit);
    CHECK(cook(path)["parts"][0]["mesh_volume"].get<double>() == Approx(0.75));
    CHECK(run_abut("cook " + path).out.find("133.3%") != std::string::npos);
}

TEST_CASE("the parts of a file become one compound") {
    const std::string path = write_scratch("two.obj", kTwo);
    CHECK(cook(path + " --as compound --by object -o {}/compound.jsonl")["parts"].size() == 3);
    const json shapes = json::parse(read_file(scratch("compound.jsonl")))["shapes"];
    REQUIRE((shapes.size() == 1 && shapes[0]["shape"] == "compound"));
    CHECK(shapes[0]["children"].size() == 3);
    CHECK(shapes[0]["children"][0]["shape"]["vertices"].size() == 4);
    CHECK(run_abut("pack {}/compound.jsonl {}/packed.abut").code == 0);
    cook(path + " --as compound --by object -o {}/compound.abut");
    CHECK(read_file(scratch("compound.abut")) == read_file(scratch("packed.abut")));
    CHECK(run_abut("cook " + path + " --as compound").out.find("two.obj: a compound of 2 hulls by part") !=
          std::string::npos);
}

TEST_CASE("vertices in the same place are one, whatever the format") {
    for (const auto& [name, content] : {std::pair("text.stl", kStl),
                                        {"binary.stl", binary_stl()},
                                        {"text.ply", kPly},
                                        {"binary.PLY", binary_ply()}}) {
        const json parts = cook(write_scratch(name, content))["parts"];
        INFO(name);
        REQUIRE(parts.size() == (std::string(name) == "binary.stl" ? 2 : 1));
        CHECK(parts[0]["input_vertices"] == (parts.size() == 2 ? 3 : 4));
        CHECK(parts[0]["dropped"] == 0);
    }
}

TEST_CASE("what is cooked goes through pack, and has at most the vertices asked for") {
    const std::string path = write_scratch("ball.obj", ball_obj());
    const json free = cook(path + " -o {}/free.jsonl")["parts"][0],
               limited = cook(path + " --max-vertices 20 -o {}/ball.jsonl")["parts"][0];
    CHECK(free["input_vertices"].get<int>() > 500);
    CHECK(limited["vertices"] == 20);
    CHECK(limited["dropped"].get<int>() == limited["input_vertices"].get<int>() - 20);
    CHECK(limited["deviation"].get<double>() > 0.05);
    CHECK(limited["deviation"].get<double>() < 0.4);
    CHECK(limited["deviation_percent"].get<double>() ==
          Approx(100 * limited["deviation"].get<double>() / limited["size"].get<double>()));
    CHECK(json::parse(read_file(scratch("ball.jsonl")))["shapes"][0]["vertices"].size() == 20);
    CHECK(run_abut("pack {}/ball.jsonl {}/packed.abut").code == 0);
    cook(path + " --max-vertices 20 -o {}/ball.abut");
    CHECK(read_file(scratch("ball.abut")) == read_file(scratch("packed.abut")));
    const Outcome piped = run_abut("cook " + path + " --max-vertices 20 -o -");
    CHECK(piped.out == read_file(scratch("ball.jsonl")));
    CHECK(piped.error.find("1 hull") != std::string::npos);
    CHECK(run_abut("cook " + path + " -o " + path).code == 2);
    CHECK(read_file(path) == ball_obj());
}

TEST_CASE("a mesh that cannot be used is refused by name, with what is wrong") {
    const auto changed = [](std::string text, const std::string& from, const std::string& to) {
        return text.replace(text.find(from), from.size(), to);
    };
    check_refused("/nowhere/at/all.obj", "No such file");
    std::filesystem::create_directory(scratch("folder.obj"));
    check_refused(scratch("folder.obj"), "directory");
    check_refused(write_scratch("mesh.txt", kTwo), ".obj, .stl, .ply, .off, .dae, .3mf, .gltf or .glb");
    for (const char* name : {"empty.obj", "empty.stl", "empty.ply"}) check_refused(write_scratch(name, ""), "is empty");
    check_refused(write_scratch("no-faces.obj", "o nothing\n"), "no faces and no vertices");
    check_refused(write_scratch("nan.obj", changed(kTwo, "v 1 0 0", "v nan 0 0")), "line 4");
    check_refused(write_scratch("huge.obj", changed(kTwo, "v 1 0 0", "v 1e39 0 0")), "finite");
    check_refused(write_scratch("past.obj", changed(kTwo, "f 1 3 2", "f 1 3 77")), "not there");
    check_refused(write_scratch("cut.obj", kTwo.substr(0, kTwo.size() - 3)), "three corners");
    check_refused(write_scratch("cut.stl", kStl.substr(0, kStl.size() - 20)), "cut short");
    check_refused(write_scratch("cut2.stl", binary_stl().substr(0, 150)), "cut short");
    check_refused(write_scratch("none.stl", std::string(84, '\0')), "no triangles");
    check_refused(write_scratch("cut.ply", kPly.substr(0, kPly.size() - 4)), "row 2 of 2 of element face");
    check_refused(write_scratch("cut2.ply", binary_ply().substr(0, binary_ply().size() - 20)),
                  "row 1 of 2 of element face");
    check_refused(write_scratch("cut3.ply", kPly.substr(0, 60)), "header");
    check_refused(write_scratch("many.ply", changed(kPly, "vertex 4", "vertex 4000000000")), "4000000000");
    check_refused(write_scratch("nan.ply", changed(kPly, "\n1 0 0", "\nnan 0 0")), "finite");
    check_refused(write_scratch("past.ply", changed(kPly, "3 0 1 3", "3 0 1 9")), "9");
    CHECK(run_abut("cook").code == 2);
    for (const char* option : {"--max-vertices 0", "--max-vertices 2.5", "--tolerance -1", "--tolerance nan",
                               "--scale 0", "--by vertex", "--max-vertices 3"}) {
        INFO(option);
        CHECK(run_abut(std::string("cook {}/two.obj ") + option).code == 2);
    }
}

TEST_CASE("a mesh cut anywhere or with any byte changed ends with 0 or 2") {
    std::uint32_t random = 1;
    for (const auto& [name, content] : {std::pair("b.obj", kTwo),
                                        {"b.stl", kStl},
                                        {"c.stl", binary_stl()},
                                        {"b.ply", kPly},
                                        {"c.ply", binary_ply()}}) {
        for (std::size_t length = 1; length < content.size(); ++length) check_survives(name, content.substr(0, length));
        for (int i = 0; i < 600; ++i) {
            std::string changed = content;
            for (int j = 0; j <= i % 3; ++j) {
                random = random * 1664525u + 1013904223u;
                changed[random % changed.size()] = char(random >> 24);
            }
            check_survives(name, changed);
        }
    }
}
