#include <cstring>

#include <abut/status.hpp>

namespace abut {

void Message::append(std::string_view part) {
    const std::size_t room = kMost - size_, count = part.size() < room ? part.size() : room;
    std::memcpy(text_ + size_, part.data(), count);
    size_ = std::uint8_t(size_ + count);
    if (count < part.size()) std::memcpy(text_ + kMost - 3, "...", 3);
    text_[size_] = '\0';
}

}  // namespace abut
