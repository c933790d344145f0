// abut.Frame: a batch as numpy arrays, checked once and read in place by every call that gets it.
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>

#include <abut/configurations.hpp>
#include <abut/frame.hpp>
#include <abut/narrow_phase.hpp>
#include <abut/results.hpp>

#include "arguments.hpp"
#include "arrays.hpp"
#include "store.hpp"
#include "warm.hpp"

namespace abut::python {

// The types of three dimensions; those of two are in plane.hpp.
struct Space {
    using Shapes = ShapeStore;
    using Phase = NarrowPhase;
    using Body = abut::Body;
    using Bodies = abut::Bodies;
    using BodyColumns = abut::BodyColumns;
    using Vec = Vec3;
    using DVec = DVec3;
    using Rays = abut::Rays;
    using Points = abut::Points;
    using Distances = abut::Distances;
    using Manifolds = abut::Manifolds;
    using Casts = abut::Casts;
    using RayHits = abut::RayHits;
    using PointDistances = abut::PointDistances;
    using Configurations = abut::Configurations;
    using LeastDistances = abut::LeastDistances;
    static constexpr std::size_t kCoordinates = 3;
};

// What `finish` may name, in each call that takes bodies or a frame.
#define ABUT_BODY_ARGUMENTS "bodies", "positions", "shapes", "orientations", "transforms"
#define ABUT_FRAME_ARGUMENTS \
    "frame", "store", ABUT_BODY_ARGUMENTS, "pairs", "margins", "caches", "relative_poses", "traces"

// Keeps what it refers to. Made and destroyed with the GIL held.
struct FrameArrays {
    using Types = Space;
    static constexpr const char* kBodyArguments[] = {ABUT_BODY_ARGUMENTS};
    // Bodies from a structured array or from columns. Adds the arrays to `kept`.
    static Bodies bodies_of(py::handle records, Arguments& arguments, KeptColumns& kept);
    // Bodies from a structured array.
    static Bodies records(py::handle given, KeptColumns& kept);
    // The argument ends of cast: an array of bodies, or a list of such arrays, a path.
    class Ends {
    public:
        Ends(py::handle given, KeptColumns& kept);
        Motions motions() const { return {ends_}; }

    private:
        std::vector<Bodies> ends_;
    };

    StorePtr store;
    Frame frame;  // without the caches of `warm`, which are known at the call
    WarmPtr warm;
    KeptColumns columns;

    void take(py::handle bodies, Arguments& arguments);
    DVec3 world_point(std::size_t pair, Vec3 relative_to_a) const {
        return double_world_point(frame, pair, relative_to_a);
    }
    // Queries check the columns; before, one may be short.
    bool has_position(std::size_t body) const {
        const BodyColumns& c = frame.bodies.columns();
        const auto is_there = [&](const auto& column) { return column.empty() || body < column.size(); };
        return is_there(c.positions) && is_there(c.double_positions) && is_there(c.transforms);
    }
    // f(const Frame&), under the locks of what it reads. Without the GIL.
    template <class F>
    CallResult with_frame(F&& f) const {
        Frame given = frame;
        std::unique_lock<std::mutex> table;
        if (warm) {
            table = std::unique_lock(warm->mutex());
            given.caches = warm->caches();
        }
        const std::shared_lock readers(store->mutex());
        if (warm && given.caches.size() != given.pairs.size())
            return Error{ErrorCode::bad_size, "caches: the WarmTable's begin() had " +
                                                  std::to_string(given.caches.size()) + " pairs, the frame has " +
                                                  std::to_string(given.pairs.size())};
        return f(given);
    }
};

// The arguments that make a frame: (frame) or (store, bodies, pairs, **columns). `finish` is left to the caller.
std::shared_ptr<FrameArrays> frame_of(Arguments& arguments);
inline constexpr const char* kFrameArguments[] = {ABUT_FRAME_ARGUMENTS};
inline std::span<const char* const> frame_arguments(const FrameArrays*) { return kFrameArguments; }

void define_frames(py::module_& module);

}  // namespace abut::python
