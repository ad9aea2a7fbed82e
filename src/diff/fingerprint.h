// 128-bit XXH3 fingerprints, by which nodes and weights are matched. Accidental collisions are practically impossible.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace assay::diff {

struct Fingerprint {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
};

// Takes the fingerprint of a sequence of values. Boundaries between the calls of add_bytes() don't count; all other
// values have a fixed size or are preceded by their size.
class Fingerprinter {
 public:
  Fingerprinter();
  Fingerprinter(const Fingerprinter&) = delete;
  Fingerprinter& operator=(const Fingerprinter&) = delete;
  ~Fingerprinter();

  void add_bytes(std::span<const std::byte> bytes);
  void add(std::string_view text);
  void add(std::int64_t number);
  void add(const Fingerprint& print);
  [[nodiscard]] Fingerprint result() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay::diff
