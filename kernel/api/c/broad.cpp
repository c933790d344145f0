// The broad phase in C.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/sized.hpp"

namespace abut::c {
namespace {

abut_broad_settings to_c_struct(const BroadSettings& s) {
    return {sizeof(abut_broad_settings), {s.executor.run, s.executor.context}, s.threads, abut_isa(s.isa)};
}

CallResult read_rays(const abut_box_rays* from, BoxRays& to) {
    abut_box_rays given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    to = {.origins = column<Vec3>(given.origins),
          .double_origins = column<DVec3>(given.double_origins),
          .directions = column<Vec3>(given.directions),
          .lengths = column<float>(given.lengths),
          .half_extents = column<Vec3>(given.half_extents),
          .boxes_origin = to_cpp(given.boxes_origin),
          .groups = column<std::uint32_t>(given.groups),
          .masks = column<std::uint32_t>(given.masks)};
    return {};
}

// Runs `ask`, and writes where the answer is.
template <class Ask>
CallResult find(abut_broad_phase* broad, abut_pair_list* out, Ask&& ask) {
    abut_pair_list list = {};
    if (CallResult r = read_sized(out, list); !r) return r;
    const CallResult result = ask(broad->broad);
    if (!result) return result;
    const auto pairs = broad->broad.pairs();
    const auto bad_a = broad->broad.bad_a(), bad_b = broad->broad.bad_b();
    list.pairs = reinterpret_cast<const abut_pair*>(pairs.data()), list.pair_count = pairs.size();
    list.bad_a = bad_a.data(), list.bad_a_count = bad_a.size();
    list.bad_b = bad_b.data(), list.bad_b_count = bad_b.size();
    write_sized(out, list);
    return {};
}

}  // namespace

CallResult to_cpp(const abut_broad_settings* from, BroadSettings& to) {
    abut_broad_settings given = to_c_struct(BroadSettings());
    if (from != nullptr)
        if (CallResult r = read_sized(from, given); !r) return r;
    if (given.isa > kAllIsas.size())
        return bad_argument(
            message_of("abut_broad_settings.isa is ", given.isa, ", expected ", kAllIsas.size(), " or less"));
    to = {{given.executor.run, given.executor.context}, given.threads, Isa(given.isa)};
    return {};
}

CallResult to_cpp(const abut_boxes* from, Boxes& to) {
    abut_boxes given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    if (given.reserved != 0) return bad_argument(message_of("abut_boxes.reserved is ", given.reserved, ", expected 0"));
    to = {.bounds = column<Bounds>(given.bounds),
          .margin = given.margin,
          .margins = column<float>(given.margins),
          .groups = column<std::uint32_t>(given.groups),
          .masks = column<std::uint32_t>(given.masks),
          .moving = column<std::uint8_t>(given.moving)};
    return {};
}

}  // namespace abut::c

using namespace abut;

abut_error_code abut_broad_settings_init(abut_broad_settings* settings, size_t size, abut_error* error) {
    return c::run(error, {{"settings", settings}},
                  [&] { return c::init_sized(settings, size, c::to_c_struct(BroadSettings())); });
}

abut_error_code abut_broad_phase_create(const abut_broad_settings* settings, abut_broad_phase** broad,
                                        abut_error* error) {
    return c::run(error, {{"broad", broad}}, [&]() -> CallResult {
        BroadSettings wanted;
        if (CallResult r = c::to_cpp(settings, wanted); !r) return r;
        auto made = std::make_unique<abut_broad_phase>(abut_broad_phase{{}, BroadPhase(wanted)});
        // Settings that cannot be met give an error in the first call.
        if (CallResult r = made->broad.find_pairs(Boxes{}); !r) return r;
        *broad = made.release();
        return {};
    });
}

void abut_broad_phase_destroy(abut_broad_phase* broad) { delete broad; }

abut_error_code abut_broad_phase_find_pairs(abut_broad_phase* broad, const abut_boxes* boxes, abut_pair_list* out,
                                            abut_error* error) {
    return c::run(error, {{"broad", broad}, {"boxes", boxes}, {"out", out}}, [&]() -> CallResult {
        Boxes all;
        if (CallResult r = c::to_cpp(boxes, all); !r) return r;
        return c::find(broad, out, [&](BroadPhase& phase) { return phase.find_pairs(all); });
    });
}

abut_error_code abut_broad_phase_find_pairs_of_sets(abut_broad_phase* broad, const abut_boxes* a, const abut_boxes* b,
                                                    abut_pair_list* out, abut_error* error) {
    return c::run(error, {{"broad", broad}, {"a", a}, {"b", b}, {"out", out}}, [&]() -> CallResult {
        Boxes first, second;
        if (CallResult r = c::to_cpp(a, first); !r) return r;
        if (CallResult r = c::to_cpp(b, second); !r) return r;
        return c::find(broad, out, [&](BroadPhase& phase) { return phase.find_pairs(first, second); });
    });
}

abut_error_code abut_broad_phase_find_ray_pairs(abut_broad_phase* broad, const abut_box_rays* rays,
                                                const abut_boxes* boxes, abut_pair_list* out, abut_error* error) {
    return c::run(error, {{"broad", broad}, {"rays", rays}, {"boxes", boxes}, {"out", out}}, [&]() -> CallResult {
        BoxRays lines;
        Boxes all;
        if (CallResult r = c::read_rays(rays, lines); !r) return r;
        if (CallResult r = c::to_cpp(boxes, all); !r) return r;
        return c::find(broad, out, [&](BroadPhase& phase) { return phase.find_ray_pairs(lines, all); });
    });
}

abut_error_code abut_match_pairs(const abut_pair* before, size_t before_count, const abut_pair* now, size_t now_count,
                                 abut_previous_pair* previous, abut_error* error) {
    return c::run(error, {}, [&]() -> CallResult {
        std::span<const Pair> old_pairs, new_pairs;
        std::span<PreviousPair> found;
        if (CallResult r = c::view_items("before", before, before_count, old_pairs); !r) return r;
        if (CallResult r = c::view_items("now", now, now_count, new_pairs); !r) return r;
        if (CallResult r = c::view_items("previous", previous, now_count, found); !r) return r;
        return match_pairs(old_pairs, new_pairs, found);
    });
}

abut_error_code abut_swept_bounds(const abut_store* shapes, const abut_bodies* start, const abut_bodies* end,
                                  abut_bounds* bounds, size_t count, const abut_dvec3* origin, abut_column centers,
                                  abut_error* error) {
    return c::run(error, {{"shapes", shapes}, {"start", start}, {"end", end}}, [&]() -> CallResult {
        Bodies first, last;
        std::span<Bounds> out;
        if (CallResult r = c::to_cpp(*start, first); !r) return r;
        if (CallResult r = c::to_cpp(*end, last); !r) return r;
        if (CallResult r = c::view_items("bounds", bounds, count, out); !r) return r;
        return swept_bounds(shapes->store, first, last, out, origin == nullptr ? DVec3{} : c::to_cpp(*origin),
                            c::column<Vec3>(centers));
    });
}
