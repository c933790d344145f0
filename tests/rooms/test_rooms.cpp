// kernel/README.md lists the rooms of the kernel from the bottom to the top. These tests hold the sources to that list.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"

namespace fs = std::filesystem;

namespace {

const fs::path kSources = ABUT_SOURCES;
const fs::path kKernel = kSources / "kernel";

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
        if (const auto room = between(line, "| `", "/` |")) rooms.push_back(*room);
    return rooms;
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

std::size_t place_of(const std::vector<std::string>& rooms, const std::string& room) {
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
                CHECK(path == "tolerances.hpp");  // which includes nothing of the kernel
                continue;
            }
            ++crossings;
            CHECK(place_of(rooms, to) < place_of(rooms, from));
        }
    }
    CHECK(crossings > 100);
    CHECK(includes_of(kKernel / "tolerances.hpp").empty());
}

TEST_CASE("one file spells xsimd, one room oneTBB") {
    for (const fs::path& file : sources_in(kKernel)) {
        const std::string path = fs::relative(file, kKernel).string(), text = text_of(file);
        INFO(path);
        CHECK(((text.find("xsimd::") != std::string::npos) == (path == "wide/simd.hpp")));
        if (text.find("tbb::") != std::string::npos) CHECK(room_of(path) == "parallel");
    }
}

TEST_CASE("every file that documents name is there") {
    std::size_t named = 0;
    for (const fs::path& page : {kKernel / "README.md", kSources / "README.md", kSources / "CONTRIBUTING.md", kSources / "docs" / "numerics.md",
                                 kSources / "docs" / "data-way.md", kSources / "docs" / "references.md"}) {
        const std::string text = text_of(page);
        for (std::size_t at = text.find('`'); at != std::string::npos; at = text.find('`', at)) {
            const std::size_t end = text.find('`', at + 1);
            if (end == std::string::npos) break;
            const std::string name = text.substr(at + 1, end - at - 1);
            at = end + 1;
            // A path with a folder, to a source; patterns and lists have other signs in them.
            if (name.find('/') == std::string::npos || name.find_first_of(" *<>{},()=") != std::string::npos) continue;
            if (!is_source(fs::path(name))) continue;
            ++named;
            INFO(fs::relative(page, kSources).string() << " names " << name);
            CHECK((fs::exists(kSources / name) || fs::exists(kKernel / name) || fs::exists(kSources / "include" / name)));
        }
    }
    CHECK(named > 20);
}
