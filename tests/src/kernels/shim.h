// What CUDA C++ has and C++ has not, as far as shaders/queens.cu uses it: the kernels become
// plain functions that are called once for each thread.

#pragma once

#include <type_traits>

#define __global__
#define __device__
#define __launch_bounds__(threads)

struct uint3 {
    unsigned x, y, z;
};

struct alignas(16) uint4 {
    unsigned x, y, z, w;
};

inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

extern thread_local uint3 threadIdx, blockIdx, blockDim;
extern thread_local uint4 *shim_shared_memory;

#define SHARED_MEMORY(name) uint4 *name = shim_shared_memory

// Lanes run one after the other or as free threads: each is a warp of its own.
inline unsigned lanes_of_warp() { return 1; }
inline bool all_lanes(unsigned, unsigned word) { return word; }

inline int __popc(unsigned word) { return __builtin_popcount(word); }
inline int __ffs(unsigned word) { return __builtin_ffs((int)word); }

inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}

inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}

template <typename Word>
inline Word atomicAdd(Word *address, std::common_type_t<Word> summand)
{
    return __atomic_fetch_add(address, summand, __ATOMIC_RELAXED);
}
