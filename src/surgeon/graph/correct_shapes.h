// Corrects declared shapes that are false. Engines ignore them, but folding constants computes with them.
#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace assay::surgeon {

struct CorrectedShape {
  std::string tensor;  // empty: shapes in bodies
  std::string fault;   // "The tensor 'y' is declared with the shape (2, 3), but the node computes (3, 2)"
};

// Finds the tensors of the graph that are declared with another shape than inference finds from the inputs alone, and
// declares them with the inferred one. Shapes that are declared inside bodies are removed if one of them, or one around
// them, is false. Returns what was corrected.
std::vector<CorrectedShape> correct_shapes(model::Model& model);

// Returns the first few of the faults as one text.
std::string list_faults(const std::vector<CorrectedShape>& corrected);

}  // namespace assay::surgeon
