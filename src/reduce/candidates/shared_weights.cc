// Places are found once, for the original model. Candidates still refer to the original's files, so a weight's place
// follows from its location and offset. Weights inside the model file are packed into a new file one after the other; a
// map from old to new offsets also finds a tensor that is a part of one of them.
#include "reduce/candidates/shared_weights.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <system_error>
#include <utility>
#include <vector>

#include "base/is_below.h"
#include "model/move_weights_out.h"
#include "model/weights.h"

namespace assay::reduce {
namespace fs = std::filesystem;
namespace {

// Returns the path relative to `folder` if the file is below it. Links are resolved, as engines do.
std::optional<std::string> location_below(const fs::path& folder, const fs::path& file) {
  std::error_code code;
  const fs::path root = fs::canonical(folder.empty() ? fs::path(".") : folder, code);
  if (code) return std::nullopt;
  const fs::path real = fs::canonical(file, code);
  if (code || !base::is_below(root, real)) return std::nullopt;
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

base::Status link(const fs::path& file, const fs::path& to) {
  std::error_code code;
  fs::create_hard_link(file, to, code);
  if (!code) return {};
  return base::fail(base::ErrorKind::io, "cannot create a hard link to '" + file.string() + "': " + code.message(),
                    to.string(),
                    "Put --iter-artifact onto the file system of the weights, or omit "
                    "--iter-weights linked");
}

// Calls `visit` for the tensors with external data until it returns an error, which is returned.
template <class Message, class Visit>
base::Status each_external(Message& model, const Visit& visit) {
  base::Status status;
  model::visit_tensors(model, [&](auto& tensor, model::TensorRole role) -> void {
    if (status && model::is_external(tensor)) status = visit(tensor, role);
  });
  return status;
}

// Returns the ranges of files that hold the weights of a model, by location and offset; of the model file itself, only
// initializers.
using Ranges = std::map<std::string, std::map<std::uint64_t, model::FileRange>>;
base::Expected<Ranges> ranges_of(const model::Model& model) {
  Ranges ranges;
  const auto add = [&](const onnx::TensorProto& tensor, model::TensorRole role) -> base::Status {
    if (model::was_inline(tensor) && role != model::TensorRole::initializer) return {};
    ASSAY_ASSIGN(const model::ExternalData data, model::external_data(tensor));
    ASSAY_ASSIGN(model::FileRange range, model::find_range(*model.files, data, tensor));
    model::FileRange& known = ranges[data.location][range.offset];
    if (known.length <= range.length) known = std::move(range);
    return {};
  };
  ASSAY_TRY(each_external(model.proto, add));
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
  fs::path file = artifact_;
  file += (files_ == 0 ? "" : fmt::format(".{}", files_)) + ".weights";
  ASSAY_TRY(scratch.add(file));
  ++files_;
  return file;
}

base::Status SharedWeights::open(const model::Model& model, ScratchFiles& scratch) {
  ASSAY_ASSIGN(const Ranges ranges, ranges_of(model));
  for (const auto& [location, weights] : ranges) {
    const auto& file = weights.begin()->second.file;
    const bool in_model = is_inline_location(location);
    const auto below = in_model ? std::nullopt : location_below(artifact_.parent_path(), file->path());
    if (below) {
      places_.insert_or_assign(location, WeightFile{*below, file});
      continue;
    }
    ASSAY_ASSIGN(fs::path path, next_file(scratch));
    WeightFile place{path.filename().string(), file};
    std::uint64_t size = file->bytes().size();
    if (in_model) {
      size = 0;
      for (const auto& [offset, range] : weights) {
        place.moved[offset] = {range.length, model::align_weight(size, range.length)};
        size = place.moved[offset].offset + range.length;
      }
    }
    const bool is_cloned = !in_model && clone(file->fd(), path);
    const bool is_linked = !in_model && !is_cloned && links_ == HardLinks::yes;
    if (is_linked) ASSAY_TRY(link(file->path(), path));
    if (!is_cloned && !is_linked) {
      ASSAY_ASSIGN(place.copy, SparseFile::create(std::move(path), size));
    }
    places_.insert_or_assign(location, std::move(place));
  }
  return {};
}

base::Status SharedWeights::each_copied(const model::Model& candidate, const Visit& visit) {
  return each_external(candidate.proto, [&](const onnx::TensorProto& tensor, model::TensorRole role) -> base::Status {
    ASSAY_ASSIGN(const model::ExternalData data, model::external_data(tensor));
    const auto [found, offset] = find(data, role, *candidate.files);
    if (found == nullptr || !found->copy) return {};
    ASSAY_ASSIGN(const model::FileRange from, model::find_range(*candidate.files, data, tensor));
    return visit(places_.at(data.location), offset, from);
  });
}

std::uint64_t SharedWeights::missing(const model::Model& candidate) {
  std::uint64_t bytes = 0;
  static_cast<void>(each_copied(candidate, [&](const WeightFile& place, std::uint64_t offset, const auto& from) {
    bytes += place.copy->missing(offset, from.length);
    return base::Status{};
  }));
  return bytes;
}

base::Status SharedWeights::fill(const model::Model& candidate, const base::Stop& stop) {
  return each_copied(candidate, [&](WeightFile& place, std::uint64_t offset, const model::FileRange& from) {
    return place.copy->fill(offset, from, stop);
  });
}

base::Status SharedWeights::refer(model::Model& candidate) const {
  return each_external(candidate.proto, [&](onnx::TensorProto& tensor, model::TensorRole role) {
    return refer(tensor, role, *candidate.files);
  });
}

base::Status SharedWeights::refer(onnx::TensorProto& tensor, model::TensorRole role,
                                  const model::WeightFiles& files) const {
  ASSAY_ASSIGN(model::ExternalData data, model::external_data(tensor));
  if (const auto [place, offset] = find(data, role, files); place != nullptr) {
    model::set_external_data(tensor, {place->location, offset, data.length, {}});
  } else if (data.inline_form.empty()) {
    data.inline_form = model::kInlineRaw;
    model::set_external_data(tensor, data);
  }
  return {};
}

std::pair<const SharedWeights::WeightFile*, std::uint64_t> SharedWeights::find(const model::ExternalData& data,
                                                                               model::TensorRole role,
                                                                               const model::WeightFiles& files) const {
  if (!data.inline_form.empty() && role != model::TensorRole::initializer) return {};
  const auto found = places_.find(data.location);
  if (found == places_.end()) return {};
  const WeightFile& place = found->second;
  const auto file = files.find(data.location);
  if (file == files.end() || file->second != place.from) return {};  // a different file with that name
  if (place.moved.empty()) return {&place, data.offset};
  const auto after = place.moved.upper_bound(data.offset);
  if (after == place.moved.begin() || !data.length) return {};
  const auto& [begin, moved] = *std::prev(after);
  const std::uint64_t inside = data.offset - begin;
  if (inside + *data.length > moved.length) return {};
  return {&place, moved.offset + inside};
}

}  // namespace assay::reduce
