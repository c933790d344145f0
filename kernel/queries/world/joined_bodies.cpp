// See joined_bodies.hpp.
#include "queries/world/joined_bodies.hpp"

#include <cstddef>
#include <utility>

#include <abut/world.hpp>

namespace abut {

void JoinedBodies::add(const Bodies& from, std::size_t k) {
    records_.push_back(from[k]);
    if (has_doubles_) positions_.push_back(from.position(k));
}

void JoinedBodies::clear() { records_.clear(), positions_.clear(), pairs_.clear(); }

void JoinedBodies::join(const Bodies& first, const Bodies& second, std::span<const Pair> pairs) {
    clear();
    has_doubles_ = !first.columns().double_positions.empty() || !second.columns().double_positions.empty();
    Vector<std::uint32_t> joined = std::move(joined_);  // lost if an allocation fails here
    if (joined.size() < second.size()) joined.assign(second.size(), kNoBody);
    for (std::size_t i = 0; i < first.size(); ++i) add(first, i);
    for (const auto [a, b] : pairs) {
        if (joined[b] == kNoBody) joined[b] = static_cast<std::uint32_t>(records_.size()), add(second, b);
        pairs_.push_back({a, joined[b]});
    }
    for (const Pair& pair : pairs) joined[pair.b] = kNoBody;
    joined_ = std::move(joined);
}

void JoinedBodies::join_ends(const JoinedBodies& start, const Bodies& ends) {
    clear();
    has_doubles_ = start.has_doubles_ || !ends.columns().double_positions.empty();
    const Bodies from = start.bodies();
    for (std::size_t i = 0; i < from.size(); ++i) i < ends.size() ? add(ends, i) : add(from, i);
}

Bodies JoinedBodies::bodies() const {
    const Strided<Body> records(records_.data(), records_.size());
    if (!has_doubles_) return records;
    BodyColumns columns;
    columns.shapes = records.member<ShapeId>(offsetof(Body, shape));
    columns.orientations = records.member<Quat>(offsetof(Body, orientation));
    columns.double_positions = positions_;
    return columns;
}

}  // namespace abut
