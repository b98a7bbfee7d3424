#pragma once

// CPU only. A function marked CRX_VECTOR_CLONES is compiled for plain x86-64 and for processors
// with AVX2 and with AVX-512; the loader takes the one that fits the machine. All it calls is
// inlined, so loops inside are compiled alike. Everything marked so computes integers, so the
// choice cannot change a result. Elsewhere it is an ordinary function, and so it is where the whole
// program is compiled for such a processor (CRX_NATIVE).
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) &&     \
    !defined(__AVX2__)
#define CRX_VECTOR_CLONES                                                                          \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), flatten))
#else
#define CRX_VECTOR_CLONES
#endif
