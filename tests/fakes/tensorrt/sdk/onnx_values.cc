#include "onnx_values.h"

#include <fstream>
#include <iterator>

namespace fake_tensorrt {

using nvinfer1::DataType;

std::optional<DataType> type_of(int onnx_type) {
  switch (onnx_type) {
    case 1:
      return DataType::kFLOAT;
    case 2:
      return DataType::kUINT8;
    case 3:
      return DataType::kINT8;
    case 6:
      return DataType::kINT32;
    case 7:
      return DataType::kINT64;
    case 9:
      return DataType::kBOOL;
    case 10:
      return DataType::kHALF;
    case 16:
      return DataType::kBF16;
    default:
      return std::nullopt;
  }
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string elements_of(const OnnxTensor& tensor, const std::filesystem::path& folder) {
  if (tensor.location.empty()) return tensor.bytes;
  const std::string bytes = read_file(folder / tensor.location);
  if (tensor.offset > bytes.size()) return "";
  return bytes.substr(tensor.offset, tensor.length == 0 ? bytes.npos : tensor.length);
}

}  // namespace fake_tensorrt
