// Nothing that came from a file reaches a terminal as a command.
#include "support/catch.hpp"

#include "mesh.hpp"
#include "printable.hpp"
#include "program.hpp"

using namespace abut::tests;
using abut::tools::printable;

namespace {

bool is_plain(const std::string& text) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\n') || byte >= 0x7f) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("control characters and bytes that are not UTF-8 are escaped, text is not") {
    CHECK(printable("plain \xc3\xa9 \xe2\x82\xac \xf0\x9f\xa7\x8a") == "plain \xc3\xa9 \xe2\x82\xac \xf0\x9f\xa7\x8a");
    CHECK(printable("\x1b[31m\n\t\x7f") == "\\x1b[31m\\x0a\\x09\\x7f");
    CHECK(printable(std::string("\0", 1)) == "\\x00");
    CHECK(printable("\xc2\x9b\xe2\x80\xae") == "\\xc2\\x9b\\xe2\\x80\\xae");           // C1, right to left
    CHECK(printable("a\xff\xc3") == "a\\xff\\xc3");                                    // no start, cut short
    CHECK(printable("\xc0\x80\xed\xa0\x80") == "\\xc0\\x80\\xed\\xa0\\x80");           // overlong, a surrogate
    CHECK(printable("\xf4\x90\x80\x80\xf8\x88") == "\\xf4\\x90\\x80\\x80\\xf8\\x88");  // past Unicode's end
}

TEST_CASE("cook prints no byte of a file or of a name as it is") {
    const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n", faces = "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    const std::string named = write_scratch("named.obj", corners + "o \x1b[31mred\xff\n" + faces);
    const Outcome table = run_abut("cook " + named);
    CHECK(table.code == 0);
    CHECK(is_plain(table.out));
    CHECK(table.out.find("\\x1b[31mred\\xff") != std::string::npos);
    const Outcome bad = run_abut("cook " + write_scratch("bad.obj", corners + "v \x1b[2J \xff 0\n" + faces));
    CHECK(bad.code == 2);
    CHECK(is_plain(bad.error));
    CHECK(bad.error.find("\\x1b[2J \\xff") != std::string::npos);
    const Outcome odd = run_abut("cook '" + write_scratch("\x1b[31m\xff.obj", corners + faces) + "'");
    CHECK(odd.code == 0);
    CHECK(is_plain(odd.out));
    const Outcome missing = run_abut("cook '{}/\x1b[31m\n.obj'");
    CHECK(missing.code == 2);
    CHECK(is_plain(missing.error));
    CHECK(lines_of(missing.error).size() == 1);
    CHECK(is_plain(run_abut("query --threads '\x1b[31m\xff'").error));
}
