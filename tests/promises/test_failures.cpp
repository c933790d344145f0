// Promise 5, "Contained", of the caller's own parts: an executor or an allocator that fails gives an error, and
// everything works afterwards.
#include "support/catch.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "support/compound_scene.hpp"
#include "support/failing_memory.hpp"
#include "support/pair_answer.hpp"
#include "support/surface_scenes.hpp"

using namespace abut;

namespace {

// Runs everything on the calling thread until its patience ends.
struct Moody {
    enum class Way { throws_exception, throws_number, throws_bad_alloc, leaves_out, repeats };

    Way way = Way::throws_exception;
    int calls_left = -1;  // until it fails; -1: never

    Executor executor() { return {run, this}; }

    static void run(void* context, std::size_t count, Executor::Task task, void* task_context) {
        Moody& self = *static_cast<Moody*>(context);
        const bool fails = self.calls_left == 0;
        self.calls_left -= self.calls_left > 0;
        for (std::size_t i = 0; i < (fails ? count / 2 : count); ++i) task(task_context, i);
        if (!fails) return;
        switch (self.way) {
            case Way::throws_exception: throw std::runtime_error("moody");
            case Way::throws_number: throw 7;
            case Way::throws_bad_alloc: throw std::bad_alloc();
            case Way::leaves_out: return;
            case Way::repeats:
                for (std::size_t i = 0; i < count; ++i) task(task_context, i);
        }
    }
};

// All queries, with containers that grow.
struct Asked {
    judge::Answers answers;
    CallResult overlap, distance, separation, collide;

    void ask(NarrowPhase& narrow, const Frame& frame) {
        overlap = narrow.overlap(frame, answers.overlaps);
        distance = narrow.distance(frame, answers.distances);
        separation = narrow.distance(frame, answers.separations, {.separation_only = true});
        collide = narrow.collide(frame, answers.manifolds);
    }
    bool all_ran() const { return overlap && distance && separation && collide; }
};

bool failed_with(const CallResult& result, ErrorCode code) {
    return !result && result.error().code == code && !result.error().message.empty();
}

const test::CompoundScene& scene() {
    static const test::CompoundScene made = test::make_compounds(400, 6, 21);
    return made;
}

}  // namespace

TEST_CASE("failures: an executor that throws, or leaves tasks out, is an error of the call, and the next call works",
          "[failures]") {
    const judge::Answers expected = judge::ask(scene().frame(), {});
    for (const Moody::Way way : {Moody::Way::throws_exception, Moody::Way::throws_number, Moody::Way::throws_bad_alloc,
                                 Moody::Way::leaves_out, Moody::Way::repeats}) {
        const ErrorCode code = way == Moody::Way::throws_bad_alloc ? ErrorCode::out_of_memory : ErrorCode::executor;
        Moody moody{way};
        NarrowPhase narrow({.executor = moody.executor()});
        int failures = 0;
        for (int calls = 0;; ++calls) {
            Asked asked;
            bool fails = false;
            const auto ask = [&](const auto& call) {
                moody.calls_left = calls;
                const CallResult result = call();
                if (result) return;
                CHECK(failed_with(result, code));
                fails = true;
            };
            ask([&] { return narrow.overlap(scene().frame(), asked.answers.overlaps); });
            ask([&] { return narrow.distance(scene().frame(), asked.answers.distances); });
            ask([&] { return narrow.collide(scene().frame(), asked.answers.manifolds); });
            if (!fails) break;
            ++failures;
            moody.calls_left = -1;
            asked.ask(narrow, scene().frame());
            REQUIRE(asked.all_ran());
            CHECK(judge::same_bits(asked.answers, expected));
        }
        CHECK(failures > 3);
    }
}

TEST_CASE("failures: memory that ends anywhere in a call is an error, and the next call works", "[failures]") {
    const judge::Answers expected = judge::ask(scene().frame(), {});
    const Frame frame = scene().frame();
    const auto check = [&](auto&& call) {
        NarrowPhase narrow({.executor = serial_executor()});
        judge::Answers answers;
        return test::for_each_failure(
            [&] {
            // Fresh each time: what has its memory asks for none.
            narrow = NarrowPhase({.executor = serial_executor()});
            answers = {};
            },
            [&] { return call(narrow, answers); },
            [&](const CallResult& result) {
            CHECK(failed_with(result, ErrorCode::out_of_memory));
            Asked asked;
            asked.ask(narrow, frame);
            REQUIRE(asked.all_ran());
            CHECK(judge::same_bits(asked.answers, expected));
        });
    };
    CHECK(check([&](NarrowPhase& narrow, judge::Answers& answers) { return narrow.overlap(frame, answers.overlaps); }) >
          10);
    CHECK(check([&](NarrowPhase& narrow, judge::Answers& answers) {
              return narrow.distance(frame, answers.distances);
          }) > 10);
    CHECK(check([&](NarrowPhase& narrow, judge::Answers& answers) {
              return narrow.collide(frame, answers.manifolds);
          }) > 10);
}

TEST_CASE("failures: a narrow phase that memory did not suffice for refuses every call", "[failures]") {
    Distances d;
    Overlaps o;
    Manifolds m;
    const auto make = [] { return NarrowPhase({.executor = serial_executor()}); };
    const std::size_t failures = test::for_each_failure([] {}, make,
                                                        [&](NarrowPhase& narrow) {
        CHECK(failed_with(narrow.distance(scene().frame(), d), ErrorCode::out_of_memory));
        CHECK(failed_with(narrow.overlap(scene().frame(), o), ErrorCode::out_of_memory));
        CHECK(failed_with(narrow.collide(scene().frame(), m), ErrorCode::out_of_memory));
        CHECK(narrow.counters().pairs == 0);
        CHECK(narrow.reserve(10) == 0);
    });
    CHECK(failures > 0);
    NarrowPhase narrow, other(std::move(narrow));
    CHECK(failed_with(narrow.distance(scene().frame(), d), ErrorCode::out_of_memory));
    CHECK(other.distance(scene().frame(), d));
}

TEST_CASE("failures: memory that ends while a shape is added leaves the store as it was", "[failures]") {
    scenes::Random random(5);
    std::vector<Vec3> points;
    for (int i = 0; i < 30; ++i) {
        const oracle::Vec3d p = random.direction();
        points.push_back({float(p.x), float(p.y), float(p.z)});
    }
    const auto check = [&](auto&& add) {
        const auto fill = [&](ShapeStore& store) {
            return std::vector<ShapeId>{*store.add_box({1, 2, 3}), *store.add_hull(points)};
        };
        ShapeStore store;
        std::vector<ShapeId> ids = fill(store);
        return test::for_each_failure(
            [&] {
            store = ShapeStore();
            ids = fill(store);
            },
            [&] { return add(store, ids); },
            [&](const Expected<ShapeId>& id) {
            REQUIRE_FALSE(id);
            CHECK(id.error().code == ErrorCode::out_of_memory);
            CHECK(store.size() == 2);
            const Expected<ShapeId> again = add(store, ids);
            REQUIRE(again);
            CHECK(store.view(*again).kind == again->kind());
            // Slots and places are as if nothing had been.
            ShapeStore fresh;
            CHECK(*again == *add(fresh, fill(fresh)));
            for (const ShapeId gone : {ids[0], ids[1], *again}) CHECK(store.remove(gone));
            CHECK(store.size() == 0);
        });
    };
    using Ids = std::vector<ShapeId>;
    CHECK(check([](ShapeStore& store, const Ids&) { return store.add_sphere(1); }) >= 4);
    CHECK(check([](ShapeStore& store, const Ids&) { return store.add_box({1, 1, 1}); }) >= 1);
    CHECK(check([&](ShapeStore& store, const Ids&) { return store.add_hull(points); }) >= 10);
    CHECK(check([](ShapeStore& store, const Ids& ids) { return store.add_instance(ids[1], {.rounding = 0.5f}); }) >= 1);
    CHECK(check([](ShapeStore& store, const Ids& ids) {
              const CompoundChild children[] = {{ids[0], {}, {}}, {ids[1], {1, 0, 0}, {}}, {ids[0], {0, 5, 0}, {}}};
              return store.add_compound(children);
          }) >= 10);
    CHECK(test::for_each_failure([] {}, [] { return ShapeStore().add_sphere(1); },
                                 [](const Expected<ShapeId>& id) { CHECK_FALSE(id); }) >= 4);
}

TEST_CASE("failures: memory that ends while a shape is changed in place leaves it as it was", "[failures]") {
    const InstanceOptions larger{.rounding = 0.25f, .scale = {2, 2, 2}};
    const auto check = [&](ShapeKind kind) {
        ShapeStore store;
        const ShapeId box = *store.add_box({1, 2, 3}), cone = *store.add_cone(1, 2);
        const CompoundChild children[] = {{box, {}, {}}, {cone, {1, 0, 0}, {}}, {box, {0, 5, 0}, {}}};
        const ShapeId id = kind == ShapeKind::compound ? *store.add_compound(children) : *store.add_instance(box, {});
        const auto view_of_parts = [&] {
            std::vector<CompoundChild> parts(store.view(id).children);
            store.compound_children(id, parts);
            std::vector<ShapeView> views = {store.view(id)};
            for (const CompoundChild& part : parts) views.push_back(store.view(part.shape));
            return views;
        };
        const std::vector<ShapeView> before = view_of_parts();
        const std::size_t failures = test::for_each_failure([&] { REQUIRE(store.set_instance(id, {})); },
                                                            [&] { return store.set_instance(id, larger); },
                                                            [&](const CallResult& result) {
            CHECK(failed_with(result, ErrorCode::out_of_memory));
            const std::vector<ShapeView> after = view_of_parts();
            REQUIRE(after.size() == before.size());
            for (std::size_t i = 0; i < after.size(); ++i) {
                CHECK(after[i].rounding == 0);
                CHECK(after[i].scale == before[i].scale);
                CHECK(after[i].bounds_max == before[i].bounds_max);
            }
        });
        CHECK(store.view(id).rounding == 0.25f);
        return failures;
    };
    CHECK(check(ShapeKind::compound) >= 5);
    CHECK(check(ShapeKind::box) == 0);
}

TEST_CASE("failures: memory that ends while a hull is cooked, read or taken is an error", "[failures]") {
    scenes::Random random(6);
    std::vector<Vec3> points;
    for (int i = 0; i < 30; ++i) {
        const oracle::Vec3d p = random.direction();
        points.push_back({float(p.x), float(p.y), float(p.z)});
    }
    const auto is_error = [](const auto& result) {
        REQUIRE_FALSE(result);
        CHECK(result.error().code == ErrorCode::out_of_memory);
    };
    const auto cooked = cook_hull(points);
    REQUIRE(cooked);
    std::vector<std::byte> bytes(cooked->byte_count());
    REQUIRE(cooked->write(bytes) == bytes.size());
    CHECK(test::for_each_failure([] {}, [&] { return cook_hull(points); }, is_error) >= 10);
    CHECK(test::for_each_failure([] {}, [&] { return CookedHull::read(bytes); }, is_error) >= 10);
    ShapeStore store;
    const auto take = [&] { return store.add_hull(*cooked); };
    CHECK(test::for_each_failure([&] { store = ShapeStore(); }, take,
                                 [&](const auto& result) {
        is_error(result);
        CHECK((store.size() == 0 && store.add_hull(*cooked)));
          }) >= 10);
}

TEST_CASE("failures: memory that ends while a mass is computed is an error", "[failures]") {
    scenes::Random random(7);
    std::vector<Vec3> points;
    for (int i = 0; i < 30; ++i) {
        const oracle::Vec3d p = random.direction();
        points.push_back({float(p.x), float(p.y), float(p.z)});
    }
    ShapeStore store;
    const CompoundChild children[] = {{*store.add_hull(points), {}, {}}, {*store.add_box({1, 2, 3}), {1, 0, 0}, {}}};
    const ShapeId compound = *store.add_compound(children);
    const auto expected = mass_properties(store, compound);
    REQUIRE(expected);
    const auto ask = [&] { return mass_properties(store, compound); };
    CHECK(test::for_each_failure([] {}, ask,
                                 [&](const auto& result) {
        REQUIRE_FALSE(result);
        CHECK(result.error().code == ErrorCode::out_of_memory);
        CHECK(mass_properties(store, compound)->ixy == expected->ixy);
          }) >= 5);
}

TEST_CASE("meshes cooked or read without memory are an error") {
    const test::TestMesh mesh = test::torus_mesh(20, 10);
    const auto is_error = [](const auto& result) {
        REQUIRE_FALSE(result);
        CHECK(result.error().code == ErrorCode::out_of_memory);
    };
    const auto cooked = cook_mesh(mesh.vertices, mesh.triangles);
    REQUIRE(cooked);
    std::vector<std::byte> bytes(cooked->byte_count());
    REQUIRE(cooked->write(bytes) == bytes.size());
    CHECK(test::for_each_failure([] {}, [&] { return cook_mesh(mesh.vertices, mesh.triangles); }, is_error) >= 10);
    CHECK(test::for_each_failure([] {}, [&] { return CookedMesh::read(bytes); }, is_error) >= 10);
    ShapeStore store;
    const auto take = [&] { return store.add_mesh(*cooked); };
    CHECK(test::for_each_failure([&] { store = ShapeStore(); }, take,
                                 [&](const auto& result) {
        is_error(result);
        CHECK((store.size() == 0 && store.add_mesh(*cooked)));
          }) >= 3);
}
