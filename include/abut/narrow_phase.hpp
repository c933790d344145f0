// NarrowPhase: the three questions an engine asks of its candidate pairs.
#pragma once

#include <cstddef>
#include <memory>

#include <abut/executor.hpp>
#include <abut/frame.hpp>
#include <abut/isa.hpp>
#include <abut/results.hpp>
#include <abut/shape_store.hpp>
#include <abut/status.hpp>

namespace abut {

// How the depth of what overlaps is found. All are within the promised error.
enum class DepthPath : std::uint8_t {
    automatic,  // the fastest path that can certify its answer, the exact path for what is left
    exact,      // every pair by the exact path (double precision GJK and EPA): a cross-check, and slow
};

struct Settings {
    float speculative_margin = 0.02f;  // metres; `collide` reports contacts up to this far apart
    // Metres, and at most 0.4% of the smaller shape's size: depths that differ by less do not decide which contacts `collide` reports, nor along
    // which of two nearly parallel normals, so that a solver's noise does not. 0: every micrometre decides (docs/numerics.md).
    float contact_slack = 0.005f;
    Executor executor = {};            // empty: oneTBB where the build has it, else serial
    unsigned threads = 0;              // for the built-in oneTBB executor; 0: all it has
    Isa isa = Isa::best;
    DepthPath depth = DepthPath::automatic;
};

// How many pairs took which path in the last call. Of a pair with a compound each pair of children that was looked at counts, and not
// the pair itself.
struct Counters {
    std::size_t pairs = 0;    // that were answered
    std::size_t wide = 0;     // by wide kernels alone
    std::size_t exact = 0;    // by the scalar double-precision path
    std::size_t child_pairs = 0;  // of `pairs`, those of compounds' children
};

// Holds scratch memory only. Use it from one thread at a time (asserted in debug builds); as many as you like may share a store.
// A call allocates nothing once an equal or larger frame has been seen or reserved (oneTBB's own allocations excepted).
class NarrowPhase {
public:
    // Where `settings` cannot be met (an ISA this machine lacks, a bad margin), every call returns that error.
    explicit NarrowPhase(const Settings& settings = {});
    ~NarrowPhase();
    NarrowPhase(NarrowPhase&&) noexcept;
    NarrowPhase& operator=(NarrowPhase&&) noexcept;

    CallResult overlap(const Frame& frame, OverlapColumns& out);
    CallResult overlap(const Frame& frame, Overlaps& out);

    CallResult distance(const Frame& frame, const DistanceColumns& out, const DistanceOptions& options = {});
    CallResult distance(const Frame& frame, Distances& out, const DistanceOptions& options = {});

    CallResult collide(const Frame& frame, ManifoldColumns& out);
    CallResult collide(const Frame& frame, Manifolds& out);

    // Makes room for frames of `pairs` pairs, whose compounds have up to `child_pairs` pairs of children near enough to be looked at
    // (Counters::child_pairs). Returns the bytes of scratch then held.
    std::size_t reserve(std::size_t pairs, std::size_t child_pairs = 0);
    const Counters& counters() const;
    Isa isa() const;  // the one in use

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace abut
