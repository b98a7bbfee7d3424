# CUDA is found or left out: sets CRX_HAVE_CUDA.
set(CRX_HAVE_CUDA OFF)
if(NOT CRX_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(CRX_NVCC nvcc HINTS /usr/local/cuda/bin)
    if(CRX_NVCC)
      set(CMAKE_CUDA_COMPILER ${CRX_NVCC})
    endif()
  endif()
  # sm_80 and sm_90 machine code, and PTX for whatever comes later.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    if(NOT CMAKE_CUDA20_EXTENSION_COMPILE_OPTION)
      # CMake 3.25 does not know that newer toolkits take C++20; nvcc has no dialect with extensions.
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
    # Two threads of the host keep a GPU busy, each by a stream of its own (host/sweep/backend.cc).
    add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:--default-stream=per-thread>
      $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>
      $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda>
      $<$<COMPILE_LANGUAGE:CUDA>:-Xptxas=--warn-on-spills>)
    # Kernels take a sixth of the room so, from CUDA 12.8 on.
    include(CheckCompilerFlag)
    check_compiler_flag(CUDA --compress-mode=size CRX_CUDA_COMPRESSES)
    if(CRX_CUDA_COMPRESSES)
      add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:--compress-mode=size>)
    endif()
    set(CRX_HAVE_CUDA ON)
  elseif(CRX_CUDA STREQUAL "ON")
    message(FATAL_ERROR "CRX_CUDA=ON, but no CUDA compiler was found")
  endif()
endif()
message(STATUS "CUDA side: ${CRX_HAVE_CUDA}")
