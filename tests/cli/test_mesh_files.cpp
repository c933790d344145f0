// Mesh files as programs write them: one meaning each, or a reason.
#include "support/catch.hpp"

#include <cmath>
#include <cstring>

#include "mesh_survival.hpp"
#include "program.hpp"
#include "triangle_file.hpp"

using namespace abut::tests;
using abut::tools::Corners;
using abut::tools::InputError;
using abut::tools::Position;
using abut::tools::read_triangle_file;
using abut::tools::TriangleFile;

namespace {

// The corners' positions, triangle by triangle.
std::vector<Position> shown(const TriangleFile& file) {
    std::vector<Position> all;
    for (const Corners& triangle : file.triangles)
        for (const std::uint32_t corner : triangle) all.push_back(file.positions[corner]);
    return all;
}

void check_refused(const std::string& name, const std::string& content, const std::string& part) {
    try {
        read_triangle_file(content, name);
        FAIL(name << " is read");
    } catch (const InputError& error) {
        INFO(error.what());
        CHECK(std::string(error.what()).rfind(name + ": ", 0) == 0);
        CHECK(std::string(error.what()).find(part) != std::string::npos);
    }
}

std::string utf16(const std::string& text, bool little) {
    std::string out = little ? "\xff\xfe" : "\xfe\xff";
    for (const char c : text) out += little ? std::string{c, '\0'} : std::string{'\0', c};
    return out;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

const std::string kObj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

// A tetrahedron of 1 unit; UNIT, SCENE and PRIMITIVE are replaced.
const std::string kDae =
    "<?xml version=\"1.0\"?>\n<!DOCTYPE COLLADA>\n<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\">\n"
    "<asset>UNIT<up_axis>Y_UP</up_axis></asset>\n"
    "<library_geometries><geometry id=\"g\" name=\"tetra\"><mesh>\n"
    "<source id=\"p\"><float_array id=\"a\" count=\"13\">9 0 0 0 1 0 0 0 1 0 0 0 1</float_array>\n"
    "<technique_common><accessor source=\"#a\" offset=\"1\" count=\"4\" stride=\"3\"/></technique_common></source>\n"
    "<source id=\"n\"><float_array count=\"3\">0 0 1</float_array></source>\n"
    "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\nPRIMITIVE\n"
    "</mesh></geometry></library_geometries>\n<library_visual_scenes><visual_scene "
    "id=\"s\">SCENE</visual_scene></library_visual_scenes>\n"
    "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>\n";
const std::string kTriangles =
    "<triangles count=\"4\"><input semantic=\"NORMAL\" source=\"#n\" offset=\"0\"/><input semantic=\"VERTEX\" "
    "source=\"#v\" offset=\"1\"/><p>0 0 0 2 0 1 0 0 0 1 0 3 0 1 0 2 0 3 0 0 0 3 0 2</p></triangles>";
const std::string kNode = "<node name=\"left\"><instance_geometry url=\"#g\"/></node>";

std::string dae(const std::string& scene, const std::string& unit = "", const std::string& primitive = kTriangles) {
    std::string text = kDae;
    replace_all(text, "UNIT", unit);
    replace_all(text, "SCENE", scene);
    replace_all(text, "PRIMITIVE", primitive);
    return text;
}

}  // namespace

TEST_CASE("each spelling of an OBJ file is the same triangles") {
    const std::vector<Position> expected = shown(read_triangle_file(kObj, "plain.obj"));
    REQUIRE(expected.size() == 12);
    std::vector<std::string> spellings = {"\xef\xbb\xbf" + kObj, utf16(kObj, true), utf16(kObj, false)};
    std::string carriage = kObj, continued = kObj, continued_crlf = kObj, corners = kObj, back = kObj, noted = kObj;
    replace_all(carriage, "\n", "\r");
    replace_all(continued, "v 0 0 1", "v 0 \\\n0 \\\n1");
    replace_all(continued_crlf, "f 2 3 4\n", "f 2 \\\r\n3 4\r\n");
    replace_all(corners, "f 1 3 2", "f 1/1/1 3/9/9 2//7");
    replace_all(back, "f 2 3 4", "f -3 -2 -1");
    replace_all(noted, "f 2 3 4", "f 2 3 4 # the sloping one");
    for (const std::string& text : {carriage, continued, continued_crlf, corners, back, noted})
        spellings.push_back(text);
    spellings.push_back(
        "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\nv 0 0 0 1 0.5 0.5 0.5\nv 1 0 0\nv 0 1 0\nv 0 0 1\nl 1 2\n");
    for (const std::string& text : spellings) {
        INFO(text);
        CHECK(shown(read_triangle_file(text, "spelled.obj")) == expected);
    }
    // A line keeps its number behind lines that are continued.
    check_refused("bad.obj", "v 0 \\\n0 0\nv 1 \\\r\n0 \\\n0\nv 0 x 0\n", "line 6");
    check_refused("far.obj", kObj + "f 1 2 5\nf 1 2 9\nf 1 2 7\n", "line 10: a face of a vertex that is not there");
}

TEST_CASE("a binary PLY file is read whatever its first byte of data is") {
    for (int byte = 0; byte < 256; ++byte) {
        std::string text =
            "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty "
            "float "
            "z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
        const char x[4] = {char(byte), 0, 0, 0x3f};
        float expected;
        std::memcpy(&expected, x, 4);
        text.append(x, 4);
        for (const float v : {0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f})
            text.append(reinterpret_cast<const char*>(&v), 4);
        text += '\3';
        for (const std::int32_t corner : {0, 1, 2}) text.append(reinterpret_cast<const char*>(&corner), 4);
        const std::vector<Position> got = shown(read_triangle_file(text, "first.ply"));
        REQUIRE(got.size() == 3);
        CHECK(got[0][0] == double(expected));
    }
}

TEST_CASE("strips of PLY files and faces of OFF files are triangles") {
    const std::string strips =
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement "
        "tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n8 0 1 2 3 -1 2 1 "
        "3\n";
    CHECK(read_triangle_file(strips, "strips.ply").triangles == std::vector<Corners>{{0, 1, 2}, {2, 1, 3}, {2, 1, 3}});
    const std::string off =
        "OFF # a comment\n4 2 0\n\n0 0 0\n1 0 0 255 0 0\n# another\n1 1 0\n0 1 0\n4 0 1 2 3 0.5 0.5 0.5\n3 0 2 1\n";
    CHECK(read_triangle_file(off, "square.off").triangles == std::vector<Corners>{{0, 1, 2}, {0, 2, 3}, {0, 2, 1}});
    CHECK(read_triangle_file("COFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "c.off").triangles.size() == 1);
    check_refused("cut.off", off.substr(0, off.find("0 1 0\n")), "cut short");
    check_refused("far.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "line 6");
    check_refused("none.off", "3 1 0\n", "no OFF file");
}

TEST_CASE("a Collada file is in metres by its unit, whatever axis is up") {
    for (const auto& [unit, metre] :
         {std::pair("", 1.0), {"<unit meter=\"0.025\" name=\"odd\"/>", 0.025}, {"<unit name=\"meter\"/>", 1.0}}) {
        const TriangleFile file = read_triangle_file(dae(kNode, unit), "tetra.dae");
        REQUIRE((file.triangles.size() == 4 && file.objects == std::vector<std::string>{"left"}));
        CHECK(shown(file)[1] == Position{0, metre, 0});
        CHECK(shown(file)[5] == Position{0, 0, metre});
    }
    std::string z_up = dae(kNode);
    replace_all(z_up, "Y_UP", "Z_UP");
    CHECK(shown(read_triangle_file(z_up, "z.dae")) == shown(read_triangle_file(dae(kNode), "y.dae")));
    // Translations of nodes are in the unit, too: (0, 1, 0) goes to (0, 1, 3), then to (2, -3, 1), all of it in inches.
    const std::string nested =
        "<node><translate>2 0 0</translate><rotate>1 0 0 90</rotate><node><translate>0 0 3</translate>"
        "<instance_geometry url=\"#g\"/></node></node>";
    const Position inches =
        shown(read_triangle_file(dae(nested, "<unit meter=\"0.0254\" name=\"inch\"/>"), "inch.dae"))[1];
    CHECK(std::hypot(inches[0] - 0.0508, inches[1] + 0.0762, inches[2] - 0.0254) < 1e-12);
    check_refused("zero.dae", dae(kNode, "<unit meter=\"0\"/>"), "which is no length");
    const Outcome cooked = run_abut("cook --json " + write_scratch("tetra.dae", dae(kNode, "<unit meter=\"0.5\"/>")));
    CHECK((cooked.code == 0 && cooked.out.find("\"size\":0.25") != cooked.out.npos));
}

TEST_CASE("nodes of a Collada file pose what they show") {
    const auto first = [](const std::string& scene) {
        return shown(read_triangle_file(dae(scene), "posed.dae"))[1];
    };  // (0, 1, 0)
    const auto near = [](const Position& p, const Position& q) {
        return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) < 1e-12;
    };
    const std::string in = "<instance_geometry url=\"#g\"/></node>";
    CHECK(near(first("<node><matrix>1 0 0 5 0 2 0 6 0 0 1 7 0 0 0 1</matrix>" + in), {5, 8, 7}));
    CHECK(near(first("<node><translate>1 2 3</translate><rotate>0 0 1 90</rotate><scale>1 4 1</scale>" + in),
               {-3, 2, 3}));
    CHECK(near(first("<node><rotate>1 0 0 90</rotate><node><rotate>0 1 0 90</rotate>" + in + "</node>"), {0, 0, 1}));
    CHECK(near(first("<node><rotate>1 1 1 120</rotate>" + in), {0, 0, 1}));
    CHECK(near(first("<node><lookat>1 2 3  4 2 3  0 0 1</lookat>" + in), {1, 2, 4}));
    // Twice, the second one mirrored: its triangles are the other way round.
    const TriangleFile twice =
        read_triangle_file(dae(kNode + "<node id=\"right\"><scale>-1 1 1</scale>" + in), "twice.dae");
    REQUIRE((twice.triangles.size() == 8 && twice.objects == std::vector<std::string>{"left", "right"}));
    CHECK(twice.triangles[4] == Corners{4, 5, 6});
    // Without a scene, and by way of other nodes and of a skin.
    CHECK(read_triangle_file(dae(""), "library.dae").objects == std::vector<std::string>{"tetra"});
    std::string library = dae("<node><instance_node url=\"#arm\"/></node>");
    replace_all(library, "<scene>",
                "<library_nodes><node id=\"arm\"><translate>3 0 0</translate><instance_controller "
                "url=\"#c\"/></node></library_nodes>"
                "<library_controllers><controller id=\"c\"><skin source=\"#g\"><bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 "
                "1 9 0 0 0 "
                "1</bind_shape_matrix></skin></controller></library_controllers><scene>");
    CHECK(near(shown(read_triangle_file(library, "skin.dae"))[1], {3, 1, 9}));
}

TEST_CASE("the primitives of a Collada file are triangles") {
    const std::string input = "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>";
    const auto triangles = [](const std::string& primitive) {
        return read_triangle_file(dae(kNode, "", primitive), "p.dae").triangles;
    };
    const std::vector<Corners> square = {{0, 1, 2}, {0, 2, 3}};
    CHECK(triangles("<polylist count=\"2\">" + input + "<vcount>4 3</vcount><p>0 1 2 3 0 1 2</p></polylist>") ==
          std::vector<Corners>{{0, 1, 2}, {0, 2, 3}, {0, 1, 2}});
    CHECK(triangles("<polygons count=\"1\">" + input + "<p>0 1 2 3</p></polygons>") == square);
    CHECK(triangles("<polygons count=\"1\">" + input + "<ph><p>0 1 2 3</p><h>0 1 2</h></ph></polygons>") == square);
    CHECK(triangles("<trifans count=\"1\">" + input + "<p>0 1 2 3</p></trifans>") == square);
    CHECK(triangles("<tristrips count=\"1\">" + input + "<p>0 1 2 3</p></tristrips>") ==
          std::vector<Corners>{{0, 1, 2}, {2, 1, 3}});
    CHECK(triangles("<lines count=\"1\">" + input + "<p>0 1</p></lines>" + kTriangles).size() == 4);
    for (const auto& [primitive, part] :
         {std::pair("<triangles count=\"1\">INPUT<p>0 1 4</p></triangles>", "names vertex 4, but there are 4"),
          {"<triangles count=\"1\">INPUT<p>0 1 -1</p></triangles>", "names vertex -1"},
          {"<triangles count=\"1\">INPUT<p>0 1</p></triangles>", "2 corners"},
          {"<triangles count=\"1\">INPUT<p>0 1 x</p></triangles>", "\"x\" is no finite number"},
          {"<polylist count=\"1\">INPUT<vcount>4</vcount><p>0 1 2</p></polylist>", "cut short"},
          {"<lines count=\"1\">INPUT<p>0 1</p></lines>", "no triangles"}}) {
        std::string text = dae(kNode, "", primitive);
        replace_all(text, "INPUT", input);
        check_refused("bad.dae", text, part);
    }
    check_refused("cut.dae", dae(kNode).substr(0, 300), "cut short");
    check_refused("none.dae", "<html></html>", "its root is <html>");
    check_refused("loop.dae", dae("<node id=\"self\"><instance_node url=\"#self\"/></node>"), "nest deeper");
    std::string open, close, chain;
    for (int i = 0; i < 300; ++i) open += "<a>", close += "</a>";
    check_refused("deep.dae", open + close, "nest deeper");
    check_refused("open.dae", open, "damaged or cut short");
    // 2^30 nodes in 30 lines.
    for (int i = 0; i < 30; ++i) {
        const std::string twice = "<instance_node url=\"#n" + std::to_string(i + 1) + "\"/>";
        chain += "<node id=\"n" + std::to_string(i) + "\">" + twice + twice + "</node>";
    }
    check_refused("bomb.dae", dae(chain + "<node id=\"n30\"/>"), "more than 1048576 nodes");
}

TEST_CASE("a file of points becomes their hull, and no mesh") {
    const std::string cloud =
        write_scratch("cloud.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\nv 0 0 1\n");
    const Outcome hull = run_abut("cook --json " + cloud);
    INFO(hull.error);
    CHECK((hull.code == 0 && hull.out.find("\"input_vertices\":5,\"triangles\":0,\"vertices\":4") != hull.out.npos));
    CHECK(run_abut("cook --as mesh " + cloud).code == 2);
    CHECK(run_abut("cook --by all " + cloud).code == 0);
    CHECK(run_abut("cook --decompose " + cloud).code == 2);
}

TEST_CASE("bytes behind a binary STL file's triangles are told, a pointer of Git LFS is named") {
    std::string bytes(80, ' ');
    bytes.append("\1\0\0\0", 4).append(50, '\0').append("end");
    CHECK(read_triangle_file(bytes, "long.stl").remarks ==
          std::vector<std::string>{"3 bytes after the last triangle are not read"});
    CHECK(run_abut("cook --as hull " + write_scratch("long.stl", bytes)).error.find("3 bytes after") !=
          std::string::npos);
    check_refused("forgot.stl", bytes + std::string(50, '\0'), "no STL file: a header of 1 triangles makes 134 bytes");
    check_refused("pointer.stl", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n",
                  "git lfs pull");
    std::string capitals =
        "SOLID CAD\nFACET NORMAL 0 0 1\nOUTER LOOP\nVERTEX 0 0 0\nVERTEX 1 0 0\nVERTEX 0 1 "
        "0\nENDLOOP\nENDFACET\nENDSOLID\n";
    CHECK(read_triangle_file(capitals, "capitals.stl").objects == std::vector<std::string>{"CAD"});
    CHECK(read_triangle_file(utf16(capitals, true), "wide.stl").triangles.size() == 1);
    replace_all(capitals, "ENDSOLID\n", "");
    CHECK(read_triangle_file(capitals, "open.stl").remarks[0].find("without \"endsolid\"") == 5);
}

TEST_CASE("a Collada or OFF file cut anywhere or with any byte changed ends with triangles or a reason") {
    std::uint32_t random = 1;
    const std::string off = "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n3 0 2 1\n";
    for (const auto& [name, content] : {std::pair("b.dae", dae(kNode)), {"b.off", off}}) {
        for (std::size_t length = 0; length < content.size(); ++length) check_survives(name, content.substr(0, length));
        for (int i = 0; i < 2000; ++i) {
            std::string changed = content;
            for (int j = 0; j <= i % 3; ++j) {
                random = random * 1664525u + 1013904223u;
                changed[(random >> 8) % changed.size()] =
                    i % 2 == 0 ? char('0' + (random >> 24) % 10) : char(random >> 24);
            }
            check_survives(name, changed);
        }
    }
}
