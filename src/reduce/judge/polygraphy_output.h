// Reads what `polygraphy run` reports of a comparison. It fails outputs that hold NaN or the same infinity on both
// sides, like the mask of an attention, with the same words as outputs in which numbers differ.
#pragma once

#include <string_view>

namespace assay::reduce {

// Returns whether outputs failed, and in each of them the error is NaN while the means of all runners are the same NaN
// or infinity. Such an output may also hold numbers that differ: Polygraphy doesn't say. Returns false for the output
// of any other program, and for one without the means (with -q).
bool fails_only_by_specials_in_polygraphy(std::string_view output);

}  // namespace assay::reduce
