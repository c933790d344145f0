#include "view_frames.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace abut::tools {
namespace {

static_assert(std::endian::native == std::endian::little, "floats are written as they lie in memory");

void append_varint(std::string& out, std::uint32_t value) {
    for (; value >= 0x80; value >>= 7) out.push_back(char(value | 0x80));
    out.push_back(char(value));
}

void append_difference(std::string& out, std::uint32_t value, std::uint32_t previous) {
    const auto difference = std::int32_t(value - previous);
    append_varint(out, (std::uint32_t(difference) << 1) ^ std::uint32_t(difference >> 31));
}

void append_shapes(std::string& out, const std::vector<CaptureBody>& bodies, const std::vector<CaptureBody>& previous) {
    const bool are_same = std::equal(bodies.begin(), bodies.end(), previous.begin(), previous.end(),
                                     [](const CaptureBody& x, const CaptureBody& y) { return x.shape == y.shape; });
    append_varint(out, are_same);
    if (are_same) return;
    for (const CaptureBody& body : bodies) append_varint(out, body.shape);
}

// Where the previous frame has a pair.
class PairIndex {
public:
    explicit PairIndex(const std::vector<Pair>& pairs) : pairs_(pairs) {
        for (std::uint32_t i = 0; i < pairs.size(); ++i) at_.emplace(key(pairs[i]), i);
    }
    bool holds(const Pair& pair) const { return at_.contains(key(pair)); }
    std::uint32_t first(const Pair& pair) const { return at_.at(key(pair)); }
    // How many pairs from index `first` on are those from `begin` on.
    std::uint32_t same(std::uint32_t first, const Pair* begin, const Pair* end) const {
        std::uint32_t count = 0;
        for (;
             begin + count != end && first + count < pairs_.size() && key(begin[count]) == key(pairs_[first + count]);)
            ++count;
        return count;
    }

private:
    static std::uint64_t key(const Pair& pair) { return std::uint64_t(pair.a) << 32 | pair.b; }

    const std::vector<Pair>& pairs_;
    std::unordered_map<std::uint64_t, std::uint32_t> at_;
};

void append_pairs(std::string& out, const std::vector<Pair>& pairs, const PairIndex& index) {
    const Pair *at = pairs.data(), *const end = at + pairs.size();
    Pair last;
    for (std::uint32_t copied_end = 0; at != end;) {
        std::uint32_t copied = 0;
        if (index.holds(*at)) {
            const std::uint32_t first = index.first(*at);
            copied = index.same(first, at, end);
            append_varint(out, copied);
            append_difference(out, first, copied_end);
            copied_end = first + copied;
            at += copied;
            last = at[-1];
        } else {
            append_varint(out, 0);
        }
        const Pair* const next = std::find_if(at, end, [&](const Pair& pair) { return index.holds(pair); });
        append_varint(out, std::uint32_t(next - at));
        for (; at != next; last = *at++) {
            append_difference(out, at->a, last.a);
            append_difference(out, at->b, last.b);
        }
    }
}

// `of`: the floats of an item.
template <class Item, class Of>
void append_numbers(std::string& out, const std::vector<Item>& items, const std::vector<Item>& previous, const Of& of) {
    using Words = std::array<std::uint32_t, sizeof(of(items[0])) / 4>;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto words = std::bit_cast<Words>(of(items[i]));
        if (items.size() != previous.size()) {
            out.append(reinterpret_cast<const char*>(&words), sizeof words);
            continue;
        }
        const auto before = std::bit_cast<Words>(of(previous[i]));
        for (std::size_t k = 0; k < words.size(); ++k) append_difference(out, words[k], before[k]);
    }
}

}  // namespace

void append_frame(std::string& out, const ViewFrame& frame, const ViewFrame& previous) {
    append_shapes(out, frame.bodies, previous.bodies);
    append_pairs(out, frame.pairs, PairIndex(previous.pairs));
    append_numbers(out, frame.bodies, previous.bodies, [](const CaptureBody& body) { return body.position; });
    append_numbers(out, frame.bodies, previous.bodies, [](const CaptureBody& body) { return body.orientation; });
    append_varint(out, !frame.margins.empty());
    append_numbers(out, frame.margins, previous.margins, [](float margin) { return margin; });
}

}  // namespace abut::tools
