// The instruction sets that the kernels are compiled for. All give the same bits.
#pragma once

#include <cstdint>
#include <string_view>

#include <abut/status.hpp>

namespace abut {

enum class Isa : std::uint8_t { best, sse2, avx2, avx512, neon };

const char* to_string(Isa isa);            // "auto", "sse2", ...
Expected<Isa> parse_isa(std::string_view name);
bool is_supported(Isa isa);  // compiled in, and this CPU and OS run it; best: whether any is
Isa best_isa();              // the widest supported one, or what the environment's ABUT_ISA names; `best` where none is
unsigned lanes(Isa isa);                   // pairs a vector

}  // namespace abut
