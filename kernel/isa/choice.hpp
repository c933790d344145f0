// Which instruction set runs, as a function of what there is: what was compiled in and what the machine runs.
#pragma once

#include <initializer_list>

#include <abut/isa.hpp>

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

// `best` becomes what `forced` (ABUT_ISA; null or empty: nothing) names, else the widest there is. An error names what is missing; never
// returns `best`.
Expected<Isa> choose_isa(Isa wanted, const char* forced, const IsaChoices& choices);

}  // namespace abut
