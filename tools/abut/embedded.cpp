// The assembler copies the files in: a million numbers in a source file would take a compiler half a minute.
#include "embedded.hpp"

#if defined(__APPLE__)
#define ABUT_SECTION ".const_data"
#define ABUT_SYMBOL(name) "_" #name
#else
#define ABUT_SECTION ".section .rodata"
#define ABUT_SYMBOL(name) #name
#endif

// clang-format off
#define ABUT_EMBED(name, file)                   \
    __asm__(ABUT_SECTION "\n"                    \
            ".balign 16\n"                       \
            ABUT_SYMBOL(name##_begin) ":\n"      \
            ".incbin \"" file "\"\n"             \
            ABUT_SYMBOL(name##_end) ":\n"        \
            ".byte 0\n"                          \
            ".text\n");                          \
    extern "C" const std::byte name##_begin[], name##_end[]
// clang-format on

ABUT_EMBED(abut_embedded_capture, ABUT_EMBEDDED_CAPTURE);
ABUT_EMBED(abut_embedded_page, ABUT_EMBEDDED_PAGE);
ABUT_EMBED(abut_embedded_plane, ABUT_EMBEDDED_PLANE);
ABUT_EMBED(abut_embedded_module, ABUT_EMBEDDED_MODULE);

namespace abut::tools {

std::span<const std::byte> embedded_capture() { return {abut_embedded_capture_begin, abut_embedded_capture_end}; }

std::string_view embedded_page() {
    return {reinterpret_cast<const char*>(abut_embedded_page_begin),
            std::size_t(abut_embedded_page_end - abut_embedded_page_begin)};
}

std::string_view embedded_plane() {
    return {reinterpret_cast<const char*>(abut_embedded_plane_begin),
            std::size_t(abut_embedded_plane_end - abut_embedded_plane_begin)};
}

std::span<const std::byte> embedded_module() { return {abut_embedded_module_begin, abut_embedded_module_end}; }

}  // namespace abut::tools
