# Cross-building for WebAssembly with Debian's emscripten; programs run under Node. The kernels for SSE2 are compiled for WebAssembly's SIMD, whose
# registers are as wide. Serial executor: WebAssembly has threads only where a page is isolated from all others.
find_program(ABUT_EMXX em++ REQUIRED)
set(EMSCRIPTEN_SYSTEM_PROCESSOR wasm32)
set(EMSCRIPTEN_ROOT_PATH /usr/share/emscripten CACHE PATH "Where emscripten is installed")
include(${EMSCRIPTEN_ROOT_PATH}/cmake/Modules/Platform/Emscripten.cmake)
# -msimd128 for all sources: the library's own structs are vectors of four floats. The header adds what emscripten's C++ library lacks.
set(CMAKE_CXX_FLAGS_INIT "-msimd128 -include ${CMAKE_CURRENT_LIST_DIR}/../bindings/web/wasm/compatibility.hpp")
# -O1, here and for the kernels: higher levels make more splats of loads, which the compiler of emscripten 3.1.6 gets wrong (bindings/web/wasm/sse2.hpp). With -O2
# and without its vectorizers 6 of 1,120 random pairs had other bits, and the kernels were no faster.
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG" CACHE STRING "Flags of optimised builds")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-sALLOW_MEMORY_GROWTH=1")
include(${CMAKE_CURRENT_LIST_DIR}/host_headers.cmake)
# Threads::Threads for the scenes, which have one thread where the machine tells of no more: emscripten's functions of threads refuse.
set(CMAKE_HAVE_LIBC_PTHREAD ON CACHE INTERNAL "")
# The kernels' forced include of bindings/web/wasm/sse2.hpp must come before any other header.
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
