#include "emulated_gpu/memory.hh"

#include "emulated_gpu/threads.hh"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <map>
#include <sys/mman.h>
#include <utility>

namespace emulated {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t most_space = std::size_t{1} << 42; ///< of addresses
constexpr int no_access = PROT_NONE, all_access = PROT_READ | PROT_WRITE;

std::size_t whole_pages(std::size_t bytes) { return (bytes + page - 1) / page * page; }

/// Null where there is none.
char* try_to_map(std::size_t bytes, int access)
{
    auto* const at =
        mmap(nullptr, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? nullptr : static_cast<char*>(at);
}
char* map_pages(std::size_t bytes, int access)
{
    auto* const at = try_to_map(bytes, access);
    if (at == nullptr) fail("the emulated GPU gets no memory of the host");
    return at;
}
void set_access(char* at, std::size_t bytes, int access)
{
    if (mprotect(at, bytes, access) != 0) fail("mprotect failed");
}

void on_fault(int, siginfo_t* info, void*);

/// All allocations, by where they begin: their bytes end with a page.
class Heap
{
  public:
    Heap()
    {
        // Valgrind has less.
        while ((begin_ = try_to_map(space_, no_access)) == nullptr && space_ > page) space_ /= 2;
        if (begin_ == nullptr) fail("the emulated GPU gets no memory of the host");
        next_ = begin_ + page;
        static char stack[64 * 1024];
        stack_t alternate{};
        alternate.ss_sp = stack;
        alternate.ss_size = sizeof stack;
        sigaltstack(&alternate, nullptr);
        struct sigaction action
        {
        };
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigaction(SIGSEGV, &action, nullptr);
    }
    void* take(std::size_t bytes)
    {
        auto const pages = whole_pages(bytes);
        if (used_ + pages > gpu().bytes) return nullptr;
        if (next_ + pages + page > begin_ + space_) fail("all addresses have been used");
        set_access(next_, pages, all_access);
        auto* const at = next_ + pages - (bytes + 15) / 16 * 16;
        fill_with_garbage(next_, pages);
        if (open_ == 0) set_access(next_, pages, no_access);
        blocks_[at] = {bytes, next_, pages};
        next_ += pages + page;
        used_ += pages;
        return at;
    }
    void give_back(void* at)
    {
        auto const found = blocks_.find(static_cast<char*>(at));
        if (found == blocks_.end()) fail("what is freed was not allocated on the GPU");
        auto const& block = found->second;
        set_access(block.pages, block.page_bytes, no_access);
        madvise(block.pages, block.page_bytes, MADV_DONTNEED);
        used_ -= block.page_bytes;
        blocks_.erase(found);
    }
    void open()
    {
        if (open_++ == 0) set_all(all_access);
    }
    void close()
    {
        if (--open_ == 0) set_all(no_access);
    }
    /// The same for the allocation that holds `at`. Contract: it is on the GPU.
    void open_one(void const* at, int access)
    {
        auto const& block =
            std::prev(blocks_.upper_bound(const_cast<char*>(static_cast<char const*>(at))))->second;
        if (open_ == 0) set_access(block.pages, block.page_bytes, access);
    }
    std::size_t used() const { return used_; }

    bool holds(void const* at, std::size_t bytes) const
    {
        auto const* const from = static_cast<char const*>(at);
        auto const after = blocks_.upper_bound(const_cast<char*>(from));
        if (after == blocks_.begin()) return false;
        auto const& [begin, block] = *std::prev(after);
        return from + bytes <= begin + block.bytes;
    }
    bool spans(void const* at, std::size_t bytes) const
    {
        auto const* const from = static_cast<char const*>(at);
        return from < begin_ + space_ && from + bytes > begin_;
    }
    /// The allocation that lies before an address, for messages.
    std::string neighbour(char* at) const
    {
        auto const after = blocks_.upper_bound(at);
        if (after == blocks_.begin()) return "no allocation before it";
        auto const& [begin, block] = *std::prev(after);
        return std::to_string(at - begin) + " bytes into an allocation of " +
               std::to_string(block.bytes);
    }

  private:
    struct Block
    {
        std::size_t bytes;
        char* pages;
        std::size_t page_bytes;
    };
    void set_all(int access)
    {
        for (auto const& [at, block] : blocks_) set_access(block.pages, block.page_bytes, access);
    }

    std::size_t space_ = most_space; ///< of addresses, none of which comes twice
    char *begin_ = nullptr, *next_ = nullptr;
    std::map<char*, Block> blocks_;
    std::size_t used_ = 0;
    int open_ = 0;
};

/// Not destroyed: what is static elsewhere may free its memory after it.
Heap& heap()
{
    static auto* const the_heap = new Heap;
    return *the_heap;
}

void on_fault(int, siginfo_t* info, void*)
{
    auto* const at = static_cast<char*>(info->si_addr);
    if (heap().spans(at, 1))
        fail((in_kernel() ? "a kernel touches memory of the GPU that is not there: "
                          : "the host touches memory of the GPU: ") +
             heap().neighbour(at));
    fail("memory that is not there is touched");
}

} // namespace

void fail(std::string const& what)
{
    auto const place = where();
    std::cerr << "emulated GPU: " << what << (place.empty() ? "" : ", " + place) << std::endl;
    std::abort();
}

Gpu& gpu()
{
    static Gpu the_gpu;
    return the_gpu;
}

Counters& counters()
{
    static Counters all;
    return all;
}

void* allocate(std::size_t bytes) { return heap().take(bytes); }
void release(void* at)
{
    if (at != nullptr) heap().give_back(at);
}
std::size_t bytes_in_use() { return heap().used(); }
bool on_gpu(void const* at, std::size_t bytes) { return heap().holds(at, bytes); }
bool near_gpu(void const* at, std::size_t bytes) { return heap().spans(at, bytes); }

void fill_with_garbage(void* at, std::size_t bytes)
{
    auto const word = any_word() | 1;
    auto* to = static_cast<char*>(at);
    for (; bytes >= sizeof word; bytes -= sizeof word, to += sizeof word)
        std::memcpy(to, &word, sizeof word);
    std::memcpy(to, &word, bytes);
}

OpenMemory::OpenMemory() { heap().open(); }
OpenMemory::OpenMemory(void const* at) : one_(at) { heap().open_one(at, all_access); }
OpenMemory::~OpenMemory() { one_ == nullptr ? heap().close() : heap().open_one(one_, no_access); }

GuardedPages::GuardedPages(std::size_t bytes) : bytes_(whole_pages(bytes))
{
    begin_ = map_pages(bytes_ + 2 * page, no_access) + page;
    set_access(begin_, bytes_, all_access);
}
GuardedPages::~GuardedPages()
{
    if (begin_ != nullptr) munmap(begin_ - page, bytes_ + 2 * page);
}
GuardedPages::GuardedPages(GuardedPages&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), bytes_(other.bytes_)
{
}

} // namespace emulated
