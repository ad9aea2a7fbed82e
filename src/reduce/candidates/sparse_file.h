// A file that starts as one hole and is filled range by range as needed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "base/stop.h"
#include "model/external_data.h"

namespace assay::reduce {

class SparseFile {
 public:
  // Creates a file of `size` bytes. Errors: io, also if it exists already.
  static base::Expected<SparseFile> create(std::filesystem::path path, std::uint64_t size);
  SparseFile(SparseFile&& other) noexcept;
  SparseFile& operator=(SparseFile&& other) noexcept;
  ~SparseFile();

  // Returns how many bytes of [offset, offset + length) still have to be copied: none, or all.
  [[nodiscard]] std::uint64_t missing(std::uint64_t offset, std::uint64_t length) const;
  // Copies a range of another file to `offset`, inside the kernel if possible. Does nothing if the range is filled
  // already. Errors: io; interrupted.
  base::Status fill(std::uint64_t offset, const model::FileRange& from, const base::Stop& stop);

 private:
  SparseFile(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}
  base::Status copy_piece(std::uint64_t offset, int source_fd, std::uint64_t from, std::uint64_t length) const;

  std::filesystem::path path_;
  int fd_;
  std::map<std::uint64_t, std::uint64_t> filled_;  // lengths by offset
};

}  // namespace assay::reduce
