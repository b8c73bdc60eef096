/*
 * Preloaded into a redis-server: gives it a wall clock of its own and keeps a record of what its append-only
 * file has on disk. The laboratory steers it, and reads the record, through one shared file (the cell), whose
 * layout clock-cell.ts repeats.
 *
 * The wall clock shown is a linear function of CLOCK_MONOTONIC, so that neither a step of the host's clock nor
 * the way through the C library can move it; CLOCK_MONOTONIC itself is never touched.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000LL
#define READ_TRIES_MAX 1000
#define CELL_MAGIC 0x314b434f4c444552ULL
#define INCR_SUFFIX ".incr.aof"
#define BYTES_BITS 44

struct segment {
  int64_t anchor_monotonic_ns;
  int64_t anchor_shown_ns;
  int64_t rate_ppb; /* Shown nanoseconds per 10^9 monotonic ones. */
  int64_t unused[5];
};

struct cell {
  uint64_t magic;
  /* One byte, because only a single byte is sure to arrive whole. Its lowest bit names the valid segment. */
  _Atomic uint8_t generation;
  _Atomic uint8_t hold_sync;
  uint8_t unused[6];
  /* File sequence above, length below: the larger value is always the later one. */
  _Atomic uint64_t synced;
  uint8_t padding[40];
  struct segment segments[2];
};

static struct cell *cell;

static void give_up(const char *why) {
  fprintf(stderr, "clock shim: %s\n", why);
  _exit(70);
}

/* A server that silently ran on the host's clock would make every clock story a lie: better no server. */
__attribute__((constructor)) static void open_cell(void) {
  const char *path = getenv("REDLOCK_LAB_CELL");
  if (path == NULL) return;
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) give_up("cannot open the cell");
  void *mapped = mmap(NULL, sizeof(struct cell), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped == MAP_FAILED) give_up("cannot map the cell");
  if (((struct cell *)mapped)->magic != CELL_MAGIC) give_up("the cell has another layout");
  cell = mapped;
}

static int read_clock(clockid_t clock, struct timespec *out) { return (int)syscall(SYS_clock_gettime, clock, out); }

static struct segment current_segment(void) {
  struct segment copy;
  for (int tries = 0; tries < READ_TRIES_MAX; tries++) {
    uint8_t before = atomic_load_explicit(&cell->generation, memory_order_acquire);
    memcpy(&copy, &cell->segments[before & 1], sizeof copy);
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&cell->generation, memory_order_relaxed) == before) break;
  }
  return copy;
}

static int64_t shown_ns(void) {
  struct timespec now;
  read_clock(CLOCK_MONOTONIC, &now);
  struct segment segment = current_segment();
  int64_t passed = now.tv_sec * NS_PER_S + now.tv_nsec - segment.anchor_monotonic_ns;
  return segment.anchor_shown_ns + (int64_t)((__int128)passed * segment.rate_ppb / NS_PER_S);
}

int clock_gettime(clockid_t clock, struct timespec *out) {
  if (cell == NULL || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return read_clock(clock, out);
  int64_t ns = shown_ns();
  out->tv_sec = ns / NS_PER_S;
  out->tv_nsec = ns % NS_PER_S;
  return 0;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  out->tv_sec = now.tv_sec;
  out->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != NULL) *out = now.tv_sec;
  return now.tv_sec;
}

/* The sequence number N of an append-only file "….N.incr.aof"; 0 for every other file. */
static uint64_t incr_sequence(int fd) {
  char link[64];
  char path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= (ssize_t)strlen(INCR_SUFFIX)) return 0;
  path[length] = '\0';
  char *end = path + length - strlen(INCR_SUFFIX);
  if (strcmp(end, INCR_SUFFIX) != 0) return 0;
  char *start = end;
  while (start > path && start[-1] >= '0' && start[-1] <= '9') start--;
  return strtoull(start, NULL, 10);
}

static void record_synced(uint64_t value) {
  uint64_t seen = atomic_load(&cell->synced);
  while (seen < value && !atomic_compare_exchange_weak(&cell->synced, &seen, value)) {
  }
}

/* Only what was in the file before the sync began is sure to be on disk when it has ended. */
static int sync_file(long call, int fd) {
  int saved_errno = errno;
  uint64_t sequence = cell == NULL ? 0 : incr_sequence(fd);
  struct stat status;
  if (sequence == 0 || fstat(fd, &status) != 0) {
    errno = saved_errno;
    return (int)syscall(call, fd);
  }
  errno = saved_errno;
  int in_background = syscall(SYS_gettid) != (long)getpid();
  if (in_background && atomic_load(&cell->hold_sync)) return 0;
  int result = (int)syscall(call, fd);
  if (result == 0) record_synced(sequence << BYTES_BITS | (uint64_t)status.st_size);
  return result;
}

int fdatasync(int fd) { return sync_file(SYS_fdatasync, fd); }
int fsync(int fd) { return sync_file(SYS_fsync, fd); }
