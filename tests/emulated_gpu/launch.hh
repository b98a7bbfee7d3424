#pragma once

#include "emulated_gpu/threads.hh"

#include <cstring>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

// Launches on the emulated GPU. As nvcc does, each source is compiled twice: as the host's code,
// whose launches look a kernel up by name, and as the GPU's, whose launches only enter it under
// that name (CRX_EMULATED_GPU_PASS). The GPU's namespace `crx` has another name, so that the two
// do not mix (tests/CMakeLists.txt).

namespace emulated {

/// A kernel as the GPU knows it.
struct Kernel
{
    using Run = void (*)(void const* const* arguments);
    Run run;
    std::vector<std::size_t> sizes; ///< of the arguments, as the GPU's code has them
};

/// Enters it. Ends the program where there is another of the name.
void enter_kernel(std::string const& name, Kernel const& kernel);

struct Argument
{
    void const* at;
    std::size_t bytes;
};
/// Runs it, or leaves an error for cudaGetLastError(). Ends the program where there is none of the
/// name, or where arguments are not what the GPU's code takes: other sizes, addresses of the host.
void launch_kernel(std::string const& name, Config const& config,
                   std::vector<Argument> const& arguments);

/// Kernels that have run so far, and the threads of each.
std::int64_t launches();
std::vector<std::int64_t> const& launched_threads();

inline Config config(std::int64_t blocks, std::int64_t threads, std::size_t shared = 0)
{
    return {blocks, threads, shared};
}

/// Names a launch: `Call` is the type of its lambda, one a place and a set of template arguments.
template <class Call, class... Arguments>
struct Launch
{
};

template <class Call, class... Arguments>
std::string launch_name()
{
    return typeid(Launch<Call, std::decay_t<Arguments>...>).name();
}

#ifdef CRX_EMULATED_GPU_PASS
inline namespace gpu_pass {

template <class Call, class... Arguments>
struct Entry
{
    static void run(void const* const* at)
    {
        [&]<std::size_t... k>(std::index_sequence<k...>) {
            Call{}(*static_cast<Arguments const*>(at[k])...);
        }(std::index_sequence_for<Arguments...>());
    }
    Entry() { enter_kernel(launch_name<Call, Arguments...>(), {run, {sizeof(Arguments)...}}); }
    static inline Entry const entry{};
};

template <class Call, class... Arguments>
void launch(Call, Config const&, Arguments const&...)
{
    (void)&Entry<Call, Arguments...>::entry;
}

} // namespace gpu_pass
#else
inline namespace host_pass {

/// A copy that shares no byte with others, even where there is nothing in it.
template <class T>
struct Copy
{
    T value;
};

template <class Call, class... Arguments>
void launch(Call, Config const& config, Arguments const&... arguments)
{
    static_assert((std::is_trivially_copyable_v<Arguments> && ...));
    auto const launch_copies = [&](Copy<Arguments>... copies) {
        (__builtin_clear_padding(&copies.value), ...); // what lies there is nobody's address
        launch_kernel(launch_name<Call, Arguments...>(), config,
                      {Argument{&copies.value, sizeof copies.value}...});
    };
    launch_copies(Copy<Arguments>{arguments}...);
}

} // namespace host_pass
#endif

} // namespace emulated
