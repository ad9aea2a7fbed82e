// Finds possible names of nodes and tensors in the output of a check. An error message often names the culprit, so the
// search tries it first.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::reduce {

// Returns possible names without repetition, the likeliest first: those in lines that report errors, then in other
// lines, then in notes and warnings, each in order of appearance. Quoted texts are taken whole; everything else is
// split at blanks and brackets and, in addition, at colons and equal signs ("conv1:0:" gives "conv1:0" and "conv1").
// Most of them are plain words, so look each up in the model. Returns at most `limit` names of at most 512 bytes each.
std::vector<std::string> names_in_text(std::string_view output, std::size_t limit = 1024);

}  // namespace assay::reduce
