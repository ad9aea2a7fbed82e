// What candidates and files are known by: 128 bits of XXH3, wide enough that two of them never meet by chance.
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

  // The parts run together: "ab" and "c" are "a" and "bc".
  void add(std::string_view bytes);
  // 32 hexadecimal digits.
  [[nodiscard]] std::string hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string hash_of(std::string_view bytes);

}  // namespace assay::reduce
