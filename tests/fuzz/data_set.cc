// A data set of ONNX: here, two files that hold the same tensor.
#include "data/onnx_data_set.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  const std::filesystem::path first = fuzz::scratch_file("input_0.pb", fuzz::text_of(data, size));
  const auto tensor = data::read_data_set(first, data::DataSetPart::inputs);
  fuzz::require(!tensor || tensor->size() == 1, "a file holds one tensor");
  fuzz::scratch_file("input_1.pb", fuzz::text_of(data, size));
  const auto both = data::read_data_set(first.parent_path(), data::DataSetPart::inputs);
  fuzz::require(both.has_value() == tensor.has_value(), "a file can be loaded in a data set if it can be by itself");
  fuzz::require(!both || both->size() == 2, "a data set holds a tensor of each file");
  return 0;
}
