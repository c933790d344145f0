// Columns have no padding inside their rows, so that their bytes are their bits.
#include "result_bits.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace abut::tools {
namespace {

static_assert(sizeof(Vec3) == 12 && sizeof(Manifold) == 32 && sizeof(Contact) == 20, "rows without padding");

struct Column {
    const char* name;
    std::span<const std::byte> bytes;
    std::size_t row_bytes;
};

template <class T>
Column column(const char* name, const std::vector<T>& rows) {
    return {name, std::as_bytes(std::span(rows)), sizeof(T)};
}

std::vector<Column> columns_of(const QueryResults& results, Query query) {
    const auto& [overlaps, distances, manifolds] = results;
    switch (query) {
        case Query::overlap: return {column("bits", overlaps.bits), column("status", overlaps.status)};
        case Query::distance:
            return {column("signed_distance", distances.signed_distance), column("normal", distances.normal),
                    column("point_a", distances.point_a), column("point_b", distances.point_b),
                    column("status", distances.status)};
        case Query::collide: break;
    }
    return {column("first_manifold", manifolds.first_manifold), column("manifolds", manifolds.manifolds),
            column("contacts", manifolds.contacts), column("status", manifolds.status)};
}

std::size_t first_different_byte(std::span<const std::byte> a, std::span<const std::byte> b) {
    return std::size_t(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

// first[i] <= item < first[i + 1]
std::size_t owner_of(const std::vector<std::uint32_t>& first, std::size_t item) {
    const auto after = std::upper_bound(first.begin(), first.end(), item);
    return after == first.begin() ? 0 : std::size_t(after - first.begin()) - 1;
}

std::size_t pair_of(const QueryResults& results, const Column& in, std::size_t byte) {
    const std::size_t row = byte / in.row_bytes;
    const std::string_view name = in.name;
    if (name == "bits") return byte * 8;  // the first of the byte's eight; narrowed down by the caller
    if (name == "first_manifold") return row > 0 ? row - 1 : 0;
    if (name == "manifolds") return owner_of(results.manifolds.first_manifold, row);
    if (name == "contacts") {
        const auto& manifolds = results.manifolds.manifolds;
        const auto after =
            std::upper_bound(manifolds.begin(), manifolds.end(), row,
                             [](std::size_t contact, const Manifold& m) { return contact < m.first_contact; });
        return after == manifolds.begin() ? 0 : std::prev(after)->pair;
    }
    return row;
}

}  // namespace

const char* to_string(Query query) {
    switch (query) {
        case Query::overlap: return "overlap";
        case Query::distance: return "distance";
        case Query::collide: break;
    }
    return "collide";
}

std::span<const Status> QueryResults::status(Query query) const {
    switch (query) {
        case Query::overlap: return overlaps.status;
        case Query::distance: return distances.status;
        case Query::collide: break;
    }
    return manifolds.status;
}

void Checksum::add_column(std::span<const std::byte> bytes) {
    add_long(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(4, bytes.size() - i));
        add(word);
    }
}

std::uint64_t checksum(const QueryResults& results, Query query) {
    Checksum sum;
    for (const Column& in : columns_of(results, query)) sum.add_column(in.bytes);
    return sum.value();
}

std::optional<Difference> first_difference(const QueryResults& a, const QueryResults& b, Query query) {
    const std::vector<Column> in_a = columns_of(a, query), in_b = columns_of(b, query);
    for (std::size_t i = 0; i < in_a.size(); ++i) {
        const std::size_t byte = first_different_byte(in_a[i].bytes, in_b[i].bytes);
        if (byte == in_a[i].bytes.size() && byte == in_b[i].bytes.size()) continue;
        std::size_t pair = pair_of(a, in_a[i], byte);
        if (query == Query::overlap && i == 0) {
            while (a.overlaps.hit(pair) == b.overlaps.hit(pair)) ++pair;
        }
        return Difference{pair, in_a[i].name};
    }
    return std::nullopt;
}

}  // namespace abut::tools
