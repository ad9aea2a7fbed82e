// Two blocks and one thread: the caller fills one block while the thread writes the other, so the caller waits only if
// the disk is slower than it. The thread starts with the first full block, so small files cost no thread.
//
// O_DIRECT needs memory, file positions and lengths to be multiples of kAlignment, so only full blocks at aligned
// positions bypass the page cache. After the first block that can't, all later ones go through the cache as well.
#include "base/behind_writer.h"

#include <fcntl.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

namespace assay::base {
namespace {

constexpr std::size_t kAlignment = 4096;  // for O_DIRECT; on disks that need more, AtomicFile::write() falls back

}  // namespace

void BehindWriter::Free::operator()(std::byte* memory) const {
  std::free(memory);
}

BehindWriter::~BehindWriter() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

Status BehindWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    if (!filling_) filling_.reset(static_cast<std::byte*>(std::aligned_alloc(kAlignment, kBlock)));
    if (!filling_) return fail(system_error("cannot write", {}, ENOMEM));
    const std::size_t count = std::min(bytes.size(), kBlock - filled_);
    std::memcpy(filling_.get() + filled_, bytes.data(), count);
    filled_ += count;
    bytes.remove_prefix(count);
    if (filled_ == kBlock) ASSAY_TRY(hand_over());
  }
  return {};
}

// Passes the full block to the thread once it has written the previous one.
Status BehindWriter::hand_over() {
  ASSAY_TRY(wait_for_thread());
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([this] { serve(); });
    } catch (const std::system_error&) {  // no thread available: write the block here
      return write_block({reinterpret_cast<const char*>(filling_.get()), std::exchange(filled_, 0)});
    }
  }
  {
    const std::lock_guard lock(mutex_);
    std::swap(filling_, writing_);
    has_work_ = true;
  }
  changed_.notify_all();
  filled_ = 0;
  return {};
}

Status BehindWriter::wait_for_thread() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !has_work_; });
  return status_;
}

Status BehindWriter::flush() {
  ASSAY_TRY(wait_for_thread());
  return write_block({reinterpret_cast<const char*>(filling_.get()), std::exchange(filled_, 0)});
}

void BehindWriter::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return has_work_ || ending_; });
    if (!has_work_) return;
    lock.unlock();
    Status written = write_block({reinterpret_cast<const char*>(writing_.get()), kBlock});
    lock.lock();
    status_ = std::move(written);
    has_work_ = false;
    changed_.notify_all();
  }
}

Status BehindWriter::write_block(std::string_view bytes) {
  if (bytes.empty()) return {};
  const bool aligned = bytes.size() == kBlock && file_.position() % kAlignment == 0;
  if (!cached_ && aligned && file_.bypass_cache(true)) {
    Status written = file_.write(bytes);
    file_.bypass_cache(false);
    return written;
  }
  cached_ = true;
  ASSAY_TRY(file_.write(bytes));
  if (bytes.size() == kBlock) file_.begin_sync();
  return {};
}

}  // namespace assay::base
