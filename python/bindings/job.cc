#include "python/bindings/job.hh"

#include "python/bindings/errors.hh"

namespace crx::python {

void Raised::keep(py::error_already_set const& error, std::string const& who)
{
    std::string const text = error.what();
    std::lock_guard const lock(mutex_);
    if (!error_) error_ = error;
    throw RunError(who + " raised " + text.substr(0, text.find('\n')));
}

void Raised::raise(std::string const& text) const
{
    if (!error_) return;
    auto error = *error_;
    py::raise_from(error, errors().run.ptr(), text.c_str());
    throw py::error_already_set();
}

void raise_interrupt(py::error_already_set& raised, std::string const& text)
{
    if (!text.empty() && raised.matches(PyExc_KeyboardInterrupt))
        PyErr_SetString(PyExc_KeyboardInterrupt, text.c_str());
    else
        raised.restore();
    throw py::error_already_set();
}

} // namespace crx::python
