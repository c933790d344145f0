// The three queries.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/result_columns.hpp"
#include "api/c/sized.hpp"

using namespace abut;

abut_executor abut_serial_executor() {
    const Executor serial = serial_executor();
    return {serial.run, serial.context};
}

abut_error_code abut_narrow_phase_create(const abut_settings* settings, abut_narrow_phase** narrow, abut_error* error) {
    return c::run(error, {{"narrow", narrow}}, [&]() -> CallResult {
        Settings wanted;
        if (CallResult r = c::to_cpp(settings, wanted); !r) return r;
        auto made = std::make_unique<abut_narrow_phase>(abut_narrow_phase{{}, NarrowPhase(wanted)});
        if (CallResult r = made->narrow.usable(); !r) return r;
        *narrow = made.release();
        return {};
    });
}

void abut_narrow_phase_destroy(abut_narrow_phase* narrow) { delete narrow; }

abut_error_code abut_narrow_phase_overlap(abut_narrow_phase* narrow, const abut_frame* frame, abut_overlap_columns* out,
                                          abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"out", out}}, [&]() -> CallResult {
        Frame asked;
        if (CallResult r = c::to_cpp(frame, asked); !r) return r;
        return c::fill<OverlapColumns>(out, [&](auto& columns) { return narrow->narrow.overlap(asked, columns); });
    });
}

abut_error_code abut_narrow_phase_distance(abut_narrow_phase* narrow, const abut_frame* frame,
                                           const abut_distance_columns* out, const abut_distance_options* options,
                                           abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"out", out}}, [&]() -> CallResult {
        Frame asked;
        DistanceOptions wanted;
        if (CallResult r = c::to_cpp(frame, asked); !r) return r;
        if (CallResult r = c::to_cpp(options, wanted); !r) return r;
        return c::fill<DistanceColumns>(out,
                                        [&](auto& columns) { return narrow->narrow.distance(asked, columns, wanted); });
    });
}

abut_error_code abut_narrow_phase_collide(abut_narrow_phase* narrow, const abut_frame* frame,
                                          abut_manifold_columns* out, abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"out", out}}, [&]() -> CallResult {
        Frame asked;
        if (CallResult r = c::to_cpp(frame, asked); !r) return r;
        return c::fill<ManifoldColumns>(out, [&](auto& columns) { return narrow->narrow.collide(asked, columns); });
    });
}

abut_error_code abut_narrow_phase_collide_all(abut_narrow_phase* narrow, const abut_frame* frame, abut_manifolds* out,
                                              abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"frame", frame}, {"out", out}}, [&]() -> CallResult {
        Frame asked;
        if (CallResult r = c::to_cpp(frame, asked); !r) return r;
        return narrow->narrow.collide(asked, out->manifolds);
    });
}

abut_error_code abut_narrow_phase_reserve(abut_narrow_phase* narrow, size_t pairs, size_t child_pairs, size_t* bytes,
                                          abut_error* error) {
    return c::run(error, {{"narrow", narrow}}, [&]() -> CallResult {
        const std::size_t held = narrow->narrow.reserve(pairs, child_pairs);
        if (bytes != nullptr) *bytes = held;
        return {};
    });
}

abut_error_code abut_narrow_phase_counters(const abut_narrow_phase* narrow, abut_counters* counters,
                                           abut_error* error) {
    return c::run(error, {{"narrow", narrow}, {"counters", counters}},
                  [&] { return c::write_counters(counters, narrow->narrow.counters()); });
}

abut_isa abut_narrow_phase_isa(const abut_narrow_phase* narrow) {
    return abut_isa(narrow == nullptr ? Isa::best : narrow->narrow.isa());
}
