// The CUDA kernels compiled for the CPU, as a shared library that launches them by name. The include path
// must contain the folder `shaders`, which has the kernels.

#include "shim.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "colours.cu"
#include "queens.cu"

thread_local uint3 threadIdx, blockIdx, blockDim;
thread_local uint4 *shim_shared_memory;
thread_local Warp *shim_warp;

namespace {

// The status that a launch returns.
enum Status { DONE, NO_SUCH_KERNEL, SHARED_MEMORY_OVERRUN };

// Calls a kernel with the values that `arguments` points to, as a CUDA driver does.
template <typename... Parameters, std::size_t... At>
void call(void (*kernel)(Parameters...), void **arguments, std::index_sequence<At...>)
{
    kernel(*static_cast<std::remove_cv_t<Parameters> *>(arguments[At])...);
}

template <auto kernel> struct Call;

template <typename... Parameters, void (*kernel)(Parameters...)> struct Call<kernel> {
    static void with(void **arguments)
    {
        call(kernel, arguments, std::index_sequence_for<Parameters...>());
    }
};

struct Kernel {
    const char *name;
    void (*call)(void **arguments);
    bool has_barriers;
    // The argument that points to the kernel's counts, or NO_COUNTS.
    int counts;
};

const int NO_COUNTS = -1;

const Kernel KERNELS[] = {
    {"seed", Call<seed>::with, false, NO_COUNTS},
    {"expand", Call<expand>::with, false, NO_COUNTS},
    {"search", Call<search>::with, false, 6},
    {"colours", Call<colours>::with, true, 7},
};

const Kernel *find(const char *name)
{
    for (const Kernel &kernel : KERNELS)
        if (std::strcmp(kernel.name, name) == 0)
            return &kernel;
    return nullptr;
}

// The number of words after the shared memory. No kernel may write to them.
const std::size_t GUARD = 64;
// The initial content of shared memory, which a real device does not clear either.
const uint32_t DIRT = 0xa5a5a5a5;

} // namespace

// Writes the number of the argument that points to a kernel's counts, or -1 if it has none. Returns whether
// a kernel has this name.
extern "C" bool queens_counts(const char *name, int *argument)
{
    const Kernel *kernel = find(name);
    if (kernel)
        *argument = kernel->counts;
    return kernel;
}

// Runs a kernel over a grid. The lanes of a block run one after another or, if `at_once` is not 0, the
// lanes of each warp in turns. All lanes of a block run in turns if the kernel has barriers. Returns 0, 1
// if no kernel has this name, or 2 if the kernel wrote beyond its shared memory.
extern "C" int queens_launch(const char *name, void **arguments, unsigned grid, unsigned block,
                             unsigned shared_bytes, int at_once)
{
    const Kernel *kernel = find(name);
    if (!kernel)
        return NO_SUCH_KERNEL;
    std::size_t words = (shared_bytes + 3) / 4;
    std::vector<uint4> memory((words + GUARD + 3) / 4);
    uint32_t *first = &memory.data()->x, *end = first + memory.size() * 4;
    auto warp = std::make_unique<Warp>(kernel->call, arguments);
    at_once = at_once || kernel->has_barriers;
    unsigned width = kernel->has_barriers ? Warp::LARGEST_BLOCK : Warp::WIDTH;
    shim_warp = at_once ? warp.get() : nullptr;
    shim_shared_memory = memory.data();
    blockDim = {block, 1, 1};
    for (unsigned block_index = 0; block_index < grid; block_index++) {
        for (uint32_t *word = first; word < end; word++)
            *word = DIRT;
        blockIdx = {block_index, 0, 0};
        threadIdx = {0, 0, 0};
        for (unsigned lane = 0; at_once && lane < block; lane += width)
            warp->run(lane, std::min(block - lane, width));
        for (unsigned lane = 0; !at_once && lane < block; lane++) {
            threadIdx.x = lane;
            kernel->call(arguments);
        }
        for (uint32_t *word = first + words; word < end; word++)
            if (*word != DIRT)
                return SHARED_MEMORY_OVERRUN;
    }
    return DONE;
}
