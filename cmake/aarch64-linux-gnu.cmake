# Cross-building for 64-bit ARM with Debian's g++-aarch64-linux-gnu; tests run under qemu-user. Serial executor: oneTBB would have to be built for it, too.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)
# Debian puts xsimd, which is headers alone, into the folder of the machine that it was installed on.
file(GLOB host_xsimd /usr/lib/*-linux-gnu/cmake/xsimd)
set(xsimd_DIR ${host_xsimd} CACHE PATH "")
