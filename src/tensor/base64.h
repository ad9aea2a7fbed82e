// Base64 (RFC 4648, standard alphabet, padded), fast enough for gigabytes of arrays inside JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "tensor/byte_sink.h"
#include "tensor/tensor.h"

namespace assay::tensor {

std::string encode_base64(std::span<const std::byte> bytes);

// `passed`, unless empty, is called from time to time with the number of characters that were decoded. Errors:
// invalid_input for wrong padding and for a character outside the alphabet; line breaks aren't allowed either.
base::Expected<Buffer> decode_base64(std::string_view text, const std::function<void(std::size_t)>& passed = {});

// Encodes a stream of pieces of any length. finish() writes the last characters and must be called once, at the end.
class Base64Encoder {
 public:
  explicit Base64Encoder(ByteSink sink) : sink_(std::move(sink)) {}
  base::Status write(std::string_view bytes);
  base::Status finish();

 private:
  ByteSink sink_;
  std::string rest_;  // up to 2 bytes that don't fill a group of 3 yet
  std::string text_;  // the encoded piece; kept to reuse its memory
};

}  // namespace assay::tensor
