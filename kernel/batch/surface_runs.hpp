// Pairs of two surfaces (meshes or height fields). The search for the nearest two triangles of each pair, in double
// (surfaces/distances/nearest_triangles.hpp), decides an overlap. For `distance` the kernels then answer the pair of
// these two triangles, as any two flat hulls.
#pragma once

#include <cstdint>
#include <span>

#include "base/memory.hpp"
#include "batch/child_pairs.hpp"
#include "batch/child_results.hpp"
#include "batch/chunk_runs.hpp"
#include "surfaces/distances/nearest_triangles.hpp"

namespace abut {

class SurfaceRuns {
public:
    void set_kernels(const SurfaceKernels* kernels) { kernels_ = kernels; }

    // Answers `entries`, pairs with two surfaces, in `call.out`. `collide` has no answer for them: Status::unsupported.
    void run(const PairCall& call, std::span<const Entry> entries);

    void reserve(std::size_t pairs);
    std::size_t bytes() const;

private:
    void find(const PairCall& call, const Entry& entry, std::size_t i);
    void answer(const PairCall& call, std::span<const Entry> entries);
    void leave_solid(const PairCall& call, const Entry& entry, std::size_t i, std::uint32_t at);

    enum class Nested : std::uint8_t { none, a_in_b, b_in_a };

    const SurfaceKernels* kernels_ = nullptr;
    Vector<NearestTriangles> nearest_;          // by entry
    Vector<Nested> nested_;                     // by entry
    ChildPairs children_{Made::two_triangles};  // the pairs of nearest triangles
};

}  // namespace abut
