// Files and folders of inputs and results that are read and written iteration by iteration, so that one iteration is in
// memory at a time. data.cc has the functions for all iterations at once.
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/errors.h"
#include "bindings/log.h"
#include "bindings/without_gil.h"
#include "data/input_source.h"
#include "data/inputs_file.h"
#include "data/iteration_files.h"
#include "data/results_reader.h"
#include "data/results_saver.h"
#include "tensor/tensor_spec.h"

namespace assay::python {
namespace {

namespace nb = nanobind;

class InputsWriter {
 public:
  explicit InputsWriter(const std::filesystem::path& path)
      : saver_(without_gil([&] { return data::InputsSaver::create(path); }, Subject::input)) {}

  void add(const nb::dict& inputs) {
    const tensor::NamedTensors tensors = to_tensors(inputs);
    without_gil([&] { return saver_.add(tensors); }, Subject::input);
  }
  void finish() {
    without_gil([&] { return saver_.finish(); }, Subject::input);
  }

 private:
  data::InputsSaver saver_;
};

using Result = std::tuple<nb::dict, std::optional<double>, std::string>;  // outputs, seconds, runner

class ResultsWriter {
 public:
  explicit ResultsWriter(const std::filesystem::path& path)
      : saver_(without_gil([&] { return data::RunResultsSaver::create(path); }, Subject::input)) {}

  // Adds the results of all runners in one iteration.
  void add(const std::vector<Result>& iteration) {
    std::vector<data::IterationResult> results;
    for (const auto& [outputs, runtime, runner] : iteration) results.push_back({to_tensors(outputs), runtime, runner});
    without_gil([&] { return saver_.add(results); }, Subject::input);
  }
  void finish() {
    without_gil([&] { return saver_.finish(); }, Subject::input);
  }

 private:
  data::RunResultsSaver saver_;
};

class InputsReader {
 public:
  explicit InputsReader(const std::filesystem::path& path)
      : source_(without_gil([&] { return data::loaded_inputs({path}, log_); }, Subject::input)) {}

  // Returns the inputs of the next iteration, or None. `names` are those of the model's inputs, or empty if they are
  // unknown.
  std::optional<nb::dict> next(const std::vector<std::string>& names) {
    std::vector<tensor::TensorSpec> ports;
    for (const std::string& name : names) ports.push_back({name, tensor::ElementType::undefined, {}});
    const std::optional<tensor::NamedTensors> inputs =
        without_gil([&] { return source_->iteration(next_, ports); }, Subject::input);
    log_.rethrow();
    if (!inputs) return std::nullopt;
    ++next_;
    return to_arrays(*inputs);
  }

 private:
  PythonLog log_;
  std::unique_ptr<data::InputSource> source_;
  std::int64_t next_ = 0;
};

class ResultsReader {
 public:
  explicit ResultsReader(const std::filesystem::path& path)
      : reader_(without_gil([&] { return data::ResultsReader::open(path); }, Subject::input)) {}

  // Returns each runner with the number of its iterations.
  [[nodiscard]] std::vector<std::tuple<std::string, std::size_t>> runners() const {
    std::vector<std::tuple<std::string, std::size_t>> runners;
    for (std::size_t index = 0; index < reader_->runner_count(); ++index) {
      runners.emplace_back(reader_->runner_name(index), reader_->iteration_count(index));
    }
    return runners;
  }

  Result read(std::size_t runner, std::size_t iteration) {
    if (runner >= reader_->runner_count() || iteration >= reader_->iteration_count(runner)) throw nb::index_error();
    const data::IterationResult result = without_gil([&] { return reader_->read(runner, iteration); }, Subject::input);
    return {to_arrays(result.outputs), result.runtime_s, result.runner};
  }

 private:
  std::shared_ptr<data::ResultsReader> reader_;
};

}  // namespace

void bind_saved_data(nb::module_& module) {
  nb::class_<InputsWriter>(module, "InputsWriter")
      .def(nb::init<const std::filesystem::path&>(), nb::arg("path"))
      .def("add", &InputsWriter::add, nb::arg("inputs"))
      .def("finish", &InputsWriter::finish);
  nb::class_<ResultsWriter>(module, "ResultsWriter")
      .def(nb::init<const std::filesystem::path&>(), nb::arg("path"))
      .def("add", &ResultsWriter::add, nb::arg("iteration"))
      .def("finish", &ResultsWriter::finish);
  nb::class_<InputsReader>(module, "InputsReader")
      .def(nb::init<const std::filesystem::path&>(), nb::arg("path"))
      .def("next", &InputsReader::next, nb::arg("names"));
  nb::class_<ResultsReader>(module, "ResultsReader")
      .def(nb::init<const std::filesystem::path&>(), nb::arg("path"))
      .def("runners", &ResultsReader::runners)
      .def("read", &ResultsReader::read, nb::arg("runner"), nb::arg("iteration"));
  module.def(
      "is_folder_form", [](const std::filesystem::path& path) { return data::is_folder_form(path); }, nb::arg("path"));
}

}  // namespace assay::python
