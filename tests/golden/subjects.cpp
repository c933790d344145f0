// The subjects, see subjects.hpp.
#include "subjects.hpp"

#include <memory>
#include <span>

#include "asker.hpp"
#include "scenes/kinds.hpp"
#include "scenes/resting.hpp"
#include "support/compound_scene.hpp"

namespace abut::golden {
namespace {

using tools::Checksum;

constexpr std::size_t kPairs = 256, kWalkers = 16, kFrames = 24, kMedley = 4096;
constexpr std::uint64_t kSeed = 20;

void add_text(Checksum& sum, const std::string& text) { sum.add_column(std::as_bytes(std::span(text))); }

std::uint64_t input_of(const auto& scene) {
    Checksum sum;
    for (std::size_t i = 0; i < scene.pairs.size(); ++i) add_text(sum, scene.query_line(i));
    sum.add_column(std::as_bytes(std::span(scene.margins)));
    return sum.value();
}

template <class Scene>
Subject still(std::string name, Scene made) {
    const auto scene = std::make_shared<const Scene>(std::move(made));
    return {name, input_of(*scene), [=](const Settings& settings) { return ask_all(name, scene->frame(), settings); }};
}

// Frame after frame with caches; the queries hand them on to one another.
Subject walking(std::string name, const scenes::Scene& start) {
    const auto scene = std::make_shared<const scenes::Scene>(
        scenes::make_walk(start, {.frames = kFrames, .teleport_every = 8, .seed = kSeed}));
    return {name, input_of(*scene), [=](const Settings& settings) {
                Asker asker(name, settings);
                std::vector<WarmCache> caches(kWalkers);
                Checksum overlaps, distances, manifolds;
                for (std::size_t first = 0; first < scene->pairs.size(); first += kWalkers) {
                    Frame frame = scene->frame();
                    frame.pairs = std::span(scene->pairs).subspan(first, kWalkers);
                    frame.margins = std::span(scene->margins).subspan(first, kWalkers);
                    frame.caches = caches;
                    manifolds.add_long(asker.collide(frame)), distances.add_long(asker.distance(frame)),
                        overlaps.add_long(asker.overlap(frame));
                }
                return std::vector<Line>{{name, "overlap", overlaps.value()},
                                         {name, "distance", distances.value()},
                                         {name, "collide", manifolds.value()}};
            }};
}

// The bodies of each pair fly at each other from a few sizes apart, and each takes the other's orientation.
template <class Scene>
Subject moving(std::string name, Scene made) {
    const auto scene = std::make_shared<const Scene>(std::move(made));
    return {name, input_of(*scene), [=](const Settings& settings) {
                Frame frame = scene->frame();
                std::vector<Body> starts(frame.bodies.size()), ends;
                for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = frame.bodies[i];
                ends = starts;
                for (std::size_t i = 0; i < frame.pairs.size(); ++i) {
                    const Pair pair = frame.pairs[i];
                    Body &a = starts[pair.a], &b = starts[pair.b];
                    const float size = frame.shapes->view(a.shape).size + frame.shapes->view(b.shape).size;
                    a.position = {a.position.x - size, a.position.y - 0.5f * size, a.position.z + 0.25f * size};
                    b.position = {b.position.x + 0.5f * size, b.position.y + size, b.position.z - 0.5f * size};
                    std::swap(ends[pair.a].orientation, ends[pair.b].orientation);
                }
                frame.bodies = starts;
                return std::vector<Line>{{name, "cast", Asker(name, settings).cast(frame, ends)}};
            }};
}

}  // namespace

std::vector<Subject> make_subjects() {
    std::vector<Subject> all;
    for (const ShapeKind a : scenes::kAllKinds)
        for (const ShapeKind b : scenes::kAllKinds) {
            if (b < a || a == ShapeKind::halfspace) continue;
            const std::string kinds = std::string(to_string(a)) + "-" + std::string(to_string(b));
            all.push_back(still("row " + kinds, scenes::make_row(kinds, kPairs, kSeed, scenes::Keep::no)));
            all.push_back(still("hard " + kinds, scenes::make_hard(a, b, kPairs, kSeed)));
            all.push_back(still("resting " + kinds, scenes::make_resting(a, b, kPairs, kSeed)));
            all.push_back(walking("warm " + kinds, scenes::make_resting(a, b, kWalkers, kSeed)));
            all.push_back(moving("moving " + kinds, scenes::make_row(kinds, kPairs, kSeed, scenes::Keep::no)));
        }
    all.push_back(still("medley", scenes::make_medley(kMedley, kSeed)));
    all.push_back(still("resting medley", scenes::make_resting_medley(kMedley, kSeed)));
    all.push_back(still("compounds", test::make_compounds(kPairs, 4, kSeed, {}, test::Kinds::all)));
    all.push_back(still("large compounds", test::make_compounds(kPairs, 40, kSeed, {}, test::Kinds::all)));
    all.push_back(
        still("far compounds", test::make_compounds(kPairs, 4, kSeed, {1e5f, -2e4f, 3e3f}, test::Kinds::all)));
    all.push_back(moving("moving medley", scenes::make_medley(kMedley / 4, kSeed)));
    all.push_back(moving("moving compounds", test::make_compounds(kPairs, 12, kSeed, {}, test::Kinds::all)));
    add_ground_subjects(all);
    add_plane_subjects(all);
    return all;
}

}  // namespace abut::golden
