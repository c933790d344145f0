// An output never replaces an input or a file of somebody else's, and an existing file keeps its mode and its links.
#include "support/catch.hpp"

#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

#include "mesh.hpp"
#include "program.hpp"

using namespace abut::tests;
namespace fs = std::filesystem;

namespace {

const std::string kFrames = R"({"shapes": [{"shape": "sphere", "radius": 1}]})"
                            "\n"
                            R"({"label": "x", "bodies": [[0,0,0,0,0,0,0,1]], "pairs": [[0,0]]})"
                            "\n";
const std::string kQuestion =
    R"({"id": "1", "a": {"shape": "sphere", "radius": 1}, "a_pos": [0,0,0], "a_quat": [0,0,0,1], )"
    R"("b": {"shape": "sphere", "radius": 1}, "b_pos": [3,0,0], "b_quat": [0,0,0,1]})"
    "\n";
const std::string kObj = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

struct stat info_of(const std::string& path) {
    struct stat info = {};
    REQUIRE(lstat(path.c_str(), &info) == 0);
    return info;
}

// An empty folder of the scratch directory.
std::string folder(const std::string& name) {
    fs::remove_all(scratch(name));
    fs::create_directory(scratch(name));
    return scratch(name) + "/";
}

std::size_t entries(const std::string& path) { return std::size_t(std::distance(fs::directory_iterator(path), {})); }

// Each command that reads a file and writes another: what it reads and how it is called.
struct Case {
    const char* input;
    std::string content;
    const char* command;  // IN and OUT stand for the files
};

std::vector<Case> cases() {
    std::vector<Case> all = {{"in.jsonl", kFrames, "pack IN OUT"},
                             {"in.jsonl", kQuestion, "query IN -o OUT"},
                             {"in.jsonl", kQuestion, "query - -o OUT < IN"},
                             {"in.jsonl", kQuestion, "query IN >> OUT"},
                             {"in.abut", read_file(ABUT_PILE), "dump IN -o OUT"},
                             {"in.abut", read_file(ABUT_PILE), "dump IN >> OUT"}};
    all.push_back({"in.obj", kObj, "cook IN -o OUT"});
    return all;
}

bool is_redirected(const Case& c) { return std::string(c.command).find(">>") != std::string::npos; }

Outcome run(const Case& c, const std::string& in, const std::string& out) {
    std::string command = c.command;
    command.replace(command.find("IN"), 2, "'" + in + "'");
    command.replace(command.find("OUT"), 3, "'" + out + "'");
    return run_shell("abut " + command);
}

}  // namespace

TEST_CASE("an output that is an input, by any name, is refused with both names") {
    for (const Case& c : cases()) {
        const std::string at = folder("same"), in = at + c.input;
        write_scratch("same/" + std::string(c.input), c.content);
        fs::create_symlink(c.input, at + "symbolic");
        fs::create_hard_link(in, at + "hard");
        fs::create_symlink("symbolic", at + "second");
        for (const std::string& out : {in, at + "./" + c.input, at + "symbolic", at + "hard", at + "second"}) {
            const Outcome outcome = run(c, in, out);
            INFO(c.command << " " << out << ": " << outcome.error);
            CHECK(outcome.code == 2);
            CHECK(outcome.error.find(is_redirected(c) ? "standard output" : out) != std::string::npos);
            CHECK(outcome.error.find(std::string(c.command).find("<") == std::string::npos ? in : "standard input") !=
                  std::string::npos);
            CHECK((read_file(in) == c.content));
            CHECK(info_of(at + "symbolic").st_size == off_t(std::string(c.input).size()));
        }
        CHECK(entries(at) == 4);
    }
}

TEST_CASE("an output beside other files touches none of them") {
    for (const Case& c : cases()) {
        const std::string at = folder("beside"), in = at + c.input, out = at + "out.abut";
        write_scratch("beside/" + std::string(c.input), c.content);
        for (const char* other : {"out.abut.part", "out.abut~", ".out.abut.swp", "out.abut.tmp"})
            write_scratch("beside/" + std::string(other), "mine");
        INFO(c.command);
        CHECK(run(c, in, out).code == 0);
        CHECK(fs::file_size(out) > 0);
        for (const char* other : {"out.abut.part", "out.abut~", ".out.abut.swp", "out.abut.tmp"})
            CHECK(read_file(at + other) == "mine");
        CHECK(entries(at) == 6);
        CHECK((read_file(in) == c.content));
    }
}

TEST_CASE("an existing output keeps its mode and its links") {
    for (const Case& c : cases()) {
        if (is_redirected(c)) continue;
        const std::string at = folder("keeps"), in = at + c.input;
        write_scratch("keeps/" + std::string(c.input), c.content);
        REQUIRE(run(c, in, at + "fresh.abut").code == 0);
        const std::string expected = read_file(at + "fresh.abut");
        INFO(c.command);
        for (const std::size_t old_size : {std::size_t(1), std::size_t(5000000)}) {
            for (const bool has_hard_link : {false, true}) {
                write_scratch("keeps/old.abut", std::string(old_size, 'x'));
                fs::remove(at + "symbolic.abut");
                fs::create_symlink("old.abut", at + "symbolic.abut");
                if (has_hard_link) fs::create_hard_link(at + "old.abut", at + "hard.abut");
                REQUIRE(chmod((at + "old.abut").c_str(), 0640) == 0);
                REQUIRE(run(c, in, at + "symbolic.abut").code == 0);
                CHECK((info_of(at + "symbolic.abut").st_mode & S_IFMT) == S_IFLNK);
                CHECK((read_file(at + "old.abut") == expected));
                CHECK((info_of(at + "old.abut").st_mode & 07777) == 0640);
                if (has_hard_link) CHECK(info_of(at + "old.abut").st_ino == info_of(at + "hard.abut").st_ino);
                fs::remove(at + "hard.abut");
            }
        }
    }
}

TEST_CASE("a link to a file that is not there yet makes that file") {
    const std::string at = folder("dangling");
    write_scratch("dangling/in.jsonl", kFrames);
    fs::create_directory(at + "far");
    fs::create_symlink("far/out.abut", at + "link.abut");
    REQUIRE(run_abut("pack '" + at + "in.jsonl' '" + at + "link.abut'").code == 0);
    CHECK(fs::is_symlink(at + "link.abut"));
    CHECK(fs::file_size(at + "far/out.abut") > 0);
    CHECK(entries(at + "far") == 1);
}

TEST_CASE("an output that fails half-way leaves the old file as it was, and nothing else") {
    const std::string at = folder("fails");
    for (const bool has_hard_link : {false, true}) {
        write_scratch("fails/old.jsonl", "precious");
        if (has_hard_link) fs::create_hard_link(at + "old.jsonl", at + "hard.jsonl");
        const std::size_t before = entries(at);
        const Outcome outcome = run_abut("dump '" ABUT_PILE "' -o '" + at + "old.jsonl'", "ulimit -f 64;");
        INFO(outcome.error);
        CHECK(outcome.code == 1);
        CHECK(outcome.error.find("old.jsonl: cannot be written") != std::string::npos);
        CHECK(read_file(at + "old.jsonl") == "precious");
        CHECK(entries(at) == before);
    }
}

TEST_CASE("a bad input leaves the old output as it was") {
    const std::string at = folder("bad");
    write_scratch("bad/in.jsonl", kFrames + "nonsense\n");
    write_scratch("bad/out.abut", "precious");
    CHECK(run_abut("pack '" + at + "in.jsonl' '" + at + "out.abut'").code == 2);
    CHECK(read_file(at + "out.abut") == "precious");
    CHECK(entries(at) == 2);
}

TEST_CASE("an output may be a pipe, standard output or a device") {
    write_scratch("in.jsonl", kFrames);
    REQUIRE(run_abut("pack {}/in.jsonl {}/direct.abut").code == 0);
    const std::string expected = read_file(scratch("direct.abut"));
    CHECK((run_abut("pack {}/in.jsonl /dev/stdout").out == expected));
    CHECK((run_abut("pack {}/in.jsonl -").out == expected));
    CHECK(run_abut("pack {}/in.jsonl /dev/null").code == 0);
    CHECK(fs::is_character_file("/dev/null"));
    fs::remove(scratch("fifo"));
    REQUIRE(mkfifo(scratch("fifo").c_str(), 0600) == 0);
    const Outcome fifo = run_abut("pack {}/in.jsonl {}/fifo", "cat {}/fifo > {}/from_fifo & ");
    CHECK(fifo.code == 0);
    for (int i = 0; i < 1000 && read_file(scratch("from_fifo")).size() < expected.size(); ++i) usleep(10000);
    CHECK((read_file(scratch("from_fifo")) == expected));
    CHECK(fs::is_fifo(scratch("fifo")));
    // What the shell appends to keeps what it had.
    write_scratch("log", "before\n");
    CHECK(run_shell("abut dump {}/direct.abut -o /dev/stdout >> {}/log").code == 0);
    CHECK((read_file(scratch("log")) == "before\n" + kFrames));
}

TEST_CASE("a full device ends every command with 1 and a message") {
    write_scratch("in.jsonl", kFrames);
    write_scratch("question.jsonl", kQuestion);
    REQUIRE(run_abut("pack {}/in.jsonl {}/small.abut").code == 0);
    write_scratch("mesh.obj", kObj);
    std::vector<std::string> commands = {"--help",
                                         "--version",
                                         "query --help",
                                         "cook --help",
                                         "info",
                                         "info --json",
                                         "query {}/question.jsonl",
                                         "query --stream {}/question.jsonl",
                                         "dump {}/small.abut",
                                         "pack {}/in.jsonl -",
                                         "replay {}/small.abut --repeat 1",
                                         "replay {}/small.abut --repeat 1 --json"};
    commands.push_back("cook {}/mesh.obj");
    commands.push_back("cook {}/mesh.obj -o -");
    for (const std::string& command : commands) {
        const Outcome outcome = run_shell("abut " + command + " > /dev/full");
        INFO(command << ": " << outcome.error);
        CHECK(outcome.code == 1);
        CHECK(outcome.error.find("standard output: cannot be written") != std::string::npos);
    }
}
