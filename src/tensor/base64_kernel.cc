// The algorithm of W. Mula, D. Lemire: Faster Base64 Encoding and Decoding Using AVX2 Instructions (2018), section 3,
// with 128-bit vectors: a shuffle moves bytes to where their bits are needed, multiplications shift the bits of each
// 16-bit word by different amounts, and a table of 16 entries holds what to add to a value to get its character.
#include "tensor/base64_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tensor/base64_kernel.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace assay::tensor {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
std::size_t encode_groups(const std::byte*, std::size_t, char*) {
  return 0;
}
#else
HWY_ATTR std::size_t encode_groups(const std::byte* in, std::size_t size, char* out) {
  const hn::FixedTag<std::uint8_t, 16> d8;
  const hn::FixedTag<std::uint16_t, 8> d16;
  const hn::FixedTag<std::uint32_t, 4> d32;
  alignas(16) static constexpr std::uint8_t kSpread[16] = {1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10};
  // By kind of value: a-z, each of the ten digits, '+', '/', A-Z.
  alignas(16) static constexpr std::uint8_t kOffsets[16] = {'a' - 26,
                                                            static_cast<std::uint8_t>('0' - 52),
                                                            static_cast<std::uint8_t>('0' - 52),
                                                            static_cast<std::uint8_t>('0' - 52),
                                                            static_cast<std::uint8_t>('0' - 52),
                                                            static_cast<std::uint8_t>('0' - 52),
                                                            static_cast<std::uint8_t>('0' - 52),
                                                            static_cast<std::uint8_t>('0' - 52),
                                                            static_cast<std::uint8_t>('0' - 52),
                                                            static_cast<std::uint8_t>('0' - 52),
                                                            static_cast<std::uint8_t>('0' - 52),
                                                            static_cast<std::uint8_t>('+' - 62),
                                                            static_cast<std::uint8_t>('/' - 63),
                                                            'A',
                                                            0,
                                                            0};
  const auto spread = hn::Load(d8, kSpread);
  const auto offsets = hn::Load(d8, kOffsets);
  const auto high_bits = hn::BitCast(d8, hn::Set(d32, 0x0fc0fc00U));
  const auto high_shifts = hn::BitCast(d16, hn::Set(d32, 0x04000040U));
  const auto low_bits = hn::BitCast(d8, hn::Set(d32, 0x003f03f0U));
  const auto low_shifts = hn::BitCast(d16, hn::Set(d32, 0x01000010U));
  std::size_t at = 0;
  for (; size - at >= 16; at += 12, out += 16) {
    const auto bytes = hn::TableLookupBytes(hn::LoadU(d8, reinterpret_cast<const std::uint8_t*>(in + at)), spread);
    const auto high = hn::MulHigh(hn::BitCast(d16, hn::And(bytes, high_bits)), high_shifts);
    const auto low = hn::Mul(hn::BitCast(d16, hn::And(bytes, low_bits)), low_shifts);
    const auto values = hn::BitCast(d8, hn::Or(high, low));
    const auto is_upper = hn::Lt(values, hn::Set(d8, 26));
    const auto kinds = hn::Or(hn::SaturatedSub(values, hn::Set(d8, 51)), hn::IfThenElseZero(is_upper, hn::Set(d8, 13)));
    const auto text = hn::Add(values, hn::TableLookupBytes(offsets, kinds));
    hn::StoreU(text, d8, reinterpret_cast<std::uint8_t*>(out));
  }
  return at;
}
#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace assay::tensor
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
// When a program starts, Highway's shared library (1.0.3) measures its clock's resolution with this function, for
// benchmarks that Assay doesn't run. That takes milliseconds, a third of the time of a short command. A program's own
// definition takes precedence over the library's, so this one replaces the measurement.
namespace hwy::platform {

std::uint64_t TimerResolution();
std::uint64_t TimerResolution() {
  return 1;
}

}  // namespace hwy::platform

namespace assay::tensor {
namespace {

HWY_EXPORT(encode_groups);

}  // namespace

std::size_t encode_base64_groups(const std::byte* in, std::size_t size, char* out) {
  return size < 16 ? 0 : HWY_DYNAMIC_DISPATCH(encode_groups)(in, size, out);
}

}  // namespace assay::tensor
#endif
