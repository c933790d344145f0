// A word that is no name: the program says which it may have been.
#include "support/catch.hpp"

#include <vector>

#include "nearest_name.hpp"
#include "program.hpp"

using namespace abut::tests;
using abut::tools::nearest_name;

TEST_CASE("the nearest name is that of fewest changes, none where all are far") {
    const std::vector<std::string> names = {"query", "replay", "pack", "dump", "cook"};
    const auto nearest = [&](const std::string& word) { return nearest_name(word, names); };
    CHECK(nearest("query") == "query");
    CHECK(nearest("quer") == "query");
    CHECK(nearest("qeury") == "query");  // neighbours swapped
    CHECK(nearest("repley") == "replay");
    CHECK(nearest("replayy") == "replay");
    CHECK(nearest("pak") == "pack");
    CHECK(nearest("nonsense").empty());
    CHECK(nearest("").empty());
    CHECK(nearest(std::string(100000, 'q')).empty());
    CHECK(nearest_name("query", {}).empty());
}

TEST_CASE("a subcommand or an option that is not there is named, and what may have been meant") {
    const auto says = [](const std::string& arguments, const std::string& part) {
        const Outcome outcome = run_abut(arguments + " < /dev/null");
        INFO(arguments << ": " << outcome.error);
        CHECK(outcome.code == 2);
        CHECK(outcome.out.empty());
        CHECK(outcome.error.find(part) != std::string::npos);
    };
    says("replya", "no subcommand \"replya\"; did you mean replay?");
    says("coko chair.obj", "did you mean cook?");
    says("query --thread 4", "no option --thread; did you mean --threads?");
    says("replay --repaet=3", "no option --repaet; did you mean --repeat?");
    says("cook a.obj --tolerence 1", "did you mean --tolerance?");
    says("query --hlep", "did you mean --help?");
    for (const char* arguments : {"xyzzy", "query --xyzzy"}) {
        const Outcome outcome = run_abut(std::string(arguments) + " < /dev/null");
        CHECK(outcome.error.find("xyzzy") != std::string::npos);
        CHECK(outcome.error.find("did you mean") == std::string::npos);
    }
}
