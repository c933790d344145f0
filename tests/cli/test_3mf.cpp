// 3MF files; tests/bindings/python/test_mesh_files.py has what is wrong with them.
#include "support/catch.hpp"

#include <zip.h>

#include "program.hpp"
#include "triangle_file.hpp"

using namespace abut::tests;
using abut::tools::read_triangle_file;
using abut::tools::TriangleFile;

namespace {

// An archive of a model with a tetrahedron of 1 unit.
TriangleFile read(const std::string& unit, const std::string& transform) {
    const std::pair<const char*, std::string> parts[] = {
        {"_rels/.rels", "<Relationships><Relationship Target=\"/m.model\" Type=\"x/3dmodel\"/></Relationships>"},
        {"m.model",
         "<model unit=\"" + unit +
             "\"><resources><object id=\"1\" name=\"tetra\"><mesh><vertices><vertex x=\"0\" y=\"0\" z=\"0\"/>"
             "<vertex x=\"1\" y=\"0\" z=\"0\"/><vertex x=\"0\" y=\"1\" z=\"0\"/><vertex x=\"0\" y=\"0\" z=\"1\"/>"
             "</vertices><triangles><triangle v1=\"0\" v2=\"2\" v3=\"1\"/><triangle v1=\"0\" v2=\"1\" v3=\"3\"/>"
             "<triangle v1=\"1\" v2=\"2\" v3=\"3\"/><triangle v1=\"0\" v2=\"3\" v3=\"2\"/></triangles></mesh></object>"
             "</resources><build><item objectid=\"1\" transform=\"" +
             transform + "\"/></build></model>"}};
    const std::string path = write_scratch("tetra.3mf", "");
    const zipFile archive = zipOpen(path.c_str(), APPEND_STATUS_CREATE);
    for (const auto& [name, content] : parts) {
        zip_fileinfo information = {};
        zipOpenNewFileInZip(archive, name, &information, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED, 6);
        zipWriteInFileInZip(archive, content.data(), unsigned(content.size()));
        zipCloseFileInZip(archive);
    }
    zipClose(archive, nullptr);
    return read_triangle_file("PK", path);
}

}  // namespace

TEST_CASE("a 3MF file is in metres by its unit, at the transforms of its build") {
    const TriangleFile inches = read("inch", "");
    CHECK(inches.objects == std::vector<std::string>{"tetra"});
    REQUIRE(inches.triangles.size() == 4);
    CHECK(inches.positions[1][0] == Approx(0.0254));
    // A quarter turn about Z, then a translation.
    const TriangleFile turned = read("meter", "0 1 0 -1 0 0 0 0 1 10 20 30");
    CHECK(turned.positions[1][0] == Approx(10));
    CHECK(turned.positions[1][1] == Approx(21));
    CHECK(turned.positions[2][0] == Approx(9));
    CHECK(turned.positions[3][2] == Approx(31));
}
