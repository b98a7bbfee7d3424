#pragma once

#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace crx {

// Values as bytes, for ranks that run one program on one kind of machine: no order of bytes and no
// version is provided for.

/// Writes values one behind the other.
class Packer
{
  public:
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void put(T const& value)
    {
        bytes_.append(reinterpret_cast<char const*>(&value), sizeof value);
    }
    void put(std::string const& text)
    {
        put(text.size());
        bytes_ += text;
    }
    template <class T>
    void put(std::vector<T> const& values)
    {
        put(values.size());
        for (auto const& value : values) put(value);
    }
    template <class A, class B>
        requires(!std::is_trivially_copyable_v<std::pair<A, B>>)
    void put(std::pair<A, B> const& pair)
    {
        put(pair.first);
        put(pair.second);
    }
    template <class Key, class Value>
    void put(std::map<Key, Value> const& values)
    {
        put(values.size());
        for (auto const& [key, value] : values) {
            put(key);
            put(value);
        }
    }

    std::string bytes() && { return std::move(bytes_); }

  private:
    std::string bytes_;
};

/// Reads them in the same order. Throws std::runtime_error past the end.
class Unpacker
{
  public:
    explicit Unpacker(std::string const& bytes) : bytes_(bytes) {}

    template <class T>
        requires std::is_trivially_copyable_v<T>
    void get(T& value)
    {
        std::memcpy(&value, take(sizeof value), sizeof value);
    }
    void get(std::string& text)
    {
        auto const size = get<std::size_t>();
        text.assign(take(size), size);
    }
    template <class T>
    void get(std::vector<T>& values)
    {
        values.clear();
        for (auto left = get<std::size_t>(); left > 0; --left) get(values.emplace_back());
    }
    template <class A, class B>
        requires(!std::is_trivially_copyable_v<std::pair<A, B>>)
    void get(std::pair<A, B>& pair)
    {
        get(pair.first);
        get(pair.second);
    }
    template <class Key, class Value>
    void get(std::map<Key, Value>& values)
    {
        values.clear();
        for (auto left = get<std::size_t>(); left > 0; --left) {
            auto key = get<Key>();
            get(values[key]);
        }
    }
    template <class T>
    T get()
    {
        T value{};
        get(value);
        return value;
    }

  private:
    char const* take(std::size_t count)
    {
        if (count > bytes_.size() - at_) throw std::runtime_error("a message of a rank is cut off");
        at_ += count;
        return bytes_.data() + at_ - count;
    }

    std::string const& bytes_;
    std::size_t at_ = 0;
};

} // namespace crx
