// Each engine's part becomes the body of a function, so that the same engine can occur twice with other settings.
#include "report/run_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "base/strings.h"
#include "model/input_specs.h"
#include "report/program_engines.h"
#include "templates/embedded.h"
#include "tensor/element_type.h"
#include "tensor/tensor_spec.h"

namespace assay::report {
namespace {

using base::ErrorKind;
using base::fail;

std::string indented(std::string_view text) {
  std::string lines;
  for (const std::string& line : base::split(text, '\n')) lines += line.empty() ? "\n" : "    " + line + "\n";
  return lines;
}

bool has_numpy_type(tensor::ElementType type) {
  switch (tensor::info(type).kind) {
    case tensor::ElementKind::boolean:
      return true;
    case tensor::ElementKind::floating:
      return type == tensor::ElementType::float16 || type == tensor::ElementType::float32 ||
             type == tensor::ElementType::float64;
    case tensor::ElementKind::signed_integer:
    case tensor::ElementKind::unsigned_integer:
      return tensor::info(type).bits >= 8;
    default:
      return false;
  }
}

using Dimensions = std::vector<model::Dimension>;

// Returns whether `assay run` uses the shape as the input's value (tensor::GenerateOptions::shapes).
bool is_value(const Dimensions& given, const tensor::TensorSpec& port) {
  const tensor::ElementKind kind = tensor::info(port.type).kind;
  const bool is_integer = kind == tensor::ElementKind::signed_integer || kind == tensor::ElementKind::unsigned_integer;
  const bool is_known = std::ranges::all_of(given, [](const model::Dimension& size) { return size.value >= 0; });
  return is_integer && is_known && port.shape == tensor::Shape{static_cast<std::int64_t>(given.size())};
}

// Returns whether the model allows the shape. `assay run` ignores any other, with a warning.
bool fits(const Dimensions& given, const tensor::Shape& shape) {
  return std::ranges::equal(given, shape, [](const model::Dimension& size, std::int64_t known) {
    return size.value >= 0 && (known < 0 || size.value == known);
  });
}

// Returns the inputs of the model with the sizes that the engines get.
base::Expected<std::vector<tensor::TensorSpec>> fixed_ports(const RunProgram& program) {
  std::vector<tensor::TensorSpec> ports = model::input_specs(program.model);
  for (tensor::TensorSpec& port : ports) {
    const auto given = program.shapes.find(port.name);
    const bool is_given = given != program.shapes.end();
    if (is_given && program.load_inputs.empty() && is_value(given->second, port)) {
      return fail(ErrorKind::unsupported, "the program can't set the value of an input that holds a shape",
                  "--input-shapes " + port.name, "Save the inputs with --save-inputs, and use --load-inputs");
    }
    const bool is_used = is_given && fits(given->second, port.shape);
    for (std::size_t i = 0; i < port.shape.size(); ++i) {
      if (port.shape[i] < 0) port.shape[i] = is_used ? given->second[i].value : 1;
    }
  }
  return ports;
}

base::Expected<std::string> ports_text(const std::vector<tensor::TensorSpec>& ports, bool are_loaded) {
  std::string text = "PORTS = [  # name, number of the ONNX type, shape\n";
  for (const tensor::TensorSpec& port : ports) {
    const bool is_text = port.type == tensor::ElementType::string;
    if (!has_numpy_type(port.type) && !(is_text && are_loaded)) {
      return fail(ErrorKind::unsupported,
                  fmt::format("the program can't {} the input '{}' of type {}", are_loaded ? "load" : "generate",
                              port.name, tensor::name(port.type)),
                  "--gen-script", is_text ? "Give values with --load-inputs, or omit this option" : "Omit this option");
    }
    text += fmt::format("    ({}, {}, ({}{})),\n", python_string(port.name), static_cast<int>(port.type),
                        list_numbers(port.shape), port.shape.size() == 1 ? "," : "");
  }
  return text + "]\n";
}

// An integer of more than 53 bits isn't rounded to double.
std::string bound_text(long double bound) {
  const auto rounded = static_cast<double>(bound);
  return rounded == bound ? python_number(rounded) : fmt::format("{}", static_cast<__int128>(bound));
}

std::string ranges_text(const std::map<std::string, tensor::ValueRange>& ranges) {
  std::string text = "RANGES = {  # of generated values, by input; \"\" applies to all others\n";
  for (const auto& [name, range] : ranges) {
    text += fmt::format("    {}: ({}, {}),\n", python_string(name), bound_text(range.low), bound_text(range.high));
  }
  return text + "}\n";
}

}  // namespace

base::Expected<std::string> run_program(const RunProgram& program) {
  for (const std::string& path : program.load_inputs) {
    if (std::filesystem::path(path).extension() == ".json") continue;
    return fail(ErrorKind::unsupported, "the program of --gen-script only reads inputs in JSON", path,
                "Save them as .json with --save-inputs");
  }
  std::string functions, table = "RUNNERS = [\n";
  std::vector<std::string> imports;  // each once
  for (std::size_t i = 0; i < program.engines.size(); ++i) {
    const EngineUse& use = program.engines[i];
    const backend::EngineRow* row = backend::find_engine_row(use.kind);
    const EngineParts* parts = find_engine_parts(use.kind);
    if (row == nullptr || parts == nullptr) {
      return fail(ErrorKind::unsupported,
                  fmt::format("there is no program for {}", row == nullptr ? use.kind : row->name), "--gen-script",
                  "Use --onnxrt and --openvino");
    }
    const TemplatePart part = split_part(parts->python, mark("#", "COMMON"));
    if (std::ranges::find(imports, part.imports) == imports.end()) imports.emplace_back(part.imports);
    functions += fmt::format("def make_runner_{}():\n{}{}    return VERSION, run\n\n\n", i,
                             indented(python_constants(engine_constants(*row, use.options, program.model.graph()))),
                             indented(part.rest));
    table += fmt::format("    (\"{}-{}\", make_runner_{}),\n", row->runner, i, i);
  }
  ASSAY_ASSIGN(const std::string ports, fixed_ports(program).and_then([&](const auto& fixed) {
    return ports_text(fixed, !program.load_inputs.empty());
  }));
  std::string settings = python_constants({{"MODEL", program.path},
                                           {"LOAD_INPUTS", program.load_inputs, "empty: inputs are generated"},
                                           {"VALIDATE", program.validate, "NaN or infinity is a failure"},
                                           {"ATOL", program.absolute, "by output; \"\" applies to all others"},
                                           {"RTOL", program.relative},
                                           {"INFINITIES_EQUAL", program.equal.infinities, "of the same sign"},
                                           {"NANS_EQUAL", program.equal.nans}});
  settings += fmt::format("SEED = {}\nITERATIONS = {}\n", program.seed, program.iterations);
  settings += ranges_text(program.ranges) + ports;
  std::string text(kRunProgram);
  replace_mark(text, mark("#", "IMPORTS"), base::join(imports, ""));
  replace_mark(text, mark("#", "SETTINGS"), settings);
  replace_mark(text, mark("#", "RUNNERS"), functions + table + "]\n");
  replace_mark(text, mark("#", "COMPARE"), kPythonAgree);
  return text;
}

}  // namespace assay::report
