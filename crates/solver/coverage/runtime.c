/* The runtime of coverage: counts the blocks of a program that ran, in a file that falsum reads.
 *
 * Build the solver with -fsanitize-coverage=trace-pc (gcc, clang) or trace-pc-guard (clang), this file without it, and
 * link both. Without FALSUM_COVERAGE in the environment nothing is counted. With it, the named file is made and mapped:
 * a header of two words (a magic number and the number of slots), then slots of two words (where, how often). `where` is
 * the address after the call that marks a block, relative to the beginning of the program; an empty slot is zero. The
 * file is up to date at every moment, so a solver that crashes or is ended at its limit has counted too. */

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAGIC UINT64_C(0x31766f636d75736c)
#define SLOTS (UINT64_C(1) << 20)

struct slot {
    uint64_t where;
    uint64_t count;
};

/* By this name falsum recognises an instrumented program. */
const uint64_t falsum_coverage_runtime = MAGIC;

extern const char __ehdr_start __attribute__((visibility("hidden")));

static struct slot *slots;

__attribute__((constructor(101))) static void begin(void) {
    const char *path = getenv("FALSUM_COVERAGE");
    if (!path)
        return;
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    size_t size = 16 + SLOTS * sizeof(struct slot);
    if (ftruncate(file, (off_t)size) == 0) {
        uint64_t *map = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (map != MAP_FAILED) {
            map[0] = MAGIC;
            map[1] = SLOTS;
            slots = (struct slot *)(map + 2);
        }
    }
    close(file);
}

static inline void count(uint64_t address) {
    if (!slots)
        return;
    uint64_t where = address - (uint64_t)&__ehdr_start;
    uint64_t at = (where * UINT64_C(0x9e3779b97f4a7c15)) >> 44;
    /* A program has far fewer blocks than there are slots; a full table stops growing. */
    for (int tries = 0; tries < 64; tries++, at = (at + 1) & (SLOTS - 1)) {
        if (slots[at].where == where) {
            slots[at].count++;
            return;
        }
        if (slots[at].where == 0) {
            slots[at].where = where;
            slots[at].count = 1;
            return;
        }
    }
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
