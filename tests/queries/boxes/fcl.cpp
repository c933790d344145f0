// FCL 0.7: DynamicAABBTreeCollisionManager, in double, as packaged.
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/narrowphase/collision_object.h>

#include "queries/boxes/rivals.hpp"

namespace abut::boxes {
namespace {

struct Found {
    const BoxScene* scene;
    std::size_t pairs = 0;
};

std::size_t index_of(const fcl::CollisionObjectd* object) {
    return reinterpret_cast<std::size_t>(object->getUserData());
}

bool count_pair(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
    Found& found = *static_cast<Found*>(data);
    const std::vector<std::uint8_t>& moving = found.scene->moving;
    found.pairs += moving.empty() || moving[index_of(a)] != 0 || moving[index_of(b)] != 0;
    return false;
}

class Fcl final : public BroadRival {
public:
    explicit Fcl(const BoxScene& scene) {
        for (std::size_t i = 0; i < scene.bounds.size(); ++i) {
            const Bounds& box = scene.bounds[i];
            const auto shape = std::make_shared<fcl::Boxd>(double(box.max.x) - box.min.x, double(box.max.y) - box.min.y,
                                                           double(box.max.z) - box.min.z);
            objects_.push_back(std::make_unique<fcl::CollisionObjectd>(shape));
            objects_.back()->setUserData(reinterpret_cast<void*>(i));
            place(scene, i);
            all_.push_back(objects_.back().get());
        }
        manager_.registerObjects(all_);
        manager_.setup();
    }
    const char* name() const override { return "FCL, tree"; }
    std::size_t run(const BoxScene& scene, std::span<const std::uint32_t> moved) override {
        moved_.clear();
        for (const std::uint32_t i : moved) place(scene, i), moved_.push_back(all_[i]);
        if (moved.size() == all_.size())
            manager_.update();
        else if (!moved.empty())
            manager_.update(moved_);
        Found found{&scene};
        manager_.collide(&found, count_pair);
        return found.pairs;
    }

private:
    void place(const BoxScene& scene, std::size_t i) {
        const Bounds& box = scene.bounds[i];
        objects_[i]->setTranslation(0.5 * fcl::Vector3d(double(box.min.x) + box.max.x, double(box.min.y) + box.max.y,
                                                        double(box.min.z) + box.max.z));
        objects_[i]->computeAABB();
    }

    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
    std::vector<fcl::CollisionObjectd*> all_, moved_;
    fcl::DynamicAABBTreeCollisionManagerd manager_;
};

}  // namespace

std::unique_ptr<BroadRival> make_fcl_tree(const BoxScene& scene) { return std::make_unique<Fcl>(scene); }

}  // namespace abut::boxes
