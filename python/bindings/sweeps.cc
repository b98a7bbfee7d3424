#include "python/bindings/bind.hh"
#include "python/bindings/job.hh"
#include "python/bindings/orders.hh"

namespace crx::python {

namespace {

OwnOrders own_orders(py::dict const& functions, std::shared_ptr<Raised> const& raised)
{
    OwnOrders own;
    for (auto const& [label, function] : functions) {
        auto const name = label.cast<std::string>();
        own[name] = order_function(name, py::reinterpret_borrow<py::object>(function), raised);
    }
    return own;
}

library::ProgressShown shown(std::string const& name)
{
    if (name == "none") return library::ProgressShown::none;
    return name == "live" ? library::ProgressShown::live : library::ProgressShown::lines;
}

py::dict sweep(py::dict const& given)
{
    auto const raised = std::make_shared<Raised>();
    library::SweepRequest request;
    request.text = given["text"].cast<std::string>();
    request.name = given["name"].cast<std::string>();
    request.folder = given["folder"].cast<std::string>();
    request.overrides = given["overrides"].cast<std::vector<std::string>>();
    request.store = given["store"].cast<std::string>();
    request.backend = given["backend"].cast<std::string>();
    request.device = given["device"].cast<int>();
    request.threads = given["threads"].cast<int>();
    request.extend = given["extend"].cast<bool>();
    request.redo_damaged = given["redo_damaged"].cast<bool>();
    request.progress = shown(given["progress"].cast<std::string>());
    request.own = own_orders(given["own"], raised);
    auto const done = run_job(
        [&](library::StopAsked const& stop_asked) { return library::sweep(request, stop_asked); },
        raised);
    return py::dict(py::arg("db") = done.store, py::arg("cells") = done.cells,
                    py::arg("instances") = done.instances, py::arg("added") = done.added,
                    py::arg("seconds") = done.seconds);
}

py::object value_of(ExportValue const& value)
{
    struct Cases
    {
        py::object operator()(std::monostate) const { return py::none(); }
        py::object operator()(std::int64_t number) const { return py::int_(number); }
        py::object operator()(double number) const { return py::float_(number); }
        py::object operator()(std::string const& text) const { return py::str(text); }
        /// Sums are larger than 64 bits.
        py::object operator()(Digits const& digits) const
        {
            return py::reinterpret_steal<py::object>(
                PyLong_FromString(digits.text.c_str(), nullptr, 10));
        }
    };
    return std::visit(Cases(), value);
}

/// The columns of a table, in order, with the engines as the last.
py::dict read(std::string const& store)
{
    auto const table =
        run_job([&](library::StopAsked const&) { return library::read_table(store); });
    py::dict columns;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        py::list column(table.rows.size());
        for (std::size_t r = 0; r < table.rows.size(); ++r) column[r] = value_of(table.rows[r][c]);
        columns[py::str(table.columns[c])] = column;
    }
    if (!table.engines.empty()) {
        py::list engines;
        for (auto const& engine : table.engines) engines.append(value_of(engine));
        columns["engine"] = engines;
    }
    return columns;
}

/// (text of `crx export`, as JSON or as CSV)
std::string export_text(std::string const& store, bool json)
{
    return run_job([&](library::StopAsked const&) {
        auto const table = library::read_table(store);
        return json ? to_json(table) : to_csv(table);
    });
}

py::dict replay(std::string const& store, std::int64_t cell, std::int64_t instance,
                std::string const& policy, py::dict const& functions)
{
    auto const raised = std::make_shared<Raised>();
    auto const own = own_orders(functions, raised);
    auto result = run_job(
        [&](library::StopAsked const&) {
            return library::replay(store, cell, instance, policy, own);
        },
        raised);
    py::list runs;
    for (auto& run : result.runs) runs.append(py::cast(std::move(run)));
    py::object requests = py::none();
    if (result.instance) requests = instance_as_dict(*result.instance);
    return py::dict(py::arg("runs") = runs, py::arg("instance") = requests,
                    py::arg("paths") = result.paths);
}

} // namespace

void bind_sweeps(py::module_& module)
{
    module.def("sweep", sweep);
    module.def("read", read);
    module.def("export_text", export_text);
    module.def("read_experiment",
               [](std::string const& file) { return library::read_experiment(file); });
    module.def("replay", replay);
}

} // namespace crx::python
