// Logarithms of kernels, off by up to two units in the last place either way, as those of a GPU
// are: the linker puts __wrap_log in the place of log (-Wl,--wrap=log).
#include "emulated_gpu/other_logarithms.hh"

#include "emulated_gpu/threads.hh"

#include <bit>

namespace {

std::int64_t changed = 0;

} // namespace

std::int64_t emulated::logarithms_changed() { return changed; }

extern "C" {
double __real_log(double x);
double __wrap_log(double x);
double __wrap_log(double x)
{
    auto const value = __real_log(x);
    if (!emulated::in_kernel() || value == 0) return value;
    auto const off = static_cast<std::int64_t>(emulated::any_word() % 5) - 2;
    changed += off != 0;
    return std::bit_cast<double>(std::bit_cast<std::int64_t>(value) + off);
}
}
