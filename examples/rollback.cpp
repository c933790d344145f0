// For a solver that goes back in time: warm-started contacts, rollback, sleep and removal. docs/contacts.md shows this
// program.

#include <abut/abut.hpp>
#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

struct World {
    abut::ShapeStore shapes;
    std::vector<abut::Body> bodies;  // body 0 is the ground
    std::vector<float> speed;        // upwards, for a mass of 1 kg
    abut::NarrowPhase narrow{{.speculative_margin = 0.02f}};
    abut::WarmTable table;
    abut::Manifolds manifolds;

    float inverse_mass(std::uint32_t body) const { return body == 0 ? 0.0f : 1.0f; }

    // The change that one iteration makes to a contact's impulse.
    void solve(const abut::Pair& pair, const abut::Manifold& manifold, const abut::Contact& contact,
               abut::ContactImpulse& impulse) {
        const float up = manifold.normal.y, masses = inverse_mass(pair.a) + inverse_mass(pair.b);
        const float closing = (speed[pair.a] - speed[pair.b]) * up - contact.separation * 60.0f;
        const float before = std::exchange(impulse.normal, std::max(0.0f, impulse.normal + closing / masses));
        apply(pair, up * (impulse.normal - before));
    }
    void apply(const abut::Pair& pair, float impulse) {
        speed[pair.a] -= impulse * inverse_mass(pair.a);
        speed[pair.b] += impulse * inverse_mass(pair.b);
    }

    // One frame of the awake pairs. Returns the impulse that the solver added to its start values.
    float step(const std::vector<abut::Pair>& pairs, int iterations = 4) {
        for (const abut::Pair& pair : pairs)
            if (pair.b != 0) speed[pair.b] -= 9.81f / 60.0f;
        abut::Frame frame{&shapes, bodies, pairs};
        frame.caches = table.begin(frame.pairs);
        if (!narrow.collide(frame, manifolds) || !table.carry_over(frame, manifolds)) return -1.0f;

        const std::span<abut::ContactImpulse> impulses = table.impulses();  // of the frame before
        float start = 0.0f, end = 0.0f;
        for (const abut::Manifold& m : manifolds.manifolds)
            for (std::uint32_t k = m.first_contact; k < m.first_contact + m.contact_count; ++k) {
                apply(pairs[m.pair], m.normal.y * impulses[k].normal);
                start += impulses[k].normal;
            }
        for (int i = 0; i < iterations; ++i)
            for (const abut::Manifold& m : manifolds.manifolds)
                for (std::uint32_t k = m.first_contact; k < m.first_contact + m.contact_count; ++k)
                    solve(pairs[m.pair], m, manifolds.contacts[k], impulses[k]);  // kept for the next frame
        for (const abut::ContactImpulse& impulse : impulses) end += impulse.normal;
        for (std::size_t i = 1; i < bodies.size(); ++i) bodies[i].position.y += speed[i] / 60.0f;
        return end - start;
    }
};

int main() {
    World world;
    const auto ground = world.shapes.add_box({50, 0.5f, 50}), crate = world.shapes.add_box({0.5f, 0.5f, 0.5f});
    if (!ground || !crate) return 1;
    world.bodies.push_back({{0, -0.5f, 0}, *ground, {}});
    for (float x : {0.0f, 3.0f, 6.0f}) world.bodies.push_back({{x, 0.5f, 0}, *crate, {}});
    world.speed.assign(world.bodies.size(), 0.0f);

    // Three crates lie on the ground. The first frame finds their impulses. After that the solver has nothing to add.
    std::vector<abut::Pair> pairs = {{0, 1}, {0, 2}, {0, 3}};
    std::printf("first frame: %+.3f\n", double(world.step(pairs)));
    std::printf("second frame: %+.3f\n", double(world.step(pairs)));

    // Rollback: the table is part of the state. Copy it with the bodies.
    const auto bodies = world.bodies;
    const auto speed = world.speed;
    const abut::WarmTable table = world.table;
    const float first = world.step(pairs);
    world.bodies = bodies;
    world.speed = speed;
    world.table = table;
    std::printf("replayed frame differs by %g\n", double(world.step(pairs) - first));

    // Sleep: crates 2 and 3 leave the frame. One call keeps their pairs until they are in a frame again.
    const std::vector<abut::Pair> asleep = {{0, 2}, {0, 3}}, awake = {{0, 1}};
    if (!world.table.keep(asleep)) return 1;
    for (int i = 0; i < 100; ++i) world.step(awake);
    std::printf("asleep: %zu pairs\n", world.table.kept());

    // Removal: crate 1 is removed, and the last body takes its index. Tell the table before the next frame.
    if (!world.table.swap_remove(1, 3)) return 1;
    world.bodies[1] = world.bodies[3];
    world.speed[1] = world.speed[3];
    world.bodies.pop_back();
    world.speed.pop_back();
    const std::vector<abut::Pair> woken = {{0, 1}, {0, 2}};  // body 1 is the crate that was body 3
    std::printf("woken: %+.3f\n", double(world.step(woken)));
}
