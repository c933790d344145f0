# Installs the build into WORK, moves the tree (nothing in it may know where it was), and builds and runs CONSUMER against it.
include(${CMAKE_CURRENT_LIST_DIR}/step.cmake)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
step("install" ${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/first)
file(RENAME ${WORK}/first ${WORK}/prefix)

# Public headers show neither xsimd nor TBB.
file(GLOB_RECURSE headers ${WORK}/prefix/include/*.hpp)
if(NOT headers)
  message(FATAL_ERROR "no header was installed")
endif()
foreach(header IN LISTS headers)
  file(STRINGS ${header} lines REGEX "# *include.*(xsimd|tbb|qhull|immintrin|arm_neon)")
  if(lines)
    message(FATAL_ERROR "${header}: ${lines}")
  endif()
endforeach()

if(EXISTS ${WORK}/prefix/bin/abut)
  step("run the installed command line" ${WORK}/prefix/bin/abut info)
endif()

set(configure ${CMAKE_COMMAND} -G ${GENERATOR} -D CMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}
  -D CMAKE_BUILD_TYPE=${CONFIG} -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_CXX_COMPILER=${CXX}
  -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -D CMAKE_CXX_FLAGS=${FLAGS} -D CMAKE_NO_SYSTEM_FROM_IMPORTED=ON
  -D CMAKE_RUNTIME_OUTPUT_DIRECTORY=${WORK}/bin)
step("configure the consumer" ${configure} -S ${CONSUMER} -B ${WORK}/build)

file(STRINGS ${WORK}/build/CMakeCache.txt found REGEX "^abut_DIR:")
string(FIND "${found}" "${WORK}/prefix/" at)
if(at EQUAL -1)
  message(FATAL_ERROR "the consumer found another abut: ${found}")
endif()

step("build the consumer" ${CMAKE_COMMAND} --build ${WORK}/build --config ${CONFIG})
step("run the consumer" ${WORK}/bin/consumer)
message(STATUS "${output}")
string(FIND "${output}" "abut ${VERSION} " at)
if(at EQUAL -1)
  message(FATAL_ERROR "the consumer printed another version than ${VERSION}")
endif()
step("run with other containers than the library's" ${WORK}/bin/debug_containers)
step("run with other strings than the library's" ${WORK}/bin/older_strings)
if(EXISTS ${WORK}/bin/capture_consumer AND EXISTS ${WORK}/prefix/bin/abut)
  set(capture ${WORK}/own.abut)
  step("record frames" ${WORK}/bin/capture_consumer ${capture})
  step("dump the frames" ${WORK}/prefix/bin/abut dump ${capture})
  string(REGEX MATCHALL "\"label\": \"[a-z]+\"" labels "${output}")
  if(NOT labels STREQUAL "\"label\": \"first\";\"label\": \"second\"" OR NOT output MATCHES "compound.*box.*hull")
    message(FATAL_ERROR "the recorded capture holds\n${output}")
  endif()
  step("replay the frames" ${WORK}/prefix/bin/abut replay ${capture} --repeat 1 --json)
  if(NOT output MATCHES "^{\"pairs\":6,\"hits\":4,")
    message(FATAL_ERROR "the replay of the recorded capture says\n${output}")
  endif()
  execute_process(COMMAND ${WORK}/bin/capture_consumer ${WORK}/nowhere/own.abut RESULT_VARIABLE result ERROR_VARIABLE error)
  if(NOT result EQUAL 1 OR NOT error MATCHES "nowhere/own.abut: cannot be opened for writing")
    message(FATAL_ERROR "a capture that cannot be written ends with ${result}: ${error}")
  endif()
elseif(HAS_CAPTURE)
  message(FATAL_ERROR "abut::capture was built but not found by the consumer")
endif()

# The installed examples are a project, too.
step("configure the examples" ${configure} -S ${WORK}/prefix/share/doc/abut/examples -B ${WORK}/examples)
step("build an example" ${CMAKE_COMMAND} --build ${WORK}/examples --config ${CONFIG} --target example_first_steps)
step("run the example" ${WORK}/examples/first_steps)
file(READ ${WORK}/prefix/share/doc/abut/examples/output/first_steps.txt expected)
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "the installed example prints\n${output}")
endif()

# A project that asks for a version yet to come is told so at configure time.
file(WRITE ${WORK}/later/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)\nproject(later LANGUAGES CXX)\nfind_package(abut 99 QUIET)\n"
  "if(abut_FOUND)\nmessage(FATAL_ERROR \"abut ${VERSION} claims to be version 99\")\nendif()\n")
step("refuse a later version" ${CMAKE_COMMAND} -S ${WORK}/later -B ${WORK}/later/build -G ${GENERATOR}
  -D CMAKE_MAKE_PROGRAM=${MAKE_PROGRAM} -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_CXX_COMPILER=${CXX})
