// No element has more than 8 bits, so each lies in two neighbouring bytes at most: a window of 16 bits, shifted and
// masked, holds any element.
#include "tensor/packed.h"

namespace assay::tensor {

std::uint8_t load_packed(std::span<const std::byte> packed, std::uint64_t index, std::size_t bits) {
  const std::uint64_t bit = index * bits;
  const std::uint64_t byte = bit / 8;
  unsigned window = std::to_integer<unsigned>(packed[byte]);
  if (byte + 1 < packed.size()) window |= std::to_integer<unsigned>(packed[byte + 1]) << 8;
  return static_cast<std::uint8_t>((window >> (bit % 8)) & ((1U << bits) - 1));
}

std::vector<std::byte> pack(std::span<const std::byte> codes, std::size_t bits) {
  std::vector<std::byte> packed;
  packed.reserve((codes.size() * bits + 7) / 8);
  const unsigned mask = (1U << bits) - 1;
  unsigned window = 0;
  std::size_t filled = 0;
  for (const std::byte code : codes) {
    window |= (std::to_integer<unsigned>(code) & mask) << filled;
    filled += bits;
    if (filled >= 8) {
      packed.push_back(static_cast<std::byte>(window & 0xFF));
      window >>= 8;
      filled -= 8;
    }
  }
  if (filled > 0) packed.push_back(static_cast<std::byte>(window));
  return packed;
}

std::vector<std::byte> unpack(std::span<const std::byte> packed, std::uint64_t count, std::size_t bits) {
  std::vector<std::byte> codes(count);
  for (std::uint64_t index = 0; index < count; ++index) codes[index] = std::byte{load_packed(packed, index, bits)};
  return codes;
}

}  // namespace assay::tensor
