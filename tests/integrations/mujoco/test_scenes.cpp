// Simulations with the plug-in.
#include <cmath>
#include <string_view>
#include <thread>
#include <vector>

#include "plugin.hpp"
#include "scenes.hpp"
#include "support/catch.hpp"

using abut::mujoco::Plugin;
using namespace abut::tools;

namespace {

ModelPointer scene(std::string_view name) {
    for (const MujocoScene& each : mujoco_scenes()) {
        if (each.name == name) return load_model(each.xml(0.01));
    }
    return nullptr;
}

std::vector<mjtNum> positions_after(const mjModel& model, int steps) {
    const DataPointer data(mj_makeData(&model));
    for (int i = 0; i < steps; ++i) mj_step(&model, data.get());
    return {data->qpos, data->qpos + model.nq};
}

}  // namespace

TEST_CASE("a stack of 10 stands") {
    for (const char* geom :
         {"type='box' size='0.15 0.12 0.1'", "type='cylinder' size='0.15 0.1'", "type='mesh' mesh='prism6'"}) {
        INFO(geom);
        const ModelPointer model = load_model(stack_xml(geom, 10, 0.01));
        Plugin plugin;
        REQUIRE(plugin.add(*model));
        const std::vector<mjtNum> start = positions_after(*model, 0), end = positions_after(*model, 500);
        for (std::size_t i = 0; i < start.size(); i += 7) {
            CHECK(std::hypot(start[i] - end[i], start[i + 1] - end[i + 1]) < 0.004);
            CHECK(std::fabs(start[i + 2] - end[i + 2]) < 0.01);  // MuJoCo's contacts are soft
        }
    }
}

// The pairs come from the step before, and a batch changes no answer.
TEST_CASE("a batch per step and a call per pair make the same simulation, bit for bit") {
    const ModelPointer model = scene("drop");
    std::vector<std::vector<mjtNum>> ends;
    for (const bool batch : {true, false}) {
        Plugin plugin({.batch = batch, .all_kinds = true});
        REQUIRE(plugin.add(*model));
        const DataPointer data(mj_makeData(model.get()));
        for (int i = 0; i < 150; ++i) mj_step(model.get(), data.get());
        ends.emplace_back(data->qpos, data->qpos + model->nq);
        const abut::mujoco::Work work = plugin.work(*data);
        CHECK((work.pairs > 5000 && work.contacts > 1000 && work.failed == 0));
        if (batch) {
            CHECK(work.alone < work.pairs / 20);
            CHECK(work.computed < work.pairs * 11 / 10);
        }
    }
    CHECK(ends[0] == ends[1]);
}

TEST_CASE("threads step their own data, and one thread several") {
    const ModelPointer model = scene("drop");
    Plugin plugin({.all_kinds = true});
    REQUIRE(plugin.add(*model));
    const std::vector<mjtNum> expected = positions_after(*model, 100);
    std::vector<mjtNum> ends[2];
    std::thread thread([&] { ends[0] = positions_after(*model, 100); });
    ends[1] = positions_after(*model, 100);
    thread.join();
    CHECK(ends[0] == expected);
    CHECK(ends[1] == expected);

    const DataPointer first(mj_makeData(model.get())), second(mj_makeData(model.get()));
    for (int i = 0; i < 100; ++i) mj_step(model.get(), first.get()), mj_step(model.get(), second.get());
    CHECK(std::vector<mjtNum>(first->qpos, first->qpos + model->nq) == expected);
    CHECK(std::vector<mjtNum>(second->qpos, second->qpos + model->nq) == expected);
    CHECK(plugin.work(*second).alone < plugin.work(*second).pairs / 20);
}
