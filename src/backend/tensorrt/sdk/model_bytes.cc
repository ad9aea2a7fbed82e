#include "backend/tensorrt/sdk/model_bytes.h"

#include "base/mapped_file.h"

namespace assay::backend {

Answer<tensor::Buffer> bytes_of(const worker::ModelSource& model) {
  if (const auto* bytes = std::get_if<worker::ModelBytes>(&model)) return bytes->bytes;
  auto file = base::MappedFile::open(std::get<worker::ModelFile>(model).path);
  if (!file) return refuse(worker::Phase::load, 0, file.error().message());
  const auto bytes = (*file)->bytes();
  return tensor::Buffer(bytes, *std::move(file));
}

}  // namespace assay::backend
