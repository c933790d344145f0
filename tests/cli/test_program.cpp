// The program's manners: exit codes, help, errors on standard error, nothing but results on standard output.
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <abut/abut.hpp>

#include "program.hpp"

using namespace abut;
using namespace abut::tests;

TEST_CASE("unusable arguments end with 2 and say so on standard error") {
    for (const char* arguments : {"",
                                  "nonsense",
                                  "--nonsense",
                                  "query --isa mmx",
                                  "query --threads -1",
                                  "query --threads x",
                                  "query --margin -1",
                                  "query --margin nan",
                                  "query --margin inf",
                                  "query --margin 1e39",
                                  "query one two",
                                  "replay --query nothing",
                                  "replay --repeat 0",
                                  "replay --repeat -3",
                                  "replay --isa",
                                  "pack",
                                  "pack only-one",
                                  "dump",
                                  "dump a b",
                                  "query {}/missing.jsonl",
                                  "query / < /dev/null",
                                  "query -o /x/y/z < /dev/null"}) {
        INFO(arguments);
        const Outcome outcome = run_abut(arguments);
        CHECK(outcome.code == 2);
        CHECK(outcome.out.empty());
        CHECK_FALSE(outcome.error.empty());
    }
}

TEST_CASE("an argument that is refused is named, with its value") {
    const auto refused = [](const std::string& arguments, const std::string& name, const std::string& value) {
        const Outcome outcome = run_abut(arguments + " < /dev/null");
        INFO(arguments << ": " << outcome.error);
        CHECK(outcome.code == 2);
        CHECK(outcome.error.find(name) != std::string::npos);
        CHECK(outcome.error.find(value) != std::string::npos);
    };
    refused("nonsense", "subcommand", "\"nonsense\"");
    refused("query one two", "not expected", "two");
    refused("query --threads many", "--threads", "many");
    for (const char* command : {"query", "replay"}) {
        for (const char* value : {"nan", "-nan", "inf", "-1", "1e39", "wide", "1x"}) {
            refused(std::string(command) + " --margin " + value, "--margin", value);
        }
    }
    for (const char* value : {"nan", "inf", "-inf", "0", "-1", "1e39", "1e-60", "millimetres", ""}) {
        refused(std::string("cook x.obj --scale '") + value + "'", "--scale", value);
    }
    for (const char* value : {"nan", "inf", "-1", "1e39"})
        refused(std::string("cook x.obj --tolerance ") + value, "--tolerance", value);
}

TEST_CASE("every subcommand helps, with examples") {
    CHECK(run_abut("--help").code == 0);
    CHECK(run_abut("--version").out == std::string(ABUT_VERSION) + "\n");
    for (const char* command : {"query", "replay", "pack", "dump", "cook", "info"}) {
        const Outcome outcome = run_abut(std::string(command) + " --help");
        INFO(command);
        CHECK(outcome.code == 0);
        CHECK(outcome.error.empty());
        CHECK(outcome.out.find("Example") != std::string::npos);
        CHECK(outcome.out.find(std::string("abut ") + command) != std::string::npos);
    }
}

TEST_CASE("an instruction set that this machine lacks is refused, one it has is used") {
    for (const Isa isa : kAllIsas) {
        const std::string name = to_string(isa);
        const Outcome outcome = run_abut("query --isa " + name + " < /dev/null");
        CHECK(outcome.code == (is_supported(isa) ? 0 : 2));
        CHECK(run_abut("query < /dev/null", "ABUT_ISA=" + name).code == (is_supported(isa) ? 0 : 2));
        const Outcome info = run_abut("info --json", "ABUT_ISA=" + name);
        CHECK(info.code == (is_supported(isa) ? 0 : 2));
        if (info.code == 0) CHECK(nlohmann::json::parse(info.out)["isa"] == name);
    }
    CHECK(run_abut("info", "ABUT_ISA=mmx").code == 2);
}

TEST_CASE("info tells the version, the instruction sets and the limits") {
    const Outcome text = run_abut("info", "ABUT_ISA=");
    CHECK(text.code == 0);
    for (const char* part : {ABUT_VERSION, "in use", "hull vertices", "compiler"})
        CHECK(text.out.find(part) != std::string::npos);
    const auto json = nlohmann::json::parse(run_abut("info --json", "ABUT_ISA=").out);
    CHECK(json["version"] == ABUT_VERSION);
    CHECK(json["limits"]["hull_vertices"] == ShapeStore::kMaxHullVertices);
    for (const auto& isa : json["isas"]) {
        const Expected<Isa> known = parse_isa(isa["name"].get<std::string>());
        REQUIRE(known);
        CHECK(isa["supported"] == is_supported(*known));
    }
}

TEST_CASE("a full disk ends with 1") {
    const Outcome outcome = run_abut("dump '" ABUT_PILE "' -o /dev/full");
    CHECK(outcome.code == 1);
    CHECK(outcome.error.find("/dev/full") != std::string::npos);
}
