// A glTF 2.0 document [Khronos 2021]: its JSON, whose indices are checked as they are used, and its buffers, which are the binary chunk, base64 in the
// text, or files beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "files.hpp"
#include "json_text.hpp"

namespace abut::tools {

// Elements of a buffer, within its bounds.
struct GltfAccessor {
    std::span<const std::byte> bytes;  // from the first element on
    std::size_t count = 0, stride = 0;
    std::uint32_t component = 0;  // glTF's number of the type: 5121, 5123, 5125 (unsigned of 1, 2, 4 bytes) or 5126 (float)
};

std::uint32_t word_at(std::span<const std::byte> bytes, std::size_t at);

class GltfDocument {
public:
    using json = nlohmann::json;

    explicit GltfDocument(const std::string& path);

    const json& root() const { return parsed_->value; }
    // An empty list where there is none.
    const json& list(const char* name) const;
    // The element of a list that an index names; `what` is the index's name in messages.
    const json& element(const char* name, const json& index, const char* what) const;
    std::size_t number(const json& value, const char* what) const;
    std::size_t number(const json& object, const char* key, std::size_t otherwise) const;
    // `items` components per element, which `type` stands for.
    GltfAccessor accessor(const json& index, const char* type, std::size_t items);
    // Throws InputError with the file's name.
    [[noreturn]] void fail(const std::string& what) const;

private:
    void read();
    std::span<const std::byte> buffer_bytes(const json& index);
    std::vector<std::byte> load(const std::string& uri) const;
    std::vector<std::byte> from_base64(std::string_view text) const;

    std::string path_;
    MappedFile file_;
    std::optional<JsonText> parsed_;
    std::span<const std::byte> binary_;
    std::vector<std::optional<std::vector<std::byte>>> loaded_;
};

}  // namespace abut::tools
