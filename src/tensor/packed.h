// Elements of less than 8 bits, as ONNX packs them (onnx.proto, TensorProto.raw_data): one stream of bits, the first
// element in the lowest bits of the first byte, nothing between elements (so 4 elements of 6 bits take 3 bytes, and
// some of them lie in two), zeros after the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay::tensor {

// The code of element `index`, in the low `bits` (1 to 8) of the result.
std::uint8_t load_packed(std::span<const std::byte> packed, std::uint64_t index, std::size_t bits);

// One code a byte to packed codes; bits above `bits` are ignored. And back, `count` codes.
std::vector<std::byte> pack(std::span<const std::byte> codes, std::size_t bits);
std::vector<std::byte> unpack(std::span<const std::byte> packed, std::uint64_t count, std::size_t bits);

}  // namespace assay::tensor
