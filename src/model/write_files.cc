// Pieces are written as a stream: small ones are gathered in a buffer, and the kernel copies large file ranges. So a
// model of any size is saved in the memory that its nodes take.
#include "model/write_files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <variant>

#include "base/read_error.h"
#include "model/external_data.h"

namespace assay::model {
namespace {

// Buffers small pieces before they are written.
class Writer {
 public:
  Writer(base::AtomicFile& file, base::ByteStatus& status) : file_(file), status_(status) {}

  base::Status bytes(std::string_view bytes) {
    status_.add(bytes.size());
    if (bytes.size() >= kPiece) {
      ASSAY_TRY(flush());
      return file_.write(bytes);
    }
    if (buffer_.size() + bytes.size() > kPiece) ASSAY_TRY(flush());
    buffer_.append(bytes);
    return {};
  }

  base::Status range(const FileRange& range) {
    if (range.length >= kPiece) {
      ASSAY_TRY(flush());
      return copy(range);
    }
    // Read instead of copied from the mapping: if the file was truncated meanwhile, this is an error instead of a
    // signal.
    std::string bytes(range.length, '\0');
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t count =
          ::pread(range.file->fd(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(range.offset + done));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return base::fail(base::read_error("cannot read", range.file->path().string(), errno));
      if (count == 0)
        return base::fail(base::ErrorKind::io, "the file was truncated while it was being read",
                          range.file->path().string());
      done += static_cast<std::size_t>(count);
    }
    return this->bytes(bytes);
  }

  // Copies a large range in steps, between which the status is drawn.
  base::Status copy(const FileRange& range) {
    for (std::uint64_t done = 0; done < range.length;) {
      const std::uint64_t step = std::min<std::uint64_t>(range.length - done, kStep);
      ASSAY_TRY(file_.copy_range(range.file->fd(), range.offset + done, step));
      status_.add(step);
      done += step;
    }
    return {};
  }

  // Writes zeros up to a later position.
  base::Status pad_to(std::uint64_t offset) {
    return bytes(std::string(offset - file_.position() - buffer_.size(), '\0'));
  }

  base::Status flush() {
    ASSAY_TRY(file_.write(buffer_));
    buffer_.clear();
    return {};
  }

 private:
  static constexpr std::size_t kPiece = 1 << 18;
  static constexpr std::uint64_t kStep = 1 << 26;
  base::AtomicFile& file_;
  base::ByteStatus& status_;
  std::string buffer_;
};

}  // namespace

base::Expected<base::AtomicFile> write_model(const Splice& splice, const std::filesystem::path& path,
                                             base::ByteStatus& status) {
  ASSAY_ASSIGN(base::AtomicFile file, base::AtomicFile::create(path));
  Writer writer(file, status);
  for (const Segment& segment : splice.segments) {
    ASSAY_TRY(segment.range.file ? writer.range(segment.range) : writer.bytes(segment.bytes));
  }
  ASSAY_TRY(writer.flush());
  return file;
}

base::Expected<base::AtomicFile> write_weights(const WeightsFile& weights, const std::filesystem::path& path,
                                               base::ByteStatus& status) {
  ASSAY_ASSIGN(base::AtomicFile file, base::AtomicFile::create(path));
  Writer writer(file, status);
  for (const PlacedWeight& weight : weights.weights) {
    ASSAY_TRY(writer.pad_to(weight.offset));
    const auto* range = std::get_if<FileRange>(&weight.values);
    ASSAY_TRY(range != nullptr ? writer.range(*range) : writer.bytes(std::get<std::string>(weight.values)));
  }
  ASSAY_TRY(writer.flush());
  return file;
}

std::uint64_t size_of(const WeightsFile& weights) {
  if (weights.weights.empty()) return 0;
  const PlacedWeight& last = weights.weights.back();
  const auto* range = std::get_if<FileRange>(&last.values);
  return last.offset + (range != nullptr ? range->length : std::get<std::string>(last.values).size());
}

}  // namespace assay::model
