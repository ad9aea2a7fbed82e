#include "report/programs.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "base/strings.h"
#include "templates/embedded.h"

namespace assay::report {
namespace {

constexpr std::string_view kPythonSettings = "#@SETTINGS@\n";
constexpr std::string_view kCppSettings = "//@SETTINGS@\n";

struct Level {
  std::string_view name;
  int number;
};
constexpr std::array kLevels = {Level{"ORT_DISABLE_ALL", 0}, Level{"ORT_ENABLE_BASIC", 1},
                                Level{"ORT_ENABLE_EXTENDED", 2}, Level{"ORT_ENABLE_LAYOUT", 3},
                                Level{"ORT_ENABLE_ALL", 99}};

int level_number(const std::string& name) {
  for (const Level& level : kLevels) {
    if (base::to_lower(level.name) == base::to_lower(name)) return level.number;
  }
  return 99;
}

std::string with_settings(std::string_view program, std::string_view mark, const std::string& settings) {
  std::string text(program);
  const std::size_t at = text.find(mark);
  return at == std::string::npos ? text : text.replace(at, mark.size(), settings);
}

// Each item made text by `format`, with ", " between.
template <class Items, class Format>
std::string list(const Items& items, const Format& format) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + format(item);
  return text;
}

std::string numbers(const tensor::Shape& shape) {
  return list(shape, [](std::int64_t size) { return std::to_string(size); });
}

int type_number(const tensor::Tensor& values) {
  return static_cast<int>(values.type());
}

// "\x" and "\u" are left to Python alone: C++ takes all hexadecimal digits behind "\x".
std::string octal(unsigned char c) {
  return fmt::format("\\{:03o}", c);
}

bool is_plain(unsigned char c) {
  return c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '?';  // "??" starts trigraphs
}

std::string python_entries(const char* name, const std::vector<DataFile>& files) {
  std::string text = fmt::format("{} = [  # name, number of the ONNX type, shape, file\n", name);
  for (const DataFile& file : files) {
    const std::string shape = numbers(file.values->shape());
    text += fmt::format("    ({}, {}, ({}{}), \"{}\"),\n", python_string(file.name), type_number(*file.values), shape,
                        file.values->shape().size() == 1 ? "," : "", file.path);
  }
  return text + "]\n";
}

std::string cpp_entries(const char* name, const std::vector<DataFile>& files) {
  std::string text = fmt::format("static const std::vector<Entry> {} = {{\n", name);
  for (const DataFile& file : files) {
    text += fmt::format("    {{{}, {}, {{{}}}, \"{}\"}},\n", cpp_string(file.name), type_number(*file.values),
                        numbers(file.values->shape()), file.path);
  }
  return text + "};\n";
}

std::string python_table(const Tolerances& table) {
  return list(table, [](const auto& row) { return fmt::format("{}: {}", python_string(row.first), row.second); });
}
std::string cpp_table(const Tolerances& table) {
  return list(table, [](const auto& row) { return fmt::format("{{{}, {}}}", cpp_string(row.first), row.second); });
}

}  // namespace

EngineUse engine_use(const std::map<std::string, std::string>& options) {
  constexpr std::string_view kConfig = "config.";
  EngineUse use;
  for (const auto& [key, value] : options) {
    if (key == "providers") {
      for (const std::string& name : base::split(value, ',')) {
        if (!base::trim(name).empty()) use.providers.emplace_back(base::trim(name));
      }
    } else if (key == "graph_optimization_level") {
      use.graph_optimization_level = value;
    } else if (key == "intra_op_threads") {
      use.intra_op_threads = std::atoi(value.c_str());
    } else if (key.starts_with(kConfig)) {
      use.session_config[key.substr(kConfig.size())] = value;
    }
  }
  return use;
}

std::string python_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    // UTF-8 stands as it is: Python reads its programs so.
    quoted += is_plain(byte) || byte >= 0x80 || c == '?' ? std::string(1, c) : octal(byte);
  }
  return quoted + "\"";
}

std::string cpp_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    quoted += is_plain(byte) ? std::string(1, c) : octal(byte);
  }
  return quoted + "\"";
}

std::vector<DataFile> data_files(const tensor::NamedTensors& arrays, const std::string& prefix) {
  std::vector<DataFile> files;
  for (const auto& [name, values] : arrays) {
    files.push_back({.name = name, .values = &values, .path = fmt::format("data/{}_{}.bin", prefix, files.size())});
  }
  return files;
}

std::string data_bytes(const tensor::Tensor& values) {
  if (values.type() != tensor::ElementType::string) return std::string(values.buffer().view());
  std::string bytes;
  for (const std::string& text : values.strings()) {
    const std::uint64_t length = text.size();
    std::array<char, sizeof(length)> head;
    std::memcpy(head.data(), &length, sizeof(length));
    bytes.append(head.data(), head.size());
    bytes += text;
  }
  return bytes;
}

std::string python_program(const ProgramParts& parts) {
  const ReproInput& input = parts.input;
  std::string settings =
      fmt::format("PROVIDERS = [{}]  # names or parts of them\nGRAPH_OPTIMIZATION_LEVEL = {}\nINTRA_OP_THREADS = {}\n",
                  list(input.engine.providers, [](const std::string& name) { return python_string(name); }),
                  level_number(input.engine.graph_optimization_level), input.engine.intra_op_threads);
  settings += fmt::format("SESSION_CONFIG = {{{}}}\n", list(input.engine.session_config, [](const auto& entry) {
                            return python_string(entry.first) + ": " + python_string(entry.second);
                          }));
  settings += fmt::format("VALIDATE = {}  # NaN and infinity are the failure\n", input.validate ? "True" : "False");
  settings += fmt::format("ATOL = {{{}}}  # by output; \"\" is for all others\nRTOL = {{{}}}\n",
                          python_table(input.absolute), python_table(input.relative));
  settings += python_entries("INPUTS", parts.inputs) + python_entries("EXPECTED", parts.expected);
  return with_settings(kPythonProgram, kPythonSettings, settings);
}

std::string cpp_program(const ProgramParts& parts) {
  const ReproInput& input = parts.input;
  std::string settings =
      fmt::format("static const std::vector<std::string> kProviders = {{{}}};  // or parts of names\n",
                  list(input.engine.providers, [](const std::string& n) { return cpp_string(n); }));
  settings += fmt::format("static const int kGraphOptimizationLevel = {};\nstatic const int kIntraOpThreads = {};\n",
                          level_number(input.engine.graph_optimization_level), input.engine.intra_op_threads);
  settings += fmt::format("static const std::map<std::string, std::string> kSessionConfig = {{{}}};\n",
                          list(input.engine.session_config, [](const auto& entry) {
                            return fmt::format("{{{}, {}}}", cpp_string(entry.first), cpp_string(entry.second));
                          }));
  settings += fmt::format("static const bool kValidate = {};  // NaN and infinity are the failure\n", input.validate);
  settings += fmt::format(
      "static const std::map<std::string, double> kAtol = {{{}}};  // by output; \"\" is for all others\n"
      "static const std::map<std::string, double> kRtol = {{{}}};\n",
      cpp_table(input.absolute), cpp_table(input.relative));
  settings += cpp_entries("kInputs", parts.inputs) + cpp_entries("kExpected", parts.expected);
  return with_settings(kCppProgram, kCppSettings, settings);
}

std::string cpp_build() {
  return std::string(kCppBuild);
}

}  // namespace assay::report
