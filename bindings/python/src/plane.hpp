// Two dimensions: the types of abut.d2 for the classes that both dimensions share.
#pragma once

#include <memory>
#include <shared_mutex>
#include <span>

#include <abut/d2.hpp>

#include "arguments.hpp"
#include "arrays.hpp"
#include "store.hpp"

namespace abut::python {

using PlaneStore = StoreOf<d2::ShapeStore>;
using PlaneStorePtr = std::shared_ptr<PlaneStore>;

struct Plane {
    using Shapes = d2::ShapeStore;
    using Phase = d2::NarrowPhase;
    using Body = d2::Body;
    using Bodies = d2::Bodies;
    using BodyColumns = d2::BodyColumns;
    using Vec = d2::Vec2;
    using DVec = d2::DVec2;
    using Rays = d2::Rays;
    using Points = d2::Points;
    using Distances = d2::Distances;
    using Manifolds = d2::Manifolds;
    using Casts = d2::Casts;
    using RayHits = d2::RayHits;
    using PointDistances = d2::PointDistances;
    using Configurations = d2::Configurations;
    using LeastDistances = d2::LeastDistances;
    static constexpr std::size_t kCoordinates = 2;
};

// As FrameArrays.
struct PlaneArrays {
    using Types = Plane;
    static constexpr const char* kBodyArguments[] = {"bodies", "positions", "shapes", "rotations", "angles"};
    static d2::Bodies bodies_of(py::handle records, Arguments& arguments, KeptColumns& kept);
    // The argument ends of cast: an array of bodies.
    class Ends {
    public:
        Ends(py::handle given, KeptColumns& kept);
        d2::Motions motions() const { return {ends_}; }

    private:
        d2::Bodies ends_;
    };

    PlaneStorePtr store;
    d2::Frame frame;
    KeptColumns columns;

    void take(py::handle bodies, Arguments& arguments);
    d2::DVec2 world_point(std::size_t pair, d2::Vec2 relative_to_a) const {
        return d2::world_point(frame, pair, relative_to_a);
    }
    bool has_position(std::size_t body) const {
        const d2::BodyColumns& c = frame.bodies.columns();
        return body < (c.double_positions.empty() ? c.positions.size() : c.double_positions.size());
    }
    template <class F>
    CallResult with_frame(F&& f) const {
        const std::shared_lock readers(store->mutex());
        return f(frame);
    }
};

inline constexpr const char* kPlaneArguments[] = {"frame",     "store",  "bodies", "positions", "shapes",
                                                  "rotations", "angles", "pairs",  "margins"};
inline std::span<const char* const> frame_arguments(const PlaneArrays*) { return kPlaneArguments; }

void define_plane_shapes(py::module_& module);

}  // namespace abut::python
