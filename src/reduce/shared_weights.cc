#include "reduce/shared_weights.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "model/weights.h"

namespace assay::reduce {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{256} << 20;  // bytes copied between two looks at the stop

// Large weights begin on a page, as ONNX wants it; for many small ones that would be a waste.
std::uint64_t align(std::uint64_t offset, std::uint64_t length) {
  const std::uint64_t to = length >= (1U << 20) ? 4096 : 64;
  return (offset + to - 1) / to * to;
}

// Relative to `folder` where the file lies below it; engines look for it with all links resolved.
std::optional<std::string> location_below(const fs::path& folder, const fs::path& file) {
  std::error_code code;
  const fs::path root = fs::canonical(folder.empty() ? fs::path(".") : folder, code);
  if (code) return std::nullopt;
  const fs::path real = fs::canonical(file, code);
  if (code || std::ranges::mismatch(root, real).in1 != root.end()) return std::nullopt;
  return real.lexically_relative(root).string();
}

bool clone(int source_fd, const fs::path& to) {
  const int fd = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return false;
  const bool cloned = ::ioctl(fd, FICLONE, source_fd) == 0;
  ::close(fd);
  if (!cloned) ::unlink(to.c_str());
  return cloned;
}

base::Status copy_range(base::AtomicFile& file, const model::FileRange& range, const base::Stop& stop) {
  for (std::uint64_t done = 0; done < range.length; done += kPiece) {
    if (stop.requested()) return base::fail(base::ErrorKind::interrupted, "stopped while weights were copied");
    ASSAY_TRY(
        file.copy_range(range.file->fd(), range.offset + done, std::min<std::uint64_t>(kPiece, range.length - done)));
  }
  return {};
}

// The ranges of files that the weights of a model are, by location and offset. Of those in the model file itself, only
// initializers.
using Ranges = std::map<std::string, std::map<std::uint64_t, model::FileRange>>;
base::Expected<Ranges> ranges_of(const model::Model& model) {
  Ranges ranges;
  base::Status status;
  model::visit_tensors(model.proto, [&](const onnx::TensorProto& tensor, model::TensorRole role) {
    if (!status || !model::is_external(tensor)) return;
    if (model::was_inline(tensor) && role != model::TensorRole::initializer) return;
    const auto add = [&]() -> base::Status {
      ASSAY_ASSIGN(const model::ExternalData data, model::external_data(tensor));
      ASSAY_ASSIGN(model::FileRange range, model::find_range(*model.files, data, tensor));
      model::FileRange& known = ranges[data.location][range.offset];
      if (known.length <= range.length) known = std::move(range);
      return {};
    };
    status = add();
  });
  if (!status) return base::fail(status.error());
  return ranges;
}

bool is_inline_location(const std::string& location) {
  return location.starts_with('#');
}

}  // namespace

std::uint64_t bytes_by_reference(const onnx::ModelProto& model) {
  std::uint64_t bytes = 0;
  model::visit_tensors(model, [&](const onnx::TensorProto& tensor, model::TensorRole) {
    if (model::is_external(tensor)) bytes += model::data_bytes(tensor);
  });
  return bytes;
}

base::Expected<fs::path> SharedWeights::next_file(ScratchFiles& scratch) {
  if (spare_) return *std::exchange(spare_, std::nullopt);
  fs::path file = artifact_;
  file += (files_ == 0 ? "" : fmt::format(".{}", files_)) + ".weights";
  ASSAY_TRY(scratch.add(file));
  ++files_;
  return file;
}

base::Expected<bool> SharedWeights::share_without_copy(const model::Model& model, ScratchFiles& scratch) {
  ASSAY_ASSIGN(const Ranges ranges, ranges_of(model));
  bool any = false;
  for (const auto& [location, weights] : ranges) {
    if (is_inline_location(location)) continue;
    any = true;
    const auto& file = weights.begin()->second.file;
    if (auto below = location_below(artifact_.parent_path(), file->path())) {
      places_.insert_or_assign(location, Place{*std::move(below), file});
      continue;
    }
    ASSAY_ASSIGN(fs::path target, next_file(scratch));
    if (!clone(file->fd(), target)) {
      spare_ = std::move(target);
      return false;
    }
    places_.insert_or_assign(location, Place{target.filename().string(), file});
  }
  return any;
}

base::Status SharedWeights::copy(const model::Model& model, ScratchFiles& scratch, const base::Stop& stop) {
  ASSAY_ASSIGN(const Ranges ranges, ranges_of(model));
  for (const auto& [location, weights] : ranges) {
    if (places_.contains(location)) continue;
    ASSAY_ASSIGN(const fs::path path, next_file(scratch));
    ASSAY_ASSIGN(base::AtomicFile file, base::AtomicFile::create(path));
    Place place{path.filename().string(), weights.begin()->second.file};
    for (const auto& [offset, range] : weights) {
      std::uint64_t to = offset;
      if (is_inline_location(location)) {
        to = align(file.position(), range.length);
        place.ranges[offset] = {range.length, to};
      }
      ASSAY_TRY(file.seek(to));
      ASSAY_TRY(copy_range(file, range, stop));
    }
    ASSAY_TRY(file.commit(base::Durability::process));
    places_.insert_or_assign(location, std::move(place));
  }
  return {};
}

base::Status SharedWeights::refer(model::Model& candidate) const {
  base::Status status;
  model::visit_tensors(candidate.proto, [&](onnx::TensorProto& tensor, model::TensorRole role) {
    if (status && model::is_external(tensor)) status = refer(tensor, role, *candidate.files);
  });
  return status;
}

base::Status SharedWeights::refer(onnx::TensorProto& tensor, model::TensorRole role,
                                  const model::WeightFiles& files) const {
  ASSAY_ASSIGN(model::ExternalData data, model::external_data(tensor));
  const bool is_inline = !data.inline_form.empty();
  if (!is_inline || role == model::TensorRole::initializer) {
    if (const auto place = place_of(data, files)) {
      model::set_external_data(tensor, *place);
      return {};
    }
  }
  if (is_inline) return {};
  data.inline_form = model::kInlineRaw;
  model::set_external_data(tensor, data);
  return {};
}

std::optional<model::ExternalData> SharedWeights::place_of(const model::ExternalData& data,
                                                           const model::WeightFiles& files) const {
  const auto found = places_.find(data.location);
  if (found == places_.end()) return std::nullopt;
  const Place& place = found->second;
  const auto file = files.find(data.location);
  if (file == files.end() || file->second != place.from) return std::nullopt;  // another file of that name
  if (place.ranges.empty()) return model::ExternalData{place.location, data.offset, data.length, {}};
  const auto after = place.ranges.upper_bound(data.offset);
  if (after == place.ranges.begin() || !data.length) return std::nullopt;
  const auto& [begin, moved] = *std::prev(after);
  const std::uint64_t inside = data.offset - begin;
  if (inside + *data.length > moved.length) return std::nullopt;
  return model::ExternalData{place.location, moved.offset + inside, data.length, {}};
}

}  // namespace assay::reduce
