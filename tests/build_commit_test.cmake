# cmake -DGIT=PROGRAM -DSCRIPT=build_commit.cmake -DFOLDER=SCRATCH -P build_commit_test.cmake
#
# The commit that a build says it is of: in a checkout, in one with changes, after the next commit,
# and where there is no checkout or no git.
cmake_minimum_required(VERSION 3.25)

function(git)
  execute_process(COMMAND ${GIT} -c user.name=t -c user.email=t@t -c commit.gpgsign=false ${ARGN}
    WORKING_DIRECTORY ${FOLDER}/checkout OUTPUT_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  set(said "${said}" PARENT_SCOPE)
endfunction()

# Runs the script for a folder and expects this commit in its header.
function(expect folder git_program commit)
  execute_process(COMMAND ${CMAKE_COMMAND} -DSOURCE=${FOLDER}/${folder} -DHEADER=${FOLDER}/made.hh
    -DGIT=${git_program} -P ${SCRIPT} COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${FOLDER}/made.hh made)
  if(NOT made MATCHES "CRX_COMMIT \"${commit}\"")
    message(FATAL_ERROR "expected ${commit}, found: ${made}")
  endif()
endfunction()

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/checkout ${FOLDER}/archive)
git(init -q)
file(WRITE ${FOLDER}/checkout/a.txt "one\n")
git(add a.txt)
git(commit -q -m one)
git(rev-parse --short=12 HEAD)
set(first ${said})
expect(checkout ${GIT} ${first})

# Nothing has changed: the header is not written again.
file(TIMESTAMP ${FOLDER}/made.hh before "%s.%f")
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 0.05)
expect(checkout ${GIT} ${first})
file(TIMESTAMP ${FOLDER}/made.hh after "%s.%f")
if(NOT before STREQUAL after)
  message(FATAL_ERROR "the header was written again though nothing had changed")
endif()

file(WRITE ${FOLDER}/checkout/b.txt "not tracked\n")
expect(checkout ${GIT} ${first})
file(WRITE ${FOLDER}/checkout/a.txt "two\n")
expect(checkout ${GIT} ${first}-dirty)
git(commit -q -a -m two)
git(rev-parse --short=12 HEAD)
if(said STREQUAL ${first})
  message(FATAL_ERROR "two commits are one")
endif()
expect(checkout ${GIT} ${said})
expect(checkout "" unknown)
expect(archive ${GIT} unknown)
