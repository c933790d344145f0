// Wide functions as entries of function tables, which the baseline calls.
#pragma once

#include "simd/simd.hpp"

namespace abut::ABUT_ISA_NAMESPACE {

template <auto function>
struct FromBaseline;
template <class Result, class... Arguments, Result (*function)(Arguments...)>
struct FromBaseline<function> {
    static Result call(Arguments... arguments) {
        const WideCode wide;
        return function(arguments...);
    }
};

}  // namespace abut::ABUT_ISA_NAMESPACE
