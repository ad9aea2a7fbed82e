#include "surgeon/float16/weights.h"

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "base/read_error.h"
#include "model/external_data.h"
#include "model/weights.h"
#include "model/weights/read_in_pieces.h"
#include "tensor/convert.h"

namespace assay::surgeon {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunk = 1 << 20;  // bytes of float32 at a time

// Returns a name that no weights file of the model has, because the name marks weights that are already written.
std::string fresh_file_name(const model::Model& model) {
  std::string name = "float16";
  while (model.files->contains(name)) name += "_";
  return name;
}

struct FileInFolder {
  base::LockedTempDir folder;
  std::shared_ptr<const base::MappedFile> file;
};

}  // namespace

Float16Weights::Float16Weights(const model::Model& model, base::LockedTempDir folder, bool only_round)
    : model_(&model),
      only_round_(only_round),
      folder_(std::move(folder)),
      file_name_(fresh_file_name(model)),
      file_(folder_.path() / file_name_, std::ios::binary),
      write_error_(file_ ? 0 : errno) {}

base::Expected<Float16Weights> Float16Weights::create(const model::Model& model, bool only_round) {
  ASSAY_ASSIGN(base::LockedTempDir folder, base::LockedTempDir::create("float16"));
  return Float16Weights(model, std::move(folder), only_round);
}

void Float16Weights::write(std::span<const std::byte> bytes) {
  file_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file_ && write_error_ == 0) write_error_ = errno;
}

void Float16Weights::refer(onnx::TensorProto& tensor, std::uint64_t bytes) {
  model::set_external_data(tensor, {file_name_, written_, bytes, {}});
  written_ += bytes;
}

void Float16Weights::note(const std::string& name, const tensor::Float16Changes& before) {
  const tensor::Float16Changes added{.too_large = changes_.too_large - before.too_large,
                                     .too_small = changes_.too_small - before.too_small};
  if (!name.empty() && added.too_large + added.too_small > 0) changed_[name] += added;
}

base::Expected<onnx::TensorProto> Float16Weights::convert(const onnx::TensorProto& tensor) {
  ASSAY_ASSIGN(const tensor::Tensor values, model::read_weight(*model_, tensor));
  if (only_round_) return round(tensor, values);
  onnx::TensorProto converted;
  converted.set_name(tensor.name());
  converted.set_doc_string(tensor.doc_string());
  *converted.mutable_dims() = tensor.dims();
  converted.set_data_type(onnx::TensorProto::FLOAT16);
  const bool to_file = values.bytes().size() / 2 >= model::kByReference;
  std::string in_message;
  std::vector<std::byte> chunk;
  ASSAY_TRY(model::read_in_pieces(*model_, tensor, kChunk, [&](std::span<const std::byte> part) {
    chunk.resize(part.size() / 2);
    tensor::to_float16(part, chunk, changes_);
    if (to_file) {
      write(chunk);
    } else {
      in_message.append(reinterpret_cast<const char*>(chunk.data()), chunk.size());
    }
    return true;
  }));
  if (to_file) {
    refer(converted, values.bytes().size() / 2);
  } else {
    converted.set_raw_data(std::move(in_message));
  }
  return converted;
}

base::Expected<onnx::TensorProto> Float16Weights::round(const onnx::TensorProto& tensor, const tensor::Tensor& values) {
  std::vector<std::byte> half(values.bytes().size() / 2);
  tensor::to_float16(values.bytes(), half, changes_);
  ASSAY_ASSIGN(const tensor::Tensor halves, tensor::Tensor::make(tensor::ElementType::float16, values.shape(),
                                                                 tensor::Buffer::own(std::move(half))));
  ASSAY_ASSIGN(const tensor::Tensor rounded, tensor::cast(halves, tensor::ElementType::float32));
  onnx::TensorProto proto;
  proto.set_name(tensor.name());
  *proto.mutable_dims() = tensor.dims();
  proto.set_data_type(onnx::TensorProto::FLOAT);
  if (rounded.bytes().size() < model::kByReference) {
    proto.set_raw_data(rounded.bytes().data(), rounded.bytes().size());
    return proto;
  }
  write(rounded.bytes());
  refer(proto, rounded.bytes().size());
  return proto;
}

base::Status Float16Weights::take_over(onnx::TensorProto& tensor) {
  if (!model::is_external(tensor)) return {};
  ASSAY_ASSIGN(const model::ExternalData data, model::external_data(tensor));
  if (data.location == file_name_) return {};
  ASSAY_ASSIGN(const tensor::Tensor values, model::read_weight(*model_, tensor));
  ASSAY_TRY(model::read_in_pieces(*model_, tensor, kChunk, [&](std::span<const std::byte> part) {
    write(part);
    return true;
  }));
  refer(tensor, values.bytes().size());
  return {};
}

base::Status Float16Weights::finish(model::Model& converted) {
  file_.close();
  if (!file_.good()) {
    base::Error error =
        base::system_error("cannot write weights to the temporary folder", folder_.path().parent_path().string(),
                           write_error_ == 0 ? errno : write_error_);
    error.fix = "Free some space, or set TMPDIR to another folder";
    return base::fail(std::move(error));
  }
  std::error_code failed;
  const fs::path path = fs::canonical(folder_.path() / file_name_, failed);
  if (failed) return base::fail(base::read_error("cannot read weights", folder_.path().string(), failed.value()));
  auto files = std::make_shared<model::WeightFiles>();
  if (written_ > 0) {
    ASSAY_ASSIGN(std::shared_ptr<const base::MappedFile> mapped, base::MappedFile::open(path));
    const base::MappedFile* file = mapped.get();
    const auto owner = std::make_shared<const FileInFolder>(FileInFolder{std::move(folder_), std::move(mapped)});
    files->emplace(file_name_, std::shared_ptr<const base::MappedFile>(owner, file));
    converted.data_folder = path.parent_path();
  }
  converted.files = std::move(files);
  converted.weights_ignored = false;  // all weights were read: take_over() fails if one wasn't loaded
  return {};
}

}  // namespace assay::surgeon
