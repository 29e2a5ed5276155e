/* The runtime of coverage: counts the blocks of a program that ran, in a file that falsum reads.
 *
 * Build the solver with -fsanitize-coverage=trace-pc (gcc, clang) or trace-pc-guard (clang), this file without it, and
 * link both. Without FALSUM_COVERAGE in the environment nothing is counted. With it, the named file is made and mapped:
 * a header of two words (a magic number and the number of counters), then a counter of four bytes for every four bytes of
 * the program. The counter of a block is that of the address after the call that marks it, relative to the beginning of
 * the program; such addresses are at least five bytes apart. Counting is one addition, and the file is up to date at
 * every moment, so a solver that crashes or is ended at its limit has counted too. */

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAGIC UINT64_C(0x31766f636d75736c)
/* Enough for a program of 64 MB. Pages that no block touches take no room. */
#define COUNTERS (UINT64_C(1) << 24)

/* By this name falsum recognises an instrumented program. */
const uint64_t falsum_coverage_runtime = MAGIC;

extern const char __ehdr_start __attribute__((visibility("hidden")));

static uint32_t *counters;

__attribute__((constructor(101))) static void begin(void) {
    const char *path = getenv("FALSUM_COVERAGE");
    if (!path)
        return;
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    size_t size = 16 + COUNTERS * sizeof(uint32_t);
    if (ftruncate(file, (off_t)size) == 0) {
        uint64_t *map = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (map != MAP_FAILED) {
            map[0] = MAGIC;
            map[1] = COUNTERS;
            counters = (uint32_t *)(map + 2);
        }
    }
    close(file);
}

static inline void count(uint64_t address) {
    uint64_t at = (address - (uint64_t)&__ehdr_start) >> 2;
    if (counters && at < COUNTERS)
        counters[at]++;
}

void __sanitizer_cov_trace_pc(void) { count((uint64_t)__builtin_return_address(0)); }

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    (void)guard;
    count((uint64_t)__builtin_return_address(0));
}

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
    (void)start;
    (void)stop;
}
