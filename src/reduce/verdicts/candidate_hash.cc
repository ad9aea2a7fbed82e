// The message is serialized deterministically and fed to the hash piece by piece. Protobuf warns that deterministic
// output may change between builds, but ONNX's messages have no maps, so at most another version of protobuf matters.
// In that case no stored verdict is found, and everything is judged again.
#include "reduce/verdicts/candidate_hash.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "base/mapped_file.h"
#include "base/read_error.h"
#include "model/external_data.h"
#include "model/visit_tensors.h"
#include "reduce/verdicts/hash.h"

namespace assay::reduce {
namespace fs = std::filesystem;
namespace {

class HashStream final : public google::protobuf::io::CopyingOutputStream {
 public:
  bool Write(const void* buffer, int size) override {
    hash.add({static_cast<const char*>(buffer), static_cast<std::size_t>(size)});
    return true;
  }
  Hash hash;
};

std::string hash_message(const onnx::ModelProto& message) {
  HashStream hashing;
  bool whole = false;
  {
    google::protobuf::io::CopyingOutputStreamAdaptor stream(&hashing);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    whole = message.SerializePartialToCodedStream(&coded);
  }
  return whole ? hashing.hash.hex() : std::string();
}

std::string_view view(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Returns the reference to a computed weight, which is in an unnamed file under a key that is a running number.
std::optional<model::ExternalData> computed(const onnx::TensorProto& tensor, const std::string& input_location) {
  if (!model::was_inline(tensor)) return std::nullopt;
  const auto data = model::external_data(tensor);
  if (!data || !data->location.starts_with('#') || data->location == input_location) return std::nullopt;
  return *data;
}

base::Expected<std::string> identity_of(const base::MappedFile& file, bool whole) {
  struct stat info = {};
  if (::fstat(file.fd(), &info) != 0) {
    return base::fail(base::read_error("cannot read the size and time of", file.path().string(), errno));
  }
  std::string text = fmt::format("{} bytes", file.bytes().size());
  if (!whole) text += fmt::format(", changed {}.{:09d}", info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
  return text;
}

// Hashes a part of the file and releases its pages again, so that hashing doesn't fill the memory.
void add_part(const base::MappedFile& file, std::uint64_t offset, std::uint64_t length, Hash& hash) {
  constexpr std::uint64_t kStep = 4 << 20;
  for (const std::uint64_t end = offset + length; offset < end; offset += kStep) {
    hash.add(view(file.bytes().subspan(offset, std::min(kStep, end - offset))));
    file.release(std::min(offset + kStep, end));
  }
}

void add_samples(const base::MappedFile& file, Hash& hash) {
  constexpr std::uint64_t kEnd = 1 << 20;
  constexpr std::uint64_t kPiece = 64 << 10;
  constexpr std::uint64_t kPieces = 64;
  const std::uint64_t size = file.bytes().size();
  add_part(file, 0, kEnd, hash);
  const std::uint64_t stride = (size - 2 * kEnd) / kPieces;
  for (std::uint64_t i = 0; i < kPieces; ++i) add_part(file, kEnd + i * stride, kPiece, hash);
  add_part(file, size - kEnd, kEnd, hash);
}

bool is_hashed_whole(const base::MappedFile& file) {
  return file.bytes().size() <= kHashedWhole;
}

base::Expected<std::string> identity_with_content(const base::MappedFile& file, bool whole) {
  ASSAY_ASSIGN(const std::string text, identity_of(file, whole));
  Hash hash;
  if (whole) {
    add_part(file, 0, file.bytes().size(), hash);
  } else {
    add_samples(file, hash);
  }
  return fmt::format("{}, xxh3 {}", text, hash.hex());
}

}  // namespace

std::string candidate_hash(const model::Model& model) {
  const std::string input_location = model::inline_location(model.path);
  const bool may_have_computed = std::ranges::any_of(
      *model.files, [&](const auto& file) { return file.first.starts_with('#') && file.first != input_location; });
  bool plain = true;
  const auto look = [&](const onnx::TensorProto& tensor, model::TensorRole) {
    plain = plain && !computed(tensor, input_location);
  };
  if (may_have_computed) model::visit_tensors(model.proto, look);
  if (plain) return hash_message(model.proto);

  onnx::ModelProto message = model.proto;
  model::visit_tensors(message, [&](onnx::TensorProto& tensor, model::TensorRole) {
    auto data = computed(tensor, input_location);
    if (!data) return;
    const auto range = model::find_range(*model.files, *data, tensor);
    if (!range) return;
    data->location = "#xxh3-" + hash_of(view(range->file->bytes().subspan(range->offset, range->length)));
    data->offset = 0;
    model::set_external_data(tensor, *data);
  });
  return hash_message(message);
}

base::Expected<std::string> input_identity(const model::Model& model, InputIdentity by) {
  const std::string input_location = model::inline_location(model.path);
  std::string text;
  for (const auto& [location, file] : *model.files) {
    const bool by_content = by == InputIdentity::content;
    ASSAY_ASSIGN(const std::string identity, by_content || location == input_location
                                                 ? identity_with_content(*file, by_content || is_hashed_whole(*file))
                                                 : identity_of(*file, false));
    text += fmt::format("{}: {}\n", location, identity);
  }
  return text;
}

base::Expected<std::string> file_identity(const fs::path& path) {
  ASSAY_ASSIGN(const auto file, base::MappedFile::open(path));
  return identity_with_content(*file, is_hashed_whole(*file));
}

}  // namespace assay::reduce
