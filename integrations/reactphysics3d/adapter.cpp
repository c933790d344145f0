#include "adapter.hpp"

#include <algorithm>

namespace abut::react {
namespace {

using Info = engine::NarrowPhaseInfoBatch::NarrowPhaseInfo;

// What no call has used for so many calls is removed.
constexpr std::uint64_t kKeptCalls = 1024;

bool is_triangle(const engine::CollisionShape& shape) {
    return shape.getName() == engine::CollisionShapeName::TRIANGLE;
}
bool has_triangle(const Info& info) { return is_triangle(*info.collisionShape1) || is_triangle(*info.collisionShape2); }

// Relative to the position of the pair's first shape, so that a build of ReactPhysics3D in double loses nothing.
Body body_of(const engine::Transform& pose, const engine::Vector3& origin, ShapeId shape) {
    const engine::Quaternion& q = pose.getOrientation();
    return {to_abut(pose.getPosition() - origin), shape, {float(q.x), float(q.y), float(q.z), float(q.w)}};
}

engine::Vector3 to_engine(Vec3 v) { return {v.x, v.y, v.z}; }

}  // namespace

Adapter& Adapter::of_thread() {
    thread_local Adapter adapter;
    return adapter;
}

Adapter::Adapter() : narrow_({.speculative_margin = 0.0f}) {
    if (const CallResult result = narrow_.collide(Frame{&shapes_.store(), {}, {}}, manifolds_); !result)
        error_ = result.error();
}

void Adapter::forget() {
    kept_.clear(), caches_.clear(), free_caches_.clear();
    shapes_ = Shapes();
}

bool Adapter::test(engine::NarrowPhaseInfoBatch& batch, std::uint32_t first, std::uint32_t count) {
    shapes_.next_call(++call_, kKeptCalls);
    if (call_ % kKeptCalls == 0) remove_old();
    collect(batch, first, first + count);
    work_.tests += count, work_.pairs += pairs_.size();
    Frame frame{&shapes_.store(), bodies_, pairs_};
    frame.caches = caches_, frame.cache_indices = cache_indices_;
    if (const CallResult result = narrow_.collide(frame, manifolds_); !result) {
        error_ = result.error();
        return false;
    }
    bool any = false;
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) any |= write(batch, pair);
    return any;
}

// A concave shape's triangles that are near a convex shape follow each other in the batch: abut gets them as one
// surface, so that its edges between triangles stop nothing.
void Adapter::collect(engine::NarrowPhaseInfoBatch& batch, std::uint32_t first, std::uint32_t end) {
    bodies_.clear(), pairs_.clear(), cache_indices_.clear(), asked_.clear();
    for (std::uint32_t next = first; next < end;) {
        Asked asked = {next, next + 1};
        const Info& info = batch.narrowPhaseInfos[next];
        if (has_triangle(info)) {
            const auto continues = [&](const Info& other) {
                return other.overlappingPairId == info.overlappingPairId && has_triangle(other);
            };
            while (asked.end < end && continues(batch.narrowPhaseInfos[asked.end])) ++asked.end;
        }
        next = asked.end;
        Kept& kept = kept_of(info.overlappingPairId);
        const auto shape_of = [&](const engine::CollisionShape& shape) {
            return is_triangle(shape) ? surface_of(kept, batch, asked) : shapes_.find(shape);
        };
        const ShapeId a = shape_of(*info.collisionShape1), b = shape_of(*info.collisionShape2);
        const auto body = std::uint32_t(bodies_.size());
        const engine::Vector3& origin = info.shape1ToWorldTransform.getPosition();
        bodies_.push_back(body_of(info.shape1ToWorldTransform, origin, a));
        bodies_.push_back(body_of(info.shape2ToWorldTransform, origin, b));
        pairs_.push_back({body, body + 1});
        cache_indices_.push_back(kept.cache);
        asked_.push_back(asked);
    }
}

// Two pairs of a call never share what is kept, whatever numbers they have.
Adapter::Kept& Adapter::kept_of(std::uint64_t number) {
    Kept* kept = &kept_[number];
    while (kept->call == call_) kept = &kept_[++number];
    if (kept->call == 0) {
        if (free_caches_.empty()) free_caches_.push_back(std::uint32_t(caches_.size())), caches_.emplace_back();
        kept->cache = free_caches_.back(), free_caches_.pop_back();
        caches_[kept->cache] = {};
    }
    kept->call = call_;
    return *kept;
}

// A body at rest has the same triangles near it in each step.
ShapeId Adapter::surface_of(Kept& kept, const engine::NarrowPhaseInfoBatch& batch, const Asked& asked) {
    corners_.clear();
    for (std::uint32_t i = asked.first; i < asked.end; ++i) {
        const Info& info = batch.narrowPhaseInfos[i];
        const engine::CollisionShape& shape =
            is_triangle(*info.collisionShape1) ? *info.collisionShape1 : *info.collisionShape2;
        const auto& triangle = static_cast<const engine::TriangleShape&>(shape);
        for (engine::uint32 k = 0; k < 3; ++k) corners_.push_back(to_abut(triangle.getVertexPosition(k)));
    }
    if (corners_ == kept.corners) return kept.surface;
    kept.corners = corners_;
    return kept.surface = shapes_.add_surface(corners_, kept.surface);
}

// The contacts of a manifold stay together: all go to the test of the triangle that the deepest one is on.
bool Adapter::write(engine::NarrowPhaseInfoBatch& batch, std::size_t pair) {
    if (manifolds_.status[pair] != Status::ok) ++work_.failed;
    const Asked& asked = asked_[pair];
    const bool is_surface_first = is_triangle(*batch.narrowPhaseInfos[asked.first].collisionShape1);
    bool any = false;
    for (std::uint32_t m = manifolds_.first_manifold[pair]; m < manifolds_.first_manifold[pair + 1]; ++m) {
        const Manifold& manifold = manifolds_.manifolds[m];
        const std::uint32_t triangle = is_surface_first ? manifold.child_a : manifold.child_b;
        const std::uint32_t test = asked.first + triangle;
        Info& info = batch.narrowPhaseInfos[test];
        const engine::Transform of_1 = info.shape1ToWorldTransform.getInverse(),
                                of_2 = info.shape2ToWorldTransform.getInverse();
        const engine::Vector3 normal = to_engine(manifold.normal);
        for (std::uint32_t i = 0; i < manifold.contact_count; ++i) {
            const Contact& contact = manifolds_.contacts[manifold.first_contact + i];
            if (!(contact.separation < 0)) continue;
            any = info.isColliding = true;
            if (!info.reportContacts) continue;
            const engine::Vector3 half = normal * engine::decimal(contact.separation / 2),
                                  middle = info.shape1ToWorldTransform.getPosition() + to_engine(contact.position);
            batch.addContactPoint(test, normal, -contact.separation, of_1 * (middle - half), of_2 * (middle + half));
        }
    }
    return any;
}

void Adapter::remove_old() {
    std::erase_if(kept_, [&](const auto& entry) {
        const Kept& kept = entry.second;
        if (kept.call + kKeptCalls > call_) return false;
        free_caches_.push_back(kept.cache);
        shapes_.remove(kept.surface);
        return true;
    });
}

}  // namespace abut::react
