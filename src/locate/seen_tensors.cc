#include "locate/seen_tensors.h"

#include <algorithm>
#include <utility>

#include "tensor/float16_values.h"

namespace assay::locate {

std::vector<Reading> AnswerReader::read(const Answers& answers, SeenByName& seen, const WatchValues& watch) const {
  std::map<CellId, Reading> readings;
  for (const auto& [name, value] : answers.first) {
    const auto cell = skeleton_.cell_of.find(name);
    const tensor::Tensor* other = answers.second.find(name);
    if (cell == skeleton_.cell_of.end() || other == nullptr) continue;
    const bool is_output = std::ranges::find(skeleton_.outputs, name) != skeleton_.outputs.end();
    const bool is_limited = limits_inner_ && !is_output;
    Divergence divergence = judge(name, value, is_limited ? tensor::limit_to_float16(*other) : *other, plan_);
    Reading& reading = readings.try_emplace(cell->second, Reading{.cell = cell->second}).first->second;
    reading.differs |= divergence.differs;
    reading.size = std::max(reading.size, divergence.size);
    if (watch) watch({name, value, *other, divergence.size});
    seen[name] = {std::move(divergence), value.describe()};
  }
  std::vector<Reading> list;
  for (const auto& [cell, reading] : readings) list.push_back(reading);
  return list;
}

}  // namespace assay::locate
