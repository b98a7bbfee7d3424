# What scripts/bundle packs: the program and the Python package as small parts beside one library that
# holds all else, so that its code, and that for the GPU, is there once. They are links of objects that
# are compiled anyway, and are made by the target crx_bundle alone
# (docs/decisions/135-the-bundle-shares-one-library.md).
add_library(crx_shared SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:crx_kernels> $<TARGET_OBJECTS:crx_analysis>
  $<TARGET_OBJECTS:crx_host> $<TARGET_OBJECTS:crx_oracle>)
target_link_libraries(crx_shared PRIVATE crx_host)
# What the library calls in itself it calls directly, as the program does.
target_link_options(crx_shared PRIVATE -Wl,-Bsymbolic)
set_target_properties(crx_shared PROPERTIES OUTPUT_NAME crx LINKER_LANGUAGE CXX
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bundle)

add_executable(crx_of_bundle EXCLUDE_FROM_ALL $<TARGET_OBJECTS:crx>)
set_target_properties(crx_of_bundle PROPERTIES OUTPUT_NAME crx.bin LINKER_LANGUAGE CXX
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bundle
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
target_link_libraries(crx_of_bundle PRIVATE crx_shared fmt::fmt ${CMAKE_DL_LIBS})

get_target_property(suffix crx_python SUFFIX)
add_library(crx_python_of_bundle MODULE EXCLUDE_FROM_ALL $<TARGET_OBJECTS:crx_python>)
set_target_properties(crx_python_of_bundle PROPERTIES OUTPUT_NAME _library PREFIX "" LINKER_LANGUAGE CXX
  SUFFIX "${suffix}" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bundle
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../../lib")
target_link_libraries(crx_python_of_bundle PRIVATE crx_shared)
# What the library needs lies in the bundle too, which only the older kind of path says.
target_link_options(crx_python_of_bundle PRIVATE -Wl,--disable-new-dtags)

add_custom_target(crx_bundle DEPENDS crx_of_bundle crx_python_of_bundle crx_python_modules)
