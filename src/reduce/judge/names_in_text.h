// What in the output of a check could be the name of a node or a tensor. An error message often names the culprit, so
// it is tried first.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::reduce {

// Candidates for names, each once, the likeliest first: those in lines that tell of an error, then other lines, then
// notes and warnings; in a line in order of appearance. Quoted texts are taken whole; all else is split at blanks and
// brackets, and then, as well, at colons and equal signs ("conv1:0:" gives "conv1:0" and "conv1"). Most of them are
// plain words; look each up in the model. At most `limit`, of at most 512 bytes each.
std::vector<std::string> names_in_text(std::string_view output, std::size_t limit = 1024);

}  // namespace assay::reduce
