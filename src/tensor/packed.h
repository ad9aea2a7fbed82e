// Packs and unpacks elements of less than 8 bits as ONNX does (onnx.proto, TensorProto.raw_data): one stream of bits,
// with the first element in the lowest bits of the first byte, no gaps between elements (4 elements of 6 bits take 3
// bytes, and some of them span two), and zeros after the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay::tensor {

// Returns the code of element `index` in the low `bits` (1 to 8) of the result.
std::uint8_t load_packed(std::span<const std::byte> packed, std::uint64_t index, std::size_t bits);

// Pack codes of one byte each, ignoring the bits above `bits`, and unpack `count` codes.
std::vector<std::byte> pack(std::span<const std::byte> codes, std::size_t bits);
std::vector<std::byte> unpack(std::span<const std::byte> packed, std::uint64_t count, std::size_t bits);

}  // namespace assay::tensor
