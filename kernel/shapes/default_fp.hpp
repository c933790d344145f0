// The default floating-point environment for the length of a scope. A host may have changed its rounding mode, flushed denormals or
// unmasked exceptions; shapes are checked and cooked to the same bits all the same, and the host's setting comes back at the end.
#pragma once

#include <cfenv>

#if defined(_WIN32)
#include "parallel/fp_environment.hpp"
#endif

namespace abut {

class DefaultFp {
public:
    DefaultFp() {
        std::fegetenv(&hosts_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~DefaultFp() { std::fesetenv(&hosts_); }
    DefaultFp(const DefaultFp&) = delete;
    DefaultFp& operator=(const DefaultFp&) = delete;

private:
#if defined(_WIN32)
    FpEnvironment sse_;  // mingw-w64's fesetenv leaves MXCSR as it is
#endif
    std::fenv_t hosts_;
};

}  // namespace abut
