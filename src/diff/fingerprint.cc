#include "diff/fingerprint.h"

// Inlining all of xxHash lets its state be a plain member.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace assay::diff {

struct Fingerprinter::State {
  XXH3_state_t xxh;
};

Fingerprinter::Fingerprinter() : state_(std::make_unique<State>()) {
  XXH3_128bits_reset(&state_->xxh);
}
Fingerprinter::~Fingerprinter() = default;

void Fingerprinter::add_bytes(std::span<const std::byte> bytes) {
  XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size());
}

void Fingerprinter::add(std::string_view text) {
  add(static_cast<std::int64_t>(text.size()));
  add_bytes(std::as_bytes(std::span(text)));
}

void Fingerprinter::add(std::int64_t number) {
  add_bytes(std::as_bytes(std::span(&number, 1)));
}

void Fingerprinter::add(const Fingerprint& print) {
  const std::array<std::uint64_t, 2> words = {print.high, print.low};
  add_bytes(std::as_bytes(std::span(words)));
}

Fingerprint Fingerprinter::result() const {
  const XXH128_hash_t digest = XXH3_128bits_digest(&state_->xxh);
  return {digest.high64, digest.low64};
}

}  // namespace assay::diff
