// Makes calls to the C library fail, be cut short or end the process. Loaded into a program by
// LD_PRELOAD. The environment variables (faults.rs lists their values):
//
//   QUEENS_FAULT      function, number of the call (from 1) and effect, separated by spaces; a + after
//                     the effect extends it to all later calls
//   QUEENS_FAULT_LOG  log file: a line "happened" for each affected call and, if the program exits, a
//                     line with the name and the number of calls of each function

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

enum function { READ, WRITE, SYNC, TRUNCATE, OPEN, LINK, RENAME, UNLINK, LOCK, THREAD, ANY, FUNCTIONS };

static const char *const NAMES[FUNCTIONS] = {
    "read", "write", "sync", "truncate", "open", "link", "rename", "unlink", "lock", "thread",
    "any",
};

// The outcome of a call. A torn call transfers half of its data, and then the process is killed.
enum outcome { PASS, FAIL, SHORT, TORN, KILL };

static const struct {
    const char *name;
    enum outcome outcome;
    int error;
} OUTCOMES[] = {
    { "EIO", FAIL, EIO },       { "ENOSPC", FAIL, ENOSPC }, { "EACCES", FAIL, EACCES },
    { "EMFILE", FAIL, EMFILE }, { "EAGAIN", FAIL, EAGAIN }, { "ENOSYS", FAIL, ENOSYS },
    { "short", SHORT, 0 },      { "torn", TORN, 0 },        { "kill", KILL, 0 },
};

static atomic_long calls[FUNCTIONS];

// The function and the number of the first affected call.
static enum function affected = FUNCTIONS;
static long first;
// Whether all later calls are affected, too.
static bool is_lasting;
static enum outcome outcome;
static int error_number;
static int log_file = -1;

static void write_log(const char *line) {
    if (log_file >= 0) syscall(SYS_write, log_file, line, strlen(line));
}

static void intercept_renameat(void);

__attribute__((constructor)) static void begin(void) {
    intercept_renameat();
    const char *file = getenv("QUEENS_FAULT_LOG"), *fault = getenv("QUEENS_FAULT");
    if (file) {
        int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
        log_file = (int)syscall(SYS_openat, AT_FDCWD, file, flags, 0600);
    }
    char name[16], how[16];
    if (!fault || sscanf(fault, "%15s %ld %15s", name, &first, how) != 3) return;
    size_t length = strlen(how);
    if (length > 0 && how[length - 1] == '+') {
        is_lasting = true;
        how[length - 1] = '\0';
    }
    for (size_t each = 0; each < sizeof OUTCOMES / sizeof *OUTCOMES; each++) {
        if (strcmp(how, OUTCOMES[each].name) == 0) {
            outcome = OUTCOMES[each].outcome;
            error_number = OUTCOMES[each].error;
        }
    }
    for (enum function each = READ; each < FUNCTIONS; each++) {
        if (strcmp(name, NAMES[each]) == 0) affected = each;
    }
}

__attribute__((destructor)) static void end(void) {
    char line[64];
    for (enum function each = READ; each < FUNCTIONS; each++) {
        snprintf(line, sizeof line, "%s %ld\n", NAMES[each], (long)calls[each]);
        write_log(line);
    }
}

static void kill_process(void) {
    for (;;) syscall(SYS_kill, getpid(), SIGKILL);
}

// Counts a call and returns its outcome. Sets errno if the call is to fail.
static enum outcome count_call(enum function function) {
    long own = atomic_fetch_add(&calls[function], 1) + 1;
    long all = atomic_fetch_add(&calls[ANY], 1) + 1;
    if (affected != function && affected != ANY) return PASS;
    long number = affected == ANY ? all : own;
    if (is_lasting ? number < first : number != first) return PASS;
    write_log("happened\n");
    bool has_length = function == READ || function == WRITE;
    if (outcome == KILL || (outcome == TORN && !has_length)) kill_process();
    if (outcome == SHORT && !has_length) return PASS;
    errno = error_number;
    return outcome;
}

static bool is_regular(int file) {
    struct stat found;
    return fstat(file, &found) == 0 && S_ISREG(found.st_mode);
}

// Whether writes to `file` are counted: those to regular files and to the two output streams, but not
// those to the event descriptors by which threads wake each other.
static bool counts_writes_to(int file) {
    return file == STDOUT_FILENO || file == STDERR_FILENO || is_regular(file);
}

// Returns how many of `length` bytes are transferred; 0 if the call fails.
static size_t admitted_bytes(enum outcome happens, size_t length) {
    if (happens == FAIL) return 0;
    return happens == PASS || length < 2 ? length : length / 2;
}

// Ends a transfer: kills the process if the call was torn.
static ssize_t finish(enum outcome happens, ssize_t transferred) {
    if (happens == TORN) kill_process();
    return transferred;
}

ssize_t read(int file, void *to, size_t length) {
    enum outcome happens = is_regular(file) ? count_call(READ) : PASS;
    if (happens == FAIL) return -1;
    return finish(happens, syscall(SYS_read, file, to, admitted_bytes(happens, length)));
}

ssize_t pread64(int file, void *to, size_t length, off64_t at) {
    enum outcome happens = count_call(READ);
    if (happens == FAIL) return -1;
    return finish(happens, syscall(SYS_pread64, file, to, admitted_bytes(happens, length), at));
}

ssize_t pread(int file, void *to, size_t length, off_t at) {
    return pread64(file, to, length, at);
}

ssize_t write(int file, const void *from, size_t length) {
    enum outcome happens = counts_writes_to(file) ? count_call(WRITE) : PASS;
    if (happens == FAIL) return -1;
    return finish(happens, syscall(SYS_write, file, from, admitted_bytes(happens, length)));
}

ssize_t pwrite64(int file, const void *from, size_t length, off64_t at) {
    enum outcome happens = count_call(WRITE);
    if (happens == FAIL) return -1;
    return finish(happens, syscall(SYS_pwrite64, file, from, admitted_bytes(happens, length), at));
}

ssize_t pwrite(int file, const void *from, size_t length, off_t at) {
    return pwrite64(file, from, length, at);
}

ssize_t writev(int file, const struct iovec *parts, int number) {
    enum outcome happens = counts_writes_to(file) ? count_call(WRITE) : PASS;
    if (happens == FAIL) return -1;
    // A short or torn call writes only the first part.
    int admitted = happens == PASS || number < 1 ? number : 1;
    return finish(happens, syscall(SYS_writev, file, parts, admitted));
}

int fsync(int file) {
    return count_call(SYNC) == FAIL ? -1 : (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    return count_call(SYNC) == FAIL ? -1 : (int)syscall(SYS_fdatasync, file);
}

int ftruncate64(int file, off64_t length) {
    return count_call(TRUNCATE) == FAIL ? -1 : (int)syscall(SYS_ftruncate, file, length);
}

int ftruncate(int file, off_t length) {
    return ftruncate64(file, length);
}

static int open_at(int folder, const char *path, int flags, mode_t mode) {
    return count_call(OPEN) == FAIL ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

// Reads the argument `mode`, which follows `flags` only if the flags require it.
#define MODE(flags, mode)                                        \
    if ((flags) & O_CREAT || ((flags) & O_TMPFILE) == O_TMPFILE) { \
        va_list more;                                            \
        va_start(more, flags);                                   \
        mode = va_arg(more, mode_t);                             \
        va_end(more);                                            \
    }

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    MODE(flags, mode)
    return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    mode_t mode = 0;
    MODE(flags, mode)
    return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    mode_t mode = 0;
    MODE(flags, mode)
    return open_at(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
    mode_t mode = 0;
    MODE(flags, mode)
    return open_at(folder, path, flags | O_LARGEFILE, mode);
}

// A crate of the command calls renameat without the C library, so a seccomp filter traps the system
// call. The handler makes the call as renameat2, which the filter lets through.
#if defined(__x86_64__) || defined(__aarch64__)
static void on_renameat(int signal, siginfo_t *information, void *context) {
    (void)signal;
    (void)information;
#ifdef __x86_64__
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    long argument[] = {
        registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10],
    };
    greg_t *result = &registers[REG_RAX];
#else
    unsigned long long *argument = ((ucontext_t *)context)->uc_mcontext.regs, *result = argument;
#endif
    int before = errno;
    bool fails = count_call(RENAME) == FAIL
        || syscall(SYS_renameat2, argument[0], argument[1], argument[2], argument[3], 0) < 0;
    *result = fails ? -errno : 0;
    errno = before;
}

static void intercept_renameat(void) {
    struct sigaction action = { .sa_sigaction = on_renameat, .sa_flags = SA_SIGINFO };
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
    sigaction(SIGSYS, &action, NULL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static void intercept_renameat(void) {}
#endif

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    if (count_call(RENAME) == FAIL) return -1;
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0);
}

int rename(const char *from, const char *to) {
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    if (count_call(LINK) == FAIL) return -1;
    return (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

int unlinkat(int folder, const char *path, int flags) {
    return count_call(UNLINK) == FAIL ? -1 : (int)syscall(SYS_unlinkat, folder, path, flags);
}

int unlink(const char *path) {
    return unlinkat(AT_FDCWD, path, 0);
}

int flock(int file, int operation) {
    return count_call(LOCK) == FAIL ? -1 : (int)syscall(SYS_flock, file, operation);
}

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *with
) {
    if (count_call(THREAD) == FAIL) return errno;
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    return create ? create(thread, attributes, run, with) : EAGAIN;
}
