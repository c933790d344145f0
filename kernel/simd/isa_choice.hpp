// The choice of the instruction set from those that were compiled in and those that the machine runs.
#pragma once

#include <initializer_list>

#include <abut/host.hpp>

namespace abut {

class IsaSet {
public:
    constexpr IsaSet() = default;
    constexpr IsaSet(std::initializer_list<Isa> isas) {
        for (const Isa isa : isas) add(isa);
    }
    constexpr void add(Isa isa) { bits_ |= 1u << unsigned(isa); }
    constexpr bool has(Isa isa) const { return unsigned(isa) < 32 && (bits_ >> unsigned(isa) & 1) != 0; }

private:
    unsigned bits_ = 0;
};

struct IsaChoices {
    IsaSet compiled, runnable;

    bool has(Isa isa) const { return compiled.has(isa) && runnable.has(isa); }
};

// Resolves `best`: to the set that `forced` (ABUT_ISA; may be null or empty) names, otherwise to the widest available
// one. An error names what is missing.
Expected<Isa> choose_isa(Isa wanted, const char* forced, const IsaChoices& choices);

}  // namespace abut
