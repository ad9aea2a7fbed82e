// Generates the programs that show a failure with an engine's own API, from the parts that all engines share and the
// engine's own (program_engines.h).
#pragma once

#include <string>
#include <vector>

#include "report/repro.h"

namespace assay::report {

// An array as a file of bytes: little-endian; each string follows its length, which takes 8 bytes.
struct DataFile {
  std::string name;  // the tensor's name
  const tensor::Tensor* values = nullptr;
  std::string path;  // "data/input_0.bin", relative to the folder
};
// Returns entries for "data/PREFIX_0.bin", "data/PREFIX_1.bin" and so on, which refer to `arrays`.
std::vector<DataFile> data_files(const tensor::NamedTensors& arrays, const std::string& prefix);
// Returns the content of such a file.
std::string data_bytes(const tensor::Tensor& values);

struct ProgramParts {
  const ReproInput& input;
  const std::vector<DataFile>& inputs;
  const std::vector<DataFile>& expected;
};
// Return the texts of reproduce.py, reproduce.cc and its CMakeLists.txt.
std::string python_program(const ProgramParts& parts);
std::string cpp_program(const ProgramParts& parts);
std::string cpp_build(const ProgramParts& parts);

}  // namespace assay::report
