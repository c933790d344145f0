// Options and settings: their defaults, which are those of C++, and the values in a caller's struct.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/sized.hpp"

namespace abut::c {
namespace {

abut_instance_options to_c_struct(const InstanceOptions& options) {
    return {sizeof(abut_instance_options), options.rounding, to_c(options.scale), to_c(options.pose), 0};
}
abut_hull_options to_c_struct(const HullOptions& options) {
    return {sizeof(abut_hull_options), options.max_vertices, options.tolerance, options.recognise_box, {}};
}
abut_mesh_options to_c_struct(const MeshOptions& options) {
    return {sizeof(abut_mesh_options),
            options.weld_tolerance,
            abut_mesh_sides(options.sides),
            {},
            nullptr,
            0,
            options.solid,
            {}};
}
abut_heightfield_options to_c_struct(const HeightfieldOptions& options) {
    return {sizeof(abut_heightfield_options),
            options.spacing_x,
            options.spacing_z,
            abut_mesh_sides(options.sides),
            {},
            nullptr,
            0,
            options.thickness,
            {}};
}
abut_distance_options to_c_struct(const DistanceOptions& options) {
    return {sizeof(abut_distance_options), options.max_distance, options.separation_only, {}, {}};
}
abut_settings to_c_struct(const Settings& s) {
    return {sizeof(abut_settings),
            s.speculative_margin,
            s.contact_slack,
            {s.executor.run, s.executor.context},
            s.threads,
            abut_isa(s.isa),
            abut_depth_path(s.depth),
            s.max_child_pairs,
            s.follow_distance,
            s.ground_contacts,
            s.manifold_angle,
            0};
}
abut_carry_over_options to_c_struct(const CarryOverOptions& options) {
    return {sizeof(abut_carry_over_options), options.match_distance, options.joined};
}
abut_touch_options to_c_struct(const TouchOptions& options) {
    return {sizeof(abut_touch_options), options.begin_distance, options.end_distance};
}

template <class Options>
auto defaults() {
    return to_c_struct(Options());
}

// Reads `from` (may be null). Fields that the caller's version of the struct lacks get their defaults.
template <class Options, class From>
CallResult read(const From* from, From& given) {
    given = defaults<Options>();
    return from == nullptr ? CallResult{} : read_sized(from, given);
}

Error out_of_range(const char* name, std::size_t value, std::size_t most) {
    return bad_argument(message_of(name, " is ", value, ", expected ", most, " or less"));
}

}  // namespace

CallResult to_cpp(const abut_instance_options* from, InstanceOptions& to) {
    abut_instance_options given;
    if (CallResult r = read<InstanceOptions>(from, given); !r) return r;
    to = {given.rounding, to_cpp(given.scale), to_cpp(given.pose)};
    return {};
}

CallResult to_cpp(const abut_hull_options* from, HullOptions& to) {
    abut_hull_options given;
    if (CallResult r = read<HullOptions>(from, given); !r) return r;
    to = {given.max_vertices, given.tolerance, given.recognise_box};
    return {};
}

// Cooking checks `sides` (check_sides), so this does not.
CallResult to_cpp(const abut_mesh_options* from, MeshOptions& to) {
    abut_mesh_options given;
    if (CallResult r = read<MeshOptions>(from, given); !r) return r;
    to = {MeshSides(given.sides), given.weld_tolerance, {}, given.solid};
    return view_items("abut_mesh_options.user_values", given.user_values, given.user_value_count, to.user_values);
}

CallResult to_cpp(const abut_heightfield_options* from, HeightfieldOptions& to) {
    abut_heightfield_options given;
    if (CallResult r = read<HeightfieldOptions>(from, given); !r) return r;
    to = {given.spacing_x, given.spacing_z, MeshSides(given.sides), {}, given.thickness};
    return view_items("abut_heightfield_options.cells", given.cells, given.cell_count, to.cells);
}

CallResult to_cpp(const abut_distance_options* from, DistanceOptions& to) {
    abut_distance_options given;
    if (CallResult r = read<DistanceOptions>(from, given); !r) return r;
    to = {given.max_distance, column<float>(given.max_distances), given.separation_only};
    return {};
}

CallResult to_cpp(const abut_settings* from, Settings& to) {
    abut_settings given;
    if (CallResult r = read<Settings>(from, given); !r) return r;
    if (given.isa > kAllIsas.size()) return out_of_range("abut_settings.isa", given.isa, kAllIsas.size());
    if (given.depth > ABUT_DEPTH_EXACT) return out_of_range("abut_settings.depth", given.depth, ABUT_DEPTH_EXACT);
    to.speculative_margin = given.speculative_margin;
    to.contact_slack = given.contact_slack;
    to.executor = {given.executor.run, given.executor.context};
    to.threads = given.threads;
    to.isa = Isa(given.isa);
    to.depth = DepthPath(given.depth);
    to.max_child_pairs = given.max_child_pairs;
    if (given.reserved != 0) return out_of_range("abut_settings.reserved", given.reserved, 0);
    to.follow_distance = given.follow_distance;
    if (given.ground_contacts != 0) to.ground_contacts = given.ground_contacts;
    to.manifold_angle = given.manifold_angle;
    return {};
}

CallResult to_cpp(const abut_carry_over_options* from, CarryOverOptions& to) {
    abut_carry_over_options given;
    if (CallResult r = read<CarryOverOptions>(from, given); !r) return r;
    to = {given.match_distance, given.joined != 0};
    return {};
}

CallResult to_cpp(const abut_touch_options* from, TouchOptions& to) {
    abut_touch_options given;
    if (CallResult r = read<TouchOptions>(from, given); !r) return r;
    to = {given.begin_distance, given.end_distance};
    return {};
}

}  // namespace abut::c

using namespace abut;

abut_error_code abut_instance_options_init(abut_instance_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}},
                  [&] { return c::init_sized(options, size, c::defaults<InstanceOptions>()); });
}

abut_error_code abut_hull_options_init(abut_hull_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}},
                  [&] { return c::init_sized(options, size, c::defaults<HullOptions>()); });
}

abut_error_code abut_mesh_options_init(abut_mesh_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}},
                  [&] { return c::init_sized(options, size, c::defaults<MeshOptions>()); });
}

abut_error_code abut_heightfield_options_init(abut_heightfield_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}},
                  [&] { return c::init_sized(options, size, c::defaults<HeightfieldOptions>()); });
}

abut_error_code abut_distance_options_init(abut_distance_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}},
                  [&] { return c::init_sized(options, size, c::defaults<DistanceOptions>()); });
}

abut_error_code abut_settings_init(abut_settings* settings, size_t size, abut_error* error) {
    return c::run(error, {{"settings", settings}},
                  [&] { return c::init_sized(settings, size, c::defaults<Settings>()); });
}

abut_error_code abut_carry_over_options_init(abut_carry_over_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}},
                  [&] { return c::init_sized(options, size, c::defaults<CarryOverOptions>()); });
}

abut_error_code abut_touch_options_init(abut_touch_options* options, size_t size, abut_error* error) {
    return c::run(error, {{"options", options}},
                  [&] { return c::init_sized(options, size, c::defaults<TouchOptions>()); });
}
