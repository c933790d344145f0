// Frames, and queries on their bodies.
#include <cstring>

#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/sized.hpp"

namespace abut::c {
namespace {

CallResult check_bodies(const Bodies& bodies) { return abut::check_bodies("bodies", bodies, false); }

Error past_end(const char* name, std::size_t i, std::size_t count, const char* what) {
    return bad_argument(message_of(name, " is ", i, ", there are ", count, " ", what));
}

// Calls read(frame) for a frame that has the pair and its body A.
template <class Read>
CallResult read_pair(const abut_frame* from, std::size_t pair, Read&& read) {
    Frame frame;
    if (CallResult r = to_cpp(from, frame); !r) return r;
    if (CallResult r = check_strided("Frame::pairs", frame.pairs); !r) return r;
    if (CallResult r = check_bodies(frame.bodies); !r) return r;
    if (pair >= frame.pairs.size()) return past_end("pair", pair, frame.pairs.size(), "pairs");
    const std::uint32_t a = frame.pairs[pair].a;
    if (a >= frame.bodies.size()) return past_end("the pair's body A", a, frame.bodies.size(), "bodies");
    read(frame);
    return {};
}

template <class Read>
CallResult read_body(const abut_bodies* from, std::size_t i, Read&& read) {
    Bodies bodies;
    if (CallResult r = to_cpp(*from, bodies); !r) return r;
    if (CallResult r = check_bodies(bodies); !r) return r;
    if (i >= bodies.size()) return past_end("i", i, bodies.size(), "bodies");
    read(bodies);
    return {};
}

}  // namespace

CallResult to_cpp(const abut_bodies& from, Bodies& to) {
    for (const abut_column& reserved : from.reserved)
        if (!is_empty(reserved) || reserved.stride != 0) return bad_argument("abut_bodies.reserved is not 0");
    if (is_empty(from.records)) {
        to = BodyColumns{column<ShapeId>(from.shapes), column<Vec3>(from.positions),
                         column<DVec3>(from.double_positions), column<Quat>(from.orientations),
                         column<Mat44>(from.transforms)};
        return {};
    }
    for (const abut_column* other :
         {&from.shapes, &from.positions, &from.double_positions, &from.orientations, &from.transforms})
        if (!is_empty(*other)) return bad_argument("abut_bodies has both records and columns, expected one of them");
    to = Bodies(column<Body>(from.records));
    return {};
}

CallResult to_cpp(const abut_frame* from, Frame& to) {
    abut_frame given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    if (CallResult r = to_cpp(given.bodies, to.bodies); !r) return r;
    to.shapes = given.shapes == nullptr ? nullptr : &given.shapes->store;
    to.pairs = column<Pair>(given.pairs);
    to.margins = column<float>(given.margins);
    to.caches = column<WarmCache>(given.caches);
    to.cache_indices = column<std::uint32_t>(given.cache_indices);
    to.traces = items<PairTrace>(given.traces, given.trace_count);
    to.relative_poses = column<RelativePose>(given.relative_poses);
    return {};
}

}  // namespace abut::c

using namespace abut;

abut_error_code abut_bodies_get(const abut_bodies* bodies, size_t i, abut_body* body, abut_error* error) {
    return c::run(error, {{"bodies", bodies}, {"body", body}}, [&] {
        return c::read_body(bodies, i, [&](const Bodies& all) {
            const Body found = all[i];
            std::memcpy(body, &found, sizeof found);
        });
    });
}

abut_error_code abut_bodies_position(const abut_bodies* bodies, size_t i, abut_dvec3* position, abut_error* error) {
    return c::run(error, {{"bodies", bodies}, {"position", position}}, [&] {
        return c::read_body(bodies, i, [&](const Bodies& all) { *position = c::to_c(all.position(i)); });
    });
}

abut_error_code abut_frame_init(abut_frame* frame, size_t size, abut_error* error) {
    return c::run(error, {{"frame", frame}}, [&] { return c::init_sized(frame, size, abut_frame{}); });
}

abut_error_code abut_world_point(const abut_frame* frame, size_t pair, abut_vec3 relative_to_a, abut_vec3* point,
                                 abut_error* error) {
    return c::run(error, {{"frame", frame}, {"point", point}}, [&] {
        return c::read_pair(frame, pair,
                            [&](const Frame& f) { *point = c::to_c(world_point(f, pair, c::to_cpp(relative_to_a))); });
    });
}

abut_error_code abut_double_world_point(const abut_frame* frame, size_t pair, abut_vec3 relative_to_a,
                                        abut_dvec3* point, abut_error* error) {
    return c::run(error, {{"frame", frame}, {"point", point}}, [&] {
        return c::read_pair(frame, pair, [&](const Frame& f) {
            *point = c::to_c(double_world_point(f, pair, c::to_cpp(relative_to_a)));
        });
    });
}

abut_error_code abut_world_bounds(const abut_store* shapes, const abut_bodies* bodies, abut_bounds* bounds,
                                  size_t count, const abut_dvec3* origin, abut_error* error) {
    return c::run(error, {{"shapes", shapes}, {"bodies", bodies}}, [&]() -> CallResult {
        Bodies all;
        std::span<Bounds> out;
        if (CallResult r = c::to_cpp(*bodies, all); !r) return r;
        if (CallResult r = c::view_items("bounds", bounds, count, out); !r) return r;
        return world_bounds(shapes->store, all, out, origin == nullptr ? DVec3{} : c::to_cpp(*origin));
    });
}
