# `cmake --install`: the headers, the library, the command line where it is built, the CMake package `abut`, abut.pc for pkg-config and the examples.
# Debian's folder for the libraries of one architecture: its compilers, CMake and pkg-config look there, under /usr/local, too. GNUInstallDirs takes it
# under /usr alone.
if(EXISTS /etc/debian_version AND CMAKE_LIBRARY_ARCHITECTURE AND NOT CMAKE_CROSSCOMPILING AND NOT DEFINED CMAKE_INSTALL_LIBDIR)
  set(CMAKE_INSTALL_LIBDIR lib/${CMAKE_LIBRARY_ARCHITECTURE} CACHE PATH "Object code libraries")
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(ABUT_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/abut)

# Until 1.0 a minor version may break what it likes.
set_target_properties(abut PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
install(TARGETS abut EXPORT abutTargets
  RUNTIME COMPONENT abut_runtime
  LIBRARY COMPONENT abut_runtime NAMELINK_COMPONENT abut_development
  ARCHIVE COMPONENT abut_development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET abut_cli)
  set_target_properties(abut_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS abut_cli RUNTIME COMPONENT abut_tools)
  # Debian's packages want a manual page compressed.
  find_program(ABUT_GZIP gzip)
  set(manual ${PROJECT_SOURCE_DIR}/packaging/abut.1)
  if(ABUT_GZIP)
    execute_process(COMMAND ${ABUT_GZIP} -9nc ${manual} OUTPUT_FILE ${PROJECT_BINARY_DIR}/abut.1.gz)
    set(manual ${PROJECT_BINARY_DIR}/abut.1.gz)
  endif()
  install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT abut_tools)
endif()
if(TARGET abut_capture_writer)
  install(TARGETS abut_capture_writer EXPORT abutTargets ARCHIVE COMPONENT abut_development INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/tools/capture/include/abut TYPE INCLUDE COMPONENT abut_development)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/abut TYPE INCLUDE COMPONENT abut_development)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE TYPE DOC COMPONENT abut_development)
# As sources: a project of their own, which finds the installed library.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples TYPE DOC COMPONENT abut_development)
install(EXPORT abutTargets NAMESPACE abut:: DESTINATION ${ABUT_PACKAGE_DIR} COMPONENT abut_development)

# A user's link needs whatever the library links, found under the same package names; reading them off the target keeps the two
# lists from drifting apart.
get_target_property(linked abut LINK_LIBRARIES)
set(ABUT_DEPENDENCIES "")
foreach(library IN LISTS linked)
  if(library MATCHES "^([A-Za-z0-9_]+)::")
    list(APPEND ABUT_DEPENDENCIES ${CMAKE_MATCH_1})
  endif()
endforeach()
list(REMOVE_DUPLICATES ABUT_DEPENDENCIES)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/abutConfig.cmake.in abutConfig.cmake INSTALL_DESTINATION ${ABUT_PACKAGE_DIR}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(abutConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/abutConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/abutConfigVersion.cmake
  DESTINATION ${ABUT_PACKAGE_DIR} COMPONENT abut_development)

# abut.pc: found from its own place, so that the tree can be moved. A static library's users link oneTBB themselves.
file(RELATIVE_PATH ABUT_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" ABUT_PC_PREFIX "${ABUT_PC_PREFIX}")
set(ABUT_PC_REQUIRES "")
set(ABUT_PC_DEFINES "")
set(ABUT_PC_LIBS_PRIVATE "")
if(BUILD_SHARED_LIBS)
  set(ABUT_PC_DEFINES " -DABUT_SHARED")
elseif("TBB" IN_LIST ABUT_DEPENDENCIES)
  set(ABUT_PC_REQUIRES "Requires: tbb\n")
endif()
# A program in C that links the static library needs the runtime of C++ (pkg-config --static).
if(NOT BUILD_SHARED_LIBS)
  set(runtime ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
  list(FILTER runtime INCLUDE REGEX "^(stdc\\+\\+|c\\+\\+|m)$")
  list(REMOVE_DUPLICATES runtime)
  list(TRANSFORM runtime PREPEND "-l")
  list(JOIN runtime " " runtime)
  set(ABUT_PC_LIBS_PRIVATE "Libs.private: ${runtime}\n")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/abut.pc.in abut.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/abut.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT abut_development)
