# Cross-building for 64-bit Windows with clang, on the headers and libraries of Debian's g++-mingw-w64-x86-64. clang does not find them by itself in
# the folder of the variant that has std::thread.
include(${CMAKE_CURRENT_LIST_DIR}/x86_64-w64-mingw32.cmake)
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-libgcc-file-name OUTPUT_VARIABLE gcc_folder OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
cmake_path(GET gcc_folder PARENT_PATH gcc_folder)
set(CMAKE_C_COMPILER clang)
set(CMAKE_CXX_COMPILER clang++)
set(CMAKE_C_COMPILER_TARGET x86_64-w64-mingw32)
set(CMAKE_CXX_COMPILER_TARGET x86_64-w64-mingw32)
set(headers ${gcc_folder}/include/c++)
set(CMAKE_CXX_FLAGS_INIT "-isystem ${headers} -isystem ${headers}/x86_64-w64-mingw32 -isystem ${headers}/backward")
# libstdc++.a defines an inline function of <typeinfo> once more.
string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -L${gcc_folder} -pthread -Wl,--allow-multiple-definition")
string(APPEND CMAKE_SHARED_LINKER_FLAGS_INIT " -L${gcc_folder} -pthread -Wl,--allow-multiple-definition")
