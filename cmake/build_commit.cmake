# cmake -DSOURCE=FOLDER -DHEADER=FILE [-DGIT=PROGRAM] -P build_commit.cmake
#
# Writes the header with the commit of SOURCE: twelve digits, and -dirty where tracked files differ
# from it; "unknown" without git or in a folder that is no checkout. A header that says so already
# is left alone, so that nothing is compiled again.
cmake_minimum_required(VERSION 3.25)

set(commit "unknown")
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} rev-parse --short=12 HEAD WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit ${head})
    # Without a lock: somebody may be committing at the same time.
    execute_process(COMMAND ${GIT} --no-optional-locks status --porcelain --untracked-files=no
      WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE changes ERROR_QUIET RESULT_VARIABLE failed)
    if(failed OR NOT changes STREQUAL "")
      string(APPEND commit "-dirty")
    endif()
  endif()
endif()

set(content "#pragma once\n\n#define CRX_COMMIT \"${commit}\"\n")
set(before "")
if(EXISTS ${HEADER})
  file(READ ${HEADER} before)
endif()
if(NOT before STREQUAL content)
  file(WRITE ${HEADER} "${content}")
endif()
