// abut in place of ReactPhysics3D's narrow phase. Link the target abut_reactphysics3d before ReactPhysics3D: its file
// replace.cpp defines the six algorithms' functions, which are not virtual, and the linker then leaves out
// ReactPhysics3D's own. No line of the program changes.
//
// ReactPhysics3D calls each algorithm once per step with the batch of all its pairs, and abut answers a batch in one
// call. Each thread has shapes and caches of its own, so that several threads may step worlds of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "shapes.hpp"

namespace abut::react {

struct Work {
    std::size_t tests = 0;   // pairs of convex shapes, or of a convex shape and a triangle, that the engine asked for
    std::size_t pairs = 0;   // that abut answered: all triangles near a shape are one
    std::size_t failed = 0;  // pairs without an answer, and so without contacts: a pose or a shape that abut refuses
};

class Adapter {
public:
    static Adapter& of_thread();

    // Answers the tests [first, first + count) of a batch, as an algorithm's testCollision does: contacts, and whether
    // shapes collide. Returns whether any do.
    bool test(engine::NarrowPhaseInfoBatch& batch, std::uint32_t first, std::uint32_t count);

    // Forgets all pairs and shapes, for runs with equal bits: another world has the numbers of pairs of a deleted one,
    // and a wrong cache costs time and may change bits, but makes no answer wrong.
    void forget();

    const Work& work() const { return work_; }  // since the beginning
    // Why abut cannot be called; nothing collides then.
    const Error& error() const { return error_; }

private:
    // The margin is 0, because ReactPhysics3D knows no contact of bodies that are apart.
    Adapter();

    // Kept of a pair from call to call.
    struct Kept {
        std::uint64_t call = 0;     // the latest
        std::uint32_t cache = 0;    // an index into caches_
        std::vector<Vec3> corners;  // of the surface
        ShapeId surface;
    };
    // The tests [first, end) of the batch are one pair of the frame.
    struct Asked {
        std::uint32_t first, end;
    };

    void collect(engine::NarrowPhaseInfoBatch& batch, std::uint32_t first, std::uint32_t end);
    Kept& kept_of(std::uint64_t number);
    ShapeId surface_of(Kept& kept, const engine::NarrowPhaseInfoBatch& batch, const Asked& asked);
    bool write(engine::NarrowPhaseInfoBatch& batch, std::size_t pair);
    void remove_old();

    NarrowPhase narrow_;
    Shapes shapes_;
    Work work_;
    Error error_;
    std::uint64_t call_ = 0;
    std::unordered_map<std::uint64_t, Kept> kept_;  // by ReactPhysics3D's number of the pair
    std::vector<WarmCache> caches_;
    std::vector<std::uint32_t> free_caches_;
    std::vector<Body> bodies_;  // two per pair
    std::vector<Pair> pairs_;
    std::vector<std::uint32_t> cache_indices_;
    std::vector<Asked> asked_;
    std::vector<Vec3> corners_;
    Manifolds manifolds_;
};

}  // namespace abut::react
