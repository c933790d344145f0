#include "stacks.hpp"

#include <numbers>

#include "scenes/random.hpp"
#include "uneven.hpp"

namespace abut::solver {
namespace {

using scenes::Random;

constexpr double kPi = std::numbers::pi, kMass = 1000;
constexpr double degrees(double d) { return d * kPi / 180; }

Quatd about(const Vec3d& axis, double angle) {
    const Vec3d v = axis * std::sin(angle / 2);
    return {v.x, v.y, v.z, std::cos(angle / 2)};
}
Quatd yaw(double angle) { return about({0, 1, 0}, angle); }

// Two rings of `sides` corners each, the lower of radius `below`, the upper of radius `above`.
std::vector<Vec3> frustum(int sides, double below, double above, double half_height) {
    std::vector<Vec3> points;
    for (int i = 0; i < sides; ++i) {
        const double angle = 2 * kPi * i / sides, c = std::cos(angle), s = std::sin(angle);
        points.push_back({float(below * c), float(-half_height), float(below * s)});
        points.push_back({float(above * c), float(half_height), float(above * s)});
    }
    return points;
}

// `count` of one solid, each at rest on the one below; `turn(i)` is the yaw of the i-th.
using Turn = std::function<double(int)>;
void pile_up(World& world, const Solid& solid, int count, double height, const Turn& turn, double x = 0, double z = 0,
             double mass = kMass) {
    for (int i = 0; i < count; ++i) world.add(solid, mass, {x, (i + 0.5) * height, z}, yaw(turn(i)));
}
Turn aligned() {
    return [](int) { return 0.0; };
}
Turn turning(double angle) {
    return [angle](int i) { return angle * i; };
}
Turn alternating(double angle) {
    return [angle](int i) { return i % 2 ? angle : 0.0; };
}
Turn random_yaw(std::uint64_t seed) {
    return [random = Random(seed)](int) mutable { return random.uniform(-kPi, kPi); };
}

Solid unit_box(World& world) { return add_box(world.shapes, {0.5f, 0.5f, 0.5f}); }
Solid cylinder(World& world) { return add_cylinder(world.shapes, 0.5f, 0.5f); }
Solid prism(World& world, int sides) { return add_hull(world.shapes, frustum(sides, 0.5, 0.5, 0.5)); }

void grid_of_stacks(World& world, const Solid& solid) {
    const Turn turn = random_yaw(31);
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 10; ++j) pile_up(world, solid, 10, 1, turn, 2.0 * (i - 2), 2.0 * (j - 4.5));
}

void boxes_500(World& world) { grid_of_stacks(world, unit_box(world)); }
void prisms_500(World& world) { grid_of_stacks(world, prism(world, 12)); }

void pyramid(World& world) {
    const Solid box = unit_box(world);
    for (int row = 0; row < 10; ++row)
        for (int i = 0; i < 10 - row; ++i) world.add(box, kMass, {1.02 * (i - 0.5 * (9 - row)), row + 0.5, 0});
}

// Hexagonal prisms, corner to corner, in a bond: each but the lowest stands on two.
void prism_wall(World& world) {
    const Solid hexagon = prism(world, 6);
    for (int row = 0; row < 6; ++row)
        for (int i = 0; i < 8 - row % 2; ++i)
            world.add(hexagon, kMass, {1.02 * (i - 0.5 * (7 - row % 2)), row + 0.5, 0});
}

// Ten capsules along z, ten along x on them, and so on, within four walls.
void capsule_crate(World& world, int layers) {
    const double radius = 0.1, half = 1.005, thick = 0.2;
    const Solid capsule = add_capsule(world.shapes, float(radius), 0.9f);
    const Solid wall = add_box(world.shapes, {float(half + 2 * thick), 1.0f, float(thick)});
    for (int side = 0; side < 4; ++side) {
        const double angle = side * kPi / 2, away = half + thick;
        world.add_static(wall.shape, {away * std::sin(angle), 1, away * std::cos(angle)}, yaw(angle));
    }
    for (int layer = 0; layer < layers; ++layer)
        for (int i = 0; i < 10; ++i) {
            const double aside = 2.001 * radius * (i - 4.5), y = radius * (2 * layer + 1);
            if (layer % 2)
                world.add(capsule, kMass, {0, y, aside}, about({0, 0, 1}, kPi / 2));
            else
                world.add(capsule, kMass, {aside, y, 0}, about({1, 0, 0}, kPi / 2));
        }
}

// Two planks crossed, one upon the other.
void crossed_planks(World& world) {
    const Solid along_x = add_box(world.shapes, {0.75f, 0.25f, 0.25f}),
                along_z = add_box(world.shapes, {0.25f, 0.25f, 0.75f});
    const Part parts[] = {{along_x, {0, -0.25f, 0}, {}}, {along_z, {0, 0.25f, 0}, {}}};
    pile_up(world, add_compound(world.shapes, parts), 8, 1, aligned());
}

// Boxes cut into two halves, each stack member turned by a right angle.
void halved_boxes(World& world) {
    const Solid half = add_box(world.shapes, {0.25f, 0.5f, 0.5f});
    const Part parts[] = {{half, {-0.25f, 0, 0}, {}}, {half, {0.25f, 0, 0}, {}}};
    pile_up(world, add_compound(world.shapes, parts), 8, 1, alternating(kPi / 2));
}

// Tents of two leaning cards, 3, 2 and 1 of them, with a board over each row.
void card_house(World& world) {
    const double length = 0.5, thick = 0.02, lean = degrees(20), pitch = 1.0;  // half of each but the pitch
    const double height = 2 * (length * std::cos(lean) + thick * std::sin(lean));
    const double aside = length * std::sin(lean) + thick * std::cos(lean);
    const Solid card = add_box(world.shapes, {float(thick), float(length), 0.35f});
    double floor = 0;
    for (int row = 0; row < 3; ++row) {
        const int tents = 3 - row;
        for (int i = 0; i < tents; ++i) {
            const double x = pitch * (i - 0.5 * (tents - 1));
            world.add(card, kMass, {x - aside, floor + height / 2, 0}, about({0, 0, 1}, -lean));
            world.add(card, kMass, {x + aside, floor + height / 2, 0}, about({0, 0, 1}, lean));
        }
        if (tents == 1) break;
        const Solid board = add_box(world.shapes, {float(0.5 * pitch * (tents - 1) + 0.2), float(thick), 0.35f});
        world.add(board, kMass, {0, floor + height + thick, 0});
        floor += height + 2 * thick;
    }
}

void small_tower(World& world) {
    pile_up(world, add_box(world.shapes, {0.005f, 0.005f, 0.005f}), 10, 0.01, aligned(), 0, 0, 1e-3);
}
void small_turned_tower(World& world) {
    pile_up(world, add_box(world.shapes, {0.005f, 0.005f, 0.005f}), 10, 0.01, turning(degrees(45)), 0, 0, 1e-3);
}

struct Scene {
    const char *name, *what;
    void (*build)(World&);
    double size = 1, mass = kMass;
    int substeps = 1;
    bool large = false;
};

const Scene kScenes[] = {
    {"boxes", "10 unit boxes, aligned", [](World& w) { pile_up(w, unit_box(w), 10, 1, aligned()); }},
    {"boxes-45", "10 unit boxes, yawed by 45 degrees in turn",
     [](World& w) { pile_up(w, unit_box(w), 10, 1, alternating(degrees(45))); }},
    {"boxes-random", "10 unit boxes with random yaw", [](World& w) { pile_up(w, unit_box(w), 10, 1, random_yaw(1)); }},
    {"cylinders-5", "5 coaxial cylinders", [](World& w) { pile_up(w, cylinder(w), 5, 1, aligned()); }},
    {"cylinders-10", "10 coaxial cylinders", [](World& w) { pile_up(w, cylinder(w), 10, 1, aligned()); }},
    {"prisms", "10 prisms of 12 sides, each yawed by 15 degrees more",
     [](World& w) { pile_up(w, prism(w, 12), 10, 1, turning(degrees(15))); }},
    {"prisms-random", "10 prisms of 12 sides with random yaw",
     [](World& w) { pile_up(w, prism(w, 12), 10, 1, random_yaw(2)); }},
    {"frusta", "10 frusta as hulls of 12 sides, random yaw",
     [](World& w) { pile_up(w, add_hull(w.shapes, frustum(12, 0.5, 0.4, 0.5)), 10, 1, random_yaw(3)); }},
    {"crate-2", "lying capsules in a crate, 2 layers that cross", [](World& w) { capsule_crate(w, 2); }, 0.2},
    {"crate-4", "lying capsules in a crate, 4 layers that cross", [](World& w) { capsule_crate(w, 4); }, 0.2},
    {"compounds-crossed", "8 compounds of two crossed planks", crossed_planks},
    {"compounds-halved", "8 boxes of two halves, a right angle between neighbours", halved_boxes, 1, kMass, 2},
    {"cards", "a card house of three storeys", card_house, 1, kMass, 2},
    {"prism-wall", "45 hexagonal prisms in a bond", prism_wall},
    {"pyramid", "55 unit boxes", pyramid},
    {"tower-1cm", "10 boxes of 1 cm, aligned", small_tower, 0.01, 1e-3, 10},
    {"tower-1cm-45", "10 boxes of 1 cm, each yawed by 45 degrees more", small_turned_tower, 0.01, 1e-3, 10},
    {"boxes-500", "50 stacks of 10 unit boxes with random yaw", boxes_500, 1, kMass, 1, true},
    {"prisms-500", "50 stacks of 10 prisms of 12 sides with random yaw", prisms_500, 1, kMass, 1, true},
};

void add_halfspace_ground(World& world) { world.add_static(*world.shapes.add_halfspace({0, 1, 0}, 0), {}); }
void add_box_ground(World& world, double size) {
    const float half = float(20 * size);
    world.add_static(*world.shapes.add_box({half, half / 20, half}), {0, -double(half / 20), 0});
}

void add_mesh_ground(World& world, double size) {
    const Triangles ground = flat_triangles(48, 48, float(0.37 * size));
    world.add_static(*world.shapes.add_mesh(ground.vertices, ground.triangles), {});
}

void add_field_ground(World& world, double size) {
    constexpr std::uint32_t kSide = 48;
    const float step = float(0.43 * size);
    const std::vector<float> heights(kSide * kSide, 0.0f);
    const double half = 0.5 * double(step) * (kSide - 1);
    world.add_static(*world.shapes.add_heightfield(heights, kSide, kSide, {}, {.spacing_x = step, .spacing_z = step}),
                     {-half, 0, -half});
}

std::vector<Stack> make_stacks() {
    std::vector<Stack> all;
    for (const Scene& scene : kScenes) {
        const auto add = [&](const char* ground, bool on_triangles, std::function<void(World&)> build) {
            Stack stack;
            stack.name = std::string(scene.name) + ground, stack.what = scene.what;
            stack.size = scene.size, stack.mass = scene.mass, stack.substeps = scene.substeps;
            stack.large = scene.large, stack.on_triangles = on_triangles;
            stack.build = [&scene, build = std::move(build)](World& world) {
                build(world);
                scene.build(world);
            };
            all.push_back(std::move(stack));
        };
        const double unit = scene.size < 0.1 ? scene.size : 1.0;
        add("/halfspace", false, add_halfspace_ground);
        add("/box", false, [unit](World& world) { add_box_ground(world, unit); });
        if (scene.large) continue;
        add("/mesh", true, [unit](World& world) { add_mesh_ground(world, unit); });
        add("/heightfield", true, [unit](World& world) { add_field_ground(world, unit); });
    }
    for (Stack& stack : uneven_stacks()) all.push_back(std::move(stack));
    return all;
}

}  // namespace

// A contact that carries n bodies gives by 2 n g / (2 pi hertz)^2: 5 mm at the foot of ten at 30 Hz. A tower of 1 cm
// boxes buckles unless it gives as little for its size; in a step without contact it falls by a quarter of a box, which
// the margin must bridge.
WorldSettings Stack::adjusted(WorldSettings settings) const {
    settings.substeps *= substeps;
    if (friction > 0) settings.friction = friction;
    settings.margin_of_motion = falls;
    if (size >= 0.1) return settings;
    settings.contact_hertz *= 0.1 / size;
    settings.margin *= 10 * float(size);
    return settings;
}

Triangles flat_triangles(std::uint32_t rows, std::uint32_t columns, float step) {
    Triangles out;
    const auto add = [&](float row, float column) {
        out.vertices.push_back({step * (column - 0.5f * float(columns)), 0, step * (row - 0.5f * float(rows))});
        return std::uint32_t(out.vertices.size() - 1);
    };
    const auto corner = [&](std::uint32_t row, std::uint32_t column) { return row * (columns + 1) + column; };
    for (std::uint32_t r = 0; r <= rows; ++r)
        for (std::uint32_t c = 0; c <= columns; ++c) add(float(r), float(c));
    for (std::uint32_t r = 0; r < rows; ++r) {
        for (std::uint32_t c = 0; c < columns; ++c) {
            std::vector<std::uint32_t> around = {corner(r, c), corner(r + 1, c), corner(r + 1, c + 1),
                                                 corner(r, c + 1)};
            const std::uint32_t first =
                (r + 2 * c) % 5 == 0 ? around[(r + c) % 4] : add(float(r) + 0.6f, float(c) + 0.4f);
            if ((r + c) % 3 == 0) around.insert(around.begin() + 1, add(float(r) + 0.5f, float(c)));
            for (std::size_t k = 0; k < around.size(); ++k) {
                const std::uint32_t a = around[k], b = around[(k + 1) % around.size()];
                if (a != first && b != first) out.triangles.push_back({{first, a, b}});
            }
        }
    }
    return out;
}

const std::vector<Stack>& stacks() {
    static const std::vector<Stack> all = make_stacks();
    return all;
}

}  // namespace abut::solver
