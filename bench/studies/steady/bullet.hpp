// Bullet's own narrow phase on the same frames: its dispatcher with a persistent manifold for each pair, which matches
// contacts by distance.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "studies/steady/configuration.hpp"

namespace abut::steady {

bool has_bullet();  // was found when this was configured

class BulletPairs {
public:
    BulletPairs();
    ~BulletPairs();
    BulletPairs(BulletPairs&&) noexcept;
    BulletPairs& operator=(BulletPairs&&) noexcept;

    void add(const Configuration& configuration);
    // Moves the upper bodies, a pose for each pair, and asks for contacts.
    void step(std::span<const Body> upper);
    // By pair: share of contacts that the manifold kept, with their impulses, mean over steps so far; negative where a
    // frame had none.
    std::vector<double> kept() const;

private:
    struct World;
    std::unique_ptr<World> world_;
};

}  // namespace abut::steady
