// Preloaded (LD_PRELOAD) into a program, refuses one of its allocations: the one of number
// CRX_FAIL_AT, counted from 1; with CRX_FAIL_HOW=full-on all later ones too. Where it came to that,
// the file CRX_FAIL_MARK is made. `operator new` and the libraries take their memory here. Counted
// is from the begin of main on: what libraries do before it, no program can catch.
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

extern "C" {
// What the C library's own names lead to where nobody stands in between.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {

using Main = int (*)(int, char**, char**);

std::atomic<long> count{0};
bool begun = false;
Main real_main = nullptr;

int counted_main(int count_of_arguments, char** arguments, char** environment)
{
    begun = true;
    auto const status = real_main(count_of_arguments, arguments, environment);
    begun = false;
    return status;
}

/// Counts one allocation; true: it is to fail. It must not allocate.
bool turn()
{
    static long const wanted = [] {
        char const* const at = std::getenv("CRX_FAIL_AT");
        return at == nullptr ? 0 : std::atol(at);
    }();
    if (wanted == 0 || !begun) return false;
    auto const now = ++count;
    if (now < wanted) return false;
    if (now == wanted) {
        if (char const* const mark = std::getenv("CRX_FAIL_MARK"))
            ::close(::open(mark, O_WRONLY | O_CREAT, 0600));
    } else {
        char const* const how = std::getenv("CRX_FAIL_HOW");
        if (how == nullptr || std::strcmp(how, "full-on") != 0) return false;
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

void* malloc(size_t size) noexcept { return turn() ? nullptr : __libc_malloc(size); }

void* calloc(size_t many, size_t size) noexcept
{
    return turn() ? nullptr : __libc_calloc(many, size);
}

void* realloc(void* old, size_t size) noexcept
{
    return turn() ? nullptr : __libc_realloc(old, size);
}

void* memalign(size_t alignment, size_t size) noexcept
{
    return turn() ? nullptr : __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) noexcept
{
    return turn() ? nullptr : __libc_memalign(alignment, size);
}

int posix_memalign(void** place, size_t alignment, size_t size) noexcept
{
    if (turn()) return ENOMEM;
    *place = __libc_memalign(alignment, size);
    return *place == nullptr ? ENOMEM : 0;
}

} // extern "C"
