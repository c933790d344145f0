// The instruction sets that the kernels are compiled for. All give the same bits.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <abut/compiler.hpp>
#include <abut/status.hpp>

namespace abut {

// best, sse2, avx2, avx512, neon: isa_sets.inc has what they need.
enum class Isa : std::uint8_t {
    best,
#define ABUT_INSTRUCTION_SET(name, lanes, processor, flags, features) name,
#include <abut/isa_sets.inc>
#undef ABUT_INSTRUCTION_SET
};

// All but best, whether or not this build has them.
inline constexpr std::array kAllIsas = {
#define ABUT_INSTRUCTION_SET(name, lanes, processor, flags, features) Isa::name,
#include <abut/isa_sets.inc>
#undef ABUT_INSTRUCTION_SET
};

ABUT_API const char* to_string(Isa isa);  // "auto", "sse2", ...
ABUT_API Expected<Isa> parse_isa(std::string_view name);
ABUT_API bool is_supported(Isa isa);  // compiled in, and this CPU and OS run it; best: whether any is
ABUT_API Isa best_isa();              // what Isa::best means: the widest supported one, or that of read_environment; `best` where there is none
ABUT_API unsigned lanes(Isa isa);     // pairs per register; 0 where it is not in this build

// Reads the environment variable ABUT_ISA: from now on Isa::best means the instruction set that it names ("auto", "sse2", ...), in this whole process.
// Where it is not set or empty, Isa::best means the widest again. An error where it names none, or none that is supported; nothing changes then.
// abut reads no environment variable unless this is called. A NarrowPhase chooses when it is made. Like getenv, not while another thread sets variables.
ABUT_API CallResult read_environment();

}  // namespace abut
