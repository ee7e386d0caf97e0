// What CUDA C++ has and C++ has not, as far as shaders/queens.cu uses it: the kernels become
// plain functions that are called once for each thread.

#pragma once

#include <condition_variable>
#include <mutex>
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

// The lanes of a warp that run at once, each a thread. A vote waits for all that have not ended.
class Warp {
public:
    explicit Warp(unsigned lanes) : running(lanes) {}

    bool all(bool vote)
    {
        std::unique_lock<std::mutex> lock(mutex);
        agreed = agreed && vote;
        voted++;
        unsigned long round = rounds;
        if (!finish())
            ended.wait(lock, [&] { return rounds != round; });
        return outcome;
    }

    void leave()
    {
        std::lock_guard<std::mutex> lock(mutex);
        running--;
        finish();
    }

private:
    bool finish()
    {
        if (voted < running || voted == 0)
            return false;
        outcome = agreed;
        agreed = true;
        voted = 0;
        rounds++;
        ended.notify_all();
        return true;
    }

    std::mutex mutex;
    std::condition_variable ended;
    unsigned running, voted = 0;
    unsigned long rounds = 0;
    bool agreed = true, outcome = false;
};

// None where lanes run one after the other: each is a warp of its own.
extern thread_local Warp *shim_warp;

inline unsigned lanes_of_warp() { return ~0u; }
inline bool all_lanes(unsigned, unsigned word) { return shim_warp ? shim_warp->all(word) : word; }

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
