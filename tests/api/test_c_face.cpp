// The C functions give the bits of the C++ ones for every pair of kinds. What C alone promises is in tests/api/c.
#include "support/catch.hpp"

#include <cstring>
#include <vector>

#include <abut/abut.h>
#include <abut/abut.hpp>

#include "api/c/handles.hpp"
#include "scenes/scene.hpp"

using namespace abut;

namespace {

template <class T, class U>
bool same_bytes(const T& a, const U* b, std::size_t count) {
    return a.size() == count && std::memcmp(a.data(), b, count * sizeof(U)) == 0;
}

// A scene in the hands of C.
struct Handles {
    scenes::Scene scene = scenes::make_medley(200);
    abut_store* store = nullptr;
    abut_narrow_phase* narrow = nullptr;
    abut_manifolds* manifolds = nullptr;
    abut_frame frame = abut_frame_default();

    Handles() {
        abut_settings settings = abut_settings_default();
        settings.executor = abut_serial_executor();
        REQUIRE(abut_store_create(&store, nullptr) == ABUT_OK);
        REQUIRE(abut_narrow_phase_create(&settings, &narrow, nullptr) == ABUT_OK);
        REQUIRE(abut_manifolds_create(&manifolds, nullptr) == ABUT_OK);
        store->store = std::move(scene.shapes);
        frame.shapes = store;
        frame.bodies = abut_body_records(reinterpret_cast<const abut_body*>(scene.bodies.data()), scene.bodies.size());
        frame.pairs = abut_array(scene.pairs.data(), scene.pairs.size());
        frame.margins = abut_array(scene.margins.data(), scene.margins.size());
    }
    ~Handles() {
        abut_manifolds_destroy(manifolds);
        abut_narrow_phase_destroy(narrow);
        abut_store_destroy(store);
    }
    Frame cpp_frame() const {
        return {.shapes = &store->store, .bodies = scene.bodies, .pairs = scene.pairs, .margins = scene.margins};
    }
};

}  // namespace

TEST_CASE("C: all queries have the bits of C++") {
    Handles c;
    const std::size_t pairs = c.scene.pairs.size();
    NarrowPhase narrow({.executor = serial_executor()});
    Overlaps overlaps;
    Distances distances;
    Manifolds manifolds;
    REQUIRE(narrow.overlap(c.cpp_frame(), overlaps));
    REQUIRE(narrow.distance(c.cpp_frame(), distances, {.max_distance = 1}));
    REQUIRE(narrow.collide(c.cpp_frame(), manifolds));

    std::vector<std::uint32_t> bits((pairs + 31) / 32), hits(pairs);
    std::vector<abut_status> status(pairs);
    abut_overlap_columns o{sizeof o, bits.data(), bits.size(), status.data(), pairs, hits.data(), pairs, 0};
    REQUIRE(abut_narrow_phase_overlap(c.narrow, &c.frame, &o, nullptr) == ABUT_OK);
    CHECK(same_bytes(overlaps.bits, bits.data(), bits.size()));
    CHECK(same_bytes(overlaps.hits, hits.data(), o.hit_count));

    std::vector<float> distance(pairs);
    std::vector<abut_vec3> normal(pairs), point_a(pairs), point_b(pairs);
    const abut_distance_columns d{sizeof d,       pairs,          distance.data(), normal.data(),
                                  point_a.data(), point_b.data(), status.data()};
    abut_distance_options options = abut_distance_options_default();
    options.max_distance = 1;
    REQUIRE(abut_narrow_phase_distance(c.narrow, &c.frame, &d, &options, nullptr) == ABUT_OK);
    CHECK(same_bytes(distances.signed_distance, distance.data(), pairs));
    CHECK(same_bytes(distances.normal, normal.data(), pairs));
    CHECK(same_bytes(distances.point_a, point_a.data(), pairs));
    CHECK(same_bytes(distances.point_b, point_b.data(), pairs));
    CHECK(same_bytes(distances.status, status.data(), pairs));

    abut_manifold_columns m{};
    m.size = sizeof m;
    REQUIRE(abut_narrow_phase_collide_all(c.narrow, &c.frame, c.manifolds, nullptr) == ABUT_OK);
    REQUIRE(abut_manifolds_columns(c.manifolds, &m, nullptr) == ABUT_OK);
    CHECK(same_bytes(manifolds.first_manifold, m.first_manifold, m.first_manifold_count));
    CHECK(same_bytes(manifolds.manifolds, m.manifolds, m.manifold_count));
    CHECK(same_bytes(manifolds.contacts, m.contacts, m.contact_count));
    CHECK(same_bytes(manifolds.status, m.status, m.status_count));
}

TEST_CASE("results go into any containers that grow") {
    struct {
        Vector<std::uint32_t> first_manifold;
        Vector<Manifold> manifolds;
        Vector<Contact> contacts;
        Vector<Status> status;
    } own;
    struct {
        Vector<std::uint32_t> bits, hits;
        Vector<Status> status;
    } own_overlaps;
    struct {
        Vector<float> signed_distance;
        Vector<Vec3> normal, point_a, point_b;
        Vector<Status> status;
    } own_distances;
    const scenes::Scene scene = scenes::make_row("box-box", 100, 1, scenes::Keep::no);
    NarrowPhase narrow;
    WarmTable table;
    Manifolds manifolds;
    Overlaps overlaps;
    Distances distances;
    REQUIRE(narrow.collide(scene.frame(), own));
    REQUIRE(narrow.collide(scene.frame(), manifolds));
    CHECK(same_bytes(manifolds.contacts, own.contacts.data(), own.contacts.size()));
    REQUIRE(narrow.overlap(scene.frame(), own_overlaps));
    REQUIRE(narrow.overlap(scene.frame(), overlaps));
    CHECK(same_bytes(overlaps.hits, own_overlaps.hits.data(), own_overlaps.hits.size()));
    REQUIRE(narrow.distance(scene.frame(), own_distances));
    REQUIRE(narrow.distance(scene.frame(), distances));
    CHECK(same_bytes(distances.point_b, own_distances.point_b.data(), own_distances.point_b.size()));
    (void)table.begin(scene.frame().pairs);
    REQUIRE(table.carry_over(scene.frame(), own));
    CHECK(table.impulses().size() == own.contacts.size());
}
