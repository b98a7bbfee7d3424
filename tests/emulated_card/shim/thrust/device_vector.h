#pragma once

#include "cuda_runtime.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <vector>

// Stands in for Thrust: arrays of the emulated card. Unlike Thrust's they are garbage where Thrust
// would write zeros: who does not rely on these is right with both.
namespace thrust {

template <class T>
class device_ptr
{
  public:
    device_ptr() = default;
    explicit device_ptr(T* at) : at_(at) {}
    T* get() const { return at_; }

  private:
    T* at_ = nullptr;
};
template <class T>
T* raw_pointer_cast(device_ptr<T> const& at)
{
    return at.get();
}

/// What an iterator on the card yields to the host: read when it is asked for.
template <class T>
class device_reference
{
  public:
    explicit device_reference(T* at) : at_(at) {}
    operator std::remove_const_t<T>() const
    {
        std::remove_const_t<T> value;
        if (cudaMemcpy(&value, at_, sizeof value, cudaMemcpyDeviceToHost) != cudaSuccess)
            emulated::fail("what is not there is read");
        return value;
    }

  private:
    T* at_;
};

template <class T>
class device_iterator
{
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::remove_const_t<T>;
    using difference_type = std::ptrdiff_t;
    using pointer = device_ptr<T>;
    using reference = device_reference<T>;

    explicit device_iterator(T* at) : at_(at) {}
    T* get() const { return at_; }
    reference operator*() const { return reference(at_); }
    device_iterator& operator++() { return ++at_, *this; }
    device_iterator operator+(difference_type n) const { return device_iterator(at_ + n); }
    difference_type operator-(device_iterator other) const { return at_ - other.at_; }
    bool operator==(device_iterator const& other) const = default;

  private:
    T* at_;
};

template <class T>
class device_vector
{
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    using iterator = device_iterator<T>;
    using const_iterator = device_iterator<T const>;

    device_vector() = default;
    explicit device_vector(std::size_t size) { resize(size); }
    device_vector(std::vector<T> const& other) { assign(other.begin(), other.end()); }
    device_vector(device_vector const& other) { *this = other; }
    ~device_vector() { emulated::release(at_); }
    device_vector& operator=(std::vector<T> const& other)
    {
        assign(other.begin(), other.end());
        return *this;
    }
    device_vector& operator=(device_vector const& other)
    {
        if (&other == this) return *this;
        resize(other.size_);
        emulated::OpenMemory const open;
        std::copy_n(other.at_, size_, at_);
        return *this;
    }
    template <class Iterator>
    void assign(Iterator from, Iterator to)
    {
        std::vector<T> const values(from, to);
        resize(values.size());
        check(cudaMemcpy(at_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    void resize(std::size_t size)
    {
        if (size > room_) move_to(size);
        if (size != size_) {
            emulated::OpenMemory const open;
            auto const kept = std::min(size, size_);
            emulated::fill_with_garbage(at_ + kept, (room_ - kept) * sizeof(T));
        }
        size_ = size;
    }
    void clear() { size_ = 0; }
    void shrink_to_fit() { move_to(size_); }

    std::size_t size() const { return size_; }
    device_ptr<T> data() { return device_ptr<T>(at_); }
    device_ptr<T const> data() const { return device_ptr<T const>(at_); }
    iterator begin() { return iterator(at_); }
    iterator end() { return iterator(at_ + size_); }
    const_iterator begin() const { return const_iterator(at_); }
    const_iterator end() const { return const_iterator(at_ + size_); }

  private:
    static void check(cudaError_t error)
    {
        if (error == cudaErrorMemoryAllocation) {
            cudaGetLastError(); // as Thrust does
            throw std::bad_alloc();
        }
        if (error != cudaSuccess) emulated::fail(cudaGetErrorString(error));
    }
    /// To an array of its own for so many.
    void move_to(std::size_t room)
    {
        T* at = nullptr;
        check(cudaMalloc(&at, room * sizeof(T)));
        if (size_ > 0) {
            emulated::OpenMemory const open;
            std::copy_n(at_, size_, at);
        }
        emulated::release(std::exchange(at_, at));
        room_ = room;
    }

    T* at_ = nullptr;
    std::size_t size_ = 0, room_ = 0;
};

} // namespace thrust
