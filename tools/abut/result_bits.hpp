// A batch call's results as raw bits: one checksum over all of them, and where two results first differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <abut/results.hpp>

namespace abut::tools {

enum class Query { overlap, distance, collide };

const char* to_string(Query query);

// Of the three, the one that was asked for is filled.
struct QueryResults {
    Overlaps overlaps;
    Distances distances;
    Manifolds manifolds;

    std::span<const Status> status(Query query) const;
};

// 64 bits over words of 32: h = (h ^ word) * 0x9e3779b97f4a7c15, h ^= h >> 32. Fast, and every bit counts; not against
// forgery.
class Checksum {
public:
    void add(std::uint32_t word) {
        state_ = (state_ ^ word) * 0x9e3779b97f4a7c15u;
        state_ ^= state_ >> 32;
    }
    // The low word, then the high one.
    void add_long(std::uint64_t value) { add(std::uint32_t(value)), add(std::uint32_t(value >> 32)); }
    // A column: its length in bytes, then its bytes, four a word, little-endian, the last padded with zeros.
    void add_column(std::span<const std::byte> bytes);
    std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_ = 0xcbf29ce484222325u;
};

// Over every column in the order of abut/results.hpp, statuses last; Overlaps::hits, which follow from the bits, left
// out.
std::uint64_t checksum(const QueryResults& results, Query query);

struct Difference {
    std::size_t pair = 0;
    std::string column;
};

// The first column, and the first pair in it, in which the bits differ.
std::optional<Difference> first_difference(const QueryResults& a, const QueryResults& b, Query query);

}  // namespace abut::tools
