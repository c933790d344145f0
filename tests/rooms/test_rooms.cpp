// kernel/rooms.txt lists the rooms of the library from the bottom to the top. These tests hold the sources and
// kernel/README.md to that list.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "support/catch.hpp"

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

// From the bottom to the top.
std::vector<std::string> listed_rooms() {
    std::vector<std::string> rooms;
    for (const std::string& line : lines_of(kKernel / "rooms.txt"))
        if (!line.empty() && line[0] != '#') rooms.push_back(line);
    return rooms;
}

const fs::path kLibrary[] = {kKernel, kSources / "include"};

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

// The folder of a path below kernel/.
std::string room_of(const std::string& path) { return fs::path(path).parent_path().string(); }

std::string layer_of(const std::string& room) { return room.substr(0, room.find('/')); }

std::vector<std::string> layers_of(const std::vector<std::string>& rooms) {
    std::vector<std::string> layers;
    for (const std::string& room : rooms)
        if (layers.empty() || layers.back() != layer_of(room)) layers.push_back(layer_of(room));
    return layers;
}

std::size_t position_of(const std::vector<std::string>& rooms, const std::string& room) {
    return std::size_t(std::find(rooms.begin(), rooms.end(), room) - rooms.begin());
}

}  // namespace

TEST_CASE("the list of rooms has every folder with sources, each once, layer by layer") {
    std::vector<std::string> listed = listed_rooms(), there;
    for (const fs::path& file : sources_in(kKernel)) there.push_back(room_of(fs::relative(file, kKernel).string()));
    std::sort(there.begin(), there.end());
    there.erase(std::unique(there.begin(), there.end()), there.end());
    std::vector<std::string> layers = layers_of(listed);
    std::sort(layers.begin(), layers.end());
    CHECK(std::adjacent_find(layers.begin(), layers.end()) == layers.end());
    CHECK(layers.size() <= 12);
    std::sort(listed.begin(), listed.end());
    CHECK(listed == there);
}

TEST_CASE("a room includes only itself and rooms below it") {
    const std::vector<std::string> rooms = listed_rooms();
    std::size_t crossings = 0;
    for (const fs::path& file : sources_in(kKernel)) {
        const std::string from = room_of(fs::relative(file, kKernel).string());
        for (const std::string& path : includes_of(file)) {
            const std::string to = room_of(path);
            INFO(fs::relative(file, kKernel).string() << " includes " << path);
            CHECK(position_of(rooms, to) <= position_of(rooms, from));
            crossings += to != from;
        }
    }
    CHECK(crossings > 500);
}

TEST_CASE("an include names a file by its path below kernel/") {
    for (const fs::path& file : sources_in(kKernel)) {
        for (const std::string& path : includes_of(file)) {
            INFO(fs::relative(file, kKernel).string() << " includes " << path);
            CHECK((fs::is_regular_file(kKernel / path) || path == "simd/built_sets.hpp"));
        }
    }
}

TEST_CASE("no two headers have the same name") {
    std::vector<std::string> names;
    for (const fs::path& folder : kLibrary)
        for (const fs::path& file : sources_in(folder))
            if (file.extension() == ".hpp") names.push_back(file.filename().string());
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    CHECK((twice == names.end() ? "" : *twice) == "");
    CHECK(names.size() > 200);
}

TEST_CASE("kernel/README.md draws the layers and lists the rooms in their order") {
    const std::vector<std::string> rooms = listed_rooms();
    std::vector<std::string> drawn, listed;
    bool in_picture = false;
    for (const std::string& line : lines_of(kKernel / "README.md")) {
        if (line == "```") in_picture = !in_picture && drawn.empty();
        const std::size_t end = line.find("  ");
        if (in_picture && line != "```" && end != std::string::npos) drawn.push_back(line.substr(0, end));
        if (const auto room = between(line, "| `", "/` |")) listed.push_back(*room);
    }
    std::reverse(drawn.begin(), drawn.end());
    CHECK(drawn == layers_of(rooms));
    CHECK(listed == rooms);
}

TEST_CASE("what compilers spell in different ways is in compiler.hpp and compiler_support.hpp") {
    const std::regex extension(
        "\\[\\[(gnu|clang|msvc)::|__attribute__|__declspec|__forceinline|__builtin_[a-z]|__restrict|vector_size");
    for (const fs::path& folder : kLibrary) {
        for (const fs::path& file : sources_in(folder)) {
            const std::string name = file.filename().string(), text = text_of(file);
            INFO(fs::relative(file, kSources).string());
            // The CPU's features have a file of their own, and a custom shape's root chooses among builtins.
            const bool may = name == "compiler.hpp" || name == "compiler_support.hpp" ||
                             file == kKernel / "simd" / "cpu_features.hpp" ||
                             file == kSources / "include/abut/custom_shape.hpp";
            if (!may) CHECK_FALSE(std::regex_search(text, extension));
        }
    }
}

TEST_CASE("one file spells xsimd, one room oneTBB") {
    for (const fs::path& file : sources_in(kKernel)) {
        const std::string path = fs::relative(file, kKernel).string(), text = text_of(file);
        INFO(path);
        CHECK(((text.find("xsimd::") != std::string::npos) == (path == "simd/simd.hpp")));
        if (text.find("tbb::") != std::string::npos) CHECK(room_of(path) == "base/parallel");
    }
}

TEST_CASE("every file that documents and comments name is there") {
    std::vector<std::string> sources;
    for (const char* folder : {"kernel", "include", "tests", "tools", "bench", "bindings", "integrations", "examples"})
        for (const fs::path& file : sources_in(kSources / folder))
            sources.push_back("/" + fs::relative(file, kSources).string());
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
    for (const fs::path& folder : kLibrary)
        for (const fs::path& file : sources_in(folder)) check(file, in_comment);
    CHECK(named > 100);
}
