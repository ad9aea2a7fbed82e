#include "report/programs.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "report/program_engines.h"
#include "templates/embedded.h"

namespace assay::report {
namespace {

// Assembles one file from the parts; `comment` starts a comment in its language.
std::string assemble(std::string_view program, std::string_view engine_part, std::string_view comment,
                     const ProgramEngine& engine, const std::string& constants) {
  std::string text(program);
  const TemplatePart part = split_part(engine_part, mark(comment, "COMMON"));
  replace_mark(text, "@NAME@", engine.row.name);
  replace_mark(text, mark(comment, "IMPORTS"), part.imports);
  replace_mark(text, mark(comment, "ENGINE"), part.rest);
  replace_mark(text, mark(comment, "SETTINGS"), constants);
  return text;
}

// Returns the engine's constants and those of the comparison.
std::vector<Constant> constants_of(const ProgramParts& parts) {
  const ReproInput& input = parts.input;
  std::vector<Constant> constants = engine_constants(input);
  constants.push_back({"VALIDATE", input.validate, "NaN or infinity is the failure"});
  constants.push_back({"ATOL", input.absolute, "by output; \"\" applies to all others"});
  constants.push_back({"RTOL", input.relative, ""});
  constants.push_back({"INFINITIES_EQUAL", input.equal.infinities, "infinities of the same sign agree"});
  constants.push_back({"NANS_EQUAL", input.equal.nans, "NaN agrees with NaN"});
  return constants;
}

int type_number(const tensor::Tensor& values) {
  return static_cast<int>(values.type());
}

std::string python_entries(const char* name, const std::vector<DataFile>& files) {
  std::string text = fmt::format("{} = [  # name, number of the ONNX type, shape, file\n", name);
  for (const DataFile& file : files) {
    const std::string shape = list_numbers(file.values->shape());
    text += fmt::format("    ({}, {}, ({}{}), \"{}\"),\n", python_string(file.name), type_number(*file.values), shape,
                        file.values->shape().size() == 1 ? "," : "", file.path);
  }
  return text + "]\n";
}

std::string cpp_entries(const char* name, const std::vector<DataFile>& files) {
  std::string text = fmt::format("static const std::vector<Entry> {} = {{\n", name);
  for (const DataFile& file : files) {
    text += fmt::format("    {{{}, {}, {{{}}}, \"{}\"}},\n", cpp_string(file.name), type_number(*file.values),
                        list_numbers(file.values->shape()), file.path);
  }
  return text + "};\n";
}

}  // namespace

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
  const ProgramEngine engine = engine_of(parts.input);
  std::string text = assemble(kPythonProgram, engine.parts.python, "#", engine,
                              python_constants(constants_of(parts)) + python_entries("INPUTS", parts.inputs) +
                                  python_entries("EXPECTED", parts.expected));
  replace_mark(text, mark("#", "COMPARE"), kPythonAgree);
  return text;
}

std::string cpp_program(const ProgramParts& parts) {
  const ProgramEngine engine = engine_of(parts.input);
  return assemble(kCppProgram, engine.parts.cpp, "//", engine,
                  cpp_constants(constants_of(parts)) + cpp_entries("kInputs", parts.inputs) +
                      cpp_entries("kExpected", parts.expected));
}

std::string cpp_build(const ProgramParts& parts) {
  return std::string(engine_of(parts.input).parts.build);
}

}  // namespace assay::report
