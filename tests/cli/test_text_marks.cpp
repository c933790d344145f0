// A byte-order mark, line ends and a missing last one change nothing, whatever the format.
#include "support/catch.hpp"

#include "mesh.hpp"
#include "printable.hpp"
#include "program.hpp"

using namespace abut::tests;
using abut::tools::printable;

namespace {

const std::string kObj = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
const std::string kStl =
    "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
    "facet normal 0 1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid s\n";
const std::string kPlyHeader =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 2\n"
    "property list uchar int vertex_indices\nend_header\n";
const std::string kPly = kPlyHeader + "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 1 3\n";
const std::string kQuestions =
    R"({"id": "1", "a": {"shape": "sphere", "radius": 1}, "a_pos": [0,0,0], "a_quat": [0,0,0,1], )"
    R"("b": {"shape": "sphere", "radius": 1}, "b_pos": [3,0,0], "b_quat": [0,0,0,1]})"
    "\n{\"id\": \"2\"}\n";
const std::string kFrames = R"({"shapes": [{"shape": "sphere", "radius": 1}]})"
                            "\n"
                            R"({"label": "x", "bodies": [[0,0,0,0,0,0,0,1]], "pairs": [[0,0]]})"
                            "\n";

// The text with each combination of the three, the plain one first.
std::vector<std::string> spellings(const std::string& text) {
    std::vector<std::string> all;
    for (const char* mark : {"", "\xef\xbb\xbf"}) {
        for (const char* end : {"\n", "\r\n"}) {
            std::string spelled = mark;
            for (const std::string& line : lines_of(text)) spelled += line + end;
            all.push_back(spelled);
            all.push_back(spelled.substr(0, spelled.size() - std::string(end).size()));
        }
    }
    return all;
}

// What the command makes of each spelling is what it makes of the plain one.
void check_same(const std::string& name, const std::string& text, const std::string& command) {
    std::string expected;
    for (const std::string& spelled : spellings(text)) {
        write_scratch(name, spelled);
        write_scratch("spelled.out", "");
        const Outcome outcome = run_abut(command);
        INFO(command << ": " << printable(spelled) << ": " << outcome.error);
        REQUIRE(outcome.code == 0);
        const std::string got = read_file(scratch("spelled.out"));
        if (expected.empty()) expected = got;
        CHECK_FALSE(got.empty());
        CHECK((got == expected));
    }
}

}  // namespace

TEST_CASE("query and pack read marks, line ends and a missing last one as if they were not there") {
    check_same("spelled.jsonl", kQuestions, "query {}/spelled.jsonl -o {}/spelled.out");
    check_same("spelled.jsonl", kQuestions, "query < {}/spelled.jsonl -o {}/spelled.out");
    check_same("spelled.jsonl", kFrames, "pack {}/spelled.jsonl {}/spelled.out");
    CHECK(run_abut("query < " + write_scratch("mark.jsonl", "\xef\xbb\xbf")).out.empty());
    // Files that were joined keep theirs in the middle.
    CHECK(run_abut("query < " + write_scratch("mark.jsonl", "{}\n\xef\xbb\xbf{}\n")).out.find("not JSON") ==
          std::string::npos);
}

TEST_CASE("cook reads marks, line ends and a missing last one as if they were not there") {
    check_same("spelled.obj", kObj, "cook {}/spelled.obj -o {}/spelled.out");
    check_same("spelled.stl", kStl, "cook {}/spelled.stl -o {}/spelled.out");
    check_same("spelled.ply", kPly, "cook {}/spelled.ply -o {}/spelled.out");
}

TEST_CASE("a binary STL file whose header begins as a mark does is read whole") {
    std::string bytes = "\xef\xbb\xbfsolid";
    bytes.resize(80, ' ');
    bytes += std::string("\1\0\0\0", 4);
    for (const float v : {0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f})
        bytes.append(reinterpret_cast<const char*>(&v), sizeof v);
    bytes += std::string(2, '\0');
    const Outcome outcome = run_abut("cook " + write_scratch("mark.stl", bytes));
    INFO(outcome.error);
    CHECK(outcome.code == 0);
    CHECK(outcome.out.find("1 hull") != std::string::npos);
}
