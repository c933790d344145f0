#include "queries/boxes/box_scenes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace abut::boxes {

namespace {

using Random = std::mt19937_64;

// The same numbers from every standard library.
float uniform(Random& random, float low, float high) {
    return low + (high - low) * float(double(random() >> 11) * 0x1p-53);
}

Vec3 vector(Random& random, float low, float high) {
    const float x = uniform(random, low, high), y = uniform(random, low, high), z = uniform(random, low, high);
    return {x, y, z};
}

Bounds around(Vec3 centre, Vec3 half) {
    return {{centre.x - half.x, centre.y - half.y, centre.z - half.z},
            {centre.x + half.x, centre.y + half.y, centre.z + half.z}};
}

Vec3 half_edges(Random& random) { return vector(random, 0.25f, 0.75f); }

// Of a cube in which `count` boxes, whose edges are 1 m on average, overlap three others each.
float half_world(double count) { return float(0.5 * std::cbrt(count * 8.0 / 3.0)); }

void fill_uniform(Random& random, std::vector<Bounds>& boxes) {
    const float half = half_world(double(boxes.size()));
    for (Bounds& box : boxes) {
        const Vec3 centre = vector(random, -half, half);
        box = around(centre, half_edges(random));
    }
}

// Clusters are ten times as far apart as they are wide.
void fill_clustered(Random& random, std::vector<Bounds>& boxes) {
    constexpr std::size_t kCluster = 32;
    const float half = half_world(kCluster), world = 10 * half * std::cbrt(float(boxes.size()) / kCluster);
    Vec3 cluster;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (i % kCluster == 0) cluster = vector(random, -world, world);
        const Vec3 centre = vector(random, -half, half);
        boxes[i] = around({cluster.x + centre.x, cluster.y + centre.y, cluster.z + centre.z}, half_edges(random));
    }
    std::shuffle(boxes.begin(), boxes.end(), random);
}

void fill_flat(Random& random, std::vector<Bounds>& boxes) {
    const float half = 0.5f * std::sqrt(float(boxes.size()) * 4.0f / 3.0f);
    for (Bounds& box : boxes) {
        const Vec3 centre = {uniform(random, -half, half), uniform(random, -0.2f, 0.2f), uniform(random, -half, half)};
        box = around(centre, half_edges(random));
    }
}

// The pairs of two sizes grow with the cube of the larger one: most are of the few large boxes.
void fill_sizes(Random& random, std::vector<Bounds>& boxes) {
    const float half = 4.0f * half_world(double(boxes.size()));
    for (Bounds& box : boxes) {
        const Vec3 centre = vector(random, -half, half);
        const float edge = 0.01f * std::pow(1000.0f, uniform(random, 0.0f, 1.0f));
        const Vec3 shape = half_edges(random);
        box = around(centre, {shape.x * edge, shape.y * edge, shape.z * edge});
    }
}

bool overlap(const Bounds& a, const Bounds& b) {
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z &&
           b.min.z <= a.max.z;
}

bool is_good(const Bounds& box) { return box.min.x <= box.max.x && box.min.y <= box.max.y && box.min.z <= box.max.z; }

// In double, where the differences are exact; rounded outwards.
Bounds widened(const Boxes& boxes, std::size_t i) {
    const Bounds box = boxes.bounds[i];
    const double by = boxes.margins.empty() ? boxes.margin : boxes.margins[i];
    const auto down = [](double x) { return double(float(x)) > x ? std::nextafter(float(x), -INFINITY) : float(x); };
    const auto up = [](double x) { return double(float(x)) < x ? std::nextafter(float(x), INFINITY) : float(x); };
    if (by == 0) return box;
    return {{down(box.min.x - by), down(box.min.y - by), down(box.min.z - by)},
            {up(box.max.x + by), up(box.max.y + by), up(box.max.z + by)}};
}

bool meet(const Boxes& a, std::size_t i, const Boxes& b, std::size_t j) {
    const auto bits = [](const Strided<std::uint32_t>& column, std::size_t k) {
        return column.empty() ? ~0u : column[k];
    };
    const auto moves = [](const Boxes& boxes, std::size_t k) { return boxes.moving.empty() || boxes.moving[k] != 0; };
    if (!moves(a, i) && !moves(b, j)) return false;
    if ((bits(a.groups, i) & bits(b.masks, j)) == 0 || (bits(b.groups, j) & bits(a.masks, i)) == 0) return false;
    const Bounds first = widened(a, i), second = widened(b, j);
    return is_good(first) && is_good(second) && overlap(first, second);
}

}  // namespace

BoxScene make_scene(const std::string& name, std::size_t count, std::uint64_t seed) {
    Random random(seed);
    BoxScene scene = {name, std::vector<Bounds>(count)};
    if (name == "uniform" || name == "huge")
        fill_uniform(random, scene.bounds);
    else if (name == "clustered")
        fill_clustered(random, scene.bounds);
    else if (name == "flat")
        fill_flat(random, scene.bounds);
    else if (name == "sizes")
        fill_sizes(random, scene.bounds);
    else
        throw std::invalid_argument("no scene of boxes is named " + name);
    if (name == "huge" && count > 0) {
        const float half = 2 * half_world(double(count));
        scene.bounds[count / 2] = around({}, {half, half, half});
    }
    return scene;
}

void let_move(BoxScene& scene, double share, std::uint64_t seed) {
    Random random(seed);
    scene.moving.resize(scene.bounds.size());
    for (std::uint8_t& moves : scene.moving) moves = double(uniform(random, 0.0f, 1.0f)) < share;
}

void step(BoxScene& scene, float distance, std::uint64_t frame) {
    Random random(99);
    const float sign = frame / 16 % 2 == 0 ? 1.0f : -1.0f;
    for (std::size_t i = 0; i < scene.bounds.size(); ++i) {
        if (!scene.moving.empty() && scene.moving[i] == 0) continue;
        const Vec3 by = vector(random, -sign * distance, sign * distance);
        Bounds& box = scene.bounds[i];
        box.min = {box.min.x + by.x, box.min.y + by.y, box.min.z + by.z};
        box.max = {box.max.x + by.x, box.max.y + by.y, box.max.z + by.z};
    }
}

std::vector<Pair> all_pairs(const Boxes& boxes) {
    std::vector<Pair> pairs;
    for (std::uint32_t a = 0; a < boxes.bounds.size(); ++a)
        for (std::uint32_t b = a + 1; b < boxes.bounds.size(); ++b)
            if (meet(boxes, a, boxes, b)) pairs.push_back({a, b});
    return pairs;
}

std::vector<Pair> all_pairs(const Boxes& a, const Boxes& b) {
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < a.bounds.size(); ++i)
        for (std::uint32_t j = 0; j < b.bounds.size(); ++j)
            if (meet(a, i, b, j)) pairs.push_back({i, j});
    return pairs;
}

}  // namespace abut::boxes
