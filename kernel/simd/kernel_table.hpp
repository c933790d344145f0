// Function tables: the only way from baseline code to wide code. A room with wide code has one struct of function
// pointers; its table of an instruction set is the constant k<Struct> in that set's namespace.
#pragma once

#include <abut/host.hpp>
#include <abut/status.hpp>

// CMake makes ABUT_FOR_BUILT_SETS(apply, argument): apply(name, lanes, whether this machine runs it, argument) for each
// instruction set in this build.
#include "simd/built_sets.hpp"

namespace abut {

// The table of an instruction set; null if the set was not compiled in.
template <class Table>
const Table* kernels_for(Isa isa);

// Resolves `best`: to what read_environment found, otherwise to the widest that runs here. An error if the wanted set
// does not run.
Expected<Isa> resolve_isa(Isa wanted);

}  // namespace abut

#define ABUT_DECLARE_TABLE(name, lanes, runs, Table) \
    namespace name {                                 \
    extern const Table k##Table;                     \
    }
#define ABUT_RETURN_TABLE(name, lanes, runs, Table) \
    if (isa == Isa::name) return &name::k##Table;
// In namespace abut, after the struct: defines kernels_for<Table>.
#define ABUT_KERNEL_TABLE(Table)                      \
    ABUT_FOR_BUILT_SETS(ABUT_DECLARE_TABLE, Table)    \
    template <>                                       \
    inline const Table* kernels_for<Table>(Isa isa) { \
        ABUT_FOR_BUILT_SETS(ABUT_RETURN_TABLE, Table) \
        return nullptr;                               \
    }
