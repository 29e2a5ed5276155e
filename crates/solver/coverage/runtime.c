/* The runtime of coverage: lets falsum read which blocks of a program ran, from a file.
 *
 * Compile this file without instrumentation and link it with a solver that was built in one of two ways:
 *
 *   clang  -fsanitize-coverage=inline-8bit-counters,pc-table,no-prune   a byte per block, counted in place: the cheap way
 *   gcc    -fsanitize-coverage=trace-pc                                 a call per block (x86-64 only)
 *
 * Without FALSUM_COVERAGE in the environment no file is made. With it, the named file is made and mapped, so it is up to
 * date at every moment: a solver that crashes or is ended at its limit has counted too.
 *
 * The file of the first way is a head of three words (a magic number, the number of counters, where in the file the first
 * one is) and the pages on which the compiler put its counters, mapped in their place. Counter n belongs to row n of the
 * program's table of addresses, and starts again at 0 after 255. The file of the second way is a head of two words (another
 * magic number and the number of counters), then a counter of four bytes for every four bytes of the program: a block's is
 * that of the address after the call that marks it, relative to the beginning of the program; such addresses are at least
 * five bytes apart. */

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAGIC_CALLS UINT64_C(0x31766f636d75736c)
#define MAGIC_BYTES UINT64_C(0x32766f636d75736c)
/* Enough for a program of 64 MB. Pages that no block touches take no room. */
#define COUNTERS (UINT64_C(1) << 24)

/* By this name falsum recognises an instrumented program. */
const uint64_t falsum_coverage_runtime = MAGIC_CALLS;

extern const char __ehdr_start __attribute__((visibility("hidden")));

static uint32_t *counters;
static int in_place;

static int make_file(void) {
    const char *path = getenv("FALSUM_COVERAGE");
    return path ? open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
}

/* The first way. The compiler calls this before main, with its counters. Whatever else is on their first and last page
 * moves with them, unchanged. Only the first program or library that calls is counted. */
void __sanitizer_cov_8bit_counters_init(char *start, char *stop) {
    if (in_place || start == stop)
        return;
    in_place = 1;
    int file = make_file();
    if (file < 0)
        return;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t first = (uint64_t)start & ~(page - 1);
    uint64_t size = (((uint64_t)stop + page - 1) & ~(page - 1)) - first;
    uint64_t head[3] = {MAGIC_BYTES, (uint64_t)(stop - start), page + ((uint64_t)start - first)};
    if (ftruncate(file, (off_t)(page + size)) == 0 && pwrite(file, (void *)first, size, (off_t)page) == (ssize_t)size &&
        pwrite(file, head, sizeof head, 0) == (ssize_t)sizeof head)
        mmap((void *)first, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, (off_t)page);
    close(file);
}

/* falsum reads the table from the program. */
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) {
    (void)start;
    (void)stop;
}

/* The second way. */
__attribute__((constructor(101))) static void begin(void) {
    int file = in_place ? -1 : make_file();
    if (file < 0)
        return;
    size_t size = 16 + COUNTERS * sizeof(uint32_t);
    if (ftruncate(file, (off_t)size) == 0) {
        uint64_t *map = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (map != MAP_FAILED) {
            map[0] = MAGIC_CALLS;
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
