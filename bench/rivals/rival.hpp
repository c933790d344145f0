// What a rival library has to show to be timed: worlds built beforehand from an abut frame, so that only the query is
// timed.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <abut/frame.hpp>

#include "query.hpp"

namespace abut::bench {

struct Rival {
    const char* library;    // "bullet", "fcl", "libccd"
    const char* variant;    // which of its algorithms, e.g. "gjk-epa2"
    std::uint32_t queries;  // bit() of each query it answers
    // Builds shapes, transforms and whatever a user of the library would keep between frames. Null where a shape of the
    // frame has no counterpart there.
    void* (*prepare)(const Frame& frame, Query query);
    // Answers every pair of the frame, cold.
    void (*run)(void* world, Answers& out);
    void (*release)(void* world);

    bool answers(Query query) const { return queries & bit(query); }
    std::string name() const { return std::string(library).append("/").append(variant); }
};

// A prepared rival, released when it goes.
class RivalWorld {
public:
    RivalWorld(const Rival& rival, const Frame& frame, Query query)
        : rival_(&rival), world_(rival.prepare(frame, query), rival.release) {}
    explicit operator bool() const { return world_ != nullptr; }
    void run(Answers& out) { rival_->run(world_.get(), out); }

private:
    const Rival* rival_;
    std::unique_ptr<void, void (*)(void*)> world_;
};

// Runs `world` in a child process and says how that ended: true where it came to an end by itself within `seconds`.
// Some rivals have assertions, or read past an empty list, on pairs that they cannot solve.
bool survives(RivalWorld& world, Answers& out, unsigned seconds);

// Those this build has, by library; and a line about each library, its version and how it was built, or that it is
// missing.
std::span<const Rival> rivals();
// Those that answer convex bodies on triangle meshes.
std::span<const Rival> ground_rivals();
std::span<const char* const> rival_notes();

// The adapters; a build without the library has not the function.
std::span<const Rival> bullet_rivals();
std::span<const Rival> bullet_ground_rivals();
std::span<const Rival> bullet_header_rivals();
std::span<const Rival> fcl_rivals();
std::span<const Rival> fcl_ground_rivals();
std::span<const Rival> libccd_rivals();

}  // namespace abut::bench
