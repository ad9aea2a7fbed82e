// The programs that show a failure with an engine's own API: the parts of all engines, and the engine's
// (program_engines.h), put together.
#pragma once

#include <string>
#include <vector>

#include "report/repro.h"

namespace assay::report {

// An array as a file of bytes: little-endian; strings each behind their length in 8 bytes.
struct DataFile {
  std::string name;  // of the tensor
  const tensor::Tensor* values = nullptr;
  std::string path;  // "data/input_0.bin", below the folder
};
// "data/PREFIX_0.bin", "data/PREFIX_1.bin", ... Refers to `arrays`.
std::vector<DataFile> data_files(const tensor::NamedTensors& arrays, const std::string& prefix);
std::string data_bytes(const tensor::Tensor& values);

struct ProgramParts {
  const ReproInput& input;
  const std::vector<DataFile>& inputs;
  const std::vector<DataFile>& expected;
};
std::string python_program(const ProgramParts& parts);
std::string cpp_program(const ProgramParts& parts);
std::string cpp_build(const ProgramParts& parts);  // CMakeLists.txt

}  // namespace assay::report
