// The lines of `abut query` that are answered in one call: rows, their bodies and pairs, and what the library answered.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "question.hpp"

namespace abut::tools {

inline constexpr std::uint32_t kNoPair = ~0u;
// Of the shapes that are kept from line to line, as their keys count it: bounds memory.
inline constexpr std::size_t kMaxShapeBytes = std::size_t(1) << 28;

struct Row {
    std::string id;  // as JSON
    std::size_t line = 0;
    std::uint32_t pair = kNoPair;
    const char* refused = nullptr;  // a status, where the pair was never asked
    std::string message;
};

// Adds each different shape once: cooking a hull costs far more than a query.
template <class Space>
class SharedShapes {
public:
    using ShapeStore = typename Space::ShapeStore;
    using ShapeId = typename Space::ShapeId;
    using Spec = typename Space::Spec;

    Expected<ShapeId> add(const Spec& spec) {
        std::string key = shape_key(spec);
        if (const auto known = ids_.find(key); known != ids_.end()) return known->second;
        Expected<ShapeId> id = add_shape(store_, spec);
        used_ += instances_of(spec);
        bytes_ += key.size();
        if (id) ids_.emplace(std::move(key), *id);
        return id;
    }
    // Whether many of the store's slots, and enough memory, are left.
    bool has_room() const { return used_ < ShapeId::kMaxSlots / 2 && bytes_ < kMaxShapeBytes; }
    // Between batches: makes room where a long input has used it up.
    void make_room() {
        if (has_room()) return;
        used_ = bytes_ = 0;
        ids_.clear();
        store_ = ShapeStore();
    }
    const ShapeStore& store() const { return store_; }

private:
    static std::size_t instances_of(const Spec& spec) {
        std::size_t count = 1;
        for (const auto& child : spec.children) count += instances_of(child.shape);
        return count;
    }

    ShapeStore store_;
    std::unordered_map<std::string, ShapeId> ids_;
    std::size_t used_ = 0, bytes_ = 0;
};

template <class Space>
struct Batch {
    std::vector<Row> rows;
    std::vector<typename Space::Body> bodies;
    std::vector<Pair> pairs;
    typename Space::Distances distances;
    typename Space::Manifolds manifolds;
    // Of casts:
    std::vector<typename Space::Body> ends;
    std::vector<float> targets;      // by pair
    std::vector<CastStart> starts;   // by pair
    typename Space::Casts casts[3];  // by CastStart
    // Of rays and points:
    std::vector<typename Space::Vector> origins, directions;  // by pair; of points the points, and nothing
    typename Space::RayHits rays;
    typename Space::PointDistances points;
    std::vector<PairTrace> distance_traces, manifold_traces;  // empty where they are not asked

    void clear() {
        rows.clear();
        bodies.clear();
        pairs.clear();
        ends.clear();
        targets.clear();
        starts.clear();
        origins.clear();
        directions.clear();
    }
    const auto& cast_of(std::uint32_t pair) const { return casts[int(starts[pair])]; }
};

// Adds the question of a line; a bad one becomes a row without a pair. For the spaces of spaces.hpp, as all of these.
template <class Space>
void add_row(Batch<Space>& batch, SharedShapes<Space>& shapes, QuestionIn<Space> question, QuestionKind kind,
             std::size_t line);

// Asks for all pairs of the batch. `trace`: with traces of distances and contacts.
template <class Space>
void ask(Batch<Space>& batch, const SharedShapes<Space>& shapes, typename Space::NarrowPhase& narrow, QuestionKind kind,
         bool trace);

}  // namespace abut::tools
