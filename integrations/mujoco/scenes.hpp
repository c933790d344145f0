// Scenes of 100 convex bodies as MuJoCo's models.
#pragma once

#include <memory>
#include <span>
#include <string>

#include <mujoco/mujoco.h>

namespace abut::tools {

struct MujocoScene {
    const char* name;
    const char* what;
    std::string (*xml)(double margin);
};
std::span<const MujocoScene> mujoco_scenes();

// A column of `count` equal geoms ("box", "cylinder", ...) of half height 0.1 m on a plane.
std::string stack_xml(const std::string& geom, int count, double margin);

struct DeleteModel {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
};
struct DeleteData {
    void operator()(mjData* data) const { mj_deleteData(data); }
};
using ModelPointer = std::unique_ptr<mjModel, DeleteModel>;
using DataPointer = std::unique_ptr<mjData, DeleteData>;

// Through a temporary file, which all versions of MuJoCo read. Throws std::runtime_error with MuJoCo's message.
ModelPointer load_model(const std::string& xml);

}  // namespace abut::tools
