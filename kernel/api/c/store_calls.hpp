// Functions that the calls of the stores of both dimensions share.
#pragma once

#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"

namespace abut::c {

inline InstanceOptions options_in_cpp(const abut_instance_options*) { return {}; }
inline d2::InstanceOptions options_in_cpp(const abut_d2_instance_options*) { return {}; }

// add(options) returns an Expected of an id.
template <class Store, class Options, class Add>
abut_error_code add_shape(Store* store, const Options* options, abut_shape_id* id, abut_error* error, Add&& add) {
    return run(error, {{"store", store}, {"id", id}}, [&]() -> CallResult {
        auto wanted = options_in_cpp(options);
        if (CallResult r = to_cpp(options, wanted); !r) return r;
        const auto made = add(wanted);
        if (!made) return made.error();
        *id = made->bits();
        return {};
    });
}

// Calls read(id) if `id` names a living shape, of the given kind if there is one.
template <class Store, class Kind, class Read>
abut_error_code read_shape(const Store* store, abut_shape_id id, Kind kind, const void* out, abut_error* error,
                           Read&& read) {
    return run(error, {{"store", store}, {"the pointer to the answer", out}}, [&]() -> CallResult {
        const auto named = BasicShapeId<Kind>::from_bits(id);
        if (!store->store.contains(named)) return bad_argument("id names no living shape");
        if (kind != Kind::none && named.kind() != kind)
            return bad_argument(message_of("id names a ", to_string(named.kind()), ", expected a ", to_string(kind)));
        return read(named);
    });
}

}  // namespace abut::c
