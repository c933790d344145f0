// Memory that ends ends a line or the program, cleanly.
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include "program.hpp"

using namespace abut::tests;
using nlohmann::json;

namespace {

// No limit holds where the address sanitizer itself reserves terabytes.
#if defined(__has_feature)  // clang and later gcc
#if __has_feature(address_sanitizer)
#define ABUT_HAS_NO_LIMIT
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ABUT_HAS_NO_LIMIT
#endif
#ifdef ABUT_HAS_NO_LIMIT
constexpr bool kHasLimit = false;
#else
constexpr bool kHasLimit = true;
#endif

constexpr const char* kGood =
    R"({"id": "good", "a": {"shape": "sphere", "radius": 1}, "a_pos": [0,0,0], "a_quat": [0,0,0,1], )"
    R"("b": {"shape": "sphere", "radius": 1}, "b_pos": [3,0,0], "b_quat": [0,0,0,1]})";

std::string list(const char* item, std::size_t count) {
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i) text += item;
    return text + "0]";
}

}  // namespace

TEST_CASE("a line that memory does not hold is refused by name, and the next one is answered") {
    if (!kHasLimit) return;
    for (const std::string& content : {list("0,", 12000000), "[" + list("[0,0,0],", 3000000) + "]"}) {
        write_scratch("large.jsonl", "{\"id\": \"large\", \"x\": " + content + "}\n" + kGood + "\n");
        const Outcome outcome = run_abut("query {}/large.jsonl --threads 1", "ulimit -v 300000;");
        INFO(outcome.error);
        REQUIRE(outcome.code == 0);
        const std::vector<std::string> lines = lines_of(outcome.out);
        REQUIRE(lines.size() == 2);
        const json refused = json::parse(lines[0]);
        CHECK(refused["id"] == "large");
        CHECK(refused["status"] == "bad_input");
        CHECK(refused["message"].get<std::string>().find("memory") != std::string::npos);
        CHECK(json::parse(lines[1])["signed_distance"] == 1);
    }
}

TEST_CASE("pack without memory for a line ends with 2, and leaves no file") {
    if (!kHasLimit) return;
    write_scratch("large.shapes", "{\"shapes\": " + list("0,", 12000000) + "}\n");
    const Outcome outcome = run_abut("pack {}/large.shapes {}/large.abut", "ulimit -v 300000;");
    CHECK(outcome.code == 2);
    CHECK(outcome.error.find("memory") != std::string::npos);
    CHECK(read_file(scratch("large.abut")).empty());
}
