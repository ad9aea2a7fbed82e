// Numbers and elements of tensors as JSON values. NaN and infinities, which JSON lacks, are the strings "nan", "inf"
// and "-inf"; complex numbers are pairs.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "tensor/json_writer.h"
#include "tensor/tensor.h"

namespace assay::inspect {

nlohmann::ordered_json number_json(double value);
// Returns the double with the float's own shortest digits: 0.1, not 0.10000000149011612.
nlohmann::ordered_json number_json(float value);

// `index` is in row-major order.
nlohmann::ordered_json element_json(const tensor::Tensor& tensor, std::uint64_t index);

// Writes a value into a document that is streamed.
void write_json(tensor::JsonWriter& json, const nlohmann::ordered_json& value);

}  // namespace assay::inspect
