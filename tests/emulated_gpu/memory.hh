#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

// Memory of the emulated GPU. Each allocation is garbage at first, lies between pages that nobody
// may touch, is out of reach of the host but while a kernel runs, and has no successor at its
// address, so that what has been freed is out of reach too.

namespace emulated {

/// Writes to stderr what is wrong and where, and ends the program.
[[noreturn]] void fail(std::string const& what);

/// What the GPU is like; tests change it before they launch.
struct Gpu
{
    bool present = true;
    bool driver = true; ///< of NVIDIA, on the host
    int processors = 3;
    int blocks_a_processor = 2;               ///< at a time, at most
    std::size_t bytes = std::size_t{1} << 28; ///< of memory
    bool pools = true;                        ///< cudaMallocAsync
    bool pool_in_pieces = false;              ///< what it keeps serves no larger arrays
    int capability = 80;                      ///< 10 times the compute capability
    int gpus = 1;                             ///< all alike
    /// So many launches later a kernel ends with a fault; from then on every call fails, frees too.
    std::int64_t launches_to_fault = -1; ///< -1: never
    /// So many launches later a kernel is lost: it does nothing, and nobody is told.
    std::int64_t launches_to_lose = -1; ///< -1: never
};
Gpu& gpu();

/// Since the program's begin. An array that a pool still had is not allocated anew.
struct Counters
{
    std::uint64_t allocated = 0;        ///< bytes
    std::uint64_t filled = 0;           ///< bytes that the host had set
    std::uint64_t properties_asked = 0; ///< calls for all properties of a GPU
};
Counters& counters();

/// While it lives, other threads of the host wait before they ask the GPU for anything.
class OneAtATime
{
  public:
    OneAtATime() : lock_(mutex()) {}

  private:
    static std::recursive_mutex& mutex()
    {
        static std::recursive_mutex only;
        return only;
    }
    std::lock_guard<std::recursive_mutex> lock_;
};

/// Null where the GPU has not so much left.
void* allocate(std::size_t bytes);
/// Contract: `at` is null or came from allocate().
void release(void* at);

std::size_t bytes_in_use();

/// Whether all these bytes are in one allocation.
bool on_gpu(void const* at, std::size_t bytes);
/// Whether any of these bytes may be the GPU's, allocated or not.
bool near_gpu(void const* at, std::size_t bytes);

/// Garbage, another each time.
void fill_with_garbage(void* at, std::size_t bytes);

/// While it lives, whoever runs may touch what is allocated, or the one allocation that holds `at`.
class OpenMemory
{
  public:
    OpenMemory();
    explicit OpenMemory(void const* at);
    ~OpenMemory();
    OpenMemory(OpenMemory const&) = delete;
    OpenMemory& operator=(OpenMemory const&) = delete;

  private:
    void const* one_ = nullptr;
};

/// Pages with a forbidden one at each end, for shared memory and stacks.
class GuardedPages
{
  public:
    explicit GuardedPages(std::size_t bytes);
    ~GuardedPages();
    GuardedPages(GuardedPages&& other) noexcept;
    GuardedPages& operator=(GuardedPages&&) = delete;

    char* begin() const { return begin_; }
    std::size_t bytes() const { return bytes_; }
    /// Where an array of so many bytes, rounded up to 16, ends with the pages.
    char* last(std::size_t bytes) const { return begin_ + bytes_ - (bytes + 15) / 16 * 16; }

  private:
    char* begin_;
    std::size_t bytes_;
};

} // namespace emulated
