// Preloaded (LD_PRELOAD) into a program, makes its clocks jump: at each reading, the one that
// counts from the start of the machine is CRX_CLOCK_AHEAD seconds further, as after a sleep of the
// machine; the one of the calendar goes forward and back by CRX_CLOCK_JUMP seconds. Each call of
// the kernel is counted; with CRX_CLOCK_MARK that file is made at the first.
#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

std::atomic<long> readings{0};

long seconds_of(char const* name)
{
    char const* const given = std::getenv(name);
    return given == nullptr ? 0 : std::atol(given);
}

/// Seconds to add at this reading.
long jump(bool calendar)
{
    auto const now = ++readings;
    if (char const* const mark = std::getenv("CRX_CLOCK_MARK"); now == 1 && mark != nullptr)
        ::close(::open(mark, O_WRONLY | O_CREAT, 0600));
    if (calendar)
        return now % 2 == 0 ? seconds_of("CRX_CLOCK_JUMP") : -seconds_of("CRX_CLOCK_JUMP");
    return now * seconds_of("CRX_CLOCK_AHEAD");
}

} // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept
{
    auto const result = static_cast<int>(::syscall(SYS_clock_gettime, clock, time));
    if (result == 0) time->tv_sec += jump(clock == CLOCK_REALTIME);
    return result;
}

int gettimeofday(timeval* time, void*) noexcept
{
    timespec now = {};
    auto const result = static_cast<int>(::syscall(SYS_clock_gettime, CLOCK_REALTIME, &now));
    *time = {now.tv_sec + jump(true), now.tv_nsec / 1000};
    return result;
}

time_t time(time_t* place) noexcept
{
    timeval now = {};
    (void)gettimeofday(&now, nullptr);
    if (place != nullptr) *place = now.tv_sec;
    return now.tv_sec;
}

} // extern "C"
