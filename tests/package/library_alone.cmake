# The preset `library` configures where nothing is installed but what the library itself needs. Without FlatBuffers abut::capture is left
# out, with it the library is there.
function(configure folder expected)
  execute_process(
    COMMAND ${CMAKE_COMMAND} --preset library -S ${SOURCE} -B ${WORK}/${folder} -D CMAKE_CXX_COMPILER=${CXX} -D CMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}
            -D CMAKE_DISABLE_FIND_PACKAGE_Catch2=ON -D CMAKE_DISABLE_FIND_PACKAGE_benchmark=ON -D CMAKE_DISABLE_FIND_PACKAGE_CLI11=ON
            -D CMAKE_DISABLE_FIND_PACKAGE_fmt=ON -D CMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON
            -D CMAKE_DISABLE_FIND_PACKAGE_Bullet=ON -D CMAKE_DISABLE_FIND_PACKAGE_fcl=ON ${ARGN}
    WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "the preset library cannot be configured (${result}):\n${output}")
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/${folder} --target help RESULT_VARIABLE result OUTPUT_VARIABLE targets)
  if(NOT result EQUAL 0 OR NOT targets MATCHES "libabut\\.(a|so): ")
    message(FATAL_ERROR "the preset library builds no library:\n${targets}")
  endif()
  if(targets MATCHES "abut_cli|abut_tests|abut_table")
    message(FATAL_ERROR "the preset library builds ${CMAKE_MATCH_0}")
  endif()
  string(REGEX MATCH "libabut_capture\\.a" found "${targets}")
  if(NOT found STREQUAL expected)
    message(FATAL_ERROR "of abut::capture there is \"${found}\", expected \"${expected}\"")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
configure(without "" -D CMAKE_DISABLE_FIND_PACKAGE_Flatbuffers=ON)
if(HAS_CAPTURE)
  configure(with "libabut_capture.a")
endif()
