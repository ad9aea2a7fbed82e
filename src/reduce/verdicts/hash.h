// Incremental 128-bit XXH3 hash that identifies candidates and files. Accidental collisions are practically impossible;
// it doesn't protect against deliberate ones.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace assay::reduce {

class Hash {
 public:
  Hash();
  Hash(Hash&&) noexcept;
  Hash& operator=(Hash&&) noexcept;
  ~Hash();

  // Appends bytes. Boundaries between calls don't count: "ab" then "c" hashes like "a" then "bc".
  void add(std::string_view bytes);
  // Returns 32 hexadecimal digits.
  [[nodiscard]] std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Returns the hash of `bytes` as 32 hexadecimal digits.
std::string hash_of(std::string_view bytes);

}  // namespace assay::reduce
