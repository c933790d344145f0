// Reports from JSON: what they have, what is refused, and that no output replaces an input.
#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <unistd.h>

#include <unistd.h>

#include <fmt/format.h>

#include "table/chart.hpp"
#include "table/folder.hpp"
#include "table/page.hpp"
#include "table/report_read.hpp"

using namespace abut;
using namespace abut::bench;
namespace fs = std::filesystem;

namespace {

const std::string kHead =
    R"({"machine": "a CPU", "compiler": "a compiler", "date": "2026-01-02", "command": "abut_table")";

std::string contestant(const std::string& library, const std::string& variant, double ns) {
    return fmt::format(R"({{"library": "{}", "variant": "{}", "ns_min": {}}})", library, variant, ns);
}

std::string cell(const std::string& row, const std::string& query, const std::string& contestants) {
    return fmt::format(R"({{"row": "{}", "query": "{}", "contestants": [{}]}})", row, query, contestants);
}

std::string file_of(const std::string& cells, const std::string& more = "") {
    return kHead + more + ", \"rows\": [" + cells + "]}";
}

// Two rows, two queries, two instruction sets; one rival misses in a cell and is ahead in another.
std::string small_file() {
    const std::string abut = contestant("abut", "avx512", 10) + "," + contestant("abut", "avx2", 20.5) + ",";
    return file_of(
        cell("box-box", "overlap", abut + contestant("bullet", "mpr", 41) + "," + contestant("fcl", "indep", 1234.5)) +
        "," + cell("box-box", "collide-warm", contestant("abut", "avx2", 3)) + "," +
        cell("cone-cone", "overlap", abut + contestant("fcl", "indep", 10.25)));
}

Report parsed(std::string text) { return parse_report(text, "in.json"); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string message_of(std::string text) {
    try {
        parse_report(text, "in.json");
    } catch (const tools::InputError& error) {
        return error.what();
    }
    return "";
}

std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// An empty folder, gone with its test.
struct Scratch {
    fs::path path = fs::temp_directory_path() / ("abut-report-" + std::to_string(::getpid()));

    Scratch() {
        fs::remove_all(path);
        fs::create_directory(path);
    }
    ~Scratch() { fs::remove_all(path); }
    fs::path write(const std::string& name, const std::string& text) const {
        std::ofstream(path / name, std::ios::binary) << text;
        return path / name;
    }
};

const std::vector<Query> kAsked = {Query::overlap, Query::collide_warm};

}  // namespace

TEST_CASE("a report has every row and query, with machine, compiler, date and command") {
    const std::string page = report_page(parsed(small_file()), nullptr);
    for (const char* part :
         {"a CPU; a compiler; 2026-01-02; `abut_table`", "## Overlap", "(overlap.svg)", "## Warm contacts",
          "(collide-warm.svg)", "| row | hits | abut avx2 | abut avx512 | bullet | fcl | ahead |",
          "| box-box | - | 20.5 | 10.0 | 41.0 mpr | 1234 indep | 4.1x |",
          "| cone-cone | - | 20.5 | 10.0 | - | 10.2 indep | 1.0x |", "| row | hits | abut avx2 | abut avx512 |\n",
          "What was timed"}) {
        INFO(page << part);
        CHECK(has(page, part));
    }
    CHECK_FALSE(has(page, "## Separation"));
}

TEST_CASE("README's table has AVX2 first, and faster rivals in bold") {
    const std::string page = readme_page(parsed(small_file()));
    INFO(page);
    CHECK(has(page, "| row | overlap: AVX2 | AVX-512 | rival | warm contacts: AVX2 |\n"));
    CHECK(has(page, "| box-box | 20 | 10.0 | 41 bullet | 3.0 |\n"));
    CHECK(has(page, "| cone-cone | 20 | 10.0 | **10.2 fcl** |  |\n"));
    CHECK(has(page, "| rival / abut on AVX2, geometric mean | overlap |\n"));
    CHECK(has(page, "| best of each row | 1.0x |\n| bullet | 2.0x |\n| fcl | 5.5x |\n"));
    CHECK(has(page, "a CPU; a compiler; 2026-01-02; `abut_table`.\n"));
}

TEST_CASE("given means replace those of their query only") {
    const std::string page = readme_page(parsed(
        file_of(cell("box-box", "overlap", contestant("abut", "avx2", 1) + "," + contestant("Jolt", "", 2)) + "," +
                    cell("box-box", "collide", contestant("abut", "avx2", 1) + "," + contestant("Jolt", "", 3)),
                R"(, "means": [{"library": "Jolt", "query": "overlap", "ratio": 4.56}])")));
    INFO(page);
    CHECK(has(page, "| Jolt | 4.6x | 3.0x |\n"));
}

TEST_CASE("missing rivals are fine") {
    const Report report = parsed(file_of(cell("box-box", "overlap", contestant("abut", "sse2", 5))));
    CHECK(has(readme_page(report), "| row | overlap: SSE2 |\n|---|---:|\n| box-box | 5.0 |\n"));
    CHECK(has(report_page(report, nullptr), "| row | hits | abut sse2 |\n"));
    CHECK(has(chart_svg(report, Query::overlap), ">5.00 SSE2</text>"));
    const Report rivals_only = parsed(file_of(cell("box-box", "overlap", contestant("fcl", "indep", 5))));
    CHECK(has(readme_page(rivals_only), "| box-box | 5.0 fcl |\n"));
    CHECK(has(chart_svg(rivals_only, Query::overlap), ">5.00 fcl</text>"));
    const Report nothing = parsed(file_of(""));
    CHECK(has(report_page(nothing, nullptr), "a CPU"));
    CHECK(has(chart_svg(nothing, Query::overlap), "</svg>"));
}

TEST_CASE("an answer of abut that was wrong shows") {
    const Report report = parsed(
        file_of(cell("box-box", "overlap",
                     R"({"library": "abut", "variant": "avx2", "ns_min": 0, "counts": false, "trouble": "3 wrong"})")));
    CHECK(has(readme_page(report), "| box-box | WRONG |\n"));
    CHECK(has(report_page(report, nullptr), "abut/avx2 on box-box/overlap: 3 wrong"));
}

TEST_CASE("a chart has a bar and a label for every figure, and the ratio on AVX2") {
    const std::string svg = chart_svg(parsed(small_file()), Query::overlap);
    INFO(svg);
    for (const char* part :
         {">box-box</text>", ">cone-cone</text>", ">20.5 AVX2</text>", ">10.0 AVX-512</text>", ">41.0 bullet</text>",
          ">1234 fcl</text>", ">2.0x</text>", ">0.5x</text>", "prefers-color-scheme:dark"})
        CHECK(has(svg, part));
    std::size_t bars = 0;
    for (std::size_t at = svg.find("<rect class=\"s"); at != std::string::npos;
         at = svg.find("<rect class=\"s", at + 1))
        ++bars;
    CHECK(bars == 7);
    CHECK_FALSE(has(svg, "<script"));
    CHECK(has(chart_svg(parsed(file_of(cell("<&", "overlap", contestant("abut", "avx2", 1)))), Query::overlap),
              ">&lt;&amp;</text>"));
}

TEST_CASE("a report comes back from its JSON") {
    const std::string once = to_json(parsed(small_file()));
    CHECK(to_json(parsed(once)) == once);
    CHECK(has(once, "\"ahead\":4.1"));
    // An error without bound, which JSON cannot say.
    const std::string rough =
        to_json(parsed(file_of(cell("x", "collide", R"({"library": "fcl", "ns_min": 1, "error": null})"))));
    CHECK(to_json(parsed(rough)) == rough);
    CHECK(has(report_page(parsed(rough), nullptr), "1.00 ~ |"));
}

TEST_CASE("what is no report is refused, with the place") {
    const std::string good = contestant("abut", "avx2", 1);
    const std::pair<std::string, std::string> cases[] = {
        {"", "in.json: not JSON: byte 1: "},
        {"{\"machine\": ", "in.json: not JSON: byte 13: "},
        {"[]", "in.json: must be an object"},
        {"{}", "in.json: has no \"machine\""},
        {"{\"machine\": 5}", "in.json: machine: must be a string"},
        {kHead + "}", "in.json: has no \"rows\""},
        {kHead + ", \"rows\": {}}", "in.json: rows: must be a list"},
        {kHead + ", \"rows\": [5]}", "in.json: rows[0]: must be an object"},
        {file_of(cell("a", "overlap", good) + "," + cell("b", "touch", good)),
         "in.json: rows[1].query: is \"touch\", which is no query"},
        {file_of(cell("a", "overlap", good) + "," + cell("a", "overlap", good)),
         "in.json: rows[1]: a/overlap is there twice"},
        {file_of(cell("a|b", "overlap", good)), "in.json: rows[0].row: has a vertical bar"},
        {file_of(cell("a\\u0007", "overlap", good)), "in.json: rows[0].row: has characters that cannot be printed"},
        {file_of(cell("a", "overlap", contestant("abut", "avx3", 1))),
         "in.json: rows[0].contestants[0].variant: is \"avx3\", which is no instruction set"},
        {file_of(cell("a", "overlap", R"({"library": "abut", "ns_min": 1})")),
         "in.json: rows[0].contestants[0]: has no \"variant\""},
        {file_of(cell("a", "overlap", contestant("fcl", "x", -1))),
         "in.json: rows[0].contestants[0].ns_min: is -1, but must be 0 or more"},
        {file_of(cell("a", "overlap", R"({"library": "fcl", "ns_min": "1"})")),
         "in.json: rows[0].contestants[0].ns_min: must be a number"},
        {file_of(cell("a", "overlap", R"({"library": "fcl", "ns_min": 1, "pairs": 1.5})")),
         "in.json: rows[0].contestants[0].pairs: must be a whole number"},
        {file_of(cell("a", "overlap", R"({"library": "fcl", "ns_min": 1, "counts": 1})")),
         "in.json: rows[0].contestants[0].counts: must be true or false"},
    };
    for (const auto& [text, message] : cases) {
        INFO(text);
        const std::string actual = message_of(text);
        CHECK(actual.substr(0, message.size()) == message);
    }
    std::vector<tools::NamedFile> inputs;
    CHECK_THROWS_AS(read_report("/no/such/file.json", inputs), tools::InputError);
    CHECK_THROWS_AS(read_report(fs::temp_directory_path().string(), inputs), tools::InputError);
}

TEST_CASE("a folder gets the JSON, the page and a chart for each query that has figures") {
    const Scratch scratch;
    const std::string path = (scratch.path / "new").string();
    const Report report = parsed(small_file());
    ReportFolder(path, {kQueries[0], kQueries[2], kQueries[4]}, {}).write(report, &report);
    CHECK(std::distance(fs::directory_iterator(path), {}) == 4);
    CHECK(content(fs::path(path) / "results.json") == to_json(report));
    CHECK(content(fs::path(path) / "overlap.svg") == chart_svg(report, Query::overlap));
    CHECK(content(fs::path(path) / "collide-warm.svg") == chart_svg(report, Query::collide_warm));
    CHECK(has(content(fs::path(path) / "report.md"), "## Measured elsewhere"));
}

TEST_CASE("no file of a report replaces an input") {
    const Scratch scratch;
    const std::string text = small_file(), folder = scratch.path.string();
    const fs::path results = scratch.write("results.json", text);
    std::vector<tools::NamedFile> inputs;
    const Report report = read_report(results.string(), inputs);
    // The page is made again beside the figures, which stay as they are.
    ReportFolder(folder, kAsked, inputs).write(report, nullptr);
    CHECK(content(results) == text);
    CHECK(fs::exists(scratch.path / "report.md"));
    for (const char* name : {"report.md", "overlap.svg"}) {
        fs::remove(scratch.path / name);
        fs::create_symlink("results.json", scratch.path / name);
        INFO(name);
        CHECK_THROWS_AS(ReportFolder(folder, kAsked, inputs), tools::InputError);
        CHECK(content(results) == text);
        fs::remove(scratch.path / name);
    }
}

TEST_CASE("a folder that cannot be made is refused before anything is measured") {
    const Scratch scratch;
    const fs::path file = scratch.write("file", "mine");
    CHECK_THROWS_AS(ReportFolder(file.string(), kAsked, {}), tools::InputError);
    CHECK_THROWS_AS(ReportFolder((scratch.path / "no" / "such").string(), kAsked, {}), tools::InputError);
    CHECK(content(file) == "mine");
}
