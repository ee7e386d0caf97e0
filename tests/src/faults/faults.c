// Makes calls to the C library fail, be cut short or end the process. Loaded into a program by
// LD_PRELOAD; faults.rs says what the variables mean.
//
//   QUEENS_FAULT      function, number of the call (from 1) and what happens to it, separated by spaces;
//                     a + after that means all later calls, too
//   QUEENS_FAULT_LOG  a file that gets a line "happened" with each fault and, if the program exits, a
//                     line with each function and the number of its calls

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

enum function { READ, WRITE, SYNC, TRUNCATE, OPEN, RENAME, UNLINK, THREAD, ANY, FUNCTIONS };

static const char *const NAMES[FUNCTIONS] = {
    "read", "write", "sync", "truncate", "open", "rename", "unlink", "thread", "any",
};

// What happens to a call. A torn one is done by half, and then the process is killed.
enum outcome { PASS, FAIL, SHORT, TORN, KILL };

static const struct {
    const char *name;
    enum outcome outcome;
    int error;
} OUTCOMES[] = {
    { "EIO", FAIL, EIO },       { "ENOSPC", FAIL, ENOSPC }, { "EACCES", FAIL, EACCES },
    { "EMFILE", FAIL, EMFILE }, { "EAGAIN", FAIL, EAGAIN }, { "short", SHORT, 0 },
    { "torn", TORN, 0 },        { "kill", KILL, 0 },
};

static atomic_long calls[FUNCTIONS];

static enum function chosen = FUNCTIONS;
static long first;
static bool is_lasting;
static enum outcome outcome;
static int error_number;
static int log_file = -1;

static void note(const char *line) {
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
        if (strcmp(name, NAMES[each]) == 0) chosen = each;
    }
}

__attribute__((destructor)) static void end(void) {
    char line[64];
    for (enum function each = READ; each < FUNCTIONS; each++) {
        snprintf(line, sizeof line, "%s %ld\n", NAMES[each], (long)calls[each]);
        note(line);
    }
}

static void end_suddenly(void) {
    for (;;) syscall(SYS_kill, getpid(), SIGKILL);
}

// Counts a call and returns what happens to it. The error of one that fails is set.
static enum outcome count(enum function function) {
    long own = atomic_fetch_add(&calls[function], 1) + 1;
    long all = atomic_fetch_add(&calls[ANY], 1) + 1;
    if (chosen != function && chosen != ANY) return PASS;
    long number = chosen == ANY ? all : own;
    if (is_lasting ? number < first : number != first) return PASS;
    note("happened\n");
    bool has_length = function == READ || function == WRITE;
    if (outcome == KILL || (outcome == TORN && !has_length)) end_suddenly();
    if (outcome == SHORT && !has_length) return PASS;
    errno = error_number;
    return outcome;
}

static bool is_regular(int file) {
    struct stat found;
    return fstat(file, &found) == 0 && S_ISREG(found.st_mode);
}

// Files of the disk, and the two outputs; not the events by which threads wake each other.
static bool is_written(int file) {
    return file == STDOUT_FILENO || file == STDERR_FILENO || is_regular(file);
}

// How much of `length` is transferred; 0 if the call fails.
static size_t admitted(enum outcome happens, size_t length) {
    if (happens == FAIL) return 0;
    return happens == PASS || length < 2 ? length : length / 2;
}

static ssize_t after(enum outcome happens, ssize_t transferred) {
    if (happens == TORN) end_suddenly();
    return transferred;
}

ssize_t read(int file, void *to, size_t length) {
    enum outcome happens = is_regular(file) ? count(READ) : PASS;
    if (happens == FAIL) return -1;
    return after(happens, syscall(SYS_read, file, to, admitted(happens, length)));
}

ssize_t pread64(int file, void *to, size_t length, off64_t at) {
    enum outcome happens = count(READ);
    if (happens == FAIL) return -1;
    return after(happens, syscall(SYS_pread64, file, to, admitted(happens, length), at));
}

ssize_t pread(int file, void *to, size_t length, off_t at) {
    return pread64(file, to, length, at);
}

ssize_t write(int file, const void *from, size_t length) {
    enum outcome happens = is_written(file) ? count(WRITE) : PASS;
    if (happens == FAIL) return -1;
    return after(happens, syscall(SYS_write, file, from, admitted(happens, length)));
}

ssize_t pwrite64(int file, const void *from, size_t length, off64_t at) {
    enum outcome happens = count(WRITE);
    if (happens == FAIL) return -1;
    return after(happens, syscall(SYS_pwrite64, file, from, admitted(happens, length), at));
}

ssize_t pwrite(int file, const void *from, size_t length, off_t at) {
    return pwrite64(file, from, length, at);
}

ssize_t writev(int file, const struct iovec *parts, int number) {
    enum outcome happens = is_written(file) ? count(WRITE) : PASS;
    if (happens == FAIL) return -1;
    // Cut short, it writes the first part.
    int admitted = happens == PASS || number < 1 ? number : 1;
    return after(happens, syscall(SYS_writev, file, parts, admitted));
}

int fsync(int file) {
    return count(SYNC) == FAIL ? -1 : (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    return count(SYNC) == FAIL ? -1 : (int)syscall(SYS_fdatasync, file);
}

int ftruncate64(int file, off64_t length) {
    return count(TRUNCATE) == FAIL ? -1 : (int)syscall(SYS_ftruncate, file, length);
}

int ftruncate(int file, off_t length) {
    return ftruncate64(file, length);
}

static int open_at(int folder, const char *path, int flags, mode_t mode) {
    return count(OPEN) == FAIL ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

// The mode that follows `flags`, if there is one.
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

// A crate of the command makes this call without the C library, so the kernel stops it for us. It is
// made under another number then, which is not stopped.
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
    bool fails = count(RENAME) == FAIL
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
    if (count(RENAME) == FAIL) return -1;
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0);
}

int rename(const char *from, const char *to) {
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int unlinkat(int folder, const char *path, int flags) {
    return count(UNLINK) == FAIL ? -1 : (int)syscall(SYS_unlinkat, folder, path, flags);
}

int unlink(const char *path) {
    return unlinkat(AT_FDCWD, path, 0);
}

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *with
) {
    if (count(THREAD) == FAIL) return errno;
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    return create ? create(thread, attributes, run, with) : EAGAIN;
}
