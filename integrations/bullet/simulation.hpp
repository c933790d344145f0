// A scene under Bullet's rigid-body dynamics, with whichever narrow phase the caller brings.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "scene.hpp"

class btCollisionConfiguration;
class btCollisionDispatcher;
class btDiscreteDynamicsWorld;
class btRigidBody;

namespace abut::tools {

using MakeDispatcher = std::function<std::unique_ptr<btCollisionDispatcher>(btCollisionConfiguration*)>;

class Simulation {
public:
    // Without `make_dispatcher`: Bullet's own narrow phase. Bodies never sleep.
    explicit Simulation(const Scene& scene, const MakeDispatcher& make_dispatcher = {});
    ~Simulation();

    void step(double seconds);
    // Every body's pose; shapes as in the scene.
    std::vector<CaptureBody> bodies() const;
    // How deep (metres) each pair overlaps that the engine itself found to touch in the last step, ascending.
    std::vector<double> overlaps() const;

    btDiscreteDynamicsWorld& world();
    // Body i of the scene.
    btRigidBody& body(std::size_t i);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace abut::tools
