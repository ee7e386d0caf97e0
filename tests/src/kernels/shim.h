// Plain C++ replacements for the features of CUDA C++ that the kernels use. With them, a kernel is a
// plain function that is called once for each thread.

#pragma once

#include <cstddef>
#include <type_traits>
#include <ucontext.h>
#include <vector>

#define __global__
#define __device__
#define __shared__ static thread_local
#define __launch_bounds__(...)

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

// A warp whose lanes run as coroutines. Each lane runs until it votes or ends. When all lanes have
// voted or ended, the outcome of the vote is known, and the voters continue. A kernel with barriers
// runs a whole block in this way: a barrier is a vote of all its threads.
class Warp {
public:
    static constexpr unsigned WIDTH = 32, LARGEST_BLOCK = 128;
    using Lanes = unsigned __int128;

    explicit Warp(void (*kernel)(void **), void **arguments) : kernel(kernel), arguments(arguments)
    {
    }

    // Runs the kernel for `lanes` lanes, whose numbers in their block begin with `first`.
    void run(unsigned first, unsigned lanes)
    {
        running = lanes < LARGEST_BLOCK ? ((Lanes)1 << lanes) - 1 : ~(Lanes)0;
        for (unsigned lane = 0; lane < lanes; lane++)
            begin(lane);
        for (voters = running; running; voters = running, outcome = votes) {
            votes = 0;
            for (current = 0; current < lanes; current++) {
                if (!(running >> current & 1))
                    continue;
                threadIdx.x = first + current;
                swapcontext(&waiting, &contexts[current]);
            }
        }
    }

    // The lanes that have not ended.
    Lanes lanes() const { return running; }

    // Votes, and returns the running lanes that voted yes, as a bit mask.
    Lanes vote(bool yes)
    {
        votes |= (Lanes)yes << current;
        swapcontext(&contexts[current], &waiting);
        return outcome;
    }

    bool all(bool yes)
    {
        Lanes agreeing = vote(yes);
        return agreeing == voters;
    }

private:
    static constexpr std::size_t STACK = 1 << 16;

    void begin(unsigned lane)
    {
        if (stacks[lane].empty())
            stacks[lane].resize(STACK);
        ucontext_t &context = contexts[lane];
        getcontext(&context);
        context.uc_stack.ss_sp = stacks[lane].data();
        context.uc_stack.ss_size = STACK;
        context.uc_link = &waiting;
        makecontext(&context, (void (*)())&Warp::lane, 0);
    }

    // The body of a lane's coroutine. It finds its warp in `shim_warp` and its number in `current`.
    static void lane();

    void (*kernel)(void **);
    void **arguments;
    ucontext_t waiting, contexts[LARGEST_BLOCK];
    std::vector<char> stacks[LARGEST_BLOCK];
    // Sets of lanes as bit masks: the lanes that have not ended, the lanes that take part in the current
    // vote, their votes for yes so far, and the votes for yes in the last complete vote. `current` is the
    // lane that runs.
    Lanes running = 0, voters = 0, votes = 0, outcome = 0;
    unsigned current = 0;
};

// The warp that runs; null if the lanes run one after another, each as a warp of its own.
extern thread_local Warp *shim_warp;

inline void Warp::lane()
{
    Warp &warp = *shim_warp;
    warp.kernel(warp.arguments);
    warp.running &= ~((Warp::Lanes)1 << warp.current);
}

inline void __syncthreads() { shim_warp->vote(true); }

inline unsigned lanes_of_warp() { return shim_warp ? (unsigned)shim_warp->lanes() : 1; }
inline bool all_lanes(unsigned, unsigned word) { return shim_warp ? shim_warp->all(word) : word; }

inline int __popc(unsigned word) { return __builtin_popcount(word); }
inline unsigned __brev(unsigned word)
{
    unsigned reversed = 0;
    for (int i = 0; i < 32; i++)
        reversed |= (word >> i & 1) << (31 - i);
    return reversed;
}
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
