#include "python/bindings/errors.hh"

#include "host/library/library.hh"

namespace crx::python {

namespace py = pybind11;

namespace {

/// Never destroyed: Python is gone by then.
Errors& made()
{
    static auto* const errors = new Errors;
    return *errors;
}

py::object make(py::module_& module, char const* name, py::handle base, char const* meaning)
{
    auto const full = std::string("crx.") + name;
    auto type = py::reinterpret_steal<py::object>(
        PyErr_NewExceptionWithDoc(full.c_str(), meaning, base.ptr(), nullptr));
    module.attr(name) = type;
    return type;
}

void translate(std::exception_ptr const thrown)
{
    try {
        if (thrown) std::rethrow_exception(thrown);
    } catch (ConfigError const& error) {
        PyErr_SetString(made().config.ptr(), error.what());
    } catch (InputError const& error) {
        PyErr_SetString(made().input.ptr(), error.what());
    } catch (RunError const& error) {
        PyErr_SetString(made().run.ptr(), error.what());
    }
}

} // namespace

Errors const& errors() { return made(); }

void bind_errors(py::module_& module)
{
    auto& all = made();
    all.input = make(module, "InputError", PyExc_ValueError,
                     "Bad input. The text is the program's; nothing was written.");
    all.config = make(module, "ConfigError", all.input,
                      "A value that is not accepted. The text names where it stands, the key, the "
                      "value and what is accepted.");
    all.run = make(module, "RunError", PyExc_RuntimeError,
                   "A run that could not go on. The text says what was kept and how to go on.");
    py::register_exception_translator(translate);
}

} // namespace crx::python
