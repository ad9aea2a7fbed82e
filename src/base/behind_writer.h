// Writes a large file in the background: write() collects bytes in large blocks, and a thread writes the full ones
// while the caller produces the next bytes.
//
// Blocks bypass the page cache (O_DIRECT) if the file system supports that. The file is synced at the end anyway, so
// caching it would only allocate pages, which costs more than copying into them and evicts the pages of other programs.
// A file smaller than one block is written through the cache as usual.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

#include "base/atomic_file.h"
#include "base/error.h"

namespace assay::base {

class BehindWriter {
 public:
  static constexpr std::size_t kBlock = std::size_t{4} << 20;  // bytes; the writer holds up to two blocks

  // `file` must outlive the writer. Between a write() and the next flush(), only the writer may use it.
  explicit BehindWriter(AtomicFile& file) : file_(file) {}
  BehindWriter(const BehindWriter&) = delete;
  BehindWriter& operator=(const BehindWriter&) = delete;
  // Bytes that weren't flushed may be lost.
  ~BehindWriter();

  // Appends bytes. An error may come from an earlier write; the file is incomplete after any error.
  Status write(std::string_view bytes);
  // Waits until all bytes given so far are in the file.
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
  Block filling_;  // used by the caller's thread only
  std::size_t filled_ = 0;
  bool cached_ = false;  // stop bypassing the page cache; the thread owns this flag while it has a block

  std::mutex mutex_;
  std::condition_variable changed_;
  Block writing_;  // owned by the thread while has_work_ is set
  bool has_work_ = false;
  bool ending_ = false;
  Status status_;  // of the thread's latest write
  std::thread thread_;
};

}  // namespace assay::base
