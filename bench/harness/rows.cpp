#include "harness/rows.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "scenes/scene.hpp"

#ifdef ABUT_BENCH_PILE
#include "harness/pile.hpp"
#endif

namespace abut::bench {
namespace {

constexpr const char* kPile = "pile";

Row row_of(scenes::Scene scene) {
    Row row;
    row.name = scene.name;
    row.shapes = std::make_shared<const ShapeStore>(std::move(scene.shapes));
    row.bodies = std::move(scene.bodies);
    row.pairs = std::move(scene.pairs);
    row.exact = std::move(scene.reference);
    return row;
}

}  // namespace

std::vector<std::string> row_names() {
    std::vector<std::string> names(scenes::row_names().begin(), scenes::row_names().end());
#ifdef ABUT_BENCH_PILE
    if (has_pile()) names.push_back(kPile);
#endif
    return names;
}

Row make_row(const std::string& name, std::size_t most_pairs) {
#ifdef ABUT_BENCH_PILE
    if (name == kPile) {
        static const Row pile = whole_pile();
        return most_pairs ? every_nth(pile, most_pairs) : pile;
    }
#endif
    return row_of(scenes::make_row(name, most_pairs ? most_pairs : scenes::kRowPairs));
}

const Row& kept_row(const std::string& name, std::size_t most_pairs) {
    static Row row;
    static std::size_t kept_pairs = 0;
    if (row.name != name || kept_pairs != most_pairs) row = make_row(name, most_pairs), kept_pairs = most_pairs;
    return row;
}

Row every_nth(const Row& row, std::size_t pairs) {
    if (pairs >= row.pairs.size()) return row;
    Row part = row;
    for (std::size_t i = 0; i < pairs; ++i) {
        const std::size_t from = i * row.pairs.size() / pairs;
        part.pairs[i] = row.pairs[from];
        part.exact[i] = row.exact[from];
    }
    return part.first(pairs);
}

Row tiled(const Row& row, std::size_t pairs) {
    Row out = row.first(pairs);
    while (out.pairs.size() < pairs) {
        const std::size_t count = std::min(row.pairs.size(), pairs - out.pairs.size());
        const auto first_body = std::uint32_t(out.bodies.size());
        out.bodies.insert(out.bodies.end(), row.bodies.begin(), row.bodies.end());
        for (std::size_t i = 0; i < count; ++i)
            out.pairs.push_back({first_body + row.pairs[i].a, first_body + row.pairs[i].b});
        out.exact.insert(out.exact.end(), row.exact.begin(), row.exact.begin() + std::ptrdiff_t(count));
    }
    return out;
}

const Row& kept_tiles(const std::string& name, std::size_t pairs) {
    static Row row;
    if (row.name != name || row.pairs.size() != pairs) row = tiled(kept_row(name), pairs);
    return row;
}

unsigned kind_of(const Row& row, std::size_t pair) {
    const auto a = unsigned(row.bodies[row.pairs[pair].a].shape.kind()),
               b = unsigned(row.bodies[row.pairs[pair].b].shape.kind());
    return std::min(a, b) * 16 + std::max(a, b);
}

Row sorted_by_kind(const Row& row) {
    std::vector<std::uint32_t> order(row.pairs.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto is_before = [&](std::uint32_t i, std::uint32_t j) { return kind_of(row, i) < kind_of(row, j); };
    std::stable_sort(order.begin(), order.end(), is_before);
    Row out = row;
    for (std::size_t i = 0; i < order.size(); ++i) {
        out.pairs[i] = row.pairs[order[i]];
        out.exact[i] = row.exact[order[i]];
    }
    return out;
}

}  // namespace abut::bench
