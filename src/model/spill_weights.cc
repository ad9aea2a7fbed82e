#include "model/spill_weights.h"

#include <fmt/format.h>

#include <fstream>

#include "model/external_data.h"
#include "model/weights.h"

namespace assay::model {
namespace {

bool goes_to_file(const tensor::Tensor& tensor) {
  return tensor.bytes().size() >= kByReference;
}

// Returns a location that no weight of the model uses. It begins with '#', so it isn't the name of a file.
std::string fresh_location(const WeightFiles& files) {
  std::size_t number = files.size();
  std::string location;
  do {
    location = fmt::format("#computed-{}", number++);
  } while (files.contains(location));
  return location;
}

base::Status write_all(const std::filesystem::path& path,
                       const std::vector<std::pair<std::string, tensor::Tensor>>& weights) {
  std::ofstream file(path, std::ios::binary);
  for (const auto& [name, tensor] : weights) {
    if (!goes_to_file(tensor)) continue;
    const std::string_view bytes = tensor.buffer().view();
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  file.close();
  if (file.good()) return {};
  return base::fail(base::ErrorKind::io, "cannot write computed weights to the temporary folder",
                    path.parent_path().parent_path().string(), "Free some space, or set TMPDIR to another folder");
}

}  // namespace

base::Expected<std::vector<onnx::TensorProto>> spill_weights(
    Model& model, const std::vector<std::pair<std::string, tensor::Tensor>>& weights) {
  const std::string location = fresh_location(*model.files);
  std::vector<onnx::TensorProto> messages;
  std::uint64_t offset = 0;
  for (const auto& [name, tensor] : weights) {
    if (!goes_to_file(tensor)) {
      messages.push_back(to_proto(name, tensor));
      continue;
    }
    onnx::TensorProto& message = messages.emplace_back();
    message.set_name(name);
    message.set_data_type(static_cast<std::int32_t>(tensor.type()));
    for (const std::int64_t size : tensor.shape()) message.add_dims(size);
    set_external_data(message, {location, offset, tensor.bytes().size(), kInlineRaw});
    offset += tensor.bytes().size();
  }
  if (offset == 0) return messages;
  ASSAY_ASSIGN(const base::TempDir folder, base::TempDir::create());
  const std::filesystem::path path = folder.path() / "weights";
  ASSAY_TRY(write_all(path, weights));
  ASSAY_ASSIGN(std::shared_ptr<const base::MappedFile> file, base::MappedFile::open(path));
  auto files = std::make_shared<WeightFiles>(*model.files);
  files->emplace(location, std::move(file));
  model.files = std::move(files);
  return messages;
}

}  // namespace assay::model
