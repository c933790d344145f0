// Rays: blocks of pairs, each sorted by the kind of the body, so that one kind's code and data serve many rays.
#pragma once

#include <abut/executor.hpp>
#include <abut/ray.hpp>

#include "host/memory.hpp"
#include "shapes/tables.hpp"

namespace abut {

class RayRuns {
public:
    // Writes the columns but for the bits and hits, of every pair its status, and 1 in `hit` where it has a hit.
    void run(const Frame& frame, const Rays& rays, const RayOptions& options, const Executor& executor, const RayColumns& out, Status* status,
             std::uint8_t* hit);
    std::size_t bytes() const { return best_.capacity() * sizeof(Best); }

private:
    // The hit of a ray that counts so far.
    struct Best {
        double fraction;
        std::uint32_t pair;
    };
    enum class Kinds : std::uint8_t { all, convex, trees };
    struct Call;

    void run_block(const Call& call, std::size_t first, std::size_t end, Kinds wanted);
    void meet(const Call& call, std::uint32_t pair, ShapeId shape);
    void keep_best(const Call& call);
    void drop_others(const Call& call);

    Vector<Best> best_;  // by ray
};

}  // namespace abut
