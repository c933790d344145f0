// Manifolds that grow, and the features that ids name.
#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"
#include "api/c/handles.hpp"
#include "api/c/result_columns.hpp"
#include "api/c/sized.hpp"

namespace abut::c {
namespace {

abut_feature to_c_struct(const Feature& f) { return {std::uint8_t(f.type), f.v0, f.v1, f.face}; }

}  // namespace

CallResult to_cpp(const abut_manifold_columns* from, ManifoldColumns& to) {
    abut_manifold_columns given = {};
    if (CallResult r = read_sized(from, given); !r) return r;
    to = columns_of<ManifoldColumns>(given);
    return {};
}

}  // namespace abut::c

using namespace abut;

abut_error_code abut_manifolds_create(abut_manifolds** manifolds, abut_error* error) {
    return c::create("manifolds", manifolds, error);
}

void abut_manifolds_destroy(abut_manifolds* manifolds) { delete manifolds; }

abut_error_code abut_manifolds_columns(const abut_manifolds* manifolds, abut_manifold_columns* columns,
                                       abut_error* error) {
    return c::run(error, {{"manifolds", manifolds}, {"columns", columns}}, [&]() -> CallResult {
        if (CallResult r = c::check_sized(columns); !r) return r;
        c::write_sized(columns, c::columns_in_c<ManifoldColumns, abut_manifold_columns>(manifolds->manifolds));
        return {};
    });
}

uint16_t abut_edge_feature(uint32_t v0, uint32_t v1) { return edge_feature(v0, v1); }
abut_feature abut_decode_feature(uint16_t half) { return c::to_c_struct(decode_feature(half)); }
abut_feature abut_feature_of_a(uint32_t feature) { return c::to_c_struct(feature_of_a(feature)); }
abut_feature abut_feature_of_b(uint32_t feature) { return c::to_c_struct(feature_of_b(feature)); }
