#include "inspect/compare_data.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "data/saved_data.h"
#include "stats/equal_specials.h"

namespace assay::inspect {
namespace {

using data::IterationArrays;
using data::SavedData;
using tensor::Tensor;

// One iteration of one runner, in one of the files; it may not exist.
struct Side {
  SavedData& data;
  std::size_t runner = 0;
  std::size_t iteration = 0;

  [[nodiscard]] bool exists() const { return runner < data.runner_count() && iteration < data.iteration_count(runner); }
  [[nodiscard]] base::Expected<IterationArrays> arrays() const {
    if (!exists()) return IterationArrays();
    return data.arrays(runner, iteration);
  }
  [[nodiscard]] std::string runner_name() const {
    return runner < data.runner_count() ? std::string(data.runner_name(runner)) : std::string();
  }
};

void read(const IterationArrays& arrays, ArrayPair& pair, std::optional<Tensor>& to) {
  if (!arrays.contains(pair.name)) return;
  auto array = arrays.read(pair.name);
  if (array) {
    to = *std::move(array);
  } else {
    pair.problem = array.error().message();
  }
}

void measure(ArrayPair& pair) {
  if (!pair.first || !pair.second || pair.first->shape() != pair.second->shape()) return;
  stats::MeasureOptions exactly;
  exactly.absolute_tolerance = exactly.relative_tolerance = 0;
  exactly.equal = stats::EqualSpecials::both();
  if (auto difference = stats::measure(*pair.first, *pair.second, exactly)) pair.difference = *difference;
}

std::size_t most_iterations(const SavedData& data, std::size_t runner) {
  return runner < data.runner_count() ? data.iteration_count(runner) : 0;
}

class Comparison {
 public:
  explicit Comparison(const std::function<void(const ArrayPair&)>& visit) : visit_(visit) {}

  base::Status iteration(const Side& first, const Side& second) {
    ASSAY_ASSIGN(const IterationArrays first_arrays, first.arrays());
    ASSAY_ASSIGN(const IterationArrays second_arrays, second.arrays());
    std::vector<std::string> names = first_arrays.names();
    std::ranges::copy_if(second_arrays.names(), std::back_inserter(names),
                         [&](const std::string& name) { return !first_arrays.contains(name); });
    for (const std::string& name : names) {
      ArrayPair pair{first.runner_name(), second.runner_name(), first.iteration, name, {}, {}, {}, {}};
      read(first_arrays, pair, pair.first);
      read(second_arrays, pair, pair.second);
      measure(pair);
      ++result_.pairs;
      if (!pair.equal()) ++result_.different;
      visit_(pair);
    }
    return {};
  }
  [[nodiscard]] const DataDifference& result() const { return result_; }

 private:
  const std::function<void(const ArrayPair&)>& visit_;
  DataDifference result_;
};

}  // namespace

bool ArrayPair::equal() const {
  return difference && difference->equal() && first->type() == second->type();
}

base::Expected<DataDifference> compare_data(const std::filesystem::path& first, const std::filesystem::path& second,
                                            const std::function<void(const ArrayPair&)>& visit) {
  ASSAY_ASSIGN(SavedData one, SavedData::open(first));
  ASSAY_ASSIGN(SavedData other, SavedData::open(second));
  Comparison comparison(visit);
  for (std::size_t runner = 0; runner < std::max(one.runner_count(), other.runner_count()); ++runner) {
    const std::size_t count = std::max(most_iterations(one, runner), most_iterations(other, runner));
    for (std::size_t i = 0; i < count; ++i) {
      ASSAY_TRY(comparison.iteration({one, runner, i}, {other, runner, i}));
    }
  }
  return comparison.result();
}

}  // namespace assay::inspect
