# Sources named *_simd.cc, of tests too, are written with the vectors of kernels/base/ and compiled
# once for each instruction set here. What such a source offers is in a namespace of the set's name
# (CRX_SIMD_LEVEL; kernels/base/processor.hh says how it is called). All else that it defines, functions
# of headers among them, is made local to its object: otherwise the linker might take its copy of a
# function for the whole program, and a processor without these instructions would meet it.

# For which compilers and processors that is, kernels/base/processor.hh alone says.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_INCLUDES ${CMAKE_CURRENT_SOURCE_DIR})
check_cxx_source_compiles("
#include \"kernels/base/processor.hh\"
#ifndef CRX_HAVE_SIMD
#error no vectors
#endif
int main() {}" CRX_HAVE_SIMD)
unset(CMAKE_REQUIRED_INCLUDES)
set(CRX_SIMD_LEVELS "")
if(CRX_HAVE_SIMD)
  set(CRX_SIMD_LEVELS avx2 avx512)
endif()
set(CRX_SIMD_FLAGS_avx2 -march=x86-64 -mavx2 -mfma -mf16c -mbmi -mbmi2 -mlzcnt -mpopcnt)
set(CRX_SIMD_FLAGS_avx512 ${CRX_SIMD_FLAGS_avx2} -mavx512f -mavx512vl -mavx512bw -mavx512dq)

# GNU's linker joins them, whichever the compiler would take: lld knows --force-group-allocation from
# version 19 on.
find_program(CRX_GNU_LINKER NAMES ld.bfd ld REQUIRED)

# Of the *_simd.cc among these sources an object for each instruction set becomes part of a target.
function(crx_add_simd target)
  list(FILTER ARGN INCLUDE REGEX "_simd\\.cc$")
  if(NOT ARGN)
    return()
  endif()
  foreach(level IN LISTS CRX_SIMD_LEVELS)
    set(compiled ${target}_${level})
    add_library(${compiled} OBJECT ${ARGN})
    # Vectors are passed by inlining alone, and GCC 12 warns of what its intrinsics leave undefined.
    # A symbol that is unique in a program cannot be made local.
    target_compile_options(${compiled} PRIVATE ${CRX_SIMD_FLAGS_${level}} -Wno-psabi
      -Wno-uninitialized "$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-fno-gnu-unique>")
    target_compile_definitions(${compiled} PRIVATE CRX_SIMD_LEVEL=${level}
      HWY_COMPILE_ONLY_STATIC HWY_DISABLE_PCLMUL_AES)
    target_include_directories(${compiled} PRIVATE
      $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_compile_definitions(${compiled} PRIVATE
      $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
    target_link_libraries(${compiled} PRIVATE crx_warnings)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${compiled}.o)
    string(LENGTH ${level} length)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CRX_GNU_LINKER} -r --force-group-allocation -o ${object} $<TARGET_OBJECTS:${compiled}>
      COMMAND ${CMAKE_OBJCOPY} -w "--keep-global-symbol=*${length}${level}*" ${object}
      DEPENDS ${compiled} $<TARGET_OBJECTS:${compiled}>
      COMMAND_EXPAND_LISTS VERBATIM COMMENT "Joining what is compiled for ${level}")
    list(APPEND CRX_SIMD_OBJECTS ${object})
    target_sources(${target} PRIVATE ${object})
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  endforeach()
  set(CRX_SIMD_OBJECTS ${CRX_SIMD_OBJECTS} PARENT_SCOPE) # for scripts/check_wide_code
endfunction()
