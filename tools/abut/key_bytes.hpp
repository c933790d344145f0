// Parts of the keys by which equal shapes are shared (shape_key).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace abut::tools {

inline void append_bytes(std::string& key, const void* data, std::size_t size) {
    key.append(static_cast<const char*>(data), size);
}

template <class T>
void append_list(std::string& key, const std::vector<T>& items) {
    const std::size_t count = items.size();
    append_bytes(key, &count, sizeof count);
    append_bytes(key, items.data(), count * sizeof(T));
}

}  // namespace abut::tools
