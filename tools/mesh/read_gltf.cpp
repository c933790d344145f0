// glTF 2.0 [Khronos 2021]: the triangles of the scene's nodes. Materials, skins, animations and extensions are not
// read, and what needs an extension for its triangles is refused.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "files.hpp"
#include "geometry.hpp"
#include "json_text.hpp"
#include "triangle_file.hpp"

namespace abut::tools {
namespace {

using nlohmann::json;

constexpr std::uint64_t kSizeLimit = (std::uint64_t(1) << 31) - 1;
constexpr int kMostSceneNesting = 256;
constexpr std::uint32_t kMagic = 0x46546c67, kJson = 0x4e4f534a, kBinary = 0x004e4942;

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    return word;
}

std::string brief(const json& value) { return value.dump(-1, ' ', true, json::error_handler_t::replace).substr(0, 60); }

std::string unescaped(const std::string& uri) {
    std::string out;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        unsigned code = 0;
        const auto [end, error] =
            std::from_chars(uri.data() + i + 1, uri.data() + std::min(i + 3, uri.size()), code, 16);
        const bool is_escape = uri[i] == '%' && error == std::errc() && end == uri.data() + i + 3;
        out += is_escape ? char(code) : uri[i];
        if (is_escape) i += 2;
    }
    return out;
}

// Stops at the first character that is no digit of base64.
std::string base64(std::string_view text) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const std::size_t digit = kDigits.find(c);
        if (digit == std::string_view::npos) break;
        bits = bits << 6 | std::uint32_t(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out += char(bits >> count & 0xff);
    }
    return out;
}

class GltfReader {
public:
    GltfReader(std::string_view bytes, const std::string& name) : name_(name) {
        if (bytes.size() >= 20 && word_at(bytes, 0) == kMagic) {
            const std::size_t length = word_at(bytes, 12);
            if (word_at(bytes, 8) > bytes.size() || length > bytes.size() - 20) fail("is cut short");
            if (word_at(bytes, 16) != kJson) fail("its first chunk is no JSON");
            const std::string_view rest = bytes.substr(20 + length);
            if (rest.size() >= 8 && word_at(rest, 4) == kBinary) binary_ = rest.substr(8, word_at(rest, 0));
            bytes = bytes.substr(20, length);
        }
        std::string text(bytes);
        parsed_ = std::make_unique<JsonText>(parse_json(text));
        if (!parsed_->error.empty()) fail(fmt::format("is no JSON: {}", parsed_->error));
    }

    TriangleFile run() {
        json& root = parsed_->value;
        const std::string version = root.value("asset", json::object()).value("version", "");
        if (version.rfind("2.", 0) != 0)
            fail(fmt::format("its asset has no version 2{}", version.empty() ? "" : ", but " + brief(json(version))));
        for (const json& needed : root.value("extensionsRequired", json::array()))
            if (const std::string word = brief(needed); word.find("compression") != word.npos)
                fail(fmt::format("it needs the extension {}", word));
        for (std::size_t i = 0; i < root.value("buffers", json::array()).size(); ++i) read_buffer(i);
        for (const json& node : element("scenes", root.value("scene", json(0u))).value("nodes", json::array()))
            add_node(node, Pose(), 0);
        if (file_.triangles.empty()) fail("has no triangles");
        return std::move(file_);
    }

private:
    struct Elements {  // of an accessor
        const char* data = nullptr;
        std::size_t count = 0, stride = 0, component = 0;
    };

    [[noreturn]] void fail(const std::string& what) const { throw InputError(fmt::format("{}: {}", name_, what)); }

    json& element(const char* list, const json& index) {
        const auto found = parsed_->value.find(list);
        const std::size_t count = found != parsed_->value.end() && found->is_array() ? found->size() : 0;
        if (!index.is_number_unsigned() || index.get<std::uint64_t>() >= count)
            fail(fmt::format("{}[{}] is none of {}", list, brief(index), count));
        return (*found)[index.get<std::size_t>()];
    }
    std::size_t number(const json& object, const char* key, std::size_t otherwise) const {
        const json value = object.value(key, json(otherwise));
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kSizeLimit)
            fail(fmt::format("{} is {}, which is no index or size", key, brief(value)));
        return value.get<std::size_t>();
    }

    void read_buffer(std::size_t at) {
        const json& buffer = element("buffers", at);
        const std::size_t length = number(buffer, "byteLength", 0);
        const std::string uri = buffer.value("uri", "");
        std::string_view bytes;
        if (!buffer.contains("uri")) {
            if (at == 0) bytes = binary_;
        } else if (uri.rfind("data:", 0) == 0) {
            const std::size_t comma = uri.find(";base64,");
            if (comma == uri.npos) fail("a buffer's data are not in base64");
            decoded_.push_back(std::make_unique<std::string>(base64(std::string_view(uri).substr(comma + 8))));
            bytes = *decoded_.back();
        } else {
            const std::string file = unescaped(uri);
            if (file.find("..") != file.npos || file.find_first_of(std::string_view(":\\\0", 3)) != file.npos ||
                file.rfind('/', 0) == 0)
                fail(fmt::format("a buffer is in \"{}\"; read are files beside this one", uri.substr(0, 80)));
            try {
                files_.push_back(std::make_unique<MappedFile>(
                    (std::filesystem::absolute(name_).parent_path() / file).string(), kSizeLimit));
            } catch (const InputError& error) {
                fail(fmt::format("its buffer: {}", error.what()));
            }
            bytes = {reinterpret_cast<const char*>(files_.back()->bytes().data()), files_.back()->bytes().size()};
        }
        if (length == 0 || bytes.size() < length)
            fail(fmt::format("buffers[{}] has {} bytes, but byteLength says {}", at, bytes.size(), length));
        buffers_.push_back(bytes.substr(0, length));
    }

    // Column-major, or a translation, a rotation (x, y, z, w) and a scale.
    Pose pose_of(const json& node) const {
        const auto numbers = [&](const char* key, std::vector<double> otherwise) {
            const json given = node.value(key, json(otherwise));
            const auto is_number = [](const json& value) { return value.is_number(); };
            if (!given.is_array() || given.size() != otherwise.size() ||
                !std::all_of(given.begin(), given.end(), is_number))
                fail(fmt::format("a node's {} has not {} numbers", key, otherwise.size()));
            return given.get<std::vector<double>>();
        };
        const auto m = numbers("matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
        const auto t = numbers("translation", {0, 0, 0}), q = numbers("rotation", {0, 0, 0, 1}),
                   s = numbers("scale", {1, 1, 1});
        Pose pose, moved;
        for (std::size_t i = 0; i < 12; ++i) pose.m[i % 3][i / 3] = m[i / 3 * 4 + i % 3];
        const double xx = q[0] * q[0], yy = q[1] * q[1], zz = q[2] * q[2], xy = q[0] * q[1], xz = q[0] * q[2],
                     yz = q[1] * q[2], xw = q[0] * q[3], yw = q[1] * q[3], zw = q[2] * q[3];
        const double turned[3][3] = {{1 - 2 * (yy + zz), 2 * (xy - zw), 2 * (xz + yw)},
                                     {2 * (xy + zw), 1 - 2 * (xx + zz), 2 * (yz - xw)},
                                     {2 * (xz - yw), 2 * (yz + xw), 1 - 2 * (xx + yy)}};
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) moved.m[i][j] = turned[i][j] * s[j];
            moved.m[i][3] = t[i];
        }
        return pose * moved;  // a node has the one or the other
    }

    void add_node(const json& index, const Pose& parent, int depth) {
        const json& node = element("nodes", index);
        if (!seen_.insert(index.get<std::size_t>()).second)
            fail(fmt::format("nodes[{}] has two parents, or is its own", brief(index)));
        if (depth == kMostSceneNesting) fail(fmt::format("its nodes nest deeper than {}", kMostSceneNesting));
        const Pose pose = parent * pose_of(node);
        if (node.contains("mesh")) {
            const json& mesh = element("meshes", node["mesh"]);
            const auto [place, is_new] = geometries_.try_emplace(node["mesh"].get<std::size_t>());
            if (is_new) read_mesh(mesh, place->second);
            std::string name = node.value("name", "");
            if (name.empty()) name = mesh.value("name", "");
            if (name.empty()) name = std::filesystem::path(name_).stem().string();
            show(place->second, pose, name, name_, file_);
        }
        for (const json& child : node.value("children", json::array())) add_node(child, pose, depth + 1);
    }

    void read_mesh(const json& mesh, Geometry& geometry) {
        for (const json& primitive : mesh.value("primitives", json::array())) {
            const std::size_t mode = number(primitive, "mode", 4);
            if (mode < 4 || mode > 6) continue;  // points and lines
            const Elements positions =
                elements(primitive.value("attributes", json::object()).value("POSITION", json()), "VEC3", true);
            const std::size_t first = geometry.positions.size();
            for (std::size_t i = 0; i < positions.count; ++i) {
                float p[3];
                std::memcpy(p, positions.data + i * positions.stride, sizeof p);
                geometry.positions.push_back({p[0], p[1], p[2]});
            }
            std::vector<std::uint32_t> corners(positions.count);
            for (std::size_t i = 0; i < corners.size(); ++i) corners[i] = std::uint32_t(first + i);
            if (primitive.contains("indices")) read_indices(primitive["indices"], positions.count, first, corners);
            if (corners.size() < 3) fail("a primitive has fewer than three corners");
            add_triangles(mode, corners, geometry);
        }
    }

    void read_indices(const json& accessor, std::size_t vertices, std::size_t first,
                      std::vector<std::uint32_t>& corners) {
        const Elements indices = elements(accessor, "SCALAR", false);
        corners.clear();
        for (std::size_t i = 0; i < indices.count; ++i) {
            std::uint32_t value = 0;  // little-endian
            std::memcpy(&value, indices.data + i * indices.stride,
                        indices.component == 5121   ? 1
                        : indices.component == 5123 ? 2
                                                    : 4);
            if (value >= vertices) fail("a triangle names a vertex that is not there");
            corners.push_back(std::uint32_t(first) + value);
        }
    }

    // A list, a strip or a fan.
    static void add_triangles(std::size_t mode, const std::vector<std::uint32_t>& c, Geometry& geometry) {
        for (std::size_t i = 2; i < c.size(); i += mode == 4 ? 3 : 1) {
            const std::size_t odd = mode == 5 ? i % 2 : 0;
            geometry.triangles.push_back({mode == 6 ? c[0] : c[i - 2 + odd], c[i - 1 - odd], c[i]});
        }
    }

    // Float vectors, or unsigned integers, all of them within their buffer.
    Elements elements(const json& index, const char* type, bool is_position) {
        const json& given = element("accessors", index);
        const std::size_t component = number(given, "componentType", 0), count = number(given, "count", 0),
                          offset = number(given, "byteOffset", 0);
        const bool is_unsigned = component == 5121 || component == 5123 || component == 5125;
        if (given.value("type", "") != type || !(is_position ? component == 5126 : is_unsigned) ||
            given.contains("sparse"))
            fail(fmt::format("accessors[{}] is no {} of {}, is sparse, or has the wrong componentType {}", brief(index),
                             type, is_position ? "floats" : "unsigned integers", component));
        const json& view = element("bufferViews", given.value("bufferView", json()));
        const json at = view.value("buffer", json());
        element("buffers", at);
        const std::string_view buffer = buffers_[at.get<std::size_t>()];
        const std::size_t size = is_position ? 12 : component == 5121 ? 1 : component == 5123 ? 2 : 4;
        const std::size_t begin = number(view, "byteOffset", 0), length = number(view, "byteLength", 0),
                          stride = number(view, "byteStride", size);
        if (begin + length > buffer.size()) fail("a bufferView is past the end of its buffer");
        if (stride < size) fail("a bufferView's byteStride is shorter than an element");
        if (count > 0 && offset + (count - 1) * stride + size > length)
            fail(fmt::format("accessors[{}] is past the end of its bufferView", brief(index)));
        return {buffer.data() + begin + offset, count, stride, component};
    }

    const std::string& name_;
    std::string_view binary_;
    std::unique_ptr<JsonText> parsed_;
    std::vector<std::unique_ptr<MappedFile>> files_;
    std::vector<std::unique_ptr<std::string>> decoded_;
    std::vector<std::string_view> buffers_;
    std::set<std::size_t> seen_;                  // nodes
    std::map<std::size_t, Geometry> geometries_;  // of meshes
    TriangleFile file_;
};

}  // namespace

TriangleFile read_gltf(std::string_view bytes, const std::string& name) {
    try {
        return GltfReader(bytes, name).run();
    } catch (const nlohmann::json::exception& error) {  // a value of another type than its key has
        throw InputError(fmt::format("{}: {}", name, error.what()));
    }
}

}  // namespace abut::tools
