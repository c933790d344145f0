// Answers through MuJoCo's table, and the table itself.
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "../../../integrations/bullet/random.hpp"
#include "plugin.hpp"
#include "scenes.hpp"
#include "solids.hpp"
#include "support/catch.hpp"
#include "support/oracle/manifold.hpp"

using abut::Contact;
using abut::Vec3;
using abut::mujoco::Plugin;
using namespace abut::tools;

namespace {

// In the order of MuJoCo's types: in a pair the first comes first.
const std::string kGeoms[] = {"type='plane' size='5 5 1'",       "type='sphere' size='0.2'",
                              "type='capsule' size='0.1 0.25'",  "type='ellipsoid' size='0.1 0.2 0.3'",
                              "type='cylinder' size='0.2 0.15'", "type='box' size='0.1 0.2 0.3'",
                              "type='mesh' mesh='wedge'"};
const std::string kMesh =
    "<mesh name='wedge' vertex='-0.2 -0.1 -0.1  0.3 -0.1 -0.1  0.3 0.2 -0.1  -0.2 0.2 -0.1  -0.2 0 0.2  0.1 0.05 "
    "0.25'/>";

std::string two_geoms(const std::string& a, const std::string& b, double margin) {
    return "<mujoco><default><geom margin='" + std::to_string(margin) + "'/></default><asset>" + kMesh +
           "</asset><worldbody>" + "<geom " + a + "/><body><freejoint/><geom " + b + "/></body></worldbody></mujoco>";
}

void set_random_orientation(Random& random, mjtNum* q) {
    for (int i = 0; i < 4; ++i) q[i] = random.uniform(-1, 1);
    mju_normalize4(q);
}

// The first geom, the world's, is anywhere. The second is put so that the two are `gap` apart along a direction, by
// their support planes.
void put(mjModel& model, mjData& data, Random& random, double gap, const abut::oracle::Solid& a,
         const abut::oracle::Solid& b) {
    model.geom_sameframe[0] = 0;
    set_random_orientation(random, model.geom_quat);
    for (int i = 0; i < 3; ++i) model.geom_pos[i] = random.uniform(-10, 10), data.qpos[i] = model.geom_pos[i];
    set_random_orientation(random, data.qpos + 3);
    mj_kinematics(&model, &data);
    const abut::oracle::Pose pose_a = pose_of(model, data, 0), pose_b = pose_of(model, data, 1);
    using abut::oracle::Vec3d;
    Vec3d direction = normalised(Vec3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)));
    if (model.geom_type[0] == mjGEOM_PLANE) direction = pose_a.rotation * Vec3d(0, 0, 1);
    const double distance = gap_along(a, pose_a, b, pose_b, direction);
    const Vec3d shift = direction * (gap - distance);
    data.qpos[0] += shift.x, data.qpos[1] += shift.y, data.qpos[2] += shift.z;
    mj_forward(&model, &data);
}

std::vector<Contact> contacts_of(const mjModel& model, const mjData& data) {
    const abut::oracle::Pose pose = pose_of(model, data, 0);
    std::vector<Contact> contacts;
    for (int i = 0; i < data.ncon; ++i) {
        const mjContact& c = data.contact[i];
        const Vec3 position{float(c.pos[0] - pose.position.x), float(c.pos[1] - pose.position.y),
                            float(c.pos[2] - pose.position.z)};
        contacts.push_back({position, float(c.dist), std::uint32_t(i)});
    }
    return contacts;
}

void check_kinds(const std::string& first, const std::string& second) {
    INFO(first << " and " << second);
    constexpr double kMargin = 0.05;
    const ModelPointer model = load_model(two_geoms(first, second, kMargin));
    Plugin plugin({.settings = {.contact_slack = 0, .executor = abut::serial_executor()}, .all_kinds = true});
    REQUIRE(plugin.add(*model));
    REQUIRE((plugin.knows(*model, 0) && plugin.knows(*model, 1)));
    const abut::oracle::Solid a = solid_of(*model, 0), b = solid_of(*model, 1);
    const DataPointer data(mj_makeData(model.get()));
    Random random(1);
    int touching = 0, apart = 0;
    for (int i = 0; i < 60; ++i) {
        put(*model, *data, random, random.uniform(-0.15, 0.05), a, b);
        const abut::oracle::Pose pose_a = pose_of(*model, *data, 0), pose_b = pose_of(*model, *data, 1);
        const double exact = signed_distance(a, pose_a, b, pose_b).signed_distance,
                     tolerance = abut::oracle::tolerance(a, b, exact);
        if (std::fabs(exact - kMargin) < tolerance) continue;
        REQUIRE((data->ncon > 0) == (exact < kMargin));
        if (data->ncon == 0) continue;
        (exact < 0 ? touching : apart) += 1;
        CHECK((data->contact[0].geom1 == 0 && data->contact[0].geom2 == 1));
        const mjtNum* const n = data->contact[0].frame;
        const auto verdict =
            check_manifold(a, pose_a, b, pose_b, float(kMargin), {float(n[0]), float(n[1]), float(n[2])},
                           contacts_of(*model, *data), exact, 0);
        INFO(verdict.what << " of pose " << i);
        CHECK(verdict.right());
    }
    CHECK((touching >= 5 && apart >= 2));
    CHECK((plugin.work(*data).pairs > 0 && plugin.work(*data).failed == 0));
}

std::vector<mjfCollision> table() {
    return {&mjCOLLISIONFUNC[0][0], &mjCOLLISIONFUNC[0][0] + mjNGEOMTYPES * mjNGEOMTYPES};
}

}  // namespace

TEST_CASE("every pair of kinds has right contacts through MuJoCo") {
    for (std::size_t second = 1; second < std::size(kGeoms); ++second) {
        for (std::size_t first = 0; first <= second; ++first) check_kinds(kGeoms[first], kGeoms[second]);
    }
}

TEST_CASE("the table is as before when the plug-in is gone") {
    const std::vector<mjfCollision> before = table();
    {
        const Plugin plugin;
        CHECK(plugin.error().code == abut::ErrorCode::none);
        CHECK(table() != before);
        CHECK(mjCOLLISIONFUNC[mjGEOM_SPHERE][mjGEOM_BOX] == before[mjGEOM_SPHERE * mjNGEOMTYPES + mjGEOM_BOX]);
        CHECK(mjCOLLISIONFUNC[mjGEOM_HFIELD][mjGEOM_BOX] == before[mjGEOM_HFIELD * mjNGEOMTYPES + mjGEOM_BOX]);
        const std::vector<mjfCollision> filled = table();
        {
            const Plugin second;
            CHECK(second.error().code == abut::ErrorCode::bad_argument);
        }
        CHECK(table() == filled);
    }
    CHECK(table() == before);
    const Plugin bad({.settings = {.speculative_margin = -1}});
    CHECK(bad.error().code != abut::ErrorCode::none);
    CHECK(table() == before);
}

TEST_CASE("contacts are found within the margin of the moment") {
    const ModelPointer model =
        load_model(two_geoms("type='box' size='0.1 0.1 0.1'", "type='box' size='0.1 0.1 0.1'", 0.01));
    Plugin plugin;
    REQUIRE(plugin.add(*model));
    const DataPointer data(mj_makeData(model.get()));
    const auto contacts = [&](double gap) {
        data->qpos[2] = 0.2 + gap;
        mj_forward(model.get(), data.get());
        return data->ncon;
    };
    CHECK(contacts(0.009) == 4);
    CHECK(contacts(0.011) == 0);
    model->geom_margin[0] = model->geom_margin[1] = 0.02;
    CHECK(contacts(0.011) == 4);
    model->geom_margin[0] = model->geom_margin[1] = 0.005;
    mj_forward(model.get(), data.get());  // at the same poses
    CHECK(data->ncon == 0);
    model->geom_margin[0] = model->geom_margin[1] = 0;
    CHECK(contacts(0.001) == 0);
    CHECK(contacts(-0.001) == 4);
    CHECK(std::fabs(data->contact[0].dist + 0.001) < 1e-6);
}

TEST_CASE("a model that was not added is MuJoCo's") {
    const ModelPointer model = load_model(two_geoms(kGeoms[5], kGeoms[6], 0.01));
    const DataPointer data(mj_makeData(model.get()));
    Plugin plugin;
    mj_forward(model.get(), data.get());
    CHECK(data->ncon > 0);
    CHECK((plugin.work(*data).pairs == 0 && !plugin.knows(*model, 0)));
    REQUIRE(plugin.add(*model));
    mj_forward(model.get(), data.get());
    CHECK(plugin.work(*data).pairs == 1);
    plugin.remove(*model);
    mj_forward(model.get(), data.get());
    CHECK((data->ncon > 0 && plugin.work(*data).pairs == 0));
}

TEST_CASE("a changed size counts after add") {
    const ModelPointer model =
        load_model(two_geoms("type='box' size='0.1 0.1 0.1'", "type='box' size='0.1 0.1 0.1'", 0));
    Plugin plugin;
    REQUIRE(plugin.add(*model));
    const DataPointer data(mj_makeData(model.get()));
    data->qpos[2] = 0.19;
    mj_forward(model.get(), data.get());
    REQUIRE(data->ncon > 0);
    CHECK(std::fabs(data->contact[0].dist + 0.01) < 1e-6);
    model->geom_size[2] = 0.12;
    REQUIRE(plugin.add(*model));
    mj_forward(model.get(), data.get());
    REQUIRE(data->ncon > 0);
    CHECK(std::fabs(data->contact[0].dist + 0.03) < 1e-6);
}

TEST_CASE("a geom that abut refuses is named, and MuJoCo's") {
    const ModelPointer model = load_model(two_geoms(kGeoms[4], kGeoms[5], 0));
    model->geom_size[3] = 1e30;
    Plugin plugin;
    const abut::CallResult result = plugin.add(*model);
    REQUIRE_FALSE(result);
    CHECK(result.error().message.contains("geom 1"));
    CHECK(
        (plugin.knows(*model, 0) && !plugin.knows(*model, 1) && !plugin.knows(*model, 2) && !plugin.knows(*model, -1)));
}
