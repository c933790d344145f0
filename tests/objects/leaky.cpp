// What wide code must never do, for the checks to find: an outside function template compiled wide, and a fused
// multiply-add.
#include <algorithm>

#include <immintrin.h>

namespace abut::avx512 {

float larger(float a, float b) { return std::max<float>(a, b); }

__m512 fused(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }

}  // namespace abut::avx512
