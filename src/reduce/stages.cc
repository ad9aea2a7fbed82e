#include "reduce/stages.h"

#include <array>

namespace assay::reduce {
namespace {

constexpr std::array kMinimal = {
    StageRow{"original", search_original},
    StageRow{"open bodies", open_bodies},
    StageRow{"search bodies", search_bodies},
    StageRow{"simplify", simplify},
    StageRow{"confirm", confirm},
};
constexpr std::array kEnds = {StageRow{"ends", move_ends}};

}  // namespace

std::span<const StageRow> stages_of(Mode mode) {
  if (mode == Mode::minimal) return kMinimal;
  return kEnds;
}

}  // namespace assay::reduce
