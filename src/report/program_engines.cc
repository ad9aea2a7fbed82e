#include "report/program_engines.h"

#include <algorithm>
#include <cassert>

#include "base/strings.h"
#include "templates/embedded.h"

namespace assay::report {
namespace {

constexpr OptionWord kOnnxRuntimeWords[] = {
    {"providers", "--providers", ','},
    {"graph_optimization_level", "--graph-optimization-level"},
    {"intra_op_threads", "--threads"},
    {"config.", "--session-config"},
};
constexpr OptionWord kOpenVinoWords[] = {
    {"device", "--openvino-device"},
    {"config.", "--openvino-config"},
};

constexpr ProgramEngine kEngines[] = {
    {"onnxruntime", "ONNX Runtime", "--onnxrt", true, kOnnxRuntimeWords, onnxruntime_settings, kOnnxRuntimePython,
     kOnnxRuntimeCpp, kOnnxRuntimeBuild, kOnnxRuntimeUse},
    {"openvino", "OpenVINO", "--openvino", false, kOpenVinoWords, openvino_settings, kOpenVinoPython, kOpenVinoCpp,
     kOpenVinoBuild, kOpenVinoUse},
};

}  // namespace

std::span<const ProgramEngine> program_engines() {
  return kEngines;
}

const ProgramEngine* find_program_engine(std::string_view kind) {
  const auto* row = std::ranges::find(kEngines, kind, &ProgramEngine::kind);
  return row == std::ranges::end(kEngines) ? nullptr : row;
}

const ProgramEngine& engine_of(const ReproInput& input) {
  const ProgramEngine* engine = find_program_engine(input.engine.kind);
  assert(engine != nullptr && "kind is one of program_engines()");
  return *engine;
}

std::map<std::string, std::string> options_below(const Options& options, std::string_view prefix) {
  std::map<std::string, std::string> below;
  for (const auto& [key, value] : options) {
    if (key.starts_with(prefix)) below[key.substr(prefix.size())] = value;
  }
  return below;
}

std::string option(const Options& options, const std::string& key, const std::string& otherwise) {
  const auto found = options.find(key);
  return found == options.end() ? otherwise : found->second;
}

std::string command_words(const ProgramEngine& engine, const Options& options) {
  std::string text;
  for (const OptionWord& word : engine.words) {
    std::string values;
    if (word.key.ends_with('.')) {
      for (const auto& [key, value] : options_below(options, word.key)) {
        values += " " + key + "=" + value;
      }
    } else if (const auto found = options.find(std::string(word.key)); found != options.end()) {
      const std::vector<std::string> parts =
          word.separator == '\0' ? std::vector{found->second} : base::split(found->second, word.separator);
      for (const std::string& part : parts) values += " " + std::string(base::trim(part));
    }
    if (!values.empty()) text += " " + std::string(word.flag) + values;
  }
  return text;
}

}  // namespace assay::report
