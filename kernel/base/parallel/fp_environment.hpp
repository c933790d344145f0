// The floating-point environment in which the kernels' bits are promised: round to nearest, no flush to zero, all
// exceptions masked. The host or a worker thread may use another one, so each task sets it and restores the host's.
#pragma once

#if (defined(__SSE2__) || defined(_M_X64)) && !defined(__wasm__)
#include <immintrin.h>
#endif
#include <cstdint>

namespace abut {

class FpEnvironment {
public:
#if (defined(__SSE2__) || defined(_M_X64)) && !defined(__wasm__)
    FpEnvironment() : saved_(_mm_getcsr()) { _mm_setcsr(0x1f80); }
    ~FpEnvironment() { _mm_setcsr(saved_); }

private:
    unsigned saved_;
#elif defined(__aarch64__)
    FpEnvironment() {
        const std::uint64_t standard = 0;
        asm volatile("mrs %0, fpcr" : "=r"(saved_));
        asm volatile("msr fpcr, %0" : : "r"(standard));
    }
    ~FpEnvironment() { asm volatile("msr fpcr, %0" : : "r"(saved_)); }

private:
    std::uint64_t saved_;
#else
    FpEnvironment() {}  // WebAssembly has no other environment
#endif

public:
    FpEnvironment(const FpEnvironment&) = delete;
    FpEnvironment& operator=(const FpEnvironment&) = delete;
};

}  // namespace abut
