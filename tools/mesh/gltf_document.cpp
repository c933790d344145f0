#include "gltf_document.hpp"

#include <string_view>

#include <fmt/format.h>

namespace abut::tools {
namespace {

using nlohmann::json;
using Bytes = std::vector<std::byte>;

constexpr std::uint64_t kFileLimit = (std::uint64_t(1) << 31) - 1;

std::string brief(const json& value) { return value.dump(-1, ' ', true, json::error_handler_t::replace).substr(0, 60); }

std::string unescaped(const std::string& uri) {
    const auto digit = [](char c) { return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1; };
    std::string out;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        const bool is_escape = uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0;
        out += is_escape ? char(16 * digit(uri[i + 1]) + digit(uri[i + 2])) : uri[i];
        if (is_escape) i += 2;
    }
    return out;
}

}  // namespace

std::uint32_t word_at(std::span<const std::byte> bytes, std::size_t at) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i) word |= std::uint32_t(bytes[at + i]) << 8 * i;
    return word;
}

GltfDocument::GltfDocument(const std::string& path) : path_(path), file_(path, kFileLimit) { read(); }

void GltfDocument::fail(const std::string& what) const { throw InputError(fmt::format("{}: {}", path_, what)); }

void GltfDocument::read() {
    const std::span<const std::byte> bytes = file_.bytes();
    if (bytes.empty()) fail("is empty");
    const auto text_of = [](std::span<const std::byte> part) { return std::string(reinterpret_cast<const char*>(part.data()), part.size()); };
    constexpr std::uint32_t kMagic = 0x46546c67, kJson = 0x4e4f534a, kBinary = 0x004e4942;
    std::string text;
    if (bytes.size() >= 20 && word_at(bytes, 0) == kMagic) {
        if (word_at(bytes, 4) != 2) fail(fmt::format("is glTF version {}, but read is version 2", word_at(bytes, 4)));
        if (word_at(bytes, 8) > bytes.size()) fail("is cut short");
        const std::size_t length = word_at(bytes, 12);
        if (word_at(bytes, 16) != kJson || length > bytes.size() - 20) fail("its first chunk is no JSON, or is cut short");
        text = text_of(bytes.subspan(20, length));
        const std::span<const std::byte> rest = bytes.subspan(20 + length);
        if (rest.size() >= 8 && word_at(rest, 4) == kBinary) {
            if (word_at(rest, 0) > rest.size() - 8) fail("its binary chunk is cut short");
            binary_ = rest.subspan(8, word_at(rest, 0));
        }
    } else {
        text = without_byte_order_mark(text_of(bytes));
    }
    parsed_.emplace(parse_json(text));
    if (!parsed_->error.empty()) fail(fmt::format("is no JSON: {}", parsed_->error));
    if (!root().is_object()) fail("is no glTF: its JSON is no object");
}

const json& GltfDocument::list(const char* name) const {
    static const json none = json::array();
    const auto found = root().find(name);
    if (found == root().end()) return none;
    if (!found->is_array()) fail(fmt::format("{} is no list", name));
    return *found;
}

const json& GltfDocument::element(const char* name, const json& index, const char* what) const {
    const json& all = list(name);
    const std::size_t at = number(index, what);
    if (at >= all.size()) fail(fmt::format("{} is {}, but there are {} {}", what, at, all.size(), name));
    if (!all[at].is_object()) fail(fmt::format("{}[{}] is no object", name, at));
    return all[at];
}

std::size_t GltfDocument::number(const json& value, const char* what) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kFileLimit)
        fail(fmt::format("{} is {}, which is no index or size", what, brief(value)));
    return value.get<std::size_t>();
}

std::size_t GltfDocument::number(const json& object, const char* key, std::size_t otherwise) const {
    const auto found = object.find(key);
    return found == object.end() ? otherwise : number(*found, key);
}

std::span<const std::byte> GltfDocument::buffer_bytes(const json& index) {
    const json& buffer = element("buffers", index, "buffer");
    const std::size_t at = index.get<std::size_t>(), length = number(buffer, "byteLength", 0);
    if (loaded_.size() < list("buffers").size()) loaded_.resize(list("buffers").size());
    std::span<const std::byte> bytes;
    if (const auto uri = buffer.find("uri"); uri == buffer.end()) {
        bytes = binary_;
    } else {
        if (!uri->is_string()) fail(fmt::format("buffers[{}].uri is no text", at));
        if (!loaded_[at]) loaded_[at] = load(uri->get<std::string>());
        bytes = *loaded_[at];
    }
    if (bytes.size() < length) fail(fmt::format("buffer {} has {} bytes, but byteLength says {}", at, bytes.size(), length));
    return bytes.first(length);
}

Bytes GltfDocument::load(const std::string& uri) const {
    if (uri.rfind("data:", 0) == 0) {
        const std::size_t comma = uri.find(";base64,");
        if (comma == std::string::npos) fail("a buffer's data are not in base64");
        return from_base64(std::string_view(uri).substr(comma + 8));
    }
    const std::string name = unescaped(uri);
    const bool is_beside = name.find("..") == std::string::npos && name.find(':') == std::string::npos && name.rfind('/', 0) != 0 &&
                           name.find('\0') == std::string::npos;
    if (!is_beside) fail(fmt::format("a buffer is in \"{}\"; read are files beside this one", uri.substr(0, 80)));
    const std::size_t slash = path_.find_last_of('/');
    try {
        const MappedFile beside((slash == std::string::npos ? "" : path_.substr(0, slash + 1)) + name, kFileLimit);
        return {beside.bytes().begin(), beside.bytes().end()};
    } catch (const InputError& error) {
        fail(fmt::format("its buffer: {}", error.what()));
    }
}

Bytes GltfDocument::from_base64(std::string_view text) const {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    Bytes bytes;
    std::uint32_t bits = 0, count = 0;
    while (!text.empty() && text.back() == '=') text.remove_suffix(1);
    for (const char c : text) {
        const std::size_t digit = kDigits.find(c);
        if (digit == std::string_view::npos) fail("a buffer's base64 has another character");
        bits = bits << 6 | std::uint32_t(digit);
        if (++count % 4 == 1) continue;
        bytes.push_back(std::byte(bits >> (6 - 2 * ((count - 1) % 4)) & 0xff));
    }
    return bytes;
}

GltfAccessor GltfDocument::accessor(const json& index, const char* type, std::size_t items) {
    const json& given = element("accessors", index, "accessor");
    if (given.value("type", "") != type)
        fail(fmt::format("accessor {} is of type {}, but {} is needed", brief(index), brief(given.value("type", json())), type));
    if (given.contains("sparse")) fail(fmt::format("accessor {} is sparse, which is not read", brief(index)));
    GltfAccessor found;
    found.component = std::uint32_t(number(given, "componentType", 0));
    if (found.component != 5121 && found.component != 5123 && found.component != 5125 && found.component != 5126)
        fail(fmt::format("accessor {} has componentType {}; read are 5121, 5123, 5125 and 5126", brief(index), found.component));
    found.count = number(given, "count", 0);
    const std::size_t size = items * (found.component == 5121 ? 1 : found.component == 5123 ? 2 : 4);
    if (!given.contains("bufferView")) fail(fmt::format("accessor {} has no bufferView", brief(index)));
    const json& view = element("bufferViews", given["bufferView"], "bufferView");
    if (!view.contains("buffer")) fail("a bufferView has no buffer");
    const std::span<const std::byte> buffer = buffer_bytes(view["buffer"]);
    const std::size_t begin = number(view, "byteOffset", 0), length = number(view, "byteLength", 0), offset = number(given, "byteOffset", 0);
    found.stride = number(view, "byteStride", size);
    if (begin > buffer.size() || length > buffer.size() - begin) fail("a bufferView is past the end of its buffer");
    if (found.stride < size) fail("a bufferView's byteStride is shorter than an element");
    const bool fits = found.count == 0 || (offset <= length && size <= length - offset && found.count - 1 <= (length - offset - size) / found.stride);
    if (!fits) fail(fmt::format("accessor {} is past the end of its bufferView", brief(index)));
    found.bytes = buffer.subspan(begin + offset, found.count == 0 ? 0 : (found.count - 1) * found.stride + size);
    return found;
}

}  // namespace abut::tools
