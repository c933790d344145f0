// Bullet 3.24: btDbvtBroadphase and bt32BitAxisSweep3. Pairs of two bodies at rest are filtered by groups, as its
// worlds do for static bodies.
#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <btBulletCollisionCommon.h>

#include "queries/boxes/rivals.hpp"

namespace abut::boxes {
namespace {

btVector3 of(const Vec3& v) { return {v.x, v.y, v.z}; }

struct Extent {
    btVector3 low{0, 0, 0}, high{0, 0, 0};
};

Extent extent_of(const BoxScene& scene) {
    Extent all;
    for (const Bounds& box : scene.bounds) all.low.setMin(of(box.min)), all.high.setMax(of(box.max));
    const btVector3 room = btScalar(0.1) * (all.high - all.low) + btVector3(1, 1, 1);
    return {all.low - room, all.high + room};
}

class Bullet final : public BroadRival {
public:
    Bullet(const char* name, std::unique_ptr<btBroadphaseInterface> broad, const BoxScene& scene)
        : name_(name), dispatcher_(&configuration_), broad_(std::move(broad)) {
        constexpr int kStatic = btBroadphaseProxy::StaticFilter, kAll = btBroadphaseProxy::AllFilter;
        for (std::size_t i = 0; i < scene.bounds.size(); ++i) {
            const bool moves = scene.moving.empty() || scene.moving[i] != 0;
            proxies_.push_back(broad_->createProxy(
                of(scene.bounds[i].min), of(scene.bounds[i].max), BOX_SHAPE_PROXYTYPE, &configuration_,
                moves ? int(btBroadphaseProxy::DefaultFilter) : kStatic, moves ? kAll : kAll ^ kStatic, &dispatcher_));
        }
    }
    ~Bullet() override {
        for (btBroadphaseProxy* proxy : proxies_) broad_->destroyProxy(proxy, &dispatcher_);
    }
    const char* name() const override { return name_; }
    std::size_t run(const BoxScene& scene, std::span<const std::uint32_t> moved) override {
        for (const std::uint32_t i : moved)
            broad_->setAabb(proxies_[i], of(scene.bounds[i].min), of(scene.bounds[i].max), &dispatcher_);
        broad_->calculateOverlappingPairs(&dispatcher_);
        return std::size_t(broad_->getOverlappingPairCache()->getNumOverlappingPairs());
    }

private:
    const char* name_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    std::unique_ptr<btBroadphaseInterface> broad_;
    std::vector<btBroadphaseProxy*> proxies_;
};

}  // namespace

std::unique_ptr<BroadRival> make_bullet_tree(const BoxScene& scene) {
    return std::make_unique<Bullet>("Bullet, tree", std::make_unique<btDbvtBroadphase>(), scene);
}

std::unique_ptr<BroadRival> make_bullet_sweep(const BoxScene& scene) {
    const Extent all = extent_of(scene);
    auto sweep = std::make_unique<bt32BitAxisSweep3>(all.low, all.high, static_cast<unsigned>(scene.bounds.size() + 1),
                                                     nullptr, true);
    return std::make_unique<Bullet>("Bullet, sweep", std::move(sweep), scene);
}

}  // namespace abut::boxes
