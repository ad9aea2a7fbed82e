// Encoding and decoding use tables on groups of 3 bytes and 4 characters, without branches on the data. Encoding uses
// vector instructions (base64_kernel.h) and looks up 12 bits at a time for the rest. Decoding ORs the values of all
// characters; an invalid character's value has a bit that no valid one has, so one test at the end finds any error.
#include "tensor/base64.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "tensor/base64_kernel.h"

namespace assay::tensor {
namespace {

using base::ErrorKind;
using base::fail;

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint32_t kInvalid = 1U << 24;
constexpr std::size_t kPassed = std::size_t{4} << 20;  // characters decoded between calls of `passed`; a multiple of 4
constexpr std::size_t kPiece = std::size_t{3} << 14;   // maximum of bytes encoded per call of a sink

constexpr auto kPairs = [] {
  std::array<char, 2 * 4096> pairs{};
  for (std::size_t i = 0; i < 4096; ++i) {
    pairs[2 * i] = kAlphabet[i / 64];
    pairs[2 * i + 1] = kAlphabet[i % 64];
  }
  return pairs;
}();

constexpr auto kValues = [] {
  std::array<std::uint32_t, 256> values{};
  values.fill(kInvalid);
  for (std::uint32_t i = 0; i < 64; ++i) values[static_cast<unsigned char>(kAlphabet[i])] = i;
  return values;
}();

std::uint32_t value(char c) {
  return kValues[static_cast<unsigned char>(c)];
}

// `out` must have room for 4 characters per 3 bytes, rounded up.
void encode(std::span<const std::byte> in, char* out) {
  const auto at = [&](std::size_t i) { return std::to_integer<std::uint32_t>(in[i]); };
  std::size_t i = encode_base64_groups(in.data(), in.size(), out);
  out += i / 3 * 4;
  for (; i + 3 <= in.size(); i += 3, out += 4) {
    const std::uint32_t group = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
    std::memcpy(out, &kPairs[2 * (group >> 12)], 2);
    std::memcpy(out + 2, &kPairs[2 * (group & 0xFFF)], 2);
  }
  if (i == in.size()) return;
  const bool two = i + 2 == in.size();
  const std::uint32_t group = at(i) << 16 | (two ? at(i + 1) << 8 : 0);
  std::memcpy(out, &kPairs[2 * (group >> 12)], 2);
  out[2] = two ? kPairs[2 * (group & 0xFFF)] : '=';
  out[3] = '=';
}

std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

}  // namespace

std::string encode_base64(std::span<const std::byte> bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '\0');
  encode(bytes, text.data());
  return text;
}

base::Expected<Buffer> decode_base64(std::string_view text, const std::function<void(std::size_t)>& passed) {
  if (text.size() % 4 != 0) {
    return fail(ErrorKind::invalid_input, "the length of the base64 text is not a multiple of 4", {},
                "The file may be truncated: copy or create it again");
  }
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  const std::size_t size = text.size() / 4 * 3 - padding;
  const auto bytes = std::make_shared_for_overwrite<std::byte[]>(size);
  std::byte* out = bytes.get();
  std::uint32_t seen = 0;
  const std::size_t whole = text.size() - (padding > 0 ? 4 : 0);
  for (std::size_t begin = 0; begin < whole; begin += kPassed) {
    const std::size_t end = std::min(begin + kPassed, whole);
    for (std::size_t i = begin; i < end; i += 4, out += 3) {
      const std::uint32_t group =
          value(text[i]) << 18 | value(text[i + 1]) << 12 | value(text[i + 2]) << 6 | value(text[i + 3]);
      seen |= value(text[i]) | value(text[i + 1]) | value(text[i + 2]) | value(text[i + 3]);
      out[0] = static_cast<std::byte>(group >> 16);
      out[1] = static_cast<std::byte>(group >> 8);
      out[2] = static_cast<std::byte>(group);
    }
    if (passed) passed(end);
  }
  if (padding > 0) {
    const std::uint32_t third = padding == 1 ? value(text[whole + 2]) : 0;
    seen |= value(text[whole]) | value(text[whole + 1]) | third;
    const std::uint32_t group = value(text[whole]) << 18 | value(text[whole + 1]) << 12 | third << 6;
    out[0] = static_cast<std::byte>(group >> 16);
    if (padding == 1) out[1] = static_cast<std::byte>(group >> 8);
  }
  if ((seen & kInvalid) != 0) {
    const auto bad = std::ranges::find_if(text, [](char c) { return value(c) == kInvalid; });
    return fail(ErrorKind::invalid_input,
                "the base64 text has an invalid character at position " + std::to_string(bad - text.begin()));
  }
  return Buffer({bytes.get(), size}, bytes);
}

base::Status Base64Encoder::write(std::string_view bytes) {
  if (!rest_.empty()) {
    const std::string_view head = bytes.substr(0, 3 - rest_.size());
    rest_ += head;
    bytes.remove_prefix(head.size());
    if (rest_.size() < 3) return {};
    ASSAY_TRY(sink_(encode_base64(as_bytes(rest_))));
    rest_.clear();
  }
  while (bytes.size() >= 3) {
    const std::string_view piece = bytes.substr(0, std::min(kPiece, bytes.size() / 3 * 3));
    text_.resize(piece.size() / 3 * 4);
    encode(as_bytes(piece), text_.data());
    ASSAY_TRY(sink_(text_));
    bytes.remove_prefix(piece.size());
  }
  rest_ = bytes;
  return {};
}

base::Status Base64Encoder::finish() {
  const std::string rest = std::exchange(rest_, {});
  return rest.empty() ? base::Status{} : sink_(encode_base64(as_bytes(rest)));
}

}  // namespace assay::tensor
