/* What a process asks of the disk: counted, and written down, stopped or refused at the n-th call.

   Preloaded before the C library (LD_PRELOAD), so that it also sees what SQLite does. Only calls
   that change something below one folder count. Nothing happens before `calls_watch`. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sendfile.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

static char root[PATH_MAX];
static long seen, kill_at, refuse_from, refuse_to;
static long refuse_with, only_growth;
static int record = -1;

/* Watch what happens below a folder: write it down in `log` (if it is not ""), kill the process
   before call number `kill`, and refuse those from number `from` to `to` with an error; with
   `growth` only those that need room on the disk. */
void calls_watch(const char *folder, const char *log, long kill, long from, long to, long error,
                 long growth)
{
    kill_at = kill, refuse_from = from, refuse_to = to, refuse_with = error, only_growth = growth;
    if (*log) {
        int opened = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        record = fcntl(opened, F_DUPFD_CLOEXEC, 500);
        close(opened);
    }
    snprintf(root, sizeof root, "%s", folder);
}

long calls_seen(void) { return seen; }

/* A program that is not ours, such as git, and those that it starts, are told by their environment. */
__attribute__((constructor)) static void watch_from_the_start(void)
{
    const char *folder = getenv("CALLS_FOLDER"), *kill_before = getenv("CALLS_KILL");
    if (folder && kill_before)
        calls_watch(folder, "", atol(kill_before), 0, 0, 0, 0);
}

/* How many calls each of them made, a line for each process. */
__attribute__((destructor)) static void tell_at_the_end(void)
{
    const char *told = getenv("CALLS_TOLD");
    FILE *file = told && *root ? fopen(told, "a") : NULL;
    if (file) {
        fprintf(file, "%ld\n", seen);
        fclose(file);
    }
}

static const char *named(int folder, const char *path, char *whole)
{
    char link[64], start[PATH_MAX / 2] = "";
    if (path[0] == '/')
        return path;
    if (folder == AT_FDCWD) {
        if (!getcwd(start, sizeof start))
            return path;
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        ssize_t length = readlink(link, start, sizeof start - 1);
        start[length > 0 ? length : 0] = 0;
    }
    snprintf(whole, PATH_MAX, *path ? "%s/%s" : "%s%s", start, path);
    return whole;
}

/* Count a call; whether it is refused. `growth`: whether it needs room on the disk. */
static int refused(const char *call, int growth, const char *path, const char *other, long number,
                   const void *data, size_t size)
{
    size_t length = strlen(root);
    if (!length || strncmp(path, root, length) != 0 || (path[length] && path[length] != '/'))
        return 0;
    long count = __atomic_add_fetch(&seen, 1, __ATOMIC_SEQ_CST);
    if (count == kill_at) {
        kill(getpid(), SIGKILL);
        for (;;)
            pause();
    }
    if (refuse_from && refuse_from <= count && count <= refuse_to && (growth || !only_growth)) {
        errno = (int)refuse_with;
        return 1;
    }
    if (record >= 0) {
        char head[2 * PATH_MAX + 100];
        ssize_t (*put)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
        int length = snprintf(head, sizeof head, "%s\t%s\t%s\t%ld\t%zu\n", call, path, other,
                              number, size);
        if (put(record, head, length) < 0 || (size && put(record, data, size) < 0))
            abort();
    }
    return 0;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define PATH(folder, path) named(folder, path, (char[PATH_MAX]){0})
#define OF(descriptor) PATH(descriptor, "")

/* Calls that name one thing and change it. */
#define SIMPLE(name, growth, call, what, number, parameters, arguments) \
    int name parameters                                                 \
    {                                                                   \
        if (refused(call, growth, what, "", number, 0, 0))              \
            return -1;                                                  \
        return REAL(name) arguments;                                    \
    }

#define HERE(path) PATH(AT_FDCWD, path)
SIMPLE(unlink, 0, "unlink", HERE(path), 0, (const char *path), (path))
SIMPLE(unlinkat, 0, flags & AT_REMOVEDIR ? "rmdir" : "unlink", PATH(at, path), 0,
       (int at, const char *path, int flags), (at, path, flags))
SIMPLE(rmdir, 0, "rmdir", HERE(path), 0, (const char *path), (path))
SIMPLE(mkdir, 1, "mkdir", HERE(path), 0, (const char *path, mode_t mode), (path, mode))
SIMPLE(mkdirat, 1, "mkdir", PATH(at, path), 0, (int at, const char *path, mode_t mode),
       (at, path, mode))
SIMPLE(ftruncate, 0, "truncate", OF(file), size, (int file, off_t size), (file, size))
SIMPLE(ftruncate64, 0, "truncate", OF(file), size, (int file, off64_t size), (file, size))
SIMPLE(fsync, 0, "sync", OF(file), 0, (int file), (file))
SIMPLE(fdatasync, 0, "sync", OF(file), 0, (int file), (file))

/* All that was written, of all files. */
void sync(void)
{
    if (!refused("flush", 0, root, "", 0, 0, 0))
        REAL(sync)();
}

SIMPLE(chmod, 0, "mode", HERE(path), mode, (const char *path, mode_t mode), (path, mode))
SIMPLE(fchmod, 0, "mode", OF(file), mode, (int file, mode_t mode), (file, mode))
SIMPLE(fchmodat, 0, "mode", PATH(at, path), mode,
       (int at, const char *path, mode_t mode, int flags), (at, path, mode, flags))
SIMPLE(chown, 0, "owner", HERE(path), 0, (const char *path, uid_t user, gid_t group),
       (path, user, group))
SIMPLE(fchown, 0, "owner", OF(file), 0, (int file, uid_t user, gid_t group), (file, user, group))
SIMPLE(setxattr, 0, "attribute", HERE(path), 0,
       (const char *path, const char *name, const void *value, size_t size, int flags),
       (path, name, value, size, flags))

/* Calls that name two. */
#define DOUBLE(name, growth, call, first, second, parameters, arguments) \
    int name parameters                                                  \
    {                                                                    \
        if (refused(call, growth, first, second, 0, 0, 0))               \
            return -1;                                                   \
        return REAL(name) arguments;                                     \
    }

DOUBLE(rename, 0, "rename", HERE(from), HERE(to), (const char *from, const char *to), (from, to))
DOUBLE(renameat, 0, "rename", PATH(old, from), PATH(new, to),
       (int old, const char *from, int new, const char *to), (old, from, new, to))
DOUBLE(link, 0, "link", HERE(from), HERE(to), (const char *from, const char *to), (from, to))
DOUBLE(linkat, 0, "link", PATH(old, from), PATH(new, to),
       (int old, const char *from, int new, const char *to, int flags), (old, from, new, to, flags))
DOUBLE(symlink, 1, "symlink", HERE(path), target, (const char *target, const char *path),
       (target, path))
DOUBLE(symlinkat, 1, "symlink", PATH(at, path), target,
       (const char *target, int at, const char *path), (target, at, path))

/* Opening makes or empties a file. */
static int open_refused(const char *path, int flags)
{
    struct stat status;
    int is_there = stat(path, &status) == 0;
    if (flags & O_CREAT && !is_there)
        return refused("create", 1, path, "", 0, 0, 0);
    if (flags & O_TRUNC && is_there && status.st_size)
        return refused("truncate", 0, path, "", 0, 0, 0);
    return 0;
}

#define OPEN(name, path, parameters, ...)          \
    int name parameters                            \
    {                                              \
        mode_t mode = 0;                           \
        if (flags & (O_CREAT | O_TMPFILE)) {       \
            va_list more;                          \
            va_start(more, flags);                 \
            mode = va_arg(more, mode_t);           \
            va_end(more);                          \
        }                                          \
        return open_refused(path, flags) ? -1 : REAL(name)(__VA_ARGS__, mode); \
    }

OPEN(open, HERE(file), (const char *file, int flags, ...), file, flags)
OPEN(open64, HERE(file), (const char *file, int flags, ...), file, flags)
OPEN(openat, PATH(at, file), (int at, const char *file, int flags, ...), at, file, flags)
OPEN(openat64, PATH(at, file), (int at, const char *file, int flags, ...), at, file, flags)

/* Writing, at a place or where the last write ended. */
static off_t place_of(int file)
{
    int flags = fcntl(file, F_GETFL);
    struct stat status;
    if (flags >= 0 && flags & O_APPEND && fstat(file, &status) == 0)
        return status.st_size;
    return lseek(file, 0, SEEK_CUR);
}

ssize_t write(int file, const void *data, size_t size)
{
    if (*root && refused("write", 1, OF(file), "", place_of(file), data, size))
        return -1;
    return REAL(write)(file, data, size);
}

#define PWRITE(name, offset)                                              \
    ssize_t name(int file, const void *data, size_t size, offset place)   \
    {                                                                     \
        if (refused("write", 1, OF(file), "", place, data, size))         \
            return -1;                                                    \
        return REAL(name)(file, data, size, place);                       \
    }

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

/* Copies within the kernel: Python falls back to reading and writing. */
#define NO_COPY(name, parameters, arguments) \
    ssize_t name parameters                          \
    {                                                \
        if (*root) {                                 \
            errno = ENOTSOCK;                        \
            return -1;                               \
        }                                            \
        return REAL(name) arguments;                 \
    }

NO_COPY(sendfile, (int to, int from, off_t *place, size_t size), (to, from, place, size))
NO_COPY(sendfile64, (int to, int from, off64_t *place, size_t size),
        (to, from, place, size))
