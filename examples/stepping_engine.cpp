// For the author of a physics engine: one step from bodies to pairs, contacts, impulses and positions, with sleep and
// events. A pyramid of 55 crates must stand, fall asleep, and stand again after a crate has fallen on it; else the
// program fails.

#include <abut/abut.hpp>
#include <algorithm>
#include <cstdio>
#include <vector>

#include "small_solver.hpp"

struct Engine {
    static constexpr float kStep = 1.0f / 60;
    static constexpr int kQuietSteps = 30;
    abut::ShapeStore shapes;
    std::vector<abut::Body> bodies;
    std::vector<Crate> crates;  // one per body
    abut::BroadPhase broad;
    abut::NarrowPhase narrow;
    abut::WarmTable table;
    abut::PairList list;
    abut::Manifolds manifolds;
    std::vector<Constraint> constraints;
    std::vector<std::uint32_t> touches;  // by body: how many others it touches, asleep or awake

    void add(abut::ShapeId shape, abut::Vec3 position, const Crate& crate = {}) {
        bodies.push_back({position, shape, {}}), crates.push_back(crate), touches.push_back(0);
    }

    bool step() {
        std::vector<float> margins;
        if (!find_pairs(margins)) return false;
        abut::Frame frame{&shapes, bodies, list.pairs, margins};
        frame.caches = table.begin(list.pairs);
        if (!narrow.collide(frame, manifolds) || !table.carry_over(frame, manifolds)) return false;
        if (!count_touches()) return false;
        read_contacts();
        SmallSolver{bodies, crates, constraints}.step(kStep);
        wake();
        return sleep();
    }

    // Pairs that may touch within the step, and how near they may come. Two bodies that do not move are no pair.
    abut::CallResult find_pairs(std::vector<float>& margins) {
        std::vector<abut::Bounds> bounds(bodies.size());
        std::vector<float> reaches;
        std::vector<std::uint8_t> moving;
        for (const Crate& c : crates)
            reaches.push_back(0.01f + length(c.velocity) * kStep), moving.push_back(c.moves());
        if (abut::CallResult r = abut::world_bounds(shapes, bodies, bounds); !r) return r;
        abut::CallResult r = broad.find_pairs({.bounds = bounds, .margins = reaches, .moving = moving}, list);
        for (const abut::Pair p : list.pairs) margins.push_back(reaches[p.a] + reaches[p.b]);
        return r;
    }

    // Events: which pairs began and ceased to touch in this step. Pairs that sleep touch on.
    bool count_touches() {
        const abut::Expected<abut::TouchChanges> changes = table.touch_changes();
        if (!changes) return false;
        for (const std::uint32_t i : changes->began) ++touches[list.pairs[i].a], ++touches[list.pairs[i].b];
        for (const abut::EndedTouch& end : changes->ended) --touches[end.bodies.a], --touches[end.bodies.b];
        return true;
    }

    void read_contacts() {
        constraints.clear();
        for (const abut::Manifold& m : manifolds.manifolds)
            for (std::uint32_t k = m.first_contact; k < m.first_contact + m.contact_count; ++k) {
                const abut::Pair pair = list.pairs[m.pair];
                const abut::Vec3 from_a = manifolds.contacts[k].position;
                const abut::Vec3 from_b = from_a + bodies[pair.a].position - bodies[pair.b].position;
                constraints.push_back(
                    {pair, m.normal, from_a, from_b, manifolds.contacts[k].separation, &table.impulses()[k]});
            }
    }

    // Pairs of sleeping bodies: they are not in the frame, but still touch.
    std::vector<abut::Pair> asleep;

    // A crate that moves wakes the island of a sleeping crate that it touches. They are in the next step's frame.
    void wake() {
        const std::vector<std::uint32_t> island = islands_of(crates, asleep);
        std::vector<std::uint8_t> woken(bodies.size());
        for (const Constraint& c : constraints) {
            if (crates[c.pair.a].asleep) woken[island[c.pair.a]] = 1;
            if (crates[c.pair.b].asleep) woken[island[c.pair.b]] = 1;
        }
        for (std::size_t i = 0; i < crates.size(); ++i)
            if (crates[i].asleep && woken[island[i]]) crates[i].asleep = false, crates[i].quiet_steps = 0;
        std::erase_if(asleep, [&](abut::Pair p) { return crates[p.a].moves() || crates[p.b].moves(); });
    }

    // An island falls asleep when all of its crates have been quiet for half a second. The table keeps its impulses.
    bool sleep() {
        std::vector<abut::Pair> touching, fallen;
        for (const Constraint& c : constraints) touching.push_back(c.pair);
        const std::vector<std::uint32_t> island = islands_of(crates, touching);
        std::vector<std::uint8_t> restless(bodies.size());
        for (std::size_t i = 0; i < crates.size(); ++i) {
            Crate& c = crates[i];
            c.quiet_steps = dot(c.velocity, c.velocity) + dot(c.spin, c.spin) < 0.05f * 0.05f ? c.quiet_steps + 1 : 0;
            if (c.quiet_steps < kQuietSteps) restless[island[i]] = 1;
        }
        for (std::size_t i = 0; i < crates.size(); ++i)
            if (crates[i].moves() && !restless[island[i]])
                crates[i].asleep = true, crates[i].velocity = crates[i].spin = {};
        for (const abut::Pair p : list.pairs)
            if (!crates[p.a].moves() && !crates[p.b].moves()) fallen.push_back(p);
        asleep.insert(asleep.end(), fallen.begin(), fallen.end());
        return bool(table.keep(fallen));
    }

    std::size_t count_asleep() const {
        return std::size_t(std::count_if(crates.begin(), crates.end(), [](const Crate& c) { return c.asleep; }));
    }
};

int main() {
    Engine engine;
    const auto ground = engine.shapes.add_box({50, 0.5f, 50}), crate = engine.shapes.add_box({0.5f, 0.5f, 0.5f});
    if (!ground || !crate) return 1;
    Crate fixed;
    fixed.inverse_mass = fixed.inverse_inertia = 0;
    engine.add(*ground, {0, -0.5f, 0}, fixed);
    for (int row = 0; row < 10; ++row)
        for (int i = 0; i < 10 - row; ++i)
            engine.add(*crate, {1.05f * (float(i) + 0.5f * float(row)), 0.5f + float(row), 0});
    const std::vector<abut::Body> built = engine.bodies;

    const auto run = [&](const char* what, int steps) {
        for (int i = 0; i < steps; ++i)
            if (!engine.step()) return false;
        float moved = 0;
        for (std::size_t i = 0; i < built.size(); ++i)
            moved = std::max(moved, length(engine.bodies[i].position - built[i].position));
        std::printf("%s: %zu of %zu crates asleep, %zu pairs in the frame, the last crate touches %u bodies, %s\n",
                    what, engine.count_asleep(), engine.crates.size() - 1, engine.list.pairs.size(),
                    engine.touches.back(), moved < 0.05f ? "the pyramid stands" : "IT FELL");
        return moved < 0.05f;
    };
    if (!run("built", 1) || !run("after 10 s", 600)) return 1;
    engine.add(*crate, {5, 11.5f, 0});  // falls on the top crate
    return run("a crate falls", 30) && run("after 10 s more", 600) && engine.count_asleep() == built.size() ? 0 : 1;
}
