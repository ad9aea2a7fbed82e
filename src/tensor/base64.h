// Base64 (RFC 4648, the standard alphabet, padded), for arrays of gigabytes inside JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "tensor/byte_sink.h"
#include "tensor/tensor.h"

namespace assay::tensor {

std::string encode_base64(std::span<const std::byte> bytes);

// Errors: invalid_input for a character outside the alphabet (line breaks included) and for wrong padding.
base::Expected<Buffer> decode_base64(std::string_view text);

// Encodes pieces of any length as one text. finish() writes what is left, and must be called once at the end.
class Base64Encoder {
 public:
  explicit Base64Encoder(ByteSink sink) : sink_(std::move(sink)) {}
  base::Status write(std::string_view bytes);
  base::Status finish();

 private:
  ByteSink sink_;
  std::string rest_;  // at most 2 bytes that wait for a third
  std::string text_;  // of one piece
};

}  // namespace assay::tensor
