# step(WHAT COMMAND...) runs a command, whose output is then in `output`, and ends the test where it fails.
function(step what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what} failed (${result}):\n${output}")
  endif()
  message(STATUS "${what}: done")
  set(output "${output}" PARENT_SCOPE)
endfunction()
