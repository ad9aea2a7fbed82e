// Generated inputs, and files of inputs and results in Polygraphy's formats.
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/errors.h"
#include "bindings/log.h"
#include "bindings/text.h"
#include "bindings/without_gil.h"
#include "data/fit_inputs.h"
#include "data/inputs_file.h"
#include "data/run_results.h"
#include "model/inference/symbolic_shapes.h"
#include "tensor/generate.h"

namespace assay::python {
namespace {

namespace nb = nanobind;

using Spec = std::tuple<std::string, nb::object, std::vector<std::int64_t>>;
using Range = std::pair<nb::object, nb::object>;
using Shapes = std::map<std::string, std::vector<std::int64_t>>;

std::vector<tensor::TensorSpec> to_specs(const std::vector<Spec>& specs) {
  std::vector<tensor::TensorSpec> inputs;
  for (const auto& [name, dtype, shape] : specs) inputs.push_back({name, to_element_type(dtype), shape});
  return inputs;
}

// A double has too few digits for integers of 64 bits. Integers with more bits are out of every type's range.
long double to_bound(const nb::object& number) {
  const auto integer = nb::steal<nb::object>(PyNumber_Index(number.ptr()));  // also takes NumPy's integers
  if (integer.is_valid()) {
    const long long as_signed = PyLong_AsLongLong(integer.ptr());
    if (PyErr_Occurred() == nullptr) return static_cast<long double>(as_signed);
    PyErr_Clear();
    const unsigned long long as_unsigned = PyLong_AsUnsignedLongLong(integer.ptr());
    if (PyErr_Occurred() == nullptr) return static_cast<long double>(as_unsigned);
  }
  PyErr_Clear();
  return nb::cast<double>(number);
}

tensor::ValueRange to_range(const Range& range) {
  return {to_bound(range.first), to_bound(range.second)};
}

nb::dict generate(const std::vector<Spec>& specs, std::int64_t seed, std::int64_t iteration, Range others,
                  const std::map<std::string, Range>& ranges, const Shapes& shapes) {
  const std::vector<tensor::TensorSpec> inputs = to_specs(specs);
  tensor::GenerateOptions options{.seed = seed, .range = to_range(others), .ranges = {}, .shapes = shapes};
  for (const auto& [name, range] : ranges) options.ranges[name] = to_range(range);
  PythonLog log;
  const tensor::NamedTensors generated =
      without_gil([&] { return tensor::generate_inputs(inputs, options, iteration, log); }, Subject::input);
  log.rethrow();
  return to_arrays(generated);
}

// Dimensions are numbers, or names of those that the model leaves open.
Shapes shapes_by_names(
    const std::vector<std::pair<std::string, std::vector<std::variant<std::int64_t, std::string>>>>& declared,
    const Shapes& given) {
  std::vector<model::DeclaredShape> inputs;
  for (const auto& [name, shape] : declared) {
    auto& [unused, dimensions] = inputs.emplace_back(name, std::vector<model::Dimension>());
    for (const auto& size : shape) {
      const auto* const number = std::get_if<std::int64_t>(&size);
      dimensions.push_back(number != nullptr ? model::Dimension{.value = *number, .symbol = {}}
                                             : model::Dimension{.value = -1, .symbol = std::get<std::string>(size)});
    }
  }
  std::map<std::string, std::vector<model::Dimension>> known;
  for (const auto& [name, shape] : given) {
    for (const std::int64_t size : shape) known[name].push_back({.value = size, .symbol = {}});
  }
  Shapes shapes;
  for (const auto& [name, shape] : model::shapes_by_names(std::move(inputs), std::move(known))) {
    for (const model::Dimension& size : shape) shapes[name].push_back(size.value);
  }
  return shapes;
}

// Returns whether a value is an array whose memory mustn't be written, as that of np.load(..., mmap_mode="r").
bool is_read_only(nb::handle value) {
  const nb::object flags = nb::getattr(value, "flags", nb::none());
  return !flags.is_none() && !nb::cast<bool>(flags.attr("writeable"));
}

// Makes the arrays that have the memory of a given tensor read-only.
void forbid_writing(const nb::dict& arrays, const tensor::NamedTensors& tensors, const tensor::Tensor& given) {
  for (const auto& [name, tensor] : tensors) {
    const bool shared = !tensor.bytes().empty() && tensor.bytes().data() == given.bytes().data();
    if (shared) arrays[to_text(name)].attr("flags").attr("writeable") = false;
  }
}

// Inputs that fit as they are share the memory of the given ones.
nb::dict fit_inputs(const nb::dict& inputs, const std::vector<Spec>& specs) {
  const tensor::NamedTensors tensors = to_tensors(inputs);
  const std::vector<tensor::TensorSpec> ports = to_specs(specs);
  PythonLog log;
  const tensor::NamedTensors fitted =
      without_gil([&] { return data::fit_inputs(tensors, ports, log); }, Subject::input);
  log.rethrow();
  nb::dict arrays = to_arrays(fitted);
  for (const auto& [name, array] : inputs) {
    if (is_read_only(array)) forbid_writing(arrays, fitted, *tensors.find(nb::cast<std::string>(name)));
  }
  return arrays;
}

// Returns a list of (runner, [(outputs, seconds or None, runner), ...]), one for each runner.
nb::list load_results(const std::filesystem::path& path) {
  const data::RunResults results = without_gil([&] { return data::load_run_results(path); }, Subject::input);
  nb::list runners;
  for (const data::RunnerResults& runner : results.runners) {
    nb::list iterations;
    for (const data::IterationResult& iteration : runner.iterations) {
      iterations.append(nb::make_tuple(to_arrays(iteration.outputs), iteration.runtime_s, iteration.runner));
    }
    runners.append(nb::make_tuple(runner.runner, iterations));
  }
  return runners;
}

using Iteration = std::tuple<nb::dict, std::optional<double>, std::string>;

void save_results(const std::vector<std::pair<std::string, std::vector<Iteration>>>& runners,
                  const std::filesystem::path& path) {
  data::RunResults results;
  for (const auto& [runner, iterations] : runners) {
    data::RunnerResults& added = results.runners.emplace_back(data::RunnerResults{runner, {}});
    for (const auto& [outputs, runtime, name] : iterations) {
      added.iterations.push_back({to_tensors(outputs), runtime, name});
    }
  }
  without_gil([&] { return data::save_run_results(path, results); }, Subject::input);
}

void save_inputs(const std::vector<nb::dict>& iterations, const std::filesystem::path& path) {
  std::vector<tensor::NamedTensors> inputs;
  for (const nb::dict& iteration : iterations) inputs.push_back(to_tensors(iteration));
  without_gil([&] { return data::save_inputs(path, inputs); }, Subject::input);
}

void save_blobs(const std::filesystem::path& folder, std::int64_t iteration, const nb::dict& inputs) {
  unwrap(data::save_input_blobs(folder, iteration, to_tensors(inputs)));
}

}  // namespace

void bind_data(nb::module_& module) {
  module.def("shapes_by_names", &shapes_by_names, nb::arg("declared"), nb::arg("given"),
             "Returns the given shapes, and those of further inputs that follow from the names of dimensions.");
  module.def("generate", &generate, nb::arg("specs"), nb::arg("seed"), nb::arg("iteration"), nb::arg("others"),
             nb::arg("ranges"), nb::arg("shapes"));
  module.def("fit_inputs", &fit_inputs, nb::arg("inputs"), nb::arg("specs"));
  module.def("load_results", &load_results, nb::arg("path"));
  module.def("save_results", &save_results, nb::arg("runners"), nb::arg("path"));
  module.def("save_inputs", &save_inputs, nb::arg("iterations"), nb::arg("path"));
  module.def("save_blobs", &save_blobs, nb::arg("folder"), nb::arg("iteration"), nb::arg("inputs"));
}

}  // namespace assay::python
