// The CUDA kernels compiled for the CPU, as a shared library that launches them by name. Compile
// it with the folder of queens.cu among the include paths.

#include "shim.h"

#include <cstdint>
#include <cstring>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "queens.cu"

thread_local uint3 threadIdx, blockIdx, blockDim;
thread_local uint4 *shim_shared_memory;
thread_local Warp *shim_warp;

namespace {

// What a launch ends with.
enum Status { DONE, NO_SUCH_KERNEL, SHARED_MEMORY_OVERRUN };

// Calls a kernel with its arguments taken from where `arguments` points, as a driver does.
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
};

const Kernel KERNELS[] = {
    {"seed", Call<seed>::with},
    {"expand", Call<expand>::with},
    {"search", Call<search>::with},
};

// Words behind the shared memory that no kernel may touch.
const std::size_t GUARD = 64;
// Shared memory is not cleared on a device either.
const uint32_t DIRT = 0xa5a5a5a5;

} // namespace

// Runs a kernel over a grid. The threads of a block run one after the other, or, if
// `at_once` is not 0, as threads of this process that make up one warp. Returns 0, 1 if there is no kernel of that
// name, or 2 if it left its shared memory.
extern "C" int queens_launch(const char *name, void **arguments, unsigned grid, unsigned block,
                             unsigned shared_bytes, int at_once)
{
    const Kernel *kernel = nullptr;
    for (const Kernel &candidate : KERNELS)
        if (std::strcmp(candidate.name, name) == 0)
            kernel = &candidate;
    if (!kernel)
        return NO_SUCH_KERNEL;
    std::size_t words = (shared_bytes + 3) / 4;
    std::vector<uint4> memory((words + GUARD + 3) / 4);
    uint32_t *first = &memory.data()->x, *end = first + memory.size() * 4;
    for (unsigned block_index = 0; block_index < grid; block_index++) {
        for (uint32_t *word = first; word < end; word++)
            *word = DIRT;
        Warp warp(block);
        auto thread = [&](unsigned index) {
            threadIdx = {index, 0, 0};
            blockIdx = {block_index, 0, 0};
            blockDim = {block, 1, 1};
            shim_shared_memory = memory.data();
            shim_warp = at_once ? &warp : nullptr;
            kernel->call(arguments);
            warp.leave();
        };
        if (at_once) {
            std::vector<std::thread> threads;
            for (unsigned index = 0; index < block; index++)
                threads.emplace_back(thread, index);
            for (std::thread &running : threads)
                running.join();
        } else {
            for (unsigned index = 0; index < block; index++)
                thread(index);
        }
        for (uint32_t *word = first + words; word < end; word++)
            if (*word != DIRT)
                return SHARED_MEMORY_OVERRUN;
    }
    return DONE;
}
