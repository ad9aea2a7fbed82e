// Writes a large file while its maker goes on: what is given is collected in large blocks, which a thread writes.
//
// Blocks go to the disk past the page cache (O_DIRECT) where the file system can. Such a file is synced in the end, so
// it has to get there in any case; what is saved are pages of memory for all of it, which cost more than the copy into
// them, and which everybody else may lose theirs for. A file of less than a block is written as any other.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

#include "base/error.h"
#include "base/files.h"

namespace assay::base {

class BehindWriter {
 public:
  static constexpr std::size_t kBlock = std::size_t{4} << 20;  // bytes; two are held

  // The file outlives it and is nobody else's between a write() and the next flush().
  explicit BehindWriter(AtomicFile& file) : file_(file) {}
  BehindWriter(const BehindWriter&) = delete;
  BehindWriter& operator=(const BehindWriter&) = delete;
  // What was not flushed may be lost.
  ~BehindWriter();

  // An error may be that of an earlier write; there is no use in going on after one.
  Status write(std::string_view bytes);
  // Whatever was given is in the file now.
  Status flush();

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  using Block = std::unique_ptr<std::byte, Free>;

  Status hand_over();
  Status wait_for_thread();
  void serve();
  Status write_block(std::string_view bytes);

  AtomicFile& file_;
  Block filling_;  // the maker's
  std::size_t filled_ = 0;
  bool cached_ = false;  // the file is beyond what can go past the page cache; the thread's while it has a block

  std::mutex mutex_;
  std::condition_variable changed_;
  Block writing_;  // the thread's while `has_work_`
  bool has_work_ = false;
  bool ending_ = false;
  Status status_;  // of the thread's writes
  std::thread thread_;
};

}  // namespace assay::base
