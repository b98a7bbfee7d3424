// Preloaded (LD_PRELOAD) into a program, refuses one of its allocations: the one of number
// CRX_FAIL_AT, counted from 1. With CRX_FAIL_HOW=full-on memory is full from there on: later ones
// get what was freed since, and no more; with CRX_FAIL_HOW=nothing-freed not even that. Where it
// came to that, the file CRX_FAIL_MARK is made. `operator new` and the libraries take their memory
// here. Counted is from the begin of main on: what libraries do before it, no program can catch.
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

extern "C" {
// What the C library's own names lead to where nobody stands in between.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* block);
}

namespace {

using Main = int (*)(int, char**, char**);

std::atomic<long> count{0};
std::atomic<bool> begun{false}; ///< counts
Main real_main = nullptr;

int counted_main(int count_of_arguments, char** arguments, char** environment)
{
    begun = true;
    auto const status = real_main(count_of_arguments, arguments, environment);
    begun = false;
    return status;
}

std::atomic<bool> freed_counts{false}; ///< memory is full, and what is freed can be had again
std::atomic<long> freed{0};            ///< bytes
constexpr long overhead = 32;          ///< bytes that an allocation takes beside its own, at most

/// Takes as much of what was freed; false: that is less.
bool take_freed(size_t size)
{
    auto const wanted = static_cast<long>(size) + overhead;
    auto left = freed.load();
    while (left >= wanted)
        if (freed.compare_exchange_weak(left, left - wanted)) return true;
    return false;
}

/// Counts one allocation; true: it is to fail. It must not allocate.
bool turn(size_t size)
{
    static long const wanted = [] {
        char const* const at = std::getenv("CRX_FAIL_AT");
        return at == nullptr ? 0 : std::atol(at);
    }();
    if (wanted == 0 || !begun) return false;
    auto const now = ++count;
    if (now < wanted) return false;
    char const* const how = std::getenv("CRX_FAIL_HOW");
    auto const is = [how](char const* name) { return how && std::strcmp(how, name) == 0; };
    if (now == wanted) {
        freed_counts = is("full-on");
        if (char const* const mark = std::getenv("CRX_FAIL_MARK"))
            ::close(::open(mark, O_WRONLY | O_CREAT, 0600));
    } else {
        bool const refused = is("nothing-freed") || (is("full-on") && !take_freed(size));
        if (!refused) return false;
    }
    errno = ENOMEM;
    return true;
}

} // namespace

extern "C" {

// The C library's start of every program, which is handed its main.
int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*end_of_loader)(), void* stack_end)
{
    real_main = main;
    auto const real =
        reinterpret_cast<decltype(&__libc_start_main)>(::dlsym(RTLD_NEXT, "__libc_start_main"));
    return real(counted_main, argc, argv, init, fini, end_of_loader, stack_end);
}

// glibc 2.36 crashes where memory is refused while it loads a library (oneTBB's allocator, at the
// first use), so what is taken meanwhile is not counted.
void* dlopen(char const* file, int mode)
{
    static auto const real = reinterpret_cast<decltype(&::dlopen)>(::dlsym(RTLD_NEXT, "dlopen"));
    bool const counted = begun.exchange(false);
    void* const library = real(file, mode);
    begun = counted;
    return library;
}

void* malloc(size_t size) noexcept { return turn(size) ? nullptr : __libc_malloc(size); }

void* calloc(size_t many, size_t size) noexcept
{
    return turn(many * size) ? nullptr : __libc_calloc(many, size);
}

void* realloc(void* old, size_t size) noexcept
{
    return turn(size) ? nullptr : __libc_realloc(old, size);
}

void* memalign(size_t alignment, size_t size) noexcept
{
    return turn(size) ? nullptr : __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) noexcept
{
    return turn(size) ? nullptr : __libc_memalign(alignment, size);
}

int posix_memalign(void** place, size_t alignment, size_t size) noexcept
{
    if (turn(size)) return ENOMEM;
    *place = __libc_memalign(alignment, size);
    return *place == nullptr ? ENOMEM : 0;
}

void free(void* block) noexcept
{
    if (freed_counts && block != nullptr) freed += static_cast<long>(::malloc_usable_size(block));
    __libc_free(block);
}

} // extern "C"
