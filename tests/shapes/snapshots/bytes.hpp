// Bytes as a test changes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <abut/status.hpp>

#include "support/catch.hpp"

namespace abut::test {

using Bytes = std::vector<std::byte>;

template <class Written>
Bytes bytes_of(const Written& written) {
    Bytes bytes(written.byte_count());
    REQUIRE(!bytes.empty());
    REQUIRE(written.write(bytes) == bytes.size());
    return bytes;
}

// What was read, where it is good.
template <class Written>
Written taken(Expected<Written> read) {
    REQUIRE(read);
    return std::move(*read);
}

// As a forger would: with the checksum put right (FNV-1a of all but its own eight bytes, at 16).
inline void seal(Bytes& bytes) {
    std::uint64_t sum = 0xcbf29ce484222325u;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        if (i < 16 || i >= 24) sum = (sum ^ std::uint64_t(bytes[i])) * 0x100000001b3u;
    for (std::size_t i = 0; i < 8; ++i) bytes[16 + i] = std::byte(sum >> 8 * i & 0xff);
}

}  // namespace abut::test
