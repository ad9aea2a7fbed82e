#include "reduce/stages.h"

#include <array>

namespace assay::reduce {
namespace {

constexpr std::array<Stage, 5> kMinimal = {search_original, open_bodies, search_bodies, simplify, confirm};
constexpr std::array<Stage, 1> kEnds = {move_ends};

}  // namespace

std::span<const Stage> stages_of(Mode mode) {
  if (mode == Mode::minimal) return kMinimal;
  return kEnds;
}

}  // namespace assay::reduce
