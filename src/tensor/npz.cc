// libzip only sees memory: it reads from a mapping of the file, and it writes into a buffer that AtomicFile then writes
// to the disk, so that an archive is never half written. Sizes in an archive are checked before memory is allocated.
#include "tensor/npz.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/files.h"
#include "base/mapped_file.h"
#include "tensor/npy.h"

namespace assay::tensor {
namespace {

using base::ErrorKind;
using base::fail;

// A deflated stream expands at most by this factor (zlib's manual), so a larger size in the directory is wrong.
constexpr std::uint64_t kMostGrowth = 1032;

struct CloseArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseEntry {
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};
using Archive = std::unique_ptr<zip_t, CloseArchive>;

base::Error damaged(std::string why) {
  return {ErrorKind::invalid_input,
          fmt::format("the .npz archive is damaged: {}", why),
          {},
          "Use a complete file that numpy.savez wrote"};
}

// Opens an archive that reads from `bytes`, which must outlive it.
base::Expected<Archive> open_archive(std::span<const std::byte> bytes) {
  if (bytes.empty()) return fail(damaged("the file is empty"));  // libzip would see an archive without entries
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* archive = source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error);
  if (archive == nullptr) {
    base::Error result = damaged(zip_error_strerror(&error));
    zip_source_free(source);
    zip_error_fini(&error);
    return fail(std::move(result));
  }
  zip_error_fini(&error);
  return Archive(archive);
}

// `file_size`: bytes of the whole archive, since the directory may lie about compressed sizes, too.
base::Expected<Buffer> read_entry(zip_t* archive, zip_uint64_t index, const zip_stat_t& entry,
                                  std::uint64_t file_size) {
  if ((entry.valid & ZIP_STAT_SIZE) == 0 || (entry.valid & ZIP_STAT_COMP_SIZE) == 0 || entry.comp_size > file_size ||
      entry.size / kMostGrowth > entry.comp_size) {
    return fail(damaged("an entry has an impossible size"));
  }
  const std::unique_ptr<zip_file_t, CloseEntry> file(zip_fopen_index(archive, index, 0));
  if (file == nullptr) return fail(damaged(zip_strerror(archive)));
  const auto bytes = std::make_shared_for_overwrite<std::byte[]>(entry.size);
  std::uint64_t have = 0;
  while (have < entry.size) {
    const zip_int64_t got = zip_fread(file.get(), bytes.get() + have, entry.size - have);
    if (got <= 0)
      return fail(damaged(got < 0 ? zip_error_strerror(zip_file_get_error(file.get())) : "an entry is truncated"));
    have += static_cast<std::uint64_t>(got);
  }
  // libzip checks the checksum only on a read at the end.
  std::byte end{};
  if (zip_fread(file.get(), &end, 1) != 0) return fail(damaged(zip_error_strerror(zip_file_get_error(file.get()))));
  return Buffer({bytes.get(), static_cast<std::size_t>(entry.size)}, bytes);
}

base::Expected<NpzContent> read_entries(std::span<const std::byte> bytes) {
  ASSAY_ASSIGN(const Archive archive, open_archive(bytes));
  NpzContent content;
  const zip_int64_t entries = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t i = 0; i < entries; ++i) {
    zip_stat_t entry;
    if (zip_stat_index(archive.get(), static_cast<zip_uint64_t>(i), 0, &entry) != 0) {
      return fail(damaged(zip_strerror(archive.get())));
    }
    std::string_view name = entry.name;
    auto data = read_entry(archive.get(), static_cast<zip_uint64_t>(i), entry, bytes.size());
    auto array = data ? parse_npy(*data) : tl::make_unexpected(std::move(data).error());
    const std::string place = fmt::format("entry '{}'", name);
    if (name.ends_with(".npy")) name.remove_suffix(4);
    if (array) {
      content.arrays.set(std::string(name), std::move(*array));
    } else {
      content.unreadable.emplace_back(name, std::move(array).error().within(place));
    }
  }
  return content;
}

// An array that becomes .npy only while libzip reads it: copies of all arrays at once could exceed the memory.
class Entry {
 public:
  explicit Entry(const Tensor& tensor) : tensor_(tensor) {}
  // Returns a source that reads the array; null on an error. The entry must outlive it.
  zip_source_t* source(zip_t* archive) { return zip_source_function(archive, call, this); }
  // Returns why the array can't be packed, if that is the case.
  [[nodiscard]] const base::Status& status() const { return status_; }

 private:
  static zip_int64_t call(void* entry, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    return static_cast<Entry*>(entry)->answer(data, length, command);
  }
  zip_int64_t answer(void* data, zip_uint64_t length, zip_source_cmd_t command) {
    switch (command) {
      case ZIP_SOURCE_SUPPORTS:
        return ZIP_SOURCE_SUPPORTS_READABLE;
      case ZIP_SOURCE_STAT: {
        if (!size_ && !format()) return -1;
        auto* const stat = static_cast<zip_stat_t*>(data);
        zip_stat_init(stat);
        stat->size = *size_;
        stat->valid = ZIP_STAT_SIZE;
        return sizeof(zip_stat_t);
      }
      case ZIP_SOURCE_OPEN:
        done_ = 0;
        return format() ? 0 : -1;
      case ZIP_SOURCE_READ: {
        const std::size_t count = std::min<std::size_t>(length, bytes_->size() - done_);
        std::memcpy(data, bytes_->data() + done_, count);
        done_ += count;
        return static_cast<zip_int64_t>(count);
      }
      case ZIP_SOURCE_CLOSE:
        bytes_.reset();
        return 0;
      case ZIP_SOURCE_ERROR: {
        const std::array<int, 2> codes = {ZIP_ER_INTERNAL, 0};
        std::memcpy(data, codes.data(), sizeof(codes));
        return sizeof(codes);
      }
      default:
        return 0;
    }
  }
  bool format() {
    if (bytes_) return true;
    auto bytes = format_npy(tensor_);
    if (bytes) {
      bytes_ = *std::move(bytes);
      size_ = bytes_->size();
    } else {
      status_ = tl::make_unexpected(std::move(bytes).error());
    }
    return status_.has_value();
  }

  const Tensor& tensor_;
  std::optional<std::string> bytes_;
  std::optional<zip_uint64_t> size_;  // of the bytes, also after they were dropped
  std::size_t done_ = 0;
  base::Status status_;
};

// Writes an archive into memory.
class MemoryArchive {
 public:
  MemoryArchive() { zip_error_init(&error_); }
  MemoryArchive(const MemoryArchive&) = delete;
  MemoryArchive& operator=(const MemoryArchive&) = delete;
  ~MemoryArchive() {
    if (source_ != nullptr) zip_source_free(source_);
    zip_error_fini(&error_);
  }
  base::Status pack(const NamedTensors& arrays) {
    source_ = zip_source_buffer_create(nullptr, 0, 0, &error_);
    if (source_ == nullptr) return broken();
    zip_source_keep(source_);   // closing the archive frees it once
    std::deque<Entry> entries;  // outlive the archive, which reads them when it is closed
    Archive archive(zip_open_from_source(source_, ZIP_TRUNCATE, &error_));
    if (archive == nullptr) {
      zip_source_free(source_);
      return broken();
    }
    for (const auto& [name, tensor] : arrays) {
      zip_source_t* entry = entries.emplace_back(tensor).source(archive.get());
      const std::string file = name + ".npy";
      const zip_int64_t at = zip_file_add(archive.get(), file.c_str(), entry, ZIP_FL_ENC_UTF_8);
      if (at < 0) zip_source_free(entry);
      if (at < 0 || zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(at), ZIP_CM_STORE, 0) != 0 ||
          zip_file_set_mtime(archive.get(), static_cast<zip_uint64_t>(at), kEntryTime, 0) != 0) {
        return base::fail(ErrorKind::io, fmt::format("cannot pack '{}': {}", name, zip_strerror(archive.get())));
      }
    }
    if (zip_close(archive.get()) != 0) {
      auto array = arrays.begin();
      for (const Entry& entry : entries) {
        const auto& [name, tensor] = *array++;
        if (!entry.status()) return fail(base::Error(entry.status().error()).within(fmt::format("array '{}'", name)));
      }
      return base::fail(ErrorKind::io, fmt::format("cannot pack: {}", zip_strerror(archive.get())));
    }
    (void)archive.release();  // zip_close() freed it
    return {};
  }
  // Writes what was packed.
  base::Status write(base::AtomicFile& file) {
    if (zip_source_open(source_) != 0) return broken();
    std::vector<char> piece(kPiece);
    zip_int64_t got = 0;
    base::Status status;
    while (status && (got = zip_source_read(source_, piece.data(), piece.size())) > 0) {
      status = file.write({piece.data(), static_cast<std::size_t>(got)});
    }
    zip_source_close(source_);
    return got < 0 ? broken() : status;
  }

 private:
  tl::unexpected<base::Error> broken() {
    return base::fail(ErrorKind::io, fmt::format("cannot pack: {}", zip_error_strerror(&error_)));
  }
  static constexpr time_t kEntryTime = 315619200;  // 1980-01-02; a constant, so that equal arrays give equal files
  static constexpr std::size_t kPiece = 1 << 20;   // bytes

  zip_error_t error_;
  zip_source_t* source_ = nullptr;
};

}  // namespace

base::Status write_npz(const std::filesystem::path& path, const NamedTensors& arrays) {
  // libzip writes nothing if there are no entries. NumPy reads this end record as an archive without any.
  if (arrays.empty()) return base::write_file(path, std::string("PK\5\6") + std::string(18, '\0'));
  MemoryArchive archive;
  ASSAY_TRY(archive.pack(arrays));
  ASSAY_ASSIGN(base::AtomicFile file, base::AtomicFile::create(path));
  ASSAY_TRY(archive.write(file));
  return file.commit();
}

base::Expected<NpzContent> read_npz_content(const std::filesystem::path& path) {
  ASSAY_ASSIGN(const auto file, base::MappedFile::open(path));
  auto content = read_entries(file->bytes());
  if (!content) return fail(std::move(content).error().within(path.string()));
  for (auto& [name, error] : content->unreadable) error = std::move(error).within(path.string());
  return content;
}

base::Expected<NamedTensors> read_npz(const std::filesystem::path& path) {
  ASSAY_ASSIGN(NpzContent content, read_npz_content(path));
  if (!content.unreadable.empty()) return fail(std::move(content.unreadable.front().second));
  return std::move(content.arrays);
}

}  // namespace assay::tensor
