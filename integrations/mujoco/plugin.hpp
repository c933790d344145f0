// abut inside MuJoCo: collision functions for convex geoms, in the table mjCOLLISIONFUNC.
//
//     abut::mujoco::Plugin plugin;  // fills the table; its destructor restores it
//     plugin.add(*model);           // cooks the model's geoms
//     mj_step(model, data);         // as before
//
// Planes, spheres, capsules, ellipsoids, cylinders, boxes and convex hulls of meshes are answered by abut. Pairs with
// other geoms, with geoms that abut refuses, and pairs of models that were not added are left to the functions that the
// table had.
//
// MuJoCo asks for one pair at a time; abut answers many pairs faster than one. The plug-in therefore predicts: the
// first pair whose geoms have moved begins a batch, which has this pair and the pairs that MuJoCo asked for recently.
// The rest of the step is read from a table. An answer is used only if both geoms have exactly the poses, and the pair
// the margin, for which it was computed, so a wrong prediction costs time and changes no answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include <mujoco/mujoco.h>

#include <abut/abut.hpp>

namespace abut::mujoco {

struct Options {
    // The margin is MuJoCo's, per pair. Without threads, because programs with MuJoCo run many simulations on threads
    // of their own.
    Settings settings = {.executor = serial_executor()};
    bool batch = true;  // false: one call per pair
    // MuJoCo has exact closed forms, which need no batch, for spheres, capsules and boxes on a plane, an ellipsoid on a
    // plane, and spheres and capsules with each other and with boxes. false: they stay in the table.
    bool all_kinds = false;
    bool warm_caches = false;  // keep abut's caches of pairs from step to step
};

// What has been done for one mjData on this thread since its first step.
struct Work {
    std::size_t pairs = 0;     // that MuJoCo asked for and abut answered
    std::size_t contacts = 0;  // in these answers
    std::size_t batches = 0;   // calls of abut for a new step
    std::size_t computed = 0;  // pairs in these calls
    std::size_t alone = 0;     // pairs that no batch had, in calls of their own
    std::size_t failed = 0;    // pairs that abut could not answer (a pose that is not finite), left to MuJoCo
};

class Batch;
struct Cooked;

// At most one exists at a time. Create, destroy, add and remove while no thread steps; step any number of mjData on any
// threads, each on one at a time.
class Plugin {
public:
    explicit Plugin(const Options& options = {});
    ~Plugin();
    Plugin(const Plugin&) = delete;
    Plugin& operator=(const Plugin&) = delete;

    // Why the table was not changed: another plug-in exists, or the settings cannot be met on this machine.
    const Error& error() const { return error_; }

    // Cooks the model's geoms. Call it again after a change of geom_size or of a mesh, and for each copy of a model. An
    // error names the first geom that abut refuses; such geoms are left to MuJoCo.
    CallResult add(const mjModel& model);
    // Before mj_deleteModel: another model may get the same address.
    void remove(const mjModel& model);
    // Whether abut answers for the geom.
    bool knows(const mjModel& model, int geom) const;
    // Of this thread; zeros for data that it has not stepped.
    Work work(const mjData& data) const;

    // For the table's functions. Returns the number of contacts, or -1 if the pair is left to the function found in the
    // table.
    template <class Contact>
    int collide(const mjModel& model, const mjData& data, Contact* contacts, int geom1, int geom2,
                mjtNum margin) const noexcept;
    mjfCollision found(int type1, int type2) const { return found_[type1][type2]; }

private:
    const Cooked* cooked(const mjModel& model) const;
    Batch* find_batch(const mjModel& model, const mjData& data) const;

    Options options_;
    Error error_;
    std::unordered_map<const mjModel*, std::unique_ptr<Cooked>> models_;
    std::uint64_t edition_ = 0;  // changes with the models: threads then forget what they have of them
    mjfCollision found_[mjNGEOMTYPES][mjNGEOMTYPES] = {};
};

}  // namespace abut::mujoco
