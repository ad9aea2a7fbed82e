#include "model/weights/spill_weights.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/mapped_file.h"
#include "model/clear_values.h"
#include "model/external_data.h"
#include "model/weights.h"

namespace assay::model {
namespace {

constexpr auto kFileName = "weights";

// Returns a location that no weight of the model uses. It begins with '#', so it isn't the name of a file.
std::string fresh_location(const WeightFiles& files) {
  std::size_t number = files.size();
  std::string location;
  do {
    location = fmt::format("#computed-{}", number++);
  } while (files.contains(location));
  return location;
}

}  // namespace

WeightSpill::WeightSpill(const Model& model) : location_(fresh_location(*model.files)) {}

void WeightSpill::open() {
  auto folder = base::TempDir::create();
  if (!folder) {
    status_ = base::fail(std::move(folder).error());
    return;
  }
  folder_ = *std::move(folder);
  file_.open(folder_->path() / kFileName, std::ios::binary);
  if (!file_) write_error_ = errno;
}

void WeightSpill::write(std::span<const std::byte> bytes) {
  const bool in_file = written_ > begin_;
  if (!in_file && pending_.size() + bytes.size() < kByReference) {
    pending_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return;
  }
  if (!folder_ && status_) open();
  if (!status_) return;
  file_.write(pending_.data(), static_cast<std::streamsize>(pending_.size()));
  file_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file_ && write_error_ == 0) write_error_ = errno;
  written_ += pending_.size() + bytes.size();
  pending_.clear();
}

void WeightSpill::end(onnx::TensorProto& tensor) {
  clear_values(tensor);
  if (written_ > begin_) {
    set_external_data(tensor, {location_, begin_, written_ - begin_, kInlineRaw});
  } else {
    tensor.set_raw_data(std::exchange(pending_, {}));
  }
  begin_ = written_;
}

base::Status WeightSpill::finish(Model& model) {
  ASSAY_TRY(std::move(status_));
  if (!folder_) return {};
  const std::filesystem::path path = folder_->path() / kFileName;
  file_.close();
  if (!file_.good()) {
    base::Error error =
        base::system_error("cannot write computed weights to the temporary folder",
                           path.parent_path().parent_path().string(), write_error_ == 0 ? errno : write_error_);
    error.fix = "Free some space, or set TMPDIR to another folder";
    return base::fail(std::move(error));
  }
  ASSAY_ASSIGN(std::shared_ptr<const base::MappedFile> file, base::MappedFile::open(path));
  auto files = std::make_shared<WeightFiles>(*model.files);
  files->emplace(location_, std::move(file));
  model.files = std::move(files);
  folder_.reset();
  return {};
}

base::Expected<std::vector<onnx::TensorProto>> spill_weights(
    Model& model, const std::vector<std::pair<std::string, tensor::Tensor>>& weights) {
  std::vector<onnx::TensorProto> messages;
  WeightSpill spill(model);
  for (const auto& [name, tensor] : weights) {
    if (tensor.type() == tensor::ElementType::string) {
      messages.push_back(to_proto(name, tensor));
      continue;
    }
    onnx::TensorProto& message = messages.emplace_back();
    message.set_name(name);
    message.set_data_type(static_cast<std::int32_t>(tensor.type()));
    for (const std::int64_t size : tensor.shape()) message.add_dims(size);
    spill.write(tensor.bytes());
    spill.end(message);
  }
  ASSAY_TRY(spill.finish(model));
  return messages;
}

}  // namespace assay::model
