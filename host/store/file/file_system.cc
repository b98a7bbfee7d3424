#include "host/store/file/file_system.hh"

#include <algorithm>
#include <array>
#include <sys/stat.h>
#include <sys/vfs.h>

namespace crx {

namespace {

// Numbers of linux/magic.h and of the file systems' own sources.
constexpr std::array<std::uint64_t, 15> local_types{
    0xEF53,     // ext2, ext3, ext4
    0x58465342, // XFS
    0x9123683E, // Btrfs
    0x01021994, // tmpfs
    0x858458F6, // ramfs
    0x794C7630, // overlayfs, as in containers
    0x2FC12FC1, // ZFS
    0xF2F52010, // F2FS
    0xCA451A4E, // bcachefs
    0x3153464A, // JFS
    0x52654973, // ReiserFS
    0x2011BAB0, // exFAT
    0x4D44,     // FAT
    0x7366746E, // NTFS (ntfs3)
    0x482B      // HFS+
};

} // namespace

bool is_local_file_system(std::uint64_t type)
{
    return std::find(local_types.begin(), local_types.end(), type) != local_types.end();
}

bool is_on_local_disk(std::filesystem::path const& folder)
{
    struct statfs about = {};
    if (::statfs(folder.c_str(), &about) != 0) return false;
    return is_local_file_system(static_cast<std::uint32_t>(about.f_type));
}

FileNumber number_of(std::filesystem::path const& file)
{
    struct stat about = {};
    if (::stat(file.c_str(), &about) != 0) return {};
    return {about.st_dev, about.st_ino};
}

} // namespace crx
