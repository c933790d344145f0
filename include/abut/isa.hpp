/// @file
/// The instruction sets that the kernels are compiled for. All give the same bits.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <abut/compiler.hpp>
#include <abut/status.hpp>

namespace abut {

/// best, sse2, avx2, avx512, neon: isa_sets.inc has what they need.
enum class Isa : std::uint8_t {
    best,
#define ABUT_INSTRUCTION_SET(name, lanes, processor, flags, features) name,
#include <abut/isa_sets.inc>
#undef ABUT_INSTRUCTION_SET
};

/// All except best, also those that this build does not have.
inline constexpr std::array kAllIsas = {
#define ABUT_INSTRUCTION_SET(name, lanes, processor, flags, features) Isa::name,
#include <abut/isa_sets.inc>
#undef ABUT_INSTRUCTION_SET
};

ABUT_API const char* to_string(Isa isa);                  ///< "auto", "sse2", ...
ABUT_API Expected<Isa> parse_isa(std::string_view name);  ///< of a name; the error lists the names
/// compiled in and supported by this CPU and OS; best: whether any set is
ABUT_API bool is_supported(Isa isa);
/// the meaning of Isa::best: the widest supported set, or that of read_environment; `best` if there is none
ABUT_API Isa best_isa();
ABUT_API unsigned lanes(Isa isa);  ///< pairs per register; 0 if it is not in this build

/// Reads the environment variable ABUT_ISA. After this call Isa::best means the instruction set that it names ("auto",
/// "sse2", ...), in the whole process. If it is not set or empty, Isa::best means the widest set again. Returns an
/// error, and changes nothing, if it names no set or a set that is not supported. abut reads no environment variable
/// unless this is called. A NarrowPhase chooses its set when it is created. As with getenv, do not call this while
/// another thread sets variables.
ABUT_API CallResult read_environment();

}  // namespace abut
