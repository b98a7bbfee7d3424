# Flags that all our own C++ is compiled with. A switch over an enum that leaves out a value is an
# error.
add_library(crx_warnings INTERFACE)
target_compile_options(crx_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
                                -Werror=switch>)
if(CRX_JOINED)
  # In joined sources a neighbour's names are seen.
  target_compile_options(crx_warnings INTERFACE -Wno-shadow)
endif()
if(CRX_NATIVE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-march=native>)
endif()
