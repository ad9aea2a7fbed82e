#include "backend/onnxruntime/memory.h"

#include <system_error>

#include "base/free_memory.h"

namespace assay::backend {
namespace {

// At most 1/kShareOfMemory of the available memory is allocated. Larger outputs are left to the engine, whose request
// fails at once if they don't fit; allocating their pages here would first use up the memory.
constexpr std::uint64_t kShareOfMemory = 2;

}  // namespace

OutputMemory::OutputMemory(std::uint64_t size) {
  if (size < kWorthIt || size > base::free_memory().value_or(0) / kShareOfMemory) return;
  auto region = worker::SharedRegion::create(size);
  if (!region) return;
  region_ = *std::move(region);
  begin();
}

void OutputMemory::begin() {
  try {
    pages_ = std::jthread([region = region_](const std::stop_token& stop) { region->take_pages(stop); });
  } catch (const std::system_error&) {  // no thread available: pages are allocated on first touch
  }
}

bool OutputMemory::cut(std::uint64_t size) {
  if (region_ == nullptr || size > region_->bytes().size()) return false;
  stop();
  region_->shrink(size);
  begin();
  return true;
}

}  // namespace assay::backend
