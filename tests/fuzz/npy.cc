// An array in NumPy's .npy form.
#include "tensor/npy.h"

#include <string>

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  const auto tensor = tensor::parse_npy(tensor::Buffer::own(std::string(fuzz::text_of(data, size))));
  if (!tensor) return 0;
  const auto written = tensor::format_npy(*tensor);
  if (!written) return 0;
  const auto again = tensor::parse_npy(tensor::Buffer::own(*written));
  fuzz::require(again && tensor::identical(*tensor, *again), "a written array is read as the same array");
  return 0;
}
