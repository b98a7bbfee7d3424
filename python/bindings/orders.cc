#include "python/bindings/orders.hh"

namespace crx::python {

namespace {

py::array_t<std::int32_t> copy_of(std::int32_t const* values, std::int64_t n)
{
    return py::array_t<std::int32_t>(n, values);
}

} // namespace

std::vector<std::size_t> order_of(py::array_t<std::int64_t> const& order)
{
    auto const values = order.unchecked<1>();
    std::vector<std::size_t> out;
    for (py::ssize_t i = 0; i < values.shape(0); ++i)
        out.push_back(static_cast<std::size_t>(values(i)));
    return out;
}

OrderFunction order_function(std::string const& name, py::object function,
                             std::shared_ptr<Raised> const& raised)
{
    // The last copy may go on any thread.
    std::shared_ptr<py::object> const shared(new py::object(std::move(function)),
                                             [](py::object* object) {
                                                 py::gil_scoped_acquire const held;
                                                 delete object;
                                             });
    return [=](Requests const& r, std::uint64_t seed, std::int64_t instance) {
        py::gil_scoped_acquire const held;
        try {
            return order_of(py::array_t<std::int64_t>(
                (*shared)(copy_of(r.prompt, r.n), copy_of(r.output, r.n), copy_of(r.lower, r.n),
                          copy_of(r.upper, r.n), r.memory, seed, instance)));
        } catch (py::error_already_set const& error) {
            raised->keep(error, "policy " + name);
        }
    };
}

} // namespace crx::python
