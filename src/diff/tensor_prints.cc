// Tensors are read in the order of their positions in their files, a piece at a time, and memory is released behind the
// position.
#include "diff/tensor_prints.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "model/external_data.h"
#include "model/visit_tensors.h"
#include "model/weights.h"

namespace assay::diff {
namespace {

constexpr std::uint64_t kPiece = 8 << 20;  // bytes
constexpr std::uint64_t kReleaseEvery = 16
                                        << 20;  // bytes; a release goes through all pages before it, so not each time

struct StoredTensor {
  const onnx::TensorProto* tensor = nullptr;
  model::FileRange range;
};

void add_declaration(Fingerprinter& printer, const onnx::TensorProto& tensor) {
  printer.add(tensor.data_type());
  printer.add(tensor.dims_size());
  for (const std::int64_t dim : tensor.dims()) printer.add(dim);
}

Fingerprint print_declaration(const onnx::TensorProto& tensor) {
  Fingerprinter printer;
  add_declaration(printer, tensor);
  return printer.result();
}

// Releases what was read of the files, which are read one after the other, from the beginning to the end.
class ReleaseBehind {
 public:
  void read(const std::shared_ptr<const base::MappedFile>& file, std::uint64_t end) {
    if (file != file_) {
      if (file_ != nullptr) file_->release(file_->bytes().size());
      file_ = file;
      released_ = 0;
    }
    if (end < released_ + kReleaseEvery) return;
    file_->release(end);
    released_ = end;
  }

 private:
  std::shared_ptr<const base::MappedFile> file_;
  std::uint64_t released_ = 0;
};

Fingerprint print_range(const StoredTensor& stored, ReleaseBehind& release) {
  Fingerprinter printer;
  add_declaration(printer, *stored.tensor);
  const auto bytes = stored.range.file->bytes().subspan(stored.range.offset, stored.range.length);
  for (std::uint64_t at = 0; at < bytes.size(); at += kPiece) {
    printer.add_bytes(bytes.subspan(at, std::min<std::uint64_t>(kPiece, bytes.size() - at)));
    release.read(stored.range.file, stored.range.offset + std::min<std::uint64_t>(at + kPiece, bytes.size()));
  }
  return printer.result();
}

Fingerprint print_values(const tensor::Tensor& values, const onnx::TensorProto& tensor) {
  Fingerprinter printer;
  add_declaration(printer, tensor);
  if (values.type() == tensor::ElementType::string) {
    for (const std::string& value : values.strings()) printer.add(value);
  } else {
    printer.add_bytes(values.bytes());
  }
  return printer.result();
}

}  // namespace

base::Expected<TensorPrints> print_tensors(const model::Model& model) {
  std::vector<const onnx::TensorProto*> tensors;
  model::visit_tensors(model.proto,
                       [&](const onnx::TensorProto& tensor, model::TensorRole) { tensors.push_back(&tensor); });
  TensorPrints prints;
  std::vector<StoredTensor> stored;
  for (const onnx::TensorProto* tensor : tensors) {
    TensorPrint& print = prints[tensor];
    print.declared = print_declaration(*tensor);
    print.value = print.declared;
    if (model::has_no_values(*tensor)) continue;
    const bool external = model::is_external(*tensor);
    if (external && model.weights_ignored && !model::was_inline(*tensor)) continue;
    // Checks type, shape and length. A view of a file doesn't read it.
    ASSAY_ASSIGN(const tensor::Tensor values, model::read_weight(model, *tensor));
    if (!external) {
      print.value = print_values(values, *tensor);
      continue;
    }
    ASSAY_ASSIGN(const model::ExternalData data, model::external_data(*tensor));
    ASSAY_ASSIGN(model::FileRange range, model::find_range(*model.files, data, *tensor));
    stored.push_back({tensor, std::move(range)});
  }
  std::ranges::sort(stored, {},
                    [](const StoredTensor& one) { return std::pair(one.range.file->path(), one.range.offset); });
  ReleaseBehind release;
  for (const StoredTensor& one : stored) prints[one.tensor].value = print_range(one, release);
  return prints;
}

}  // namespace assay::diff
