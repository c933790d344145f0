// The queries of two dimensions in C.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/result_columns.hpp"
#include "api/c/sized.hpp"

namespace abut::c {
namespace {

CallResult read(const abut_d2_bodies& from, d2::Bodies& to) {
    for (const abut_column& reserved : from.reserved)
        if (!is_empty(reserved) || reserved.stride != 0) return bad_argument("abut_d2_bodies.reserved is not 0");
    if (is_empty(from.records)) {
        to = d2::BodyColumns{column<d2::ShapeId>(from.shapes), column<d2::Vec2>(from.positions),
                             column<d2::DVec2>(from.double_positions), column<d2::Rot>(from.rotations),
                             column<float>(from.angles)};
        return {};
    }
    for (const abut_column* other :
         {&from.shapes, &from.positions, &from.double_positions, &from.rotations, &from.angles})
        if (!is_empty(*other)) return bad_argument("abut_d2_bodies has both records and columns, expected one of them");
    to = d2::Bodies(column<d2::Body>(from.records));
    return {};
}

CallResult read(const abut_d2_frame* from, d2::Frame& to) {
    abut_d2_frame given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    if (CallResult r = read(given.bodies, to.bodies); !r) return r;
    to.shapes = given.shapes == nullptr ? nullptr : &given.shapes->store;
    to.pairs = column<Pair>(given.pairs);
    to.margins = column<float>(given.margins);
    return {};
}

CallResult read(const abut_d2_motions* from, d2::Motions& to) {
    abut_d2_motions given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    to.centers = column<d2::Vec2>(given.centers);
    return read(given.ends, to.ends);
}

CallResult read(const abut_d2_rays* from, d2::Rays& to) {
    abut_d2_rays given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    to = {column<d2::Vec2>(given.origins), column<d2::DVec2>(given.double_origins), column<d2::Vec2>(given.directions),
          column<float>(given.lengths)};
    return {};
}

CallResult read(const abut_d2_points* from, d2::Points& to) {
    abut_d2_points given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    to = {column<d2::Vec2>(given.positions), column<d2::DVec2>(given.double_positions)};
    return {};
}

CallResult read(const abut_d2_configurations* from, d2::Configurations& to) {
    abut_d2_configurations given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    to.shapes = given.shapes == nullptr ? nullptr : &given.shapes->store;
    to.robot_bodies = given.robot_bodies;
    to.pairs = column<Pair>(given.pairs);
    if (CallResult r = read(given.robot, to.robot); !r) return r;
    return read(given.obstacles, to.obstacles);
}

// As above, for query(configurations, columns).
template <class Columns, class Out, class Query>
CallResult ask_all(const abut_d2_configurations* all, Out* out, Query&& query) {
    d2::Configurations asked;
    if (CallResult r = read(all, asked); !r) return r;
    return fill<Columns>(out, [&](auto& columns) { return query(asked, columns); });
}

// Writes the boxes of bodies by write(bodies, boxes, origin).
template <class Write>
CallResult write_bounds(const abut_d2_bodies& from, abut_bounds* bounds, std::size_t count, const abut_dvec2* origin,
                        Write&& write) {
    d2::Bodies bodies;
    std::span<Bounds> boxes;
    if (CallResult r = read(from, bodies); !r) return r;
    if (CallResult r = view_items("bounds", bounds, count, boxes); !r) return r;
    return write(bodies, boxes, origin == nullptr ? d2::DVec2{} : d2::DVec2{origin->x, origin->y});
}

// Runs query(frame, columns), which fills the columns of `out`.
template <class Columns, class Out, class Query>
CallResult ask(const abut_d2_frame* frame, Out* out, Query&& query) {
    d2::Frame asked;
    if (CallResult r = read(frame, asked); !r) return r;
    return fill<Columns>(out, [&](auto& columns) { return query(asked, columns); });
}

}  // namespace
}  // namespace abut::c

using namespace abut;

abut_error_code abut_d2_narrow_phase_create(const abut_settings* settings, abut_d2_narrow_phase** narrow,
                                            abut_error* error) {
    return c::run(error, {{"narrow", narrow}}, [&]() -> CallResult {
        Settings wanted;
        if (CallResult r = c::to_cpp(settings, wanted); !r) return r;
        auto made = std::make_unique<abut_d2_narrow_phase>(abut_d2_narrow_phase{{}, d2::NarrowPhase(wanted)});
        if (CallResult r = made->narrow.usable(); !r) return r;
        *narrow = made.release();
        return {};
    });
}

void abut_d2_narrow_phase_destroy(abut_d2_narrow_phase* narrow) { delete narrow; }

abut_error_code abut_d2_narrow_phase_overlap(abut_d2_narrow_phase* narrow, const abut_d2_frame* frame,
                                             abut_overlap_columns* out, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"out", out}}, [&] {
        return c::ask<OverlapColumns>(frame, out, [&](auto& f, auto& to) { return narrow->narrow.overlap(f, to); });
    });
}

abut_error_code abut_d2_narrow_phase_distance(abut_d2_narrow_phase* narrow, const abut_d2_frame* frame,
                                              const abut_d2_distance_columns* out, const abut_distance_options* options,
                                              abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"out", out}}, [&]() -> CallResult {
        DistanceOptions wanted;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        return c::ask<d2::DistanceColumns>(frame, out,
                                           [&](auto& f, auto& to) { return narrow->narrow.distance(f, to, wanted); });
    });
}

abut_error_code abut_d2_narrow_phase_collide(abut_d2_narrow_phase* narrow, const abut_d2_frame* frame,
                                             abut_d2_manifold_columns* out, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"out", out}}, [&] {
        return c::ask<d2::ManifoldColumns>(frame, out,
                                           [&](auto& f, auto& to) { return narrow->narrow.collide(f, to); });
    });
}

abut_error_code abut_d2_narrow_phase_collide_all(abut_d2_narrow_phase* narrow, const abut_d2_frame* frame,
                                                 abut_d2_manifolds* out, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"out", out}}, [&]() -> CallResult {
        d2::Frame asked;
        if (CallResult r = c::read(frame, asked); !r) return r;
        return narrow->narrow.collide(asked, out->manifolds);
    });
}

abut_error_code abut_d2_narrow_phase_cast(abut_d2_narrow_phase* narrow, const abut_d2_frame* frame,
                                          const abut_d2_motions* motions, abut_d2_cast_columns* out,
                                          const abut_cast_options* options, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"motions", motions}, {"out", out}},
                  [&]() -> CallResult {
                      d2::Motions moved;
                      CastOptions wanted;
                      if (CallResult r = c::read(motions, moved); !r) return r;
                      if (CallResult r = c::to_cpp(options, wanted); !r) return r;
                      return c::ask<d2::CastColumns>(
                          frame, out, [&](auto& f, auto& to) { return narrow->narrow.cast(f, moved, to, wanted); });
                  });
}

abut_error_code abut_d2_narrow_phase_raycast(abut_d2_narrow_phase* narrow, const abut_d2_frame* frame,
                                             const abut_d2_rays* rays, abut_d2_ray_columns* out,
                                             const abut_ray_options* options, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"rays", rays}, {"out", out}}, [&]() -> CallResult {
        d2::Rays cast;
        RayOptions wanted;
        if (CallResult r = c::read(rays, cast); !r) return r;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        return c::ask<d2::RayColumns>(frame, out,
                                      [&](auto& f, auto& to) { return narrow->narrow.raycast(f, cast, to, wanted); });
    });
}

abut_error_code abut_d2_narrow_phase_measure(abut_d2_narrow_phase* narrow, const abut_d2_frame* frame,
                                             const abut_d2_points* points, abut_d2_point_columns* out,
                                             const abut_point_options* options, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"points", points}, {"out", out}}, [&]() -> CallResult {
        d2::Points all;
        PointOptions wanted;
        if (CallResult r = c::read(points, all); !r) return r;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        return c::ask<d2::PointColumns>(frame, out,
                                        [&](auto& f, auto& to) { return narrow->narrow.measure(f, all, to, wanted); });
    });
}

abut_error_code abut_d2_narrow_phase_any_overlap(abut_d2_narrow_phase* narrow, const abut_d2_configurations* all,
                                                 const abut_any_overlap_columns* out, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"all", all}, {"out", out}}, [&] {
        return c::ask_all<AnyOverlapColumns>(all, out,
                                             [&](auto& a, auto& to) { return narrow->narrow.any_overlap(a, to); });
    });
}

abut_error_code abut_d2_narrow_phase_least_distance(abut_d2_narrow_phase* narrow, const abut_d2_configurations* all,
                                                    const abut_d2_least_distance_columns* out,
                                                    const abut_distance_options* options, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"all", all}, {"out", out}}, [&]() -> CallResult {
        DistanceOptions wanted;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        return c::ask_all<d2::LeastDistanceColumns>(
            all, out, [&](auto& a, auto& to) { return narrow->narrow.least_distance(a, to, wanted); });
    });
}

abut_error_code abut_d2_world_bounds(const abut_d2_store* shapes, const abut_d2_bodies* bodies, abut_bounds* bounds,
                                     size_t count, const abut_dvec2* origin, abut_error* error) {
    return c::run(error, {{"shapes", shapes}, {"bodies", bodies}}, [&] {
        return c::write_bounds(*bodies, bounds, count, origin, [&](const auto& all, auto boxes, auto from) {
            return d2::world_bounds(shapes->store, all, boxes, from);
        });
    });
}

abut_error_code abut_d2_swept_bounds(const abut_d2_store* shapes, const abut_d2_bodies* bodies,
                                     const abut_d2_motions* motions, abut_bounds* bounds, size_t count,
                                     const abut_dvec2* origin, abut_error* error) {
    return c::run(error, {{"shapes", shapes}, {"bodies", bodies}, {"motions", motions}}, [&]() -> CallResult {
        d2::Motions moved;
        if (CallResult r = c::read(motions, moved); !r) return r;
        return c::write_bounds(*bodies, bounds, count, origin, [&](const auto& all, auto boxes, auto from) {
            return d2::swept_bounds(shapes->store, all, moved.ends, boxes, from, moved.centers);
        });
    });
}

abut_error_code abut_d2_warm_table_carry_over(abut_warm_table* table, const abut_d2_frame* frame,
                                              const abut_d2_manifold_columns* now,
                                              const abut_carry_over_options* options, abut_error* error) {
    return c::run(error, {{"table", table}, {"frame", frame}, {"now", now}}, [&]() -> CallResult {
        d2::Frame asked;
        abut_d2_manifold_columns given = {};
        CarryOverOptions wanted;
        if (CallResult r = c::read(frame, asked); !r) return r;
        if (CallResult r = c::read_sized(now, given); !r) return r;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        struct {
            std::span<const std::uint32_t> first_manifold;
            std::span<const d2::Manifold> manifolds;
        } answer;
        if (CallResult r = c::view_items("abut_d2_manifold_columns.first_manifold", given.first_manifold,
                                         given.first_manifold_count, answer.first_manifold);
            !r)
            return r;
        if (CallResult r = c::view_items("abut_d2_manifold_columns.manifolds", given.manifolds, given.manifold_count,
                                         answer.manifolds);
            !r)
            return r;
        if (CallResult r = table->in_plane.assign(asked, answer); !r) return r;
        return table->table.carry_over(table->in_plane.view(), wanted);
    });
}

abut_error_code abut_d2_narrow_phase_counters(const abut_d2_narrow_phase* narrow, abut_counters* counters,
                                              abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"counters", counters}},
                  [&] { return c::write_counters(counters, narrow->narrow.counters()); });
}

abut_isa abut_d2_narrow_phase_isa(const abut_d2_narrow_phase* narrow) {
    return abut_isa(narrow == nullptr ? Isa::best : narrow->narrow.isa());
}

abut_error_code abut_d2_manifolds_create(abut_d2_manifolds** manifolds, abut_error* error) {
    return c::create("manifolds", manifolds, error);
}

void abut_d2_manifolds_destroy(abut_d2_manifolds* manifolds) { delete manifolds; }

abut_error_code abut_d2_manifolds_columns(const abut_d2_manifolds* manifolds, abut_d2_manifold_columns* columns,
                                          abut_error* error) {
    return c::run(error, {{"manifolds", manifolds}, {"columns", columns}}, [&]() -> CallResult {
        if (CallResult r = c::check_sized(columns); !r) return r;
        c::write_sized(columns, c::columns_in_c<d2::ManifoldColumns, abut_d2_manifold_columns>(manifolds->manifolds));
        return {};
    });
}
