// Preloaded into the program: every folder lies on NFS, as far as it asks.

#include <sys/vfs.h>
#include <unistd.h>

#include <sys/syscall.h>

extern "C" int statfs(char const* path, struct statfs* about) noexcept
{
    if (::syscall(SYS_statfs, path, about) != 0) return -1;
    about->f_type = 0x6969; // NFS_SUPER_MAGIC of linux/magic.h
    return 0;
}
