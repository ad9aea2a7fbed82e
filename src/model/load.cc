// Large weights are cut out of the file's bytes before protobuf parses them (take_out_weights), so that time and memory
// grow with the number of nodes. Then each reference to data in a file is checked, without reading the data.
#include "model/load.h"

#include <google/protobuf/io/coded_stream.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/mapped_file.h"
#include "model/external_data.h"
#include "model/take_out_weights.h"
#include "model/text_forms.h"
#include "model/visit_tensors.h"

namespace assay::model {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::fail;

namespace {

// ONNX Runtime's own format is a flatbuffer: the offset of its root, and then its name. ONNX files can have the name at
// the same place, but their first bytes are never such a small number.
bool is_ort(std::string_view bytes) {
  std::uint32_t root = 0;
  if (bytes.size() < 2 * sizeof(root)) return false;
  std::memcpy(&root, bytes.data(), sizeof(root));
  return root < bytes.size() && bytes.substr(sizeof(root)).starts_with("ORTM");
}

// Refuses files that are often mistaken for a model. None of them can begin like an ONNX file.
base::Status refuse_other_files(std::string_view bytes) {
  if (bytes.empty()) return fail(ErrorKind::invalid_input, "the file is empty", {}, "Copy or download it again");
  struct Known {
    std::string_view magic;
    std::string_view what;
    std::string_view fix;
  };
  static constexpr std::array kKnown = {
      Known{"version https://git-lfs", "the file is a pointer that Git LFS left in place of the model",
            "Get the model itself with: git lfs pull"},
      Known{"PK\x03\x04", "the file is a zip archive, not an ONNX model", "Unpack it, or export the model to ONNX"},
      Known{"\x1f\x8b", "the file is compressed with gzip, not an ONNX model", "Unpack it first"},
      Known{"\x89HDF", "the file is an HDF5 file, not an ONNX model", "Export the model to ONNX"},
      Known{"ftrt", "the file is an engine of TensorRT, not an ONNX model",
            "TensorRT runs it if its name ends in .engine or .plan"},
  };
  for (const Known& known : kKnown) {
    if (bytes.starts_with(known.magic)) {
      return fail(ErrorKind::invalid_input, std::string(known.what), {}, std::string(known.fix));
    }
  }
  if (is_ort(bytes)) {
    return fail(ErrorKind::invalid_input, "the file is in ONNX Runtime's own format (.ort), not an ONNX model", {},
                "Use the ONNX model that it was converted from");
  }
  if (is_text(bytes)) {
    return fail(ErrorKind::invalid_input, "the file is text, not an ONNX model", {},
                "Check the path, or download it again");
  }
  return {};
}

base::Status parse(std::string_view bytes, onnx::ModelProto& proto) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    return fail(ErrorKind::unsupported, "the model has 2 GiB or more without its weights");
  }
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                                static_cast<int>(bytes.size()));
  if (!proto.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage()) {
    return fail(ErrorKind::invalid_input, "the file is damaged or isn't an ONNX model: protobuf cannot parse it", {},
                "Check the path, or export or copy the model again");
  }
  if (!proto.has_graph()) {
    return fail(ErrorKind::invalid_input, "not an ONNX model: it has no graph", {}, "Check the path");
  }
  if (proto.ir_version() == 0) {
    return fail(ErrorKind::invalid_input, "not an ONNX model: it has no ir_version", {},
                "Check the path. If it is the right file, set ir_version in it");
  }
  return {};
}

// Opens the files that tensors refer to, each once, and checks that every reference is within its file.
class WeightOpener {
 public:
  WeightOpener(DataPlace place, bool ignore_external, std::string inline_location,
               std::shared_ptr<const base::MappedFile> model_file)
      : place_(std::move(place)), ignore_external_(ignore_external), inline_location_(std::move(inline_location)) {
    files_[inline_location_] = std::move(model_file);
  }

  void visit(const onnx::TensorProto& tensor) {
    if (!status_ || !is_external(tensor)) return;
    if (ignore_external_ && !was_inline(tensor)) {
      left_out_ = true;
      return;
    }
    status_ = open(tensor);
  }

  [[nodiscard]] bool left_out() const { return left_out_; }

  base::Expected<WeightFiles> result() && {
    ASSAY_TRY(std::move(status_));
    return std::move(files_);
  }

 private:
  base::Status open(const onnx::TensorProto& tensor) {
    ASSAY_ASSIGN(const ExternalData data, external_data(tensor));
    if (was_inline(tensor) != (data.location == inline_location_)) {
      return fail(ErrorKind::invalid_input, "external data uses a reserved location or key: " + data.location,
                  tensor.name(), "Export the model again");
    }
    auto& file = files_[data.location];
    if (!file) {
      ASSAY_ASSIGN(const fs::path path, resolve_location(place_, data.location, tensor.name()));
      ASSAY_ASSIGN(file, base::MappedFile::open(path));
    }
    ASSAY_TRY(find_range(files_, data, tensor));
    return {};
  }

  DataPlace place_;
  bool ignore_external_;
  bool left_out_ = false;
  std::string inline_location_;
  WeightFiles files_;
  base::Status status_;
};

// `path`: of the file, or empty if it is in memory.
base::Expected<Model> load_mapped(std::shared_ptr<const base::MappedFile> file, const fs::path& path,
                                  const LoadOptions& options) {
  const std::string_view bytes(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
  ASSAY_TRY(refuse_other_files(bytes));

  Model model;
  model.path = path;
  model.data_folder = options.external_data_dir.value_or(path.has_parent_path() ? path.parent_path() : fs::path("."));
  {
    ASSAY_ASSIGN(const std::string skeleton, take_out_weights(*file, inline_location(path)));
    ASSAY_TRY(parse(skeleton.empty() ? bytes : skeleton, model.proto));
  }
  WeightOpener opener({.folder = model.data_folder, .model_file = path}, options.ignore_external_data,
                      inline_location(path), std::move(file));
  visit_tensors(std::as_const(model.proto), [&](const onnx::TensorProto& tensor, TensorRole) { opener.visit(tensor); });
  model.weights_ignored = opener.left_out();
  ASSAY_ASSIGN(WeightFiles files, std::move(opener).result());
  model.files = std::make_shared<const WeightFiles>(std::move(files));
  return model;
}

// Copies the bytes to a file in memory. The file has no lasting path: the one that the result names is gone, as if the
// file had been removed.
base::Expected<std::shared_ptr<const base::MappedFile>> map_copy(std::string_view bytes) {
  const int fd = ::memfd_create("assay-model", MFD_CLOEXEC);
  if (fd < 0) return fail(base::system_error("cannot create a file in memory", {}, errno));
  auto mapped = [&]() -> base::Expected<std::shared_ptr<const base::MappedFile>> {
    while (!bytes.empty()) {
      const ssize_t count = ::write(fd, bytes.data(), std::min<std::size_t>(bytes.size(), 1 << 30));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return fail(base::system_error("cannot write to a file in memory", {}, errno));
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return base::MappedFile::open("/proc/self/fd/" + std::to_string(fd));
  }();
  ::close(fd);
  return mapped;
}

// Returns the file, or the model in binary form if the file has it as text.
base::Expected<std::shared_ptr<const base::MappedFile>> binary_form(std::shared_ptr<const base::MappedFile> file) {
  const std::string_view bytes(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
  const auto form = text_form(bytes);
  if (!form) return file;
  ASSAY_ASSIGN(const std::string binary, read_text(bytes, *form));
  return map_copy(binary);
}

}  // namespace

base::Expected<Model> load(const fs::path& path, const LoadOptions& options) {
  auto model = base::MappedFile::open(path).and_then(binary_form).and_then([&](auto file) {
    return load_mapped(std::move(file), path, options);
  });
  if (!model) {
    base::Error error = std::move(model).error();
    if (error.where != path.string()) error = std::move(error).within(path.string());
    return fail(std::move(error));
  }
  return model;
}

base::Expected<Model> load_bytes(std::string_view bytes, LoadOptions options) {
  options.ignore_external_data = options.ignore_external_data || !options.external_data_dir;
  ASSAY_ASSIGN(std::shared_ptr<const base::MappedFile> file, map_copy(bytes));
  return load_mapped(std::move(file), {}, options);
}

}  // namespace assay::model
