// An archive of arrays in NumPy's .npz form.
#include "tensor/npz.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assay;
  const auto arrays = tensor::read_npz(fuzz::scratch_file("arrays.npz", fuzz::text_of(data, size)));
  if (!arrays) return 0;
  for (const auto& [name, tensor] : *arrays) fuzz::require(arrays->find(name) != nullptr, "arrays are found by name");
  return 0;
}
