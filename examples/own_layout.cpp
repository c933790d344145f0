// For an engine that has bodies and threads of its own: abut reads positions in double from the engine's structs and
// runs on the engine's threads. docs/integrate.md shows this program.

#include <abut/abut.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

struct EngineBody {
    std::uint64_t name;
    abut::DVec3 position;  // a large world
    abut::Quat orientation;
    float speed = 0;  // upwards
    float inverse_mass = 1;
    abut::ShapeId shape;
};

// Step 4: columns that are members of the engine's own struct.
abut::BodyColumns columns_of(const std::vector<EngineBody>& bodies) {
    const EngineBody& first = bodies.front();
    return {.shapes = {&first.shape, bodies.size(), sizeof(EngineBody)},
            .double_positions = {&first.position, bodies.size(), sizeof(EngineBody)},
            .orientations = {&first.orientation, bodies.size(), sizeof(EngineBody)}};
}

// The engine's own threads, as an abut::Executor: run all tasks, return when they are done.
void run_on_engine_threads(void*, std::size_t count, abut::Executor::Task task, void* task_context) {
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++) task(task_context, i);
    };
    std::thread helper(work);
    work();
    helper.join();
}

struct Engine {
    static constexpr float kStep = 1.0f / 60, kGravity = 9.81f;
    abut::ShapeStore shapes;
    std::vector<EngineBody> bodies;
    abut::BroadPhase broad{{.executor = {run_on_engine_threads, nullptr}}};
    abut::NarrowPhase narrow{{.executor = {run_on_engine_threads, nullptr}}};
    abut::WarmTable table;
    abut::PairList list;
    abut::Manifolds manifolds;
    std::vector<abut::Bounds> bounds;
    std::vector<float> reaches, margins;
    std::vector<std::uint8_t> moving;

    // Steps 2 and 3: bounds relative to a point near the bodies, each larger by what the body moves in a step.
    abut::CallResult find_pairs(const abut::DVec3& origin) {
        bounds.resize(bodies.size()), reaches.clear(), moving.clear();
        for (const EngineBody& body : bodies)
            reaches.push_back(0.01f + std::abs(body.speed) * kStep), moving.push_back(body.inverse_mass > 0);
        if (abut::CallResult r = abut::world_bounds(shapes, columns_of(bodies), bounds, origin); !r) return r;
        return broad.find_pairs({.bounds = bounds, .margins = reaches, .moving = moving}, list);
    }

    void step(const abut::DVec3& origin) {
        for (EngineBody& body : bodies)
            if (body.inverse_mass > 0) body.speed -= kGravity * kStep;
        abut::CallResult result = find_pairs(origin);
        const std::vector<abut::Pair>& pairs = list.pairs;
        // The margin of a pair is the distance that it closes in one step, at least two centimetres.
        margins.clear();
        for (const abut::Pair pair : pairs)
            margins.push_back(std::max(0.02f, std::abs(bodies[pair.a].speed - bodies[pair.b].speed) * kStep));

        abut::Frame frame{&shapes, columns_of(bodies), pairs, margins};
        frame.caches = table.begin(pairs);                        // step 5
        if (result) result = narrow.collide(frame, manifolds);    // step 6
        if (result) result = table.carry_over(frame, manifolds);  // step 7
        if (!result) {  // an error in the call: the message names the argument and its value
            std::printf("%s\n", result.error().message.c_str());
            return;
        }
        for (std::size_t i = 0; i < pairs.size(); ++i)  // bad data: it affects this pair only
            if (manifolds.status[i] != abut::Status::ok)
                std::printf("pair %zu: %s\n", i, abut::to_string(manifolds.status[i]));
        for (int iteration = 0; iteration < 8; ++iteration) solve(pairs, iteration == 0);
        for (EngineBody& body : bodies) body.position.y += double(body.speed) * kStep;
    }

    // Step 8. The table holds the impulses of the frame before. It keeps what the solver writes for the next frame.
    void solve(const std::vector<abut::Pair>& pairs, bool is_first) {
        for (const abut::Manifold& m : manifolds.manifolds) {
            EngineBody &a = bodies[pairs[m.pair].a], &b = bodies[pairs[m.pair].b];
            const float masses = a.inverse_mass + b.inverse_mass;
            for (std::uint32_t k = m.first_contact; k < m.first_contact + m.contact_count; ++k) {
                const abut::Contact& contact = manifolds.contacts[k];
                float& impulse = table.impulses()[k].normal;
                float more = is_first ? impulse : 0;  // warm start
                if (!is_first) {
                    const float closing = (a.speed - b.speed) * m.normal.y - contact.separation / kStep;
                    more = std::max(closing / masses, -impulse);
                    impulse += more;
                }
                a.speed -= more * m.normal.y * a.inverse_mass;
                b.speed += more * m.normal.y * b.inverse_mass;
            }
        }
    }
};

int main() {
    Engine engine;
    const auto ground = engine.shapes.add_box({50, 0.5f, 50}),
               crate = engine.shapes.add_box({0.5f, 0.5f, 0.5f});  // step 1
    if (!ground || !crate) return 1;
    const abut::DVec3 here = {4e6, 0, -7e6};  // 8,000 km from the origin
    engine.bodies = {{1, {here.x, -0.5, here.z}, {}, 0, 0, *ground}, {2, {here.x + 0.1, 2, here.z}, {}, 0, 1, *crate}};
    for (int frame = 0; frame < 120; ++frame) engine.step(here);

    const EngineBody& fallen = engine.bodies[1];
    std::printf("the crate lies at %.3f m, at %.3f m/s, on %zu contacts\n", fallen.position.y,
                double(std::abs(fallen.speed)), engine.manifolds.contacts.size());
    const std::vector<abut::Pair> pairs = {{0, 1}};
    const abut::DVec3 corner = abut::double_world_point({&engine.shapes, columns_of(engine.bodies), pairs}, 0,
                                                        engine.manifolds.contacts[0].position);
    std::printf("a contact is %.3f m from its centre in x\n", std::abs(corner.x - fallen.position.x));
}
