// The assembler copies the file in: a million numbers in a source file would take a compiler half a minute.
#include "embedded.hpp"

#if defined(__APPLE__)
#define ABUT_SECTION ".const_data"
#define ABUT_SYMBOL(name) "_" #name
#else
#define ABUT_SECTION ".section .rodata"
#define ABUT_SYMBOL(name) #name
#endif

// clang-format off
__asm__(ABUT_SECTION "\n"
        ".balign 16\n"
        ABUT_SYMBOL(abut_embedded_begin) ":\n"
        ".incbin \"" ABUT_EMBEDDED_FILE "\"\n"
        ABUT_SYMBOL(abut_embedded_end) ":\n"
        ".byte 0\n"
        ".text\n");
// clang-format on

extern "C" const std::byte abut_embedded_begin[], abut_embedded_end[];

namespace abut::tools {

std::span<const std::byte> embedded_capture() { return {abut_embedded_begin, abut_embedded_end}; }

}  // namespace abut::tools
