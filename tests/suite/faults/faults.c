/* Makes the n-th call of a kind fail, write a part, or end the process, in the program that loads this library
 * with LD_PRELOAD. A filter of the kernel traps the calls, so that those which do not go through the C library
 * count too. The variable FAULT is "KIND:N:ACTION":
 *
 *   KIND    open (for writing), write (to a plain file), sync, rename, any of these, or call: those and others
 *           that a command makes, as to read, list, remove and serve
 *   N       number of the call, from 1
 *   ACTION  a number of errno, or short, kill, count
 *
 * With "count", the number of calls is written to the file FAULT_COUNT when the process ends. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>

/* A call that the filter lets through: it returns to fault_return. */
long fault_call(long number, long a, long b, long c, long d, long e, long f);
extern const char fault_return[];

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
__asm__(".text\n.globl fault_call, fault_return\n.hidden fault_call, fault_return\n"
        "fault_call:\n mov %rdi,%rax\n mov %rsi,%rdi\n mov %rdx,%rsi\n mov %rcx,%rdx\n mov %r8,%r10\n"
        " mov %r9,%r8\n mov 8(%rsp),%r9\n syscall\nfault_return:\n ret\n");
#define ARGUMENT(n) ((long)registers[(const int[]){REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9}[n]])
#define RESULT registers[REG_RAX]
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
__asm__(".text\n.globl fault_call, fault_return\n.hidden fault_call, fault_return\n"
        "fault_call:\n mov x8,x0\n mov x0,x1\n mov x1,x2\n mov x2,x3\n mov x3,x4\n mov x4,x5\n mov x5,x6\n"
        " svc 0\nfault_return:\n ret\n");
#define ARGUMENT(n) ((long)registers[n])
#define RESULT registers[0]
#else
#error "no registers are known for this processor"
#endif

enum kind { OPEN = 1, WRITE = 2, SYNC = 4, RENAME = 8, ANY = 15, CALL = 31 };

static int kind, number, count, action;
enum { SHORT = -1, KILL = -2, COUNT = -3 };

static int kind_of(int call, const long *a) {
    if (kind == CALL) {
        return CALL;
    }
    switch (call) {
#ifdef SYS_open
    case SYS_open:
#endif
    case SYS_openat: {
        int is_at = call == SYS_openat;
        const char *path = (const char *)a[is_at];
        int writes = (a[is_at + 1] & (O_WRONLY | O_RDWR | O_CREAT)) != 0;
        return writes && strncmp(path, "/dev/", 5) && strncmp(path, "/proc/", 6) ? OPEN : 0;
    }
    case SYS_write:
    case SYS_writev:
    case SYS_pwrite64: {
        struct stat file;
        return a[0] > 2 && !fault_call(SYS_fstat, a[0], (long)&file, 0, 0, 0, 0) && S_ISREG(file.st_mode) ? WRITE : 0;
    }
    case SYS_fsync:
    case SYS_fdatasync:
        return SYNC;
    default:
        return RENAME;
    }
}

static void trapped(int signal, siginfo_t *info, void *context) {
    (void)signal;
#if defined(__x86_64__)
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
#else
    unsigned long long *registers = ((ucontext_t *)context)->uc_mcontext.regs;
#endif
    int call = info->si_syscall;
    long a[6] = {ARGUMENT(0), ARGUMENT(1), ARGUMENT(2), ARGUMENT(3), ARGUMENT(4), ARGUMENT(5)};
    if ((kind_of(call, a) & kind) && __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST) == number) {
        if (action > 0) {
            RESULT = -action;
            return;
        }
        if (action == KILL) {
            fault_call(SYS_kill, fault_call(SYS_getpid, 0, 0, 0, 0, 0, 0), SIGKILL, 0, 0, 0, 0);
        }
        if (action == SHORT && call == SYS_write && a[2] > 1) {
            a[2] /= 2;
        }
    }
    RESULT = fault_call(call, a[0], a[1], a[2], a[3], a[4], a[5]);
}

#define EQUAL(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)
/* Number of the calls that only the kind "call" has. */
#define MORE 23
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))

__attribute__((constructor)) static void begin(void) {
    const char *fault = getenv("FAULT");
    char of[16] = "", does[16] = "";
    if (!fault || sscanf(fault, "%15[a-z]:%d:%15s", of, &number, does) != 3) {
        return;
    }
    kind = !strcmp(of, "open") ? OPEN : !strcmp(of, "write") ? WRITE : !strcmp(of, "sync") ? SYNC
         : !strcmp(of, "rename") ? RENAME : !strcmp(of, "call") ? CALL : ANY;
    action = !strcmp(does, "short") ? SHORT : !strcmp(does, "kill") ? KILL : !strcmp(does, "count") ? COUNT : atoi(does);
    uint64_t own = (uint64_t)(uintptr_t)fault_return;
    /* What begins with CALLS_FROM is trapped for the kind "call" only. Calls are missing that threads make while they
     * block signals, and those that return twice or never. */
    struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        LOAD(instruction_pointer),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)own, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(own >> 32), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        LOAD(nr),
#ifdef SYS_open
        EQUAL(SYS_open), EQUAL(SYS_rename),
#endif
        EQUAL(SYS_openat), EQUAL(SYS_write), EQUAL(SYS_writev), EQUAL(SYS_pwrite64), EQUAL(SYS_fsync),
        EQUAL(SYS_fdatasync), EQUAL(SYS_renameat), EQUAL(SYS_renameat2), EQUAL(SYS_linkat),
        BPF_JUMP(BPF_JMP | BPF_JA, kind == CALL ? 0 : 2 * MORE, 0, 0),
#ifdef SYS_unlink
        EQUAL(SYS_unlink), EQUAL(SYS_epoll_wait),
#else
        EQUAL(SYS_unlinkat), EQUAL(SYS_epoll_pwait),
#endif
        EQUAL(SYS_unlinkat), EQUAL(SYS_read), EQUAL(SYS_pread64), EQUAL(SYS_close), EQUAL(SYS_lseek), EQUAL(SYS_fstat),
        EQUAL(SYS_newfstatat), EQUAL(SYS_statx), EQUAL(SYS_getdents64), EQUAL(SYS_fchmod), EQUAL(SYS_mkdirat),
        EQUAL(SYS_fcntl), EQUAL(SYS_ioctl), EQUAL(SYS_getrandom), EQUAL(SYS_readlinkat), EQUAL(SYS_accept4),
        EQUAL(SYS_recvfrom), EQUAL(SYS_sendto), EQUAL(SYS_epoll_ctl), EQUAL(SYS_socket), EQUAL(SYS_bind),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    struct sigaction handler = {0};
    handler.sa_sigaction = trapped;
    handler.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    if (sigaction(SIGSYS, &handler, NULL) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
        fputs("faults.c: the kernel has no filter of calls\n", stderr);
        _Exit(99);
    }
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAULT_COUNT");
    if (action != COUNT || !path) {
        return;
    }
    long file = fault_call(SYS_openat, AT_FDCWD, (long)path, O_WRONLY | O_CREAT | O_TRUNC, 0644, 0, 0);
    char text[16];
    fault_call(SYS_write, file, (long)text, snprintf(text, sizeof text, "%d", count), 0, 0, 0);
    fault_call(SYS_close, file, 0, 0, 0, 0, 0);
}
