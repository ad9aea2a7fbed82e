// Reads the arguments that all calls comparing engines take: the engines, their inputs and the tolerances.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "compare/compare_outputs.h"
#include "data/input_source.h"
#include "model/model.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"
#include "worker/limits.h"

namespace assay::python {

// An engine's short name, "onnxrt", and its settings by their short names; those of TensorRT as its worker takes them.
using Engine = std::pair<std::string, std::map<std::string, std::string>>;

struct SideArguments {
  std::vector<Engine> engines;
  std::vector<nanobind::dict> inputs;  // one for each iteration; empty: from the file, or generated
  std::filesystem::path inputs_file;   // may be a folder; empty: `inputs`, or generated
  std::map<std::string, std::vector<std::int64_t>> input_shapes;
  std::int64_t seed = 1;
  std::optional<double> rtol, atol;  // absent: the default of the comparison
};

// Adds the fields to a class of arguments that derives from SideArguments.
template <class Class>
void bind_side_arguments(Class& bound) {
  bound.def_rw("engines", &SideArguments::engines)
      .def_rw("inputs", &SideArguments::inputs)
      .def_rw("inputs_file", &SideArguments::inputs_file)
      .def_rw("input_shapes", &SideArguments::input_shapes)
      .def_rw("seed", &SideArguments::seed)
      .def_rw("rtol", &SideArguments::rtol)
      .def_rw("atol", &SideArguments::atol);
}

// Returns the engines, with the names of runners that the command line shows: "onnxrt N0". Throws InputError for an
// unknown engine or setting, NotFoundError if an engine's library is missing. The caller must hold the GIL.
std::vector<run::EngineSetup> engine_setups(const std::vector<Engine>& engines, const worker::Limits& limits);

// Returns the comparison by absolute and relative tolerances. The caller must hold the GIL.
compare::ComparePlan compare_plan(const SideArguments& arguments);

// Returns the inputs of an iteration as the caller gave them, or loads or generates them as the command line does.
class Inputs {
 public:
  // The caller must hold the GIL, and `log` must outlive this object. Throws NotFoundError if the file of inputs is
  // missing.
  Inputs(const SideArguments& arguments, const model::Model& model, base::Log& log);

  [[nodiscard]] base::Expected<std::optional<tensor::NamedTensors>> iteration(
      std::int64_t index, std::span<const tensor::TensorSpec> ports) const;
  [[nodiscard]] bool are_generated() const { return are_generated_; }

 private:
  std::vector<tensor::NamedTensors> given_;
  std::unique_ptr<data::InputSource> source_;  // null: given_
  bool are_generated_ = false;
};

}  // namespace assay::python
