// randint draws as many random bits as the range needs, and repeats while the number is outside the range. How it takes
// bits from the stream depends on the type: whole 32-bit words for 32 and 64 bits, halves or quarters of a word for 16
// and 8 bits, single bits for bool. The rest of a word is discarded at the end of a call. A range of one number draws
// nothing. All of this must match NumPy, or the numbers that follow differ.
#include "tensor/random_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "tensor/packed.h"

namespace assay::tensor {
namespace {

using base::ErrorKind;
using base::fail;

constexpr std::size_t kN = 624;
constexpr std::size_t kM = 397;

std::uint64_t mask_for(std::uint64_t range) {
  return range == 0 ? 0 : ~std::uint64_t{0} >> std::countl_zero(range);
}

std::string to_text(__int128 value) {
  const bool negative = value < 0;
  const auto magnitude = static_cast<unsigned __int128>(negative ? -value : value);
  const auto high = static_cast<std::uint64_t>(magnitude / 1'000'000'000'000'000'000U);
  const auto low = static_cast<std::uint64_t>(magnitude % 1'000'000'000'000'000'000U);
  return (negative ? "-" : "") + (high > 0 ? fmt::format("{}{:018}", high, low) : fmt::format("{}", low));
}

// Splits 32-bit words into parts of `Bits` bits, starting with the lowest.
template <std::size_t Bits>
class WordParts {
 public:
  template <class Next>
  std::uint64_t take(Next&& next) {
    if (left_ == 0) {
      word_ = next();
      left_ = 32 / Bits;
    } else {
      word_ >>= Bits;
    }
    --left_;
    return word_ & ((std::uint64_t{1} << Bits) - 1);
  }

 private:
  std::uint32_t word_ = 0;
  std::size_t left_ = 0;
};

}  // namespace

RandomState::RandomState(std::uint32_t seed) : state_() {
  state_[0] = seed;
  for (std::uint32_t i = 1; i < kN; ++i) state_[i] = 1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
}

void RandomState::twist() {
  for (std::size_t i = 0; i < kN; ++i) {
    const std::uint32_t y = (state_[i] & 0x80000000U) | (state_[(i + 1) % kN] & 0x7FFFFFFFU);
    state_[i] = state_[(i + kM) % kN] ^ (y >> 1) ^ ((y & 1U) != 0 ? 0x9908B0DFU : 0U);
  }
  at_ = 0;
}

std::uint32_t RandomState::next32() {
  if (at_ == kN) twist();
  std::uint32_t y = state_[at_++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9D2C5680U;
  y ^= (y << 15) & 0xEFC60000U;
  return y ^ (y >> 18);
}

std::uint64_t RandomState::next64() {
  const std::uint64_t high = next32();
  return high << 32 | next32();
}

double RandomState::random_sample() {
  const std::uint32_t a = next32() >> 5;
  const std::uint32_t b = next32() >> 6;
  return (a * 67108864.0 + b) / 9007199254740992.0;
}

std::uint64_t RandomState::below_or_equal(std::uint64_t range) {
  if (range == 0) return 0;
  const std::uint64_t mask = mask_for(range);
  const bool narrow = range <= std::numeric_limits<std::uint32_t>::max();
  while (true) {
    const std::uint64_t value = (narrow ? next32() : next64()) & mask;
    if (value <= range) return value;
  }
}

base::Expected<Tensor> RandomState::randint(ElementType type, Shape shape, __int128 low, __int128 high) {
  const ElementTypeInfo& row = info(type);
  const auto count = element_count(shape);
  const auto size = count ? byte_size(type, *count) : std::nullopt;
  if (!size || row.kind == ElementKind::floating || row.kind == ElementKind::complex) {
    return fail(ErrorKind::unsupported,
                fmt::format("cannot draw random {} values of shape {}", row.name, format_shape(shape)));
  }
  const bool is_signed = row.kind == ElementKind::signed_integer;
  const std::size_t bits = row.kind == ElementKind::boolean ? 1 : row.bits;
  const __int128 least = is_signed ? -(__int128{1} << (bits - 1)) : 0;
  const __int128 most = (__int128{1} << (is_signed ? bits - 1 : bits)) - 1;
  if (low > high || low < least || high > most) {
    return fail(ErrorKind::invalid_input,
                fmt::format("cannot draw {} values between {} and {}", row.name, to_text(low), to_text(high)), {},
                fmt::format("Give a range inside [{}, {}], the lower end first", to_text(least), to_text(most)));
  }
  const auto range = static_cast<std::uint64_t>(high - low);
  const std::uint64_t mask = mask_for(range);
  const auto offset = static_cast<std::uint64_t>(low);
  const std::size_t item = std::max<std::size_t>(1, row.bits / 8);
  const auto next = [this] { return next32(); };
  WordParts<1> single_bits;
  WordParts<8> quarters;
  WordParts<16> halves;
  const auto draw = [&]() -> std::uint64_t {
    if (range == 0) return 0;
    if (bits >= 32) return below_or_equal(range);
    while (true) {
      const std::uint64_t part = bits == 1   ? single_bits.take(next)
                                 : bits == 8 ? quarters.take(next)
                                             : halves.take(next);
      if ((part & mask) <= range) return part & mask;
    }
  };
  std::vector<std::byte> data(static_cast<std::size_t>(*count) * item);
  for (std::size_t at = 0; at < data.size(); at += item) {
    const std::uint64_t value = offset + draw();
    std::memcpy(&data[at], &value, item);
  }
  if (row.bits < 8) data = pack(data, row.bits);
  return Tensor::make(type, std::move(shape), Buffer::own(std::move(data)));
}

}  // namespace assay::tensor
