// A CUDA driver without a GPU: device memory is host memory, and launches run the CPU build of the
// kernels (../kernels). The driver has the functions that the command calls and checks their arguments
// more strictly than a real driver. The environment describes the devices and their failures (defaults
// in brackets):
//
//   QUEENS_STUB_DEVICES     number of devices (1)
//   QUEENS_STUB_NAME        name of each device (Stub GPU)
//   QUEENS_STUB_CAPABILITY  ten times the compute capability (90)
//   QUEENS_STUB_MEMORY      memory of each device in bytes (1 GiB)
//   QUEENS_STUB_FREE        free memory that a device reports, in bytes (the unreserved memory)
//   QUEENS_STUB_SHARED      largest shared memory of a block in bytes (232448)
//   QUEENS_STUB_DRIVER      version of CUDA that the driver supports (13000)
//   QUEENS_STUB_DELAY       additional time of each launch in milliseconds (0)
//   QUEENS_STUB_WRONG       1: each count of the kernels is one too large; 2: only the first one of each
//                           launch, which counts solutions (0)
//   QUEENS_STUB_FAIL        WHAT:CODE:AFTER:DEVICE, where AFTER and DEVICE are optional: the calls of
//                           WHAT (init, context, ptx, launch, wait) fail with CODE after
//                           AFTER successful calls, on all devices or only on DEVICE

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

extern "C" int queens_launch(const char *name, void **arguments, unsigned grid, unsigned block,
                             unsigned shared_bytes, int at_once);
extern "C" bool queens_counts(const char *name, int *argument);

namespace {

enum Code {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101,
    INVALID_CONTEXT = 201,
    INVALID_PTX = 218,
    UNSUPPORTED_PTX_VERSION = 222,
    NOT_FOUND = 500,
    ILLEGAL_ADDRESS = 700,
    LAUNCH_FAILED = 719,
    SYSTEM_DRIVER_MISMATCH = 803,
};

const struct {
    int code;
    const char *name, *text;
} ERRORS[] = {
    {SUCCESS, "CUDA_SUCCESS", "no error"},
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {SYSTEM_DRIVER_MISMATCH, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
     "system has unsupported display driver / cuda driver combination"},
    {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
};

const int MULTIPROCESSORS = 2;
const std::size_t SHARED_BY_DEFAULT = 48 << 10, SHARED_OF_MULTIPROCESSOR = 228 << 10;
const int MOST_DEVICES = 16;

struct Context {
    // The device's number, and how many times the context was retained and not yet released.
    int device = 0, users = 0;
    // The reserved device memory in bytes.
    std::size_t taken = 0;
    // The code of the first failure. As on a real GPU, every later copy, launch or wait fails
    // with the same code.
    int broken = SUCCESS;
};

struct Function {
    Context *context;
    std::string name;
    int counts;
    std::size_t shared = SHARED_BY_DEFAULT;
};

struct Module {
    Context *context;
    std::string ptx;
    std::map<std::string, Function> functions;
};

struct Stream {
    Context *context;
};

struct Memory {
    Context *context;
    std::size_t bytes;
};

std::mutex lock;
bool started = false;
Context contexts[MOST_DEVICES];
std::map<std::uintptr_t, Memory> memories;
std::set<Stream *> streams;
thread_local Context *current = nullptr;

std::string setting(const char *name, const char *fallback)
{
    const char *value = std::getenv(name);
    return value ? value : fallback;
}

long long number(const char *name, const char *fallback)
{
    return std::atoll(setting(name, fallback).c_str());
}

int devices() { return (int)number("QUEENS_STUB_DEVICES", "1"); }

// Counts a call of `what` and returns the code with which it must fail, or SUCCESS. The caller holds
// the lock.
int failure(const char *what, int device)
{
    static std::map<std::string, int> calls;
    static const std::string order = setting("QUEENS_STUB_FAIL", "");
    char name[16] = "";
    int code = 0, after = 0, only = -1;
    std::sscanf(order.c_str(), "%15[^:]:%d:%d:%d", name, &code, &after, &only);
    if (std::strcmp(name, what) != 0 || (only >= 0 && only != device))
        return SUCCESS;
    return calls[what]++ >= after ? code : SUCCESS;
}

// Whether the bytes lie within one block of memory that the current context has reserved. The caller holds
// the lock.
bool holds(std::uintptr_t address, std::size_t bytes)
{
    auto after = memories.upper_bound(address);
    if (after == memories.begin())
        return false;
    auto &[start, memory] = *--after;
    return memory.context == current && address + bytes <= start + memory.bytes;
}

int copy(std::uintptr_t memory, void *to, const void *from, std::size_t bytes, Stream *stream)
{
    std::lock_guard guard(lock);
    if (!streams.count(stream) || stream->context != current)
        return INVALID_CONTEXT;
    if (!holds(memory, bytes))
        return INVALID_VALUE;
    if (!current->broken)
        std::memcpy(to, from, bytes);
    return current->broken;
}

// Adds 1 to every count of a kernel, or only to the first one. An argument points to them.
void spoil(void *argument, bool only_first)
{
    auto *counts = *(std::uint64_t **)argument;
    std::lock_guard guard(lock);
    std::size_t all = memories.at((std::uintptr_t)counts).bytes / 8;
    for (std::size_t i = 0; i < (only_first ? 1 : all); i++)
        counts[i]++;
}

} // namespace

extern "C" {

int cuInit(unsigned flags)
{
    std::lock_guard guard(lock);
    if (int code = failure("init", -1))
        return code;
    started = true;
    return flags ? INVALID_VALUE : devices() ? SUCCESS : NO_DEVICE;
}

int cuDriverGetVersion(int *version)
{
    *version = (int)number("QUEENS_STUB_DRIVER", "13000");
    return SUCCESS;
}

int cuGetErrorName(int code, const char **name)
{
    *name = nullptr;
    for (auto &error : ERRORS)
        if (error.code == code)
            *name = error.name;
    return *name ? SUCCESS : INVALID_VALUE;
}

int cuGetErrorString(int code, const char **text)
{
    *text = nullptr;
    for (auto &error : ERRORS)
        if (error.code == code)
            *text = error.text;
    return *text ? SUCCESS : INVALID_VALUE;
}

int cuDeviceGetCount(int *count)
{
    *count = devices();
    return started ? SUCCESS : NOT_INITIALIZED;
}

int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return ordinal >= 0 && ordinal < devices() ? SUCCESS : INVALID_DEVICE;
}

int cuDeviceGetName(char *name, int length, int)
{
    std::snprintf(name, length, "%s", setting("QUEENS_STUB_NAME", "Stub GPU").c_str());
    return SUCCESS;
}

int cuDeviceTotalMem_v2(std::size_t *bytes, int)
{
    *bytes = (std::size_t)number("QUEENS_STUB_MEMORY", "1073741824");
    return SUCCESS;
}

int cuDeviceGetAttribute(int *value, unsigned attribute, int)
{
    int capability = (int)number("QUEENS_STUB_CAPABILITY", "90");
    int shared = (int)number("QUEENS_STUB_SHARED", "232448");
    switch (attribute) {
    case 8: // MAX_SHARED_MEMORY_PER_BLOCK
        *value = shared < (int)SHARED_BY_DEFAULT ? shared : (int)SHARED_BY_DEFAULT;
        return SUCCESS;
    case 16: // MULTIPROCESSOR_COUNT
        *value = MULTIPROCESSORS;
        return SUCCESS;
    case 75: // COMPUTE_CAPABILITY_MAJOR
        *value = capability / 10;
        return SUCCESS;
    case 76: // COMPUTE_CAPABILITY_MINOR
        *value = capability % 10;
        return SUCCESS;
    case 97: // MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
        *value = shared;
        return SUCCESS;
    default:
        return INVALID_VALUE;
    }
}

int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned)
{
    return device < devices() ? SUCCESS : INVALID_DEVICE;
}

int cuDevicePrimaryCtxRetain(Context **context, int device)
{
    std::lock_guard guard(lock);
    if (!started || device >= MOST_DEVICES)
        return INVALID_DEVICE;
    if (int code = failure("context", device))
        return code;
    contexts[device].device = device;
    contexts[device].users++;
    *context = &contexts[device];
    return SUCCESS;
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    std::lock_guard guard(lock);
    Context &context = contexts[device];
    if (--context.users > 0)
        return SUCCESS;
    // A real driver frees the remaining memory. Here it reveals a leak in the command.
    if (context.taken > 0) {
        std::fprintf(stderr, "stub driver: device %d was released in use\n", device);
        std::abort();
    }
    return SUCCESS;
}

int cuCtxSetCurrent(Context *context)
{
    current = context;
    return SUCCESS;
}

int cuModuleLoadData(Module **module, const void *image)
{
    std::lock_guard guard(lock);
    if (!current)
        return INVALID_CONTEXT;
    if (int code = failure("ptx", current->device))
        return code;
    const char *text = (const char *)image;
    if (!std::strstr(text, ".version") || !std::strstr(text, ".target"))
        return INVALID_PTX;
    *module = new Module{current, text, {}};
    return SUCCESS;
}

int cuModuleGetFunction(Function **function, Module *module, const char *name)
{
    std::lock_guard guard(lock);
    int counts;
    if (module->ptx.find(std::string(".entry ") + name + "(") == std::string::npos
        || !queens_counts(name, &counts))
        return NOT_FOUND;
    Function found{module->context, name, counts};
    *function = &module->functions.emplace(name, found).first->second;
    return SUCCESS;
}

int cuFuncSetAttribute(Function *function, unsigned attribute, int value)
{
    std::lock_guard guard(lock);
    switch (attribute) {
    case 8: // MAX_DYNAMIC_SHARED_SIZE_BYTES
        if (value < 0 || value > number("QUEENS_STUB_SHARED", "232448"))
            return INVALID_VALUE;
        function->shared = (std::size_t)value;
        return SUCCESS;
    case 9: // PREFERRED_SHARED_MEMORY_CARVEOUT, in percent
        return value >= -1 && value <= 100 ? SUCCESS : INVALID_VALUE;
    default:
        return INVALID_VALUE;
    }
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function *, int threads,
                                                std::size_t shared)
{
    if (threads < 1 || threads > 1024)
        return INVALID_VALUE;
    std::size_t most = 2048 / threads, fit = shared ? SHARED_OF_MULTIPROCESSOR / shared : most;
    *blocks = (int)(fit < most ? fit : most);
    return SUCCESS;
}

int cuLaunchKernel(Function *function, unsigned grid, unsigned grid_y, unsigned grid_z,
                   unsigned block, unsigned block_y, unsigned block_z, unsigned shared,
                   Stream *stream, void **arguments, void **extra)
{
    {
        std::lock_guard guard(lock);
        if (!streams.count(stream) || stream->context != current || function->context != current)
            return INVALID_CONTEXT;
        if (int code = failure("launch", current->device))
            current->broken = code;
        if (current->broken)
            return current->broken;
        if (grid < 1 || grid_y != 1 || grid_z != 1 || block < 1 || block > 1024 || block_y != 1
            || block_z != 1 || shared > function->shared || extra)
            return INVALID_VALUE;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(number("QUEENS_STUB_DELAY", "0")));
    int outcome = queens_launch(function->name.c_str(), arguments, grid, block, shared, 0);
    long long wrong = number("QUEENS_STUB_WRONG", "0");
    if (wrong && function->counts >= 0)
        spoil(arguments[function->counts], wrong == 2);
    if (outcome) {
        std::lock_guard guard(lock);
        current->broken = ILLEGAL_ADDRESS;
    }
    return SUCCESS;
}

int cuStreamCreate(Stream **stream, unsigned)
{
    std::lock_guard guard(lock);
    if (!current)
        return INVALID_CONTEXT;
    *stream = new Stream{current};
    streams.insert(*stream);
    return SUCCESS;
}

int cuStreamDestroy_v2(Stream *stream)
{
    std::lock_guard guard(lock);
    if (!streams.erase(stream))
        return INVALID_VALUE;
    delete stream;
    return SUCCESS;
}

int cuStreamSynchronize(Stream *stream)
{
    std::lock_guard guard(lock);
    if (!streams.count(stream))
        return INVALID_VALUE;
    if (int code = failure("wait", stream->context->device))
        stream->context->broken = code;
    return stream->context->broken;
}

int cuMemGetInfo_v2(std::size_t *free, std::size_t *total)
{
    std::lock_guard guard(lock);
    if (!current)
        return INVALID_CONTEXT;
    *total = (std::size_t)number("QUEENS_STUB_MEMORY", "1073741824");
    std::string left = std::to_string(*total - current->taken);
    *free = (std::size_t)number("QUEENS_STUB_FREE", left.c_str());
    return SUCCESS;
}

int cuMemAlloc_v2(std::uint64_t *address, std::size_t bytes)
{
    std::lock_guard guard(lock);
    if (!current)
        return INVALID_CONTEXT;
    if (bytes == 0)
        return INVALID_VALUE;
    auto all = (std::size_t)number("QUEENS_STUB_MEMORY", "1073741824");
    void *memory = current->taken + bytes > all ? nullptr : std::malloc(bytes);
    if (!memory)
        return OUT_OF_MEMORY;
    // Non-zero bytes reveal kernels that read memory which they have not written.
    if (bytes <= 1 << 20)
        std::memset(memory, 0xa5, bytes);
    *address = (std::uintptr_t)memory;
    memories[*address] = {current, bytes};
    current->taken += bytes;
    return SUCCESS;
}

int cuMemFree_v2(std::uint64_t address)
{
    std::lock_guard guard(lock);
    auto found = memories.find(address);
    if (found == memories.end())
        return INVALID_VALUE;
    found->second.context->taken -= found->second.bytes;
    memories.erase(found);
    std::free((void *)address);
    return SUCCESS;
}

int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void *from, std::size_t bytes, Stream *stream)
{
    return copy(to, (void *)to, from, bytes, stream);
}

int cuMemcpyDtoHAsync_v2(void *to, std::uint64_t from, std::size_t bytes, Stream *stream)
{
    return copy(from, to, (const void *)from, bytes, stream);
}

int cuMemsetD32Async(std::uint64_t to, unsigned word, std::size_t words, Stream *stream)
{
    std::lock_guard guard(lock);
    if (!streams.count(stream) || stream->context != current)
        return INVALID_CONTEXT;
    if (!holds((std::uintptr_t)to, words * 4))
        return INVALID_VALUE;
    for (std::size_t i = 0; i < words; i++)
        ((unsigned *)to)[i] = word;
    return current->broken;
}

} // extern "C"
