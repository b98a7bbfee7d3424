# Commit and build type as compile definitions; the commit is read anew at each configure.
find_package(Git QUIET)
set(CRX_COMMIT "unknown")
if(Git_FOUND AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --short=12 HEAD
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(CRX_COMMIT ${commit})
  endif()
endif()
# Only for the sources that print them: a new commit must not recompile the others.
set_source_files_properties(host/commands/info_command.cc host/commands/sweep_command.cc
  PROPERTIES COMPILE_DEFINITIONS
  "CRX_VERSION=\"${PROJECT_VERSION}\";CRX_COMMIT=\"${CRX_COMMIT}\";CRX_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\"")
