// `abut view`: pages with everything in them, and files of somebody else's that stay as they are.
#include "support/catch.hpp"

#include <filesystem>

#include "program.hpp"
#include "view_page.hpp"

using namespace abut;
using namespace abut::tests;
namespace fs = std::filesystem;

namespace {

const std::string kQuestion =
    R"({"id": "apart", "a": {"shape": "sphere", "radius": 1}, "a_pos": [0,0,0], "a_quat": [0,0,0,1], )"
    R"("b": {"shape": "sphere", "radius": 1}, "b_pos": [3,0,0], "b_quat": [0,0,0,1]})"
    "\n";

std::string base64(const std::string& text) {
    std::string out;
    tools::append_base64(out, std::as_bytes(std::span(text)));
    return out;
}

}  // namespace

TEST_CASE("view: base64 has its padding") {
    CHECK(base64("") == "");
    CHECK(base64("M") == "TQ==");
    CHECK(base64("Ma") == "TWE=");
    CHECK(base64("Man") == "TWFu");
    CHECK(base64("\xff\xff\xfe\x3f") == "///+Pw==");
}

TEST_CASE("view: a capture becomes one page beside it that names no address") {
    const std::string capture = write_scratch("view.abut", read_file(ABUT_PILE)), page = scratch("view.html");
    fs::remove(page);
    const Outcome outcome = run_abut("view {}/view.abut");
    REQUIRE(outcome.code == 0);
    CHECK(outcome.out == page + "\n");
    const std::string text = read_file(page);
    CHECK(text.starts_with(tools::kPageMark));
    CHECK(text.find("@ABUT_") == text.npos);
    CHECK(text.find("default-src 'none'") != text.npos);
    CHECK(text.find("src=\"http") == text.npos);
    CHECK(text.size() < 3'000'000);
    CHECK(run_abut("view {}/view.abut").code == 0);  // its own page is replaced
    CHECK(read_file(page) == text);
    CHECK(read_file(capture) == read_file(ABUT_PILE));
}

TEST_CASE("view: a file that is no such page is not replaced") {
    write_scratch("q.jsonl", kQuestion);
    for (const std::string content : {"<!doctype html>\n<p>mine</p>\n", "", "text"}) {
        const std::string mine = write_scratch("mine.html", content);
        const Outcome outcome = run_abut("view {}/q.jsonl -o {}/mine.html");
        CHECK(outcome.code == 2);
        CHECK(outcome.error.find("mine.html: is not a page of abut view") != std::string::npos);
        CHECK(read_file(mine) == content);
    }
    CHECK(run_abut("view {}/q.jsonl -o {}/q.jsonl").code == 2);
    CHECK(read_file(scratch("q.jsonl")) == kQuestion);
}

TEST_CASE("view: questions come from a file or a pipe, and bad lines do not stop it") {
    write_scratch("lines.jsonl", kQuestion + "no JSON\n" + R"({"id": "x"})" + "\n");
    CHECK(run_abut("view {}/lines.jsonl -o -").out.starts_with(tools::kPageMark));
    CHECK(run_abut("view - -o - < {}/lines.jsonl").out.starts_with(tools::kPageMark));
    const Outcome nameless = run_abut("view - < {}/lines.jsonl");
    CHECK(nameless.code == 2);
    CHECK(nameless.error.find("-o") != std::string::npos);
}

TEST_CASE("view: shapes of all kinds may have a pose") {
    const auto packed = [](const std::string& shape) {
        return "{\"shapes\": [" + shape + "]}\n{\"label\": \"\", \"bodies\": [[0,0,0,0,0,0,0,1]], \"pairs\": []}\n";
    };
    write_scratch("posed.jsonl", packed(R"({"shape": "sphere", "radius": 1, "pos": [1,2,3]})"));
    write_scratch("plane.jsonl", packed(R"({"shape": "halfspace", "normal": [0,1,0], "offset": 0, "pos": [1,2,3]})"));
    for (const char* name : {"posed", "plane"})
        REQUIRE(run_abut(std::string("pack {}/") + name + ".jsonl {}/" + name + ".abut").code == 0);
    for (const char* name : {"posed", "plane"})
        CHECK(run_abut(std::string("view {}/") + name + ".abut -o -").out.starts_with(tools::kPageMark));
}

TEST_CASE("view: input that cannot be used is named") {
    write_scratch("empty.jsonl", "");
    write_scratch("cut.abut", read_file(ABUT_PILE).substr(0, 1000));
    write_scratch("shape.jsonl", "{\"shapes\": [{\"shape\": \"sphere\", \"radius\": -1}]}\n");
    for (const auto& [file, words] : {std::pair{"empty.jsonl", "is empty"},
                                      {"cut.abut", "offset"},
                                      {"shape.jsonl", "shape 0: "},
                                      {"none.abut", "cannot be opened"}}) {
        const Outcome outcome = run_abut(std::string("view {}/") + file + " -o {}/bad.html");
        INFO(file << ": " << outcome.error);
        CHECK(outcome.code == 2);
        CHECK(outcome.error.find(file) != std::string::npos);
        CHECK(outcome.error.find(words) != std::string::npos);
        CHECK_FALSE(fs::exists(scratch("bad.html")));
    }
}

TEST_CASE("view --2d: questions and the answers of abut query become one page") {
    const std::string line = R"({"id": "apart", "a": {"shape": "circle", "radius": 1}, "a_pos": [0,0], "a_angle": 0, )"
                             R"("b": {"shape": "circle", "radius": 1}, "b_pos": [3,0], "b_angle": 0})";
    write_scratch("plane.jsonl", "\xef\xbb\xbf" + line + "\r\nnonsense </script>\n{}");
    const Outcome outcome = run_abut("view --2d {}/plane.jsonl");
    REQUIRE(outcome.code == 0);
    const std::string text = read_file(scratch("plane.html"));
    CHECK(text.starts_with(tools::kPageMark));
    CHECK(text.find("@ABUT_") == text.npos);
    CHECK(text.size() < 100'000);
    std::string scene =
        R"({"title": "plane.jsonl", "version": ")" ABUT_VERSION R"(", "query": "distance", "margin": 0.02, "pairs": [)";
    const std::vector<std::string> answers = lines_of(run_abut("query --2d {}/plane.jsonl").out),
                                   questions = {line, R"("nonsense </script>")", "{}"};
    REQUIRE(answers.size() == 3);
    for (std::size_t i = 0; i < 3; ++i)
        scene += (i == 0 ? "" : ",\n") + ("{\"question\": " + questions[i]) + ", \"answer\": " + answers[i] + "}";
    CHECK(text.find(base64(scene + "]}")) != text.npos);
    CHECK(run_abut("view --2d --query cast {}/plane.jsonl -o {}/cast.html").code == 0);
    const Outcome refused = run_abut("view --query cast {}/plane.jsonl");
    CHECK(refused.code == 2);
    CHECK(refused.error.find("--2d") != std::string::npos);
    write_scratch("empty.jsonl", "");
    CHECK(run_abut("view --2d {}/empty.jsonl").error.find("is empty") != std::string::npos);
}
