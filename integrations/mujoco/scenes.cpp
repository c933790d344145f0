#include "scenes.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <stdlib.h>
#include <unistd.h>

#include <fmt/format.h>

#include "../bullet/random.hpp"

namespace abut::tools {
namespace {

constexpr int kBodies = 100;
constexpr int kHulls = 8;  // different ones
enum class Mix { mixed, boxes, hulls };

// Vertices on an ellipsoid with radii of 0.1 to 0.2 m.
std::string hull_vertices(Random& random) {
    const double radii[] = {random.uniform(0.1, 0.2), random.uniform(0.1, 0.2), random.uniform(0.1, 0.2)};
    const int count = 8 + int(random.below(25));
    std::string text;
    for (int i = 0; i < count; ++i) {
        const double z = random.uniform(-1, 1), angle = random.uniform(0, 6.283185307179586), r = std::sqrt(1 - z * z);
        text += fmt::format("{:.6f} {:.6f} {:.6f} ", radii[0] * r * std::cos(angle), radii[1] * r * std::sin(angle),
                            radii[2] * z);
    }
    return text;
}

// A prism of 5 to 12 lateral faces, for stacks.
std::string prism_vertices(int corners) {
    std::string text;
    for (int i = 0; i < corners; ++i) {
        const double angle = 6.283185307179586 * i / corners;
        for (const char* z : {"-0.1", "0.1"})
            text += fmt::format("{:.6f} {:.6f} {} ", 0.15 * std::cos(angle), 0.15 * std::sin(angle), z);
    }
    return text;
}

std::string document(const std::string& assets, const std::string& bodies, double margin) {
    return fmt::format(
        "<mujoco><size nconmax=\"1500\" njmax=\"3000\"/>"
        "<option timestep=\"0.005\" jacobian=\"sparse\" cone=\"elliptic\" solver=\"Newton\" iterations=\"20\"><flag "
        "energy=\"enable\"/></option>"
        "<default><geom margin=\"{0}\" gap=\"{0}\" friction=\"0.8\"/></default>"
        "<asset>{1}</asset><worldbody><geom type=\"plane\" size=\"20 20 1\"/>{2}</worldbody></mujoco>",
        margin, assets, bodies);
}

std::string body(double x, double y, double z, const std::string& orientation, const std::string& geom) {
    return fmt::format("<body pos=\"{:.6f} {:.6f} {:.6f}\"><freejoint/><geom {} {} density=\"1000\"/></body>", x, y, z,
                       orientation, geom);
}

std::string random_orientation(Random& random) {
    return fmt::format("euler=\"{:.3f} {:.3f} {:.3f}\"", random.uniform(0, 360), random.uniform(0, 360),
                       random.uniform(0, 360));
}

std::string random_geom(Random& random, Mix mix) {
    const auto size = [&] { return random.uniform(0.08, 0.18); };
    const std::uint32_t kind = mix == Mix::boxes ? 0 : mix == Mix::hulls ? 1 : random.below(6);
    switch (kind) {
        case 0: return fmt::format("type=\"box\" size=\"{:.4f} {:.4f} {:.4f}\"", size(), size(), size());
        case 1: return fmt::format("type=\"mesh\" mesh=\"hull{}\"", random.below(kHulls));
        case 2: return fmt::format("type=\"cylinder\" size=\"{:.4f} {:.4f}\"", size(), size());
        case 3: return fmt::format("type=\"capsule\" size=\"{:.4f} {:.4f}\"", 0.7 * size(), size());
        case 4: return fmt::format("type=\"ellipsoid\" size=\"{:.4f} {:.4f} {:.4f}\"", size(), size(), size());
        default: return fmt::format("type=\"sphere\" size=\"{:.4f}\"", size());
    }
}

std::string hull_assets(Random& random) {
    std::string assets;
    for (int i = 0; i < kHulls; ++i)
        assets += fmt::format("<mesh name=\"hull{}\" vertex=\"{}\"/>", i, hull_vertices(random));
    return assets;
}

// Bodies fall into a box of planes, 1.5 by 1.5 m.
std::string pile(Mix mix, double margin) {
    Random random(7);
    const std::string assets = hull_assets(random);
    std::string bodies;
    for (const char* wall : {"pos=\"-0.75 0 0\" zaxis=\"1 0 0\"", "pos=\"0.75 0 0\" zaxis=\"-1 0 0\"",
                             "pos=\"0 -0.75 0\" zaxis=\"0 1 0\"", "pos=\"0 0.75 0\" zaxis=\"0 -1 0\""})
        bodies += fmt::format("<geom type=\"plane\" size=\"20 20 1\" {}/>", wall);
    for (int i = 0; i < kBodies; ++i) {
        const double x = 0.45 * (i % 3 - 1), y = 0.45 * (i / 3 % 3 - 1), z = 0.25 + 0.36 * (i / 9);
        bodies += body(x, y, z, random_orientation(random), random_geom(random, mix));
    }
    return document(assets, bodies, margin);
}

std::string drop(double margin) {
    Random random(8);
    const std::string assets = hull_assets(random);
    std::string bodies;
    for (int i = 0; i < kBodies; ++i)
        bodies +=
            body(0.7 * (i % 10), 0.7 * (i / 10), 0.4, random_orientation(random), random_geom(random, Mix::mixed));
    return document(assets, bodies, margin);
}

// 20 columns of 5 equal bodies, yawed at random: boxes, cylinders, prisms.
std::string stacks(double margin) {
    Random random(9);
    std::string assets, bodies;
    for (const int corners : {5, 6, 8, 12})
        assets += fmt::format("<mesh name=\"prism{}\" vertex=\"{}\"/>", corners, prism_vertices(corners));
    const std::string geoms[] = {"type=\"box\" size=\"0.15 0.12 0.1\"", "type=\"cylinder\" size=\"0.15 0.1\"",
                                 "type=\"mesh\" mesh=\"prism5\"",       "type=\"mesh\" mesh=\"prism6\"",
                                 "type=\"mesh\" mesh=\"prism8\"",       "type=\"mesh\" mesh=\"prism12\""};
    for (int i = 0; i < kBodies; ++i) {
        const std::string yaw = fmt::format("euler=\"0 0 {:.3f}\"", random.uniform(0, 360));
        bodies += body(1.0 * (i / 5 % 5), 1.0 * (i / 25), 0.1 + 0.2 * (i % 5), yaw,
                       geoms[std::size_t(i / 5) % std::size(geoms)]);
    }
    return document(assets, bodies, margin);
}

constexpr MujocoScene kScenes[] = {
    {"pile", "mixed bodies fall into a box of planes", [](double margin) { return pile(Mix::mixed, margin); }},
    {"boxes", "boxes fall into a box of planes", [](double margin) { return pile(Mix::boxes, margin); }},
    {"hulls", "meshes of 8 to 32 vertices fall into a box of planes",
     [](double margin) { return pile(Mix::hulls, margin); }},
    {"drop", "mixed bodies fall on a plane, each for itself", drop},
    {"stacks", "20 stacks of 5: boxes, cylinders, prisms", stacks},
};

}  // namespace

std::span<const MujocoScene> mujoco_scenes() { return kScenes; }

std::string stack_xml(const std::string& geom, int count, double margin) {
    std::string bodies;
    for (int i = 0; i < count; ++i) bodies += body(0, 0, 0.1 + 0.2 * i, fmt::format("euler=\"0 0 {}\"", 17 * i), geom);
    return document(fmt::format("<mesh name=\"prism6\" vertex=\"{}\"/>", prism_vertices(6)), bodies, margin);
}

ModelPointer load_model(const std::string& xml) {
    std::string name = (std::filesystem::temp_directory_path() / "abut-mujoco-XXXXXX").string();
    const int file = mkstemp(name.data());
    if (file < 0) throw std::runtime_error("cannot write a temporary file");
    std::ofstream(name) << xml;
    close(file);
    char error[1000] = "";
    ModelPointer model(mj_loadXML(name.c_str(), nullptr, error, sizeof error));
    std::filesystem::remove(name);
    if (!model) throw std::runtime_error(error);
    return model;
}

}  // namespace abut::tools
