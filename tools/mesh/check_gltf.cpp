// glTF 2.0 [Khronos 2021]. assimp 5.2 reads past buffers that accessors leave, writes past sparse ones, and gives a
// binary file's JSON 4 GB where its length says so (each of 12 hangs in 3,000 changed files). It gets the document
// without what is not used here (materials, skins, animations, extensions) and with full paths of the buffers' files.
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

#include "checks.hpp"
#include "files.hpp"
#include "json_text.hpp"

namespace abut::tools {
namespace {

using nlohmann::json;

constexpr std::uint64_t kSizeLimit = (std::uint64_t(1) << 31) - 1;
constexpr std::size_t kMostCorners = std::size_t(1) << 26;  // of all nodes: a small file may show one mesh many times
constexpr int kMostNesting = 256;
constexpr std::uint32_t kMagic = 0x46546c67, kJson = 0x4e4f534a, kBinary = 0x004e4942;

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    return word;
}

void append_word(std::string& bytes, std::size_t word) {
    for (int i = 0; i < 4; ++i) bytes += char(word >> 8 * i & 0xff);
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

class GltfCheck {
public:
    GltfCheck(std::string_view bytes, const std::string& name) : name_(name) {
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

    CheckedGltf run() {
        json& root = parsed_->value;
        if (root.value("asset", json::object()).value("version", "").rfind("2.", 0) != 0)
            fail("its asset has no version 2");
        for (const json& needed : root.value("extensionsRequired", json::array()))
            if (const std::string word = brief(needed); word.find("compression") != word.npos)
                fail(fmt::format("it needs the extension {}", word));
        for (const char* unused : {"animations", "cameras", "extensions", "extensionsRequired", "extensionsUsed",
                                   "images", "materials", "skins"})
            root.erase(unused);
        for (std::size_t i = 0; i < root.value("buffers", json::array()).size(); ++i) check_buffer(i);
        for (const json& node : element("scenes", root.value("scene", json(0u))).value("nodes", json::array()))
            check_node(node, 0);
        if (triangles_ == 0) fail("has no triangles");
        return {document(), triangles_};
    }

private:
    struct Size {
        std::size_t corners = 0, triangles = 0;
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

    void check_buffer(std::size_t at) {
        json& buffer = element("buffers", at);
        const std::size_t length = number(buffer, "byteLength", 0);
        const std::string uri = buffer.value("uri", "");
        std::size_t size = length;  // assimp sees whether base64 has it
        if (!buffer.contains("uri")) {
            if (at == 0) uses_binary_ = true;
            size = at == 0 ? binary_.size() : 0;
        } else if (uri.rfind("data:", 0) == 0) {
            const std::size_t comma = uri.find(";base64,");
            const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
            if (comma == uri.npos || uri.find_first_not_of(digits, comma + 8) != uri.npos)
                fail("a buffer's data are not in base64");
            buffer["uri"] = "data:;base64," + uri.substr(comma + 8);
        } else {
            const std::string file = unescaped(uri);
            if (file.find("..") != file.npos || file.find_first_of(std::string_view(":\\\0", 3)) != file.npos ||
                file.rfind('/', 0) == 0)
                fail(fmt::format("a buffer is in \"{}\"; read are files beside this one", uri.substr(0, 80)));
            const std::string path = (std::filesystem::absolute(name_).parent_path() / file).string();
            try {
                size = MappedFile(path, kSizeLimit).bytes().size();
            } catch (const InputError& error) {
                fail(fmt::format("its buffer: {}", error.what()));
            }
            buffer["uri"] = path;
        }
        if (length == 0 || size < length)
            fail(fmt::format("buffers[{}] has {} bytes, but byteLength says {}", at, size, length));
    }

    void check_node(const json& index, int depth) {
        json& node = element("nodes", index);
        if (!seen_.insert(index.get<std::size_t>()).second)
            fail(fmt::format("nodes[{}] has two parents, or is its own", brief(index)));
        if (depth == kMostNesting) fail(fmt::format("its nodes nest deeper than {}", kMostNesting));
        for (const char* unused : {"camera", "extensions", "skin"}) node.erase(unused);
        for (const auto& [key, count] :
             {std::pair("matrix", 16u), {"rotation", 4u}, {"scale", 3u}, {"translation", 3u}}) {
            const json given = node.value(key, json(std::vector<int>(count)));
            const auto is_number = [](const json& value) { return value.is_number(); };
            if (!given.is_array() || given.size() != count || !std::all_of(given.begin(), given.end(), is_number))
                fail(fmt::format("a node's {} has not {} numbers", key, count));
        }
        std::string name = node.value("name", "");
        if (node.contains("mesh")) {
            json& mesh = element("meshes", node["mesh"]);
            if (name.empty()) name = mesh.value("name", "");
            const auto [place, is_new] = sizes_.try_emplace(node["mesh"].get<std::size_t>());
            if (is_new) place->second = check_mesh(mesh);
            corners_ += place->second.corners;
            triangles_ += place->second.triangles;
            if (corners_ > kMostCorners) fail(fmt::format("has more than {} vertices or corners", kMostCorners));
        }
        node["name"] = name.empty() ? std::filesystem::path(name_).stem().string() : name;
        for (const json& child : node.value("children", json::array())) check_node(child, depth + 1);
    }

    Size check_mesh(json& mesh) {
        Size size;
        json kept = json::array();
        for (const json& primitive : mesh.value("primitives", json::array())) {
            const std::size_t mode = number(primitive, "mode", 4);
            if (mode < 4 || mode > 6) continue;  // points and lines
            const json position = primitive.value("attributes", json::object()).value("POSITION", json());
            const std::size_t vertices = check_accessor(position, "VEC3", true);
            kept.push_back({{"mode", mode}, {"attributes", {{"POSITION", position}}}});
            std::size_t corners = vertices;
            if (primitive.contains("indices"))
                corners = check_accessor(kept.back()["indices"] = primitive["indices"], "SCALAR", false);
            if (corners < 3) fail("a primitive has fewer than three corners");
            size.corners += std::max(vertices, corners);
            size.triangles += mode == 4 ? corners / 3 : corners - 2;
        }
        mesh = {{"primitives", std::move(kept)}};
        return size;
    }

    // Returns how many elements it has: float vectors, or unsigned integers.
    std::size_t check_accessor(const json& index, const char* type, bool is_position) {
        const json& given = element("accessors", index);
        const std::size_t component = number(given, "componentType", 0), count = number(given, "count", 0),
                          offset = number(given, "byteOffset", 0);
        const bool is_unsigned = component == 5121 || component == 5123 || component == 5125;
        if (given.value("type", "") != type || !(is_position ? component == 5126 : is_unsigned) ||
            given.contains("sparse"))
            fail(fmt::format("accessors[{}] is no {} of {}, is sparse, or has the wrong componentType {}", brief(index),
                             type, is_position ? "floats" : "unsigned integers", component));
        const json& view = element("bufferViews", given.value("bufferView", json()));
        const json& buffer = element("buffers", view.value("buffer", json()));
        const std::size_t size = is_position ? 12 : component == 5121 ? 1 : component == 5123 ? 2 : 4;
        const std::size_t begin = number(view, "byteOffset", 0), length = number(view, "byteLength", 0),
                          stride = number(view, "byteStride", size);
        if (begin + length > number(buffer, "byteLength", 0)) fail("a bufferView is past the end of its buffer");
        if (stride < size) fail("a bufferView's byteStride is shorter than an element");
        if (count > 0 && offset + (count - 1) * stride + size > length)
            fail(fmt::format("accessors[{}] is past the end of its bufferView", brief(index)));
        return count;
    }

    std::string document() const {
        std::string text = parsed_->value.dump(), bytes = "glTF";
        if (!uses_binary_) return text;
        text.resize((text.size() + 3) / 4 * 4, ' ');
        for (const std::size_t word :
             {std::size_t(2), 28 + text.size() + binary_.size(), text.size(), std::size_t(kJson)})
            append_word(bytes, word);
        bytes += text;
        append_word(bytes, binary_.size());
        append_word(bytes, kBinary);
        return bytes.append(binary_);
    }

    const std::string& name_;
    std::string_view binary_;
    std::unique_ptr<JsonText> parsed_;
    std::set<std::size_t> seen_;         // nodes
    std::map<std::size_t, Size> sizes_;  // of meshes
    std::size_t corners_ = 0, triangles_ = 0;
    bool uses_binary_ = false;
};

}  // namespace

CheckedGltf check_gltf(std::string_view bytes, const std::string& name) {
    try {
        return GltfCheck(bytes, name).run();
    } catch (const nlohmann::json::exception& error) {  // a value of another type than its key has
        throw InputError(fmt::format("{}: {}", name, error.what()));
    }
}

}  // namespace abut::tools
