#pragma once

// Switches that scripts/mutate puts into copies of the sources, so that one build holds many
// faults: `a < b` becomes `a < crx_fault::Relation{17} < b`, which computes `a <= b` where the
// environment variable CRX_FAULT is 17, else `a < b`. Each operator is written twice around the
// switch, so precedence and grouping stay as they are without parsing. Where CRX_FAULT_REACHED
// names a file, its byte 17 becomes 1 when that place is reached. A constant expression never holds
// the fault.

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <initializer_list>
#include <sys/mman.h>
#include <type_traits>
#include <unistd.h>

namespace crx_fault {

inline constexpr int most = 4096;
inline unsigned char unrecorded[most];
inline unsigned char* reached = unrecorded;
inline int active = -1;

__attribute__((constructor(101))) static void read_environment()
{
    if (char const* const number = std::getenv("CRX_FAULT")) active = std::atoi(number);
    char const* const name = std::getenv("CRX_FAULT_REACHED");
    if (name == nullptr || reached != unrecorded) return;
    int const file = ::open(name, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void* const bytes = ::mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes != MAP_FAILED) reached = static_cast<unsigned char*>(bytes);
    ::close(file);
}

constexpr bool on(int number)
{
    if (std::is_constant_evaluated()) return false;
    if (reached[number] == 0) reached[number] = 1;
    return number == active;
}

/// The left side of an operator, waiting for the right one.
template <class A, class Switch>
struct Left
{
    A const& a;
    int number;
};

#define CRX_FAULT_BINARY(Name, op, faulty)                                                         \
    struct Name                                                                                    \
    {                                                                                              \
        int number;                                                                                \
    };                                                                                             \
    template <class A>                                                                             \
    constexpr Left<A, Name> operator op(A const& a, Name name)                                     \
    {                                                                                              \
        return {a, name.number};                                                                   \
    }                                                                                              \
    template <class A, class B>                                                                    \
    constexpr auto operator op(Left<A, Name> const& left, B const& b)->decltype(left.a op b)       \
    {                                                                                              \
        if (on(left.number)) return static_cast<decltype(left.a op b)>(faulty);                    \
        return left.a op b;                                                                        \
    }
CRX_FAULT_BINARY(Less, <, left.a <= b)
CRX_FAULT_BINARY(LessEqual, <=, left.a < b)
CRX_FAULT_BINARY(Greater, >, left.a >= b)
CRX_FAULT_BINARY(GreaterEqual, >=, left.a > b)
CRX_FAULT_BINARY(Equal, ==, left.a != b)
CRX_FAULT_BINARY(NotEqual, !=, left.a == b)
CRX_FAULT_BINARY(Plus, +, left.a - b)
CRX_FAULT_BINARY(Minus, -, left.a + b)
CRX_FAULT_BINARY(DropPlus, +, left.a)
CRX_FAULT_BINARY(DropMinus, -, left.a)

/// `a && b`, with the fault `a || b`: written a && And::first(n) || And::second(n) && b.
inline thread_local bool left_held = false;
inline bool take_left()
{
    bool const held = left_held;
    left_held = false;
    return held;
}
struct And
{
    static bool first(int number)
    {
        if (on(number)) return true;
        left_held = true;
        return false;
    }
    static bool second(int number) { return number == active || take_left(); }
};
/// `a || b`, with the fault `a && b`.
struct Or
{
    static bool first(int number)
    {
        if (!on(number)) return true;
        left_held = true;
        return false;
    }
    static bool second(int number)
    {
        bool const faulty = on(number);
        return faulty ? take_left() : true;
    }
};

/// x += e, with the fault x -= e: written x += AddTo{n} += e.
template <class E>
struct Addend
{
    E const& e;
    int number;
};
struct AddTo
{
    int number;
    template <class E>
    constexpr Addend<E> operator+=(E const& e) const
    {
        return {e, number};
    }
};
template <class X, class E>
constexpr X& operator+=(X& x, Addend<E> addend)
{
    if (on(addend.number))
        x -= addend.e;
    else
        x += addend.e;
    return x;
}

template <class Right, class Wrong>
struct Choice
{
    int number;
    template <class... A>
    constexpr auto operator()(A const&... a) const
    {
        return on(number) ? Wrong{}(a...) : Right{}(a...);
    }
    template <class T>
    constexpr T operator()(std::initializer_list<T> values) const
    {
        return on(number) ? Wrong{}(values) : Right{}(values);
    }
};
struct TakeMin
{
    constexpr auto operator()(auto const&... a) const { return std::min(a...); }
};
struct TakeMax
{
    constexpr auto operator()(auto const&... a) const { return std::max(a...); }
};
using Min = Choice<TakeMin, TakeMax>;
using Max = Choice<TakeMax, TakeMin>;

/// Two arguments, with the fault in the other order: f(Swap{n}(a, b), Swap{n}(b, a)).
struct Swap
{
    int number;
    template <class T>
    constexpr T& operator()(T& first, T& second) const
    {
        return on(number) ? second : first;
    }
};

} // namespace crx_fault
