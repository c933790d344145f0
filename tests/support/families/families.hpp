// Families of hard pairs, each a way in which narrow phases go wrong: seeded, over all kinds of shapes, in either order
// of the bodies.
//
// A batch of a family is a scene of its own: new shapes, new poses. Margins are 2% of the smaller size
// (Scene::margins), `reference` is left empty: whoever judges finds it. Batches are independent of each other and of
// the machine, so that (family, seed, pairs) names one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "scenes/scene.hpp"
#include "support/compound_scene.hpp"

namespace abut::families {

struct Family {
    const char* name;
    const char* what;  // one line, for people
    bool compounds = false;
    const char* ground =
        nullptr;  // bodies on meshes and height fields: this group of families of abut_ground (tests/surfaces/contacts), no scene
};

std::span<const Family> all();
// Null where there is none of this name.
const Family* find(std::string_view name);

// One call per thread at a time is safe. Precondition: the family is one of convex shapes, or of compounds, not of
// ground.
scenes::Scene make(const Family& family, std::size_t pairs, std::uint64_t seed);
test::CompoundScene make_compounds(const Family& family, std::size_t pairs, std::uint64_t seed);

}  // namespace abut::families
