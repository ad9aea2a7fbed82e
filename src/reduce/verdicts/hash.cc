#include "reduce/verdicts/hash.h"

#include <fmt/format.h>

// Inlining all of xxHash lets its state be a plain member.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace assay::reduce {

struct Hash::State {
  XXH3_state_t xxh;
};

Hash::Hash() : state_(std::make_unique<State>()) {
  XXH3_128bits_reset(&state_->xxh);
}
Hash::Hash(Hash&&) noexcept = default;
Hash& Hash::operator=(Hash&&) noexcept = default;
Hash::~Hash() = default;

void Hash::add(std::string_view bytes) {
  XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size());
}

std::string Hash::hex() const {
  const XXH128_hash_t digest = XXH3_128bits_digest(&state_->xxh);
  return fmt::format("{:016x}{:016x}", digest.high64, digest.low64);
}

std::string hash_of(std::string_view bytes) {
  Hash hash;
  hash.add(bytes);
  return hash.hex();
}

}  // namespace assay::reduce
