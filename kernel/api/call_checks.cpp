// See call_checks.hpp.
#include "api/call_checks.hpp"

#include <cstdint>

#include "base/message.hpp"
#include "convex/contract/chunk.hpp"
#include "queries/boxes/world_boxes.hpp"

namespace abut {
namespace {

constexpr const char* kExpectedLimit = "0 or more";
constexpr float kLeastCastTolerance = 1e-5f;
// The limit for rays or shapes against a world: ids of boxes have 30 bits.
constexpr std::size_t kMostQueries = std::size_t(1) << 30;
constexpr std::uint32_t kMostHits = 1u << 16;

bool is_limit(float value) { return value >= 0.0f; }  // false for NaN

// Checks a column of one value per pair, which may be empty.
template <class IsGood>
CallResult check_values(const char* column, const Strided<float>& values, std::size_t pairs, IsGood&& is_good,
                        const char* expected) {
    if (const CallResult r = check_column(column, values, pairs); !r) return r;
    const std::size_t count = values.empty() ? 0 : pairs;
    for (std::size_t i = 0; i < count; ++i)
        if (!is_good(values[i]))
            return bad_argument(message_of(numbered(column, i), " is ", values[i], ", expected ", expected));
    return {};
}

CallResult check_limits(std::size_t pairs, const DistanceOptions& options) {
    if (!is_limit(options.max_distance))
        return bad_argument(
            message_of("DistanceOptions::max_distance is ", options.max_distance, ", expected ", kExpectedLimit));
    return check_values("DistanceOptions::max_distances", options.max_distances, pairs, is_limit, kExpectedLimit);
}

// Checks a column of poses, which is empty or as long as the others.
template <class T>
CallResult check_poses(const char* name, const Strided<T>& column, std::size_t poses) {
    if (column.empty()) return {};
    if (const CallResult r = check_strided(name, column); !r) return r;
    if (column.size() == poses) return {};
    return Error{ErrorCode::bad_size, message_of(name, " has ", column.size(), " poses, another column has ", poses)};
}

CallResult check_no_relative_poses(const Frame& frame, const char* query) {
    if (frame.relative_poses.empty()) return {};
    return bad_argument(message_of("Frame::relative_poses are given, expected bodies with poses for ", query));
}

// `set`: the owner of the bodies in messages, such as "the frame".
CallResult check_motions(const char* set, std::size_t bodies, const Motions& motions) {
    if (motions.ends.empty())
        return bad_argument("Motions::ends is empty, expected the poses at the end of the motion");
    if (const CallResult r = check_column("Motions::centers", motions.centers, bodies); !r) return r;
    for (const Bodies& ends : motions.ends) {
        if (const CallResult r = check_bodies("Motions::ends", ends, false); !r) return r;
        if (ends.size() != bodies)
            return Error{ErrorCode::bad_size,
                         message_of("Motions::ends has ", ends.size(), " bodies, ", set, " has ", bodies)};
    }
    return {};
}

CallResult check_sides(const char* name, QuerySides sides) {
    if (sides <= QuerySides::both) return {};
    return bad_argument(message_of(name, " is ", static_cast<unsigned>(sides), ", expected 3 or less"));
}

CallResult check_cast_options(std::size_t pairs, const CastOptions& options) {
    if (const CallResult r = check_margin("CastOptions::target", options.target); !r) return r;
    if (const CallResult r = check_sides("CastOptions::sides", options.sides); !r) return r;
    if (!(options.tolerance >= kLeastCastTolerance && options.tolerance <= 1.0f))
        return bad_argument(message_of("CastOptions::tolerance is ", options.tolerance, ", expected 1e-5 to 1"));
    if (const CallResult r = check_values("CastOptions::targets", options.targets, pairs, is_margin, kExpectedMargin);
        !r)
        return r;
    const auto is_time = [](float value) { return value >= 0.0f && value <= 1.0f; };
    return check_values("CastOptions::latest", options.latest, pairs, is_time, "0 to 1");
}

CallResult check_rays(const Rays& rays) {
    if (const CallResult r = check_strided("Rays::directions", rays.directions); !r) return r;
    if (const CallResult r = check_column("Rays::origins", rays.origins, rays.size()); !r) return r;
    if (const CallResult r = check_column("Rays::double_origins", rays.double_origins, rays.size()); !r) return r;
    if (const CallResult r = check_column("Rays::lengths", rays.lengths, rays.size()); !r) return r;
    if (const CallResult r = check_size("Rays::sides", rays.sides, rays.size(), true); !r) return r;
    for (std::size_t i = 0; i < (rays.sides.empty() ? 0 : rays.size()); ++i)
        if (rays.sides[i] > QuerySides::both) return check_sides(numbered("Rays::sides", i).c_str(), rays.sides[i]);
    if (rays.size() == 0 || rays.origins.empty() != rays.double_origins.empty()) return {};
    return bad_argument(rays.origins.empty() ? "Rays has neither origins nor double_origins, expected one of them"
                                             : "Rays has both origins and double_origins, expected one of them");
}

CallResult check_world(const WorldBodies& world) {
    if (world.shapes == nullptr) return bad_argument("WorldBodies::shapes is null");
    if (world.tree == nullptr) return bad_argument("WorldBodies::tree is null");
    if (boxes_of(*world.tree) == nullptr)
        return bad_argument("WorldBodies::tree is empty: memory ended while it was made, or it was moved from");
    if (const CallResult r = check_bodies("WorldBodies::bodies", world.bodies, false); !r) return r;
    if (world.bodies.size() == world.tree->size()) return {};
    return Error{ErrorCode::bad_size, message_of("WorldBodies::tree has ", world.tree->size(), " boxes, expected ",
                                                 world.bodies.size(), ", one per body")};
}

CallResult check_filter(const WorldFilter& filter, std::size_t queries) {
    if (const CallResult r = check_column("WorldFilter::groups", filter.groups, queries); !r) return r;
    if (const CallResult r = check_column("WorldFilter::masks", filter.masks, queries); !r) return r;
    return check_column("WorldFilter::ignored", filter.ignored, queries);
}

CallResult check_queries(const WorldBodies& world, const Bodies& shapes, const WorldFilter& filter) {
    if (const CallResult r = check_world(world); !r) return r;
    if (const CallResult r = check_bodies("shapes", shapes, false); !r) return r;
    if (shapes.size() >= kMostQueries)
        return Error{ErrorCode::limit, message_of("shapes has ", shapes.size(), " items, the limit is 1073741823")};
    return check_filter(filter, shapes.size());
}

}  // namespace

CallResult check_arguments(const Frame& frame, const DistanceOptions& options) {
    const CallResult result = check_arguments(frame);
    return result ? check_limits(frame.pairs.size(), options) : result;
}

CallResult check_collide(const Frame& frame) {
    const CallResult result = check_arguments(frame);
    return result ? check_values("Frame::margins", frame.margins, frame.pairs.size(), is_margin, kExpectedMargin)
                  : result;
}

CallResult check_arguments(const Frame& frame, const Motions& motions, const CastOptions& options) {
    if (const CallResult r = check_arguments(frame); !r) return r;
    if (frame.pairs.size() != 0) {
        if (const CallResult r = check_no_relative_poses(frame, "a cast"); !r) return r;
        if (const CallResult r = check_motions("the frame", frame.bodies.size(), motions); !r) return r;
    }
    return check_cast_options(frame.pairs.size(), options);
}

CallResult check_arguments(const Frame& frame, const Rays& rays, const RayOptions& options) {
    if (const CallResult r = check_arguments(frame); !r) return r;
    if (const CallResult r = check_sides("RayOptions::sides", options.sides); !r) return r;
    if (frame.pairs.size() == 0) return {};
    if (const CallResult r = check_no_relative_poses(frame, "rays"); !r) return r;
    return check_rays(rays);
}

CallResult check_arguments(const WorldBodies& world, const Rays& rays, const WorldRayOptions& options) {
    if (const CallResult r = check_world(world); !r) return r;
    if (const CallResult r = check_rays(rays); !r) return r;
    if (const CallResult r = check_sides("WorldRayOptions::sides", options.sides); !r) return r;
    if (options.max_hits == 0 || options.max_hits > kMostHits)
        return bad_argument(message_of("WorldRayOptions::max_hits is ", options.max_hits, ", expected 1 to 65536"));
    if (rays.size() >= kMostQueries)
        return Error{ErrorCode::limit, message_of("Rays has ", rays.size(), " items, the limit is 1073741823")};
    return check_filter(options.filter, rays.size());
}

CallResult check_arguments(const WorldBodies& world, const Bodies& shapes, const WorldFilter& filter) {
    return check_queries(world, shapes, filter);
}

CallResult check_arguments(const WorldBodies& world, const Bodies& shapes, const Motions& motions,
                           const WorldCastOptions& options) {
    if (const CallResult r = check_queries(world, shapes, options.filter); !r) return r;
    if (const CallResult r = check_motions("shapes", shapes.size(), motions); !r && shapes.size() != 0) return r;
    CastOptions common;
    common.target = options.target, common.tolerance = options.tolerance, common.sides = options.sides;
    return check_cast_options(0, common);
}

CallResult check_arguments(const Frame& frame, const Points& points, const PointOptions& options) {
    if (const CallResult r = check_arguments(frame); !r) return r;
    if (!is_limit(options.max_distance))
        return bad_argument(
            message_of("PointOptions::max_distance is ", options.max_distance, ", expected ", kExpectedLimit));
    if (frame.pairs.size() == 0) return {};
    if (const CallResult r = check_no_relative_poses(frame, "points"); !r) return r;
    if (const CallResult r = check_strided("Points::positions", points.positions); !r) return r;
    if (const CallResult r = check_strided("Points::double_positions", points.double_positions); !r) return r;
    if (points.positions.empty() || points.double_positions.empty()) return {};
    return bad_argument("Points has both positions and double_positions, expected one of them");
}

CallResult check_arguments(const Configurations& all, const DistanceOptions& options) {
    const std::size_t poses = all.poses(), bodies = all.bodies.size(), pairs = all.pairs.size(), most = Entry::kSwapped;
    if (all.shapes == nullptr) return bad_argument("Configurations::shapes is null");
    if (const CallResult r = check_strided("Configurations::bodies", all.bodies); !r) return r;
    if (const CallResult r = check_strided("Configurations::pairs", all.pairs); !r) return r;
    if (all.orientations.empty() == all.transforms.empty() && poses != 0)
        return bad_argument("Configurations has both orientations and transforms, expected one of them");
    if (all.orientations.empty() && all.transforms.empty() && (!all.positions.empty() || !all.double_positions.empty()))
        return bad_argument("Configurations has neither orientations nor transforms, expected one of them");
    if (!all.positions.empty() && !all.double_positions.empty())
        return bad_argument("Configurations has both positions and double_positions, expected one of them");
    if (poses != 0 && all.transforms.empty() && all.positions.empty() && all.double_positions.empty())
        return bad_argument(
            "Configurations has no positions, expected one of positions, double_positions and transforms");
    if (const CallResult r = check_poses("Configurations::positions", all.positions, poses); !r) return r;
    if (const CallResult r = check_poses("Configurations::double_positions", all.double_positions, poses); !r) return r;
    if (const CallResult r = check_poses("Configurations::orientations", all.orientations, poses); !r) return r;
    if (const CallResult r = check_poses("Configurations::transforms", all.transforms, poses); !r) return r;
    if (poses != 0 && (bodies == 0 || poses % bodies != 0))
        return Error{ErrorCode::bad_size, message_of("Configurations has ", poses,
                                                     " poses, expected a multiple of its ", bodies, " bodies")};
    if (const CallResult r = check_bodies("Configurations::obstacles", all.obstacles, false); !r) return r;
    if (bodies >= most || all.obstacles.size() >= most - bodies)
        return Error{ErrorCode::limit, message_of("Configurations has ", bodies, " bodies and ", all.obstacles.size(),
                                                  " obstacles, the limit is 2147483647")};
    if (pairs >= most || (pairs != 0 && all.size() > UINT32_MAX / pairs))
        return Error{ErrorCode::limit, message_of("Configurations has ", all.size(), " times ", pairs,
                                                  " pairs, the limit is 4294967295")};
    return check_limits(pairs, options);
}

CallResult check_arguments(const ConfigurationPaths& paths) {
    if (const CallResult r = check_arguments(paths.all); !r) return r;
    if (const CallResult r = check_strided("ConfigurationPaths::ends", paths.ends); !r) return r;
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < paths.ends.size(); ++i) {
        const std::uint32_t end = paths.ends[i];
        if (end < first || end > paths.all.size())
            return Error{ErrorCode::bad_size, message_of("ConfigurationPaths::ends[", i, "] is ", end, ", expected ",
                                                         first, " to ", paths.all.size())};
        first = end;
    }
    return {};
}

}  // namespace abut
