// For authors of 2D games: a step of an engine in the plane, with impulses kept by feature ids [Catto 2006]. A pyramid
// must stand on a chain, and a box must slide over the chain's joints without a bump; else the program fails.

#include <abut/d2.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

namespace d2 = abut::d2;
using d2::Vec2;

static Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
static Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
static Vec2 operator*(Vec2 a, float s) { return {a.x * s, a.y * s}; }
static float dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
static float cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }

constexpr float kStep = 1.0f / 60, kGravity = 9.81f, kSlop = 0.005f;
constexpr int kRows = 10, kSteps = 600, kIterations = 20;
struct Mover {
    Vec2 velocity;
    float spin = 0, angle = 0, inverse_mass = 0, inverse_inertia = 0, friction = 0.6f;

    Vec2 velocity_at(Vec2 arm) const { return velocity + Vec2{-arm.y, arm.x} * spin; }
    void push(Vec2 arm, Vec2 impulse) {
        velocity = velocity + impulse * inverse_mass, spin += inverse_inertia * cross(arm, impulse);
    }
};
// Between two bodies at a point; `impulse` is along the normal and along its left turn.
struct Constraint {
    Mover *a, *b;
    Vec2 normal, arm_a, arm_b;
    float bias, friction;
    Vec2* impulse;

    Vec2 velocity() const { return b->velocity_at(arm_b) - a->velocity_at(arm_a); }
    float inverse_mass(Vec2 along) const {
        const float of_a = cross(arm_a, along), of_b = cross(arm_b, along);
        return a->inverse_mass + a->inverse_inertia * of_a * of_a + b->inverse_mass + b->inverse_inertia * of_b * of_b;
    }
    void apply(Vec2 p) const { a->push(arm_a, p * -1), b->push(arm_b, p); }
    // Brings the velocity along an axis to `target`, by an accumulated impulse between two bounds.
    void solve(Vec2 along, float target, float low, float high, float& sum) const {
        const float old = sum;
        sum = std::clamp(old + (target - dot(velocity(), along)) / inverse_mass(along), low, high);
        apply(along * (sum - old));
    }
    void solve() const {
        const float most = friction * impulse->x;
        solve({-normal.y, normal.x}, 0, -most, most, impulse->y);
        solve(normal, bias, 0, 1e9f, impulse->x);
    }
};

struct World {
    d2::ShapeStore shapes;
    d2::NarrowPhase narrow;
    d2::Manifolds manifolds;
    std::vector<d2::Body> bodies;
    std::vector<Mover> movers;
    // By the bodies, the parts and the corners that meet: the impulses of the step before.
    std::map<std::array<std::uint32_t, 5>, Vec2> impulses;
    int kept = 0, started = 0;  // contacts with and without an impulse of the step before

    void add(d2::ShapeId shape, Vec2 position) {
        bodies.push_back({position, {}, shape}), movers.emplace_back();
        if (const auto mass = d2::mass_properties(shapes, shape, 1))  // not of a chain, which does not move
            movers.back().inverse_mass = 1 / mass->mass, movers.back().inverse_inertia = 1 / mass->inertia;
    }

    // In place of a broad phase.
    std::vector<abut::Pair> near_pairs() const {
        std::vector<abut::Pair> pairs;
        for (std::uint32_t b = 1; b < bodies.size(); ++b)
            for (std::uint32_t a = 0; a < b; ++a)
                if (const Vec2 d = bodies[b].position - bodies[a].position; a == 0 || dot(d, d) < 2.5f)
                    pairs.push_back({a, b});
        return pairs;
    }

    std::vector<Constraint> constraints(const std::vector<abut::Pair>& pairs) {
        std::vector<Constraint> made;
        decltype(impulses) now;
        for (const d2::Manifold& m : manifolds.manifolds)
            for (const d2::Contact& c : std::span(m.contacts, m.contact_count)) {
                const auto [a, b] = pairs[m.pair];
                const std::array key = {a, b, m.child_a, m.child_b, c.feature};
                const auto before = impulses.find(key);
                before != impulses.end() ? ++kept : ++started;
                Vec2& impulse = now[key] = before != impulses.end() ? before->second : Vec2{};
                const float bias =
                    c.separation > 0 ? -c.separation / kStep : std::max(-0.2f / kStep * (c.separation + kSlop), 0.0f);
                made.push_back({&movers[a], &movers[b], m.normal, c.position,
                                c.position + bodies[a].position - bodies[b].position, bias,
                                std::sqrt(movers[a].friction * movers[b].friction), &impulse});
            }
        impulses.swap(now);  // nodes keep their addresses
        return made;
    }

    bool step() {
        const std::vector<abut::Pair> pairs = near_pairs();
        if (!narrow.collide({&shapes, bodies, pairs}, manifolds)) return false;
        const std::vector<Constraint> all = constraints(pairs);
        for (Mover& m : movers)
            if (m.inverse_mass > 0) m.velocity.y -= kGravity * kStep;
        for (const Constraint& c : all) c.apply(c.normal * c.impulse->x + Vec2{-c.normal.y, c.normal.x} * c.impulse->y);
        for (int i = 0; i < kIterations; ++i)
            for (const Constraint& c : all) c.solve();
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            bodies[i].position = bodies[i].position + movers[i].velocity * kStep;
            bodies[i].rotation = d2::rotation_of(movers[i].angle += movers[i].spin * kStep);
        }
        return true;
    }
};

int main() {
    World world;
    std::vector<Vec2> ground;  // from right to left: the front of a chain is on its right, here above
    for (int i = 60; i >= -60; --i) ground.push_back({0.7f * float(i), 0});
    const auto box = world.shapes.add_box({0.5f, 0.5f});
    const auto chain = world.shapes.add_chain(ground);
    if (!box || !chain) return 1;
    world.add(*chain, {}), world.add(*box, {2, 0.5f});
    world.movers[1].velocity.x = 3, world.movers[1].friction = 0;  // that which slides
    for (int row = 0; row < kRows; ++row)
        for (int i = row; i < kRows; ++i)
            world.add(*box, {-20 + 1.1f * (float(i) - 0.5f * float(row)), 0.5f + float(row)});

    const std::vector<d2::Body> start = world.bodies;
    float vertical = 0, moved = 0;
    for (int i = 0; i < kSteps; ++i) {
        if (!world.step()) return 1;
        vertical = std::max(vertical, std::fabs(world.movers[1].velocity.y));
    }
    for (std::size_t i = 2; i < start.size(); ++i) {
        const Vec2 d = world.bodies[i].position - start[i].position;
        moved = std::max(moved, std::sqrt(dot(d, d)));
    }
    const bool stands = moved < 0.05f, is_smooth = vertical <= 1e-3f, is_warm = 20 * world.started < world.kept;
    std::printf("%s\n%s\n%s\n", stands ? "the pyramid stands: no box is 5 cm from where it began" : "the pyramid fell",
                is_smooth ? "the box slid 30 m over 42 joints: never 1 mm/s up or down" : "the box bumped on a joint",
                is_warm ? "19 of 20 contacts began with their impulse of the step before" : "features changed");
    return stands && is_smooth && is_warm ? 0 : 1;
}
