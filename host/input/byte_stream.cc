#include "host/input/byte_stream.hh"

#include "host/error.hh"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

namespace crx {

namespace {

/// A pipe with a name in a folder: to open it waits for a writer, maybe for ever. Those of the
/// shell's <(..) and of standard input have their writer.
bool is_named_pipe(std::string const& file)
{
    constexpr std::uint32_t without_name = 0x50495045; // PIPEFS_MAGIC of linux/magic.h
    struct stat about = {};
    struct statfs system = {};
    return ::stat(file.c_str(), &about) == 0 && S_ISFIFO(about.st_mode) &&
           ::statfs(file.c_str(), &system) == 0 &&
           static_cast<std::uint32_t>(system.f_type) != without_name;
}

[[noreturn]] void refuse(std::filesystem::path const& file, std::string const& why)
{
    throw InputError(file.string() + ": cannot be read: " + why);
}

/// First bytes of what is no text, and what to do.
struct Signature
{
    std::string_view bytes, words;
};
using namespace std::string_view_literals;
constexpr Signature unreadable[] = {
    {"PK\3\4"sv, "a zip archive, as spreadsheets are too: unpack it, or save the table as CSV"sv},
    {"\xFD"
     "7zXZ\0"sv,
     "xz data: unpack it with xz -d; gzip and zstd are read as they are"sv},
    {"BZh"sv, "bzip2 data: unpack it with bunzip2; gzip and zstd are read as they are"sv},
    {"PAR1"sv, "a Parquet file: write it as CSV, with pandas: read_parquet(..).to_csv(..)"sv},
    {"SQLite format 3\0"sv, "an SQLite database, not text"sv},
    {"\xFF\xFE"sv, "UTF-16 text: write it as UTF-8 with iconv -f utf-16 -t utf-8"sv},
    {"\xFE\xFF"sv, "UTF-16 text: write it as UTF-8 with iconv -f utf-16 -t utf-8"sv},
};

} // namespace

int open_to_read(std::filesystem::path const& file)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) refuse(file, "is a directory");
    if (is_named_pipe(file.string()))
        refuse(file, "is a named pipe, which may never be written to"
                     "\n  /dev/stdin reads from a pipe: crx .. /dev/stdin < " +
                         file.string());
    auto const descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) refuse(file, std::strerror(errno));
    return descriptor;
}

class ByteStream::Unpacker
{
  public:
    virtual ~Unpacker() = default;
    /// Uses bytes of `from`, from `begin` on, and writes to `to`; how many it wrote. Throws
    /// InputError's reason as std::string.
    virtual std::size_t unpack(std::string const& from, std::size_t& begin, char* to,
                               std::size_t room) = 0;
    virtual bool is_whole() const = 0; ///< what was given ends a member or frame
};

class ByteStream::Gzip : public Unpacker
{
  public:
    Gzip() { ::inflateInit2(&state_, 15 + 16); }
    ~Gzip() override { ::inflateEnd(&state_); }

    std::size_t unpack(std::string const& from, std::size_t& begin, char* to,
                       std::size_t room) override
    {
        if (whole_) { // another member follows
            ::inflateReset(&state_);
            whole_ = false;
        }
        auto* const bytes = reinterpret_cast<Bytef const*>(from.data());
        state_.next_in = const_cast<Bytef*>(bytes + begin);
        state_.avail_in = static_cast<uInt>(from.size() - begin);
        state_.next_out = reinterpret_cast<Bytef*>(to);
        state_.avail_out = static_cast<uInt>(room);
        auto const result = ::inflate(&state_, Z_NO_FLUSH);
        begin = from.size() - state_.avail_in;
        if (result == Z_STREAM_END)
            whole_ = true;
        else if (result != Z_OK && result != Z_BUF_ERROR)
            throw std::string("the gzip data are damaged: ") +
                (state_.msg != nullptr ? state_.msg : "unknown method");
        return room - state_.avail_out;
    }
    bool is_whole() const override { return whole_; }

  private:
    z_stream state_ = {};
    bool whole_ = false;
};

class ByteStream::Zstd : public Unpacker
{
  public:
    Zstd() : state_(::ZSTD_createDStream()) {}
    ~Zstd() override { ::ZSTD_freeDStream(state_); }

    std::size_t unpack(std::string const& from, std::size_t& begin, char* to,
                       std::size_t room) override
    {
        ZSTD_inBuffer in{from.data(), from.size(), begin};
        ZSTD_outBuffer out{to, room, 0};
        left_ = ::ZSTD_decompressStream(state_, &out, &in);
        if (::ZSTD_isError(left_) != 0)
            throw std::string("the zstd data are damaged: ") + ::ZSTD_getErrorName(left_);
        begin = in.pos;
        return out.pos;
    }
    bool is_whole() const override { return left_ == 0; }

  private:
    ZSTD_DStream* state_;
    std::size_t left_ = 1;
};

ByteStream::ByteStream(std::filesystem::path const& file)
    : file_(file.string()), descriptor_(open_to_read(file))
{
    try {
        constexpr std::size_t longest_signature = 16;
        while (raw_.size() < longest_signature && fill()) {
        }
        for (auto const& [bytes, words] : unreadable)
            if (raw_.starts_with(bytes)) fail("is " + std::string(words));
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
    if (raw_.starts_with("\x1F\x8B")) {
        packing_ = Packing::gzip;
        unpacker_ = std::make_unique<Gzip>();
    } else if (raw_.starts_with("\x28\xB5\x2F\xFD")) {
        packing_ = Packing::zstd;
        unpacker_ = std::make_unique<Zstd>();
    }
}

ByteStream::~ByteStream() { ::close(descriptor_); }

void ByteStream::fail(std::string const& why) const { throw InputError(file_ + ": " + why); }

std::size_t ByteStream::read_raw(char* to, std::size_t room)
{
    for (;;) {
        auto const got = ::read(descriptor_, to, room);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(std::string("cannot be read: ") + std::strerror(errno));
        return static_cast<std::size_t>(got);
    }
}

bool ByteStream::fill()
{
    constexpr std::size_t block = 1 << 16;
    raw_.erase(0, begin_);
    begin_ = 0;
    auto const had = raw_.size();
    raw_.resize(had + block);
    auto const got = read_raw(raw_.data() + had, block);
    raw_.resize(had + got);
    return got > 0;
}

std::size_t ByteStream::unpack(char* to, std::size_t room)
{
    try {
        return unpacker_->unpack(raw_, begin_, to, room);
    } catch (std::string const& why) {
        fail(why);
    }
}

std::size_t ByteStream::read(char* to, std::size_t room)
{
    for (;;) {
        if (begin_ == raw_.size() && !fill()) {
            if (unpacker_ == nullptr || unpacker_->is_whole()) return 0;
            // What did not fit in `to` before.
            if (auto const left = unpack(to, room); left > 0) return left;
            fail(std::string("the ") + (packing_ == Packing::gzip ? "gzip" : "zstd") +
                 " data end early: the file was cut off");
        }
        if (unpacker_ == nullptr) {
            auto const size = std::min(room, raw_.size() - begin_);
            std::memcpy(to, raw_.data() + begin_, size);
            begin_ += size;
            return size;
        }
        if (auto const size = unpack(to, room); size > 0) return size;
    }
}

} // namespace crx
