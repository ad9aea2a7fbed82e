#include "bindings/report.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <tuple>

#include "bindings/bindings.h"
#include "bindings/gil.h"
#include "bindings/interruptible.h"
#include "bindings/model.h"
#include "bindings/text.h"
#include "pages/model_page.h"
#include "report/environment.h"

namespace assay::python {
namespace {

namespace nb = nanobind;

constexpr int kOwnVersions = 2;  // at the start of describe_environment(): those of Assay and ONNX

// Replaces options of the command line in sentences by the names of parameters.
void name_parameters(report::Page& page) {
  const GilAcquire gil;
  const auto in_python = [](std::string& text) {
    if (text.find("--") == std::string::npos) return;
    const nb::object function = nb::module_::import_("assay.parameters").attr("in_python");
    text = nb::cast<std::string>(call_python(function, nb::make_tuple(to_text(text))));
  };
  in_python(page.verdict);
  for (report::PageStep& step : page.steps) in_python(step.answer);
}

NativeReport model_report(const NativeModel& model) {
  return NativeReport([model = model.model] { return pages::model_page(*model); });
}

// A table's title, columns and rows.
using Table = std::tuple<std::string, std::vector<std::string>, std::vector<std::vector<std::string>>>;

NativeReport tables_report(std::string verdict, bool passed, std::pair<std::string, std::string> sides,
                           std::vector<Table> tables) {
  report::Page page;
  page.verdict = std::move(verdict);
  page.mark = passed ? report::Mark::good : report::Mark::bad;
  std::tie(page.first_side, page.second_side) = std::move(sides);
  for (auto& [title, columns, rows] : tables) {
    page.tables.push_back({.title = std::move(title), .columns = std::move(columns), .rows = std::move(rows)});
  }
  return NativeReport([page = std::move(page)] { return page; });
}

}  // namespace

void NativeReport::save(const std::filesystem::path& path, const std::string& title, const std::string& call,
                        const Versions& versions) const {
  Interruptible saving;
  saving.run(
      [&]() -> base::Status {
        ASSAY_ASSIGN(report::Page page, (*make_)());
        name_parameters(page);
        page.title = title;
        page.command_line = call;
        page.environment = report::describe_environment(engines_, saving.pool());
        page.environment.insert(page.environment.begin() + kOwnVersions, versions.begin(), versions.end());
        return report::write_page(page, path);
      },
      Subject::input);
}

void bind_report(nb::module_& module) {
  nb::class_<NativeReport>(module, "NativeReport")
      .def("save", &NativeReport::save, nb::arg("path"), nb::arg("title"), nb::arg("call"), nb::arg("versions"));
  module.def("tables_report", &tables_report, nb::arg("verdict"), nb::arg("passed"), nb::arg("sides"),
             nb::arg("tables"));
  module.def("model_report", &model_report, nb::arg("model"));
}

}  // namespace assay::python
