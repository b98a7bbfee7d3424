#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace crx {

/// A descriptor to read a file, or a pipe of the shell, by; the caller closes it. Throws InputError
/// "FILE: cannot be read: why": it is not there, a folder, or a pipe with a name in a folder, which
/// may never be written to.
int open_to_read(std::filesystem::path const& file);

/// How the bytes of a file are packed, which its first bytes say.
enum class Packing
{
    none,
    gzip,
    zstd
};

/// The bytes of a file in order, unpacked where they are gzip (all members) or zstd (all frames).
/// What no reader of text can use is refused by its first bytes: other archives, UTF-16, databases.
class ByteStream
{
  public:
    /// Throws InputError "FILE: why".
    explicit ByteStream(std::filesystem::path const& file);
    ~ByteStream();
    ByteStream(ByteStream const&) = delete;
    ByteStream& operator=(ByteStream const&) = delete;

    /// Writes up to `room` bytes and says how many; 0: the end. Throws InputError "FILE: why" for a
    /// failed read and for packed bytes that are damaged or end early. Contract: room > 0.
    std::size_t read(char* to, std::size_t room);

    Packing packing() const { return packing_; }
    std::string const& file() const { return file_; }

  private:
    class Unpacker;
    class Gzip;
    class Zstd;

    std::size_t read_raw(char* to, std::size_t room);
    std::size_t unpack(char* to, std::size_t room);
    bool fill(); ///< false at the end of the file
    [[noreturn]] void fail(std::string const& why) const;

    std::string file_;
    int descriptor_;
    Packing packing_ = Packing::none;
    std::string raw_; ///< bytes of the file; those from begin_ on are to be used
    std::size_t begin_ = 0;
    std::unique_ptr<Unpacker> unpacker_;
};

} // namespace crx
