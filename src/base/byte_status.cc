#include "base/byte_status.h"

#include <fmt/format.h>

#include <utility>

#include "base/strings.h"

namespace assay::base {
namespace {

constexpr std::chrono::milliseconds kInterval{100};

}  // namespace

ByteStatus::ByteStatus(Log& log, std::string what, std::uint64_t all, std::uint64_t least)
    : log_(log), what_(std::move(what)), all_(all), shown_(all >= least && log.shows_status()) {}

ByteStatus::~ByteStatus() {
  if (shown_) log_.show_status("");
}

void ByteStatus::add(std::uint64_t bytes) {
  done_ += bytes;
  if (!shown_ || (Clock::now() < next_ && done_ < all_)) return;
  log_.show_status(fmt::format("{}: {} of {}", what_, format_bytes(done_), format_bytes(all_)));
  next_ = Clock::now() + kInterval;
}

}  // namespace assay::base
