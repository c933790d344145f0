// Versions, names and instruction sets.
#include <abut/abut.hpp>

#include "api/c/c_call.hpp"
#include "api/c/convert.hpp"

using namespace abut;

const char* abut_version() { return version(); }

uint32_t abut_version_number() { return ABUT_VERSION_NUMBER; }

abut_error_code abut_check_c_abi(uint32_t abi, abut_error* error) {
    return c::run(error, {}, [&]() -> CallResult {
        if (abi == ABUT_C_ABI) return {};
        return Error{ErrorCode::unsupported, message_of("the program was compiled for the C ABI ", abi,
                                                        ", this is abut " ABUT_VERSION " with ", ABUT_C_ABI)};
    });
}

const char* abut_error_name(abut_error_code code) {
    static constexpr const char* kNames[] = {"ok",    "bad_shape",   "bad_argument",  "bad_size",
                                             "limit", "unsupported", "out_of_memory", "executor"};
    return code < std::size(kNames) ? kNames[code] : "unknown";
}

const char* abut_status_name(abut_status status) { return to_string(Status(status)); }

const char* abut_shape_kind_name(abut_shape_kind kind) {
    return to_string(kind <= ABUT_NO_KIND ? ShapeKind(kind) : ShapeKind::none);
}

const char* abut_pair_state_name(uint8_t state) {
    return state <= uint8_t(PairState::done) ? to_string(PairState(state)) : "unknown";
}

uint8_t abut_certified_by(const abut_pair_trace* trace) {
    if (trace == nullptr || trace->count > PairTrace::kMostStates) return uint8_t(PairState::done);
    return uint8_t(certified_by(*reinterpret_cast<const PairTrace*>(trace)));
}

namespace {

bool is_isa(abut_isa isa) { return isa <= kAllIsas.size(); }

}  // namespace

const char* abut_isa_name(abut_isa isa) { return is_isa(isa) ? to_string(Isa(isa)) : "unknown"; }

abut_error_code abut_parse_isa(const char* name, abut_isa* isa, abut_error* error) {
    return c::run(error, {{"name", name}, {"isa", isa}}, [&]() -> CallResult {
        const Expected<Isa> parsed = parse_isa(name);
        if (!parsed) return parsed.error();
        *isa = abut_isa(*parsed);
        return {};
    });
}

bool abut_isa_is_supported(abut_isa isa) { return is_isa(isa) && is_supported(Isa(isa)); }

abut_isa abut_best_isa() { return abut_isa(best_isa()); }

uint32_t abut_isa_lanes(abut_isa isa) { return is_isa(isa) ? lanes(Isa(isa)) : 0; }

abut_error_code abut_read_environment(abut_error* error) {
    return c::run(error, {}, [] { return read_environment(); });
}

abut_error_code abut_set_allocator(const abut_allocator* allocator, abut_error* error) {
    return c::run(error, {}, [&] {
        return set_allocator(allocator == nullptr
                                 ? Allocator{}
                                 : Allocator{allocator->allocate, allocator->release, allocator->context});
    });
}

size_t abut_memory_in_use(size_t* blocks) {
    const MemoryInUse held = memory_in_use();
    if (blocks != nullptr) *blocks = held.blocks;
    return held.bytes;
}
