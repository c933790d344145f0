// kernel/README.md lists the rooms of the kernel from the bottom to the top. These tests hold the sources to that list.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"

namespace fs = std::filesystem;

namespace {

const fs::path kSources = ABUT_SOURCES;
const fs::path kKernel = kSources / "kernel";
// Sources of the library that the kernel does not include, in the order of kernel/README.md.
const std::vector<std::string> kCompanions = {"cooking", "store",    "mass",    "warm",   "broad", "rays", "cast",
                                              "ground",  "surfaces", "queries", "robots", "calls", "c"};

std::string text_of(const fs::path& path) {
    std::ifstream in(path);
    REQUIRE(in);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::vector<std::string> lines_of(const fs::path& path) {
    std::istringstream text(text_of(path));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

// What stands between `before` and `after`, where the line begins with `before`.
std::optional<std::string> between(const std::string& line, const std::string& before, const std::string& after) {
    if (line.rfind(before, 0) != 0) return std::nullopt;
    const std::size_t end = line.find(after, before.size());
    if (end == std::string::npos) return std::nullopt;
    return line.substr(before.size(), end - before.size());
}

std::vector<std::string> listed_rooms() {
    std::vector<std::string> rooms;
    for (const std::string& line : lines_of(kKernel / "README.md"))
        if (const auto room = between(line, "| `", "/` |"); room && room->rfind("..", 0) != 0) rooms.push_back(*room);  // no companion
    return rooms;
}

std::vector<fs::path> library_folders() {
    std::vector<fs::path> folders = {kKernel, kSources / "include"};
    for (const std::string& companion : kCompanions) folders.push_back(kSources / companion);
    return folders;
}

bool is_source(const fs::path& path) { return path.extension() == ".hpp" || path.extension() == ".cpp"; }

std::vector<fs::path> sources_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && is_source(entry.path())) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

// Paths in quotes, as written: all of the kernel's own.
std::vector<std::string> includes_of(const fs::path& file) {
    std::vector<std::string> paths;
    for (const std::string& line : lines_of(file))
        if (const auto path = between(line, "#include \"", "\"")) paths.push_back(*path);
    return paths;
}

std::string room_of(const std::string& path) {
    const std::size_t slash = path.find('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

std::size_t position_of(const std::vector<std::string>& rooms, const std::string& room) {
    return std::size_t(std::find(rooms.begin(), rooms.end(), room) - rooms.begin());
}

}  // namespace

TEST_CASE("the kernel's README lists its rooms, each once") {
    std::vector<std::string> listed = listed_rooms(), there;
    for (const auto& entry : fs::directory_iterator(kKernel))
        if (entry.is_directory()) there.push_back(entry.path().filename().string());
    std::sort(listed.begin(), listed.end());
    std::sort(there.begin(), there.end());
    CHECK(listed == there);
}

TEST_CASE("a room includes only rooms above it in the list") {
    const std::vector<std::string> rooms = listed_rooms();
    std::size_t crossings = 0;
    for (const fs::path& file : sources_in(kKernel)) {
        const std::string from = room_of(fs::relative(file, kKernel).string());
        for (const std::string& path : includes_of(file)) {
            const std::string to = room_of(path);
            if (to == from) continue;
            INFO(fs::relative(file, kKernel).string() << " includes " << path);
            if (to.empty()) {
                CHECK((path == "tolerances.hpp" || path == "compiler.hpp"));  // which include nothing of the kernel
                continue;
            }
            ++crossings;
            CHECK(position_of(rooms, to) < position_of(rooms, from));
        }
    }
    CHECK(crossings > 100);
    CHECK(includes_of(kKernel / "tolerances.hpp").empty());
    CHECK(includes_of(kKernel / "compiler.hpp").empty());
}

TEST_CASE("a companion includes rooms of the kernel, itself and companions above it alone") {
    const std::vector<std::string> rooms = listed_rooms();
    const std::string page = text_of(kKernel / "README.md");
    std::size_t above = 0;
    for (const std::string& companion : kCompanions) {
        const std::size_t listed = page.find("| `../" + companion + "/` |");
        CHECK(listed != std::string::npos);
        CHECK(listed > above);
        above = listed;
        std::size_t files = 0;
        for (const fs::path& file : sources_in(kSources / companion)) {
            ++files;
            for (const std::string& path : includes_of(file)) {
                const std::string to = room_of(path);
                INFO(fs::relative(file, kSources).string() << " includes " << path);
                CHECK((to.empty() || position_of(rooms, to) < rooms.size() || position_of(kCompanions, to) <= position_of(kCompanions, companion)));
            }
        }
        CHECK(files > 0);
    }
}

TEST_CASE("what compilers spell in different ways is in compiler.hpp") {
    const std::regex extension("\\[\\[(gnu|clang|msvc)::|__attribute__|__declspec|__forceinline|__builtin_[a-z]|__restrict|vector_size");
    for (const fs::path& folder : library_folders()) {
        for (const fs::path& file : sources_in(folder)) {
            const std::string name = file.filename().string(), text = text_of(file);
            INFO(fs::relative(file, kSources).string());
            // The CPU's features have a file of their own, and a custom shape's root chooses among builtins.
            const bool may = name == "compiler.hpp" || file == kKernel / "isa" / "cpu.hpp" || file == kSources / "include/abut/custom_shape.hpp";
            if (!may) CHECK_FALSE(std::regex_search(text, extension));
        }
    }
}

TEST_CASE("one file spells xsimd, one room oneTBB") {
    for (const fs::path& file : sources_in(kKernel)) {
        const std::string path = fs::relative(file, kKernel).string(), text = text_of(file);
        INFO(path);
        CHECK(((text.find("xsimd::") != std::string::npos) == (path == "wide/simd.hpp")));
        if (text.find("tbb::") != std::string::npos) CHECK(room_of(path) == "parallel");
    }
}

TEST_CASE("every file that documents and comments name is there") {
    std::vector<std::string> sources;
    std::vector<fs::path> folders = library_folders();
    for (const char* other : {"tests", "tools", "bench", "python"}) folders.push_back(kSources / other);
    for (const fs::path& folder : folders)
        for (const fs::path& file : sources_in(folder)) sources.push_back("/" + fs::relative(file, kSources).string());
    const auto is_there = [&](const std::string& name) {
        return std::any_of(sources.begin(), sources.end(), [&](const std::string& path) {
            const std::string end = "/" + name;
            return path.size() >= end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0;
        });
    };
    const std::regex quoted("`([A-Za-z0-9_/]+\\.[ch]pp)`"), in_comment("//.*?([A-Za-z0-9_/]*[A-Za-z0-9_]\\.[ch]pp)");
    std::size_t named = 0;
    const auto check = [&](const fs::path& page, const std::regex& pattern) {
        for (const std::string& line : lines_of(page)) {
            for (std::sregex_iterator match(line.begin(), line.end(), pattern), end; match != end; ++match, ++named) {
                const std::string name = (*match)[1];
                INFO(fs::relative(page, kSources).string() << " names " << name);
                CHECK((is_there(name) || name == "path/to/header.hpp"));  // the user's own
            }
        }
    };
    for (const fs::path& folder : {kSources, kKernel, kSources / "docs", kSources / "tests", kSources / "bench"})
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == ".md") check(entry.path(), quoted);
    for (const fs::path& folder : library_folders())
        for (const fs::path& file : sources_in(folder)) check(file, in_comment);
    CHECK(named > 100);
}
