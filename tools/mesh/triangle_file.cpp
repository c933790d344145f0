// The ending says which reader it is.
#include "triangle_file.hpp"

#include <cmath>

#include "output_file.hpp"

namespace abut::tools {
namespace {

struct Format {
    std::string_view ending;
    TriangleFile (*read)(std::string_view, const std::string&);
    bool is_text;
};
constexpr Format kFormats[] = {
    {"obj", read_obj, true}, {"stl", read_stl, false},  {"ply", read_ply, false},  {"off", read_off, true},
    {"dae", read_dae, true}, {"glb", read_gltf, false}, {"gltf", read_gltf, true}, {"3mf", read_3mf, false},
};

std::string ending_of(const std::string& path) {
    const std::size_t dot = path.find_last_of("./");
    std::string ending = dot == std::string::npos || path[dot] == '/' ? "" : path.substr(dot + 1);
    for (char& c : ending) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    return ending;
}

void append_utf8(std::string& out, std::uint32_t code) {
    if (code < 0x80) {
        out += char(code);
        return;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    out += char(0xf00 >> more | code >> 6 * more);
    for (int i = more - 1; i >= 0; --i) out += char(0x80 | (code >> 6 * i & 0x3f));
}

void check_finite(const TriangleFile& file, const std::string& name) {
    for (std::size_t i = 0; i < file.positions.size(); ++i) {
        const auto& [x, y, z] = file.positions[i];
        if (std::isfinite(x) && std::isfinite(y) && std::isfinite(z)) continue;
        throw InputError(name + ": vertex " + std::to_string(i) + " is (" + std::to_string(x) + ", " +
                         std::to_string(y) + ", " + std::to_string(z) + "), which is not finite");
    }
}

}  // namespace

void TriangleFile::add_fan(const std::vector<std::uint32_t>& corners) {
    if (objects.empty()) objects.emplace_back();
    for (std::size_t i = 2; i < corners.size(); ++i) {
        triangles.push_back({corners[0], corners[i - 1], corners[i]});
        object_of.push_back(std::uint32_t(objects.size() - 1));
    }
}

std::string_view utf8_of(std::string_view bytes, std::string& owner) {
    if (bytes.substr(0, 3) == "\xef\xbb\xbf") return bytes.substr(3);
    const bool is_little = bytes.substr(0, 2) == "\xff\xfe";
    if (!is_little && bytes.substr(0, 2) != "\xfe\xff") return bytes;
    const auto unit = [&](std::size_t i) {
        const auto low = std::uint8_t(bytes[i + !is_little]), high = std::uint8_t(bytes[i + is_little]);
        return std::uint32_t(high << 8 | low);
    };
    owner.clear();
    for (std::size_t i = 2; i + 1 < bytes.size(); i += 2) {
        std::uint32_t code = unit(i);
        if (code >= 0xd800 && code < 0xdc00 && i + 3 < bytes.size() && (unit(i + 2) & 0xfc00) == 0xdc00) {
            code = 0x10000 + ((code & 0x3ff) << 10 | (unit(i + 2) & 0x3ff));
            i += 2;
        }
        append_utf8(owner, code);
    }
    return owner;
}

const char* triangle_file_endings() { return ".obj, .stl, .ply, .off, .dae, .3mf, .gltf or .glb"; }

TriangleFile read_triangle_file(std::string_view bytes, const std::string& name) {
    const std::string ending = ending_of(name);
    for (const Format& format : kFormats) {
        if (format.ending != ending) continue;
        if (bytes.substr(0, 40).find("git-lfs.github.com/spec") != std::string_view::npos)
            throw InputError(name + ": is a pointer of Git LFS, not the file itself: run `git lfs pull`");
        std::string owner;
        const std::string_view text = format.is_text ? utf8_of(bytes, owner) : bytes;
        if (text.empty()) throw InputError(name + ": is empty");
        TriangleFile file = format.read(text, name);
        if (file.positions.empty()) throw InputError(name + ": has no faces and no vertices");
        check_finite(file, name);
        return file;
    }
    throw InputError(name + ": is no " + triangle_file_endings() + " file");
}

}  // namespace abut::tools
