# Version, commit and build type, as host/build_info.cc has them. The commit is that of the sources
# at each build: build_commit.cmake looks before anything is compiled, and the one source that holds
# it is compiled again only where it has changed.
find_package(Git QUIET)
set(crx_commit_header ${CMAKE_CURRENT_BINARY_DIR}/generated/host/build_commit.hh)
add_custom_target(crx_commit
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} -DHEADER=${crx_commit_header}
          "-DGIT=$<$<BOOL:${GIT_FOUND}>:${GIT_EXECUTABLE}>"
          -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/build_commit.cmake
  BYPRODUCTS ${crx_commit_header}
  COMMENT "Looking which commit this is")
set_source_files_properties(host/build_info.cc PROPERTIES
  INCLUDE_DIRECTORIES ${CMAKE_CURRENT_BINARY_DIR}/generated
  COMPILE_DEFINITIONS "CRX_VERSION=\"${PROJECT_VERSION}\";CRX_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\"")
