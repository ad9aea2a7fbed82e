#include "locate/search/search.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "locate/search/descend.h"
#include "locate/search/find_piece.h"

namespace assay::locate {
namespace {

bool differs(const Reading& reading) {
  return reading.differs;
}

class Search {
 public:
  Search(const CellGraph& graph, const std::vector<CellId>& differing, Probe& probe, const SearchOptions& options)
      : graph_(graph), first_output_(differing.front()), probe_(probe), options_(options) {}

  base::Expected<Finding> run();

 private:
  [[nodiscard]] bool may_run() const { return probe_.runs_left() > options_.reserved_runs; }
  // Returns the runs that a bisection needs, with some for the piece that follows.
  [[nodiscard]] int bisection_runs() const;

  // Returns true if it led to a result.
  base::Expected<bool> mark_everything();
  // Returns the readings of suspects run by themselves, up to the first that differ. Those that an engine refuses go
  // into the finding instead; those for which no run is left are left out.
  base::Expected<std::vector<Reading>> try_alone(std::span<const CellId> suspects);
  [[nodiscard]] std::size_t fitting(std::span<const CellId> suspects) const;
  base::Expected<bool> mark_some();
  base::Status bisect();
  [[nodiscard]] std::vector<CellId> ancestors(CellId cell) const;  // including the cell itself
  // Returns whether this prefix of `order` differs, or nullopt if an engine refuses it.
  base::Expected<std::optional<bool>> prefix_differs(const std::vector<CellId>& order, std::size_t length);
  base::Status take_piece(const Around& around);

  const CellGraph& graph_;
  CellId first_output_;
  Probe& probe_;
  const SearchOptions& options_;
  Finding finding_;
  std::vector<Reading> prefix_readings_;  // of the smallest differing prefix
};

int Search::bisection_runs() const {
  int runs = 3;
  for (std::size_t left = graph_.size(); left > 1; left = (left + 1) / 2) ++runs;
  return runs;
}

base::Expected<Finding> Search::run() {
  ASSAY_ASSIGN(bool found, mark_everything());
  if (!found && options_.outputs_agree) return std::move(finding_);
  if (!found && !finding_.disturbed) {
    ASSAY_ASSIGN(found, mark_some());
  }
  if (!found) ASSAY_TRY(bisect());
  return std::move(finding_);
}

base::Expected<bool> Search::mark_everything() {
  const std::vector<std::vector<CellId>> windows = plan_windows(graph_, options_.memory_budget);
  // Several windows are used only if they are cheaper than a bisection.
  const auto wanted = static_cast<int>(windows.size()) + 1 + options_.reserved_runs;
  const bool cheaper = windows.size() == 1 || wanted <= bisection_runs() || options_.outputs_agree;
  if (wanted > probe_.runs_left() || !cheaper) return false;
  finding_.way = windows.size() == 1 ? Way::all_at_once : Way::windows;
  for (const std::vector<CellId>& window : windows) {
    if (!may_run()) break;
    ASSAY_ASSIGN(WholeAnswer answer, probe_.run_whole(window));
    if (answer.refused) return false;
    finding_.in_model.insert(finding_.in_model.end(), answer.readings.begin(), answer.readings.end());
    if (answer.disturbed) {
      finding_.disturbed = true;
      if (!options_.trust_marks) return false;
    }
    std::vector<CellId> suspects;
    for (const Reading& reading : answer.readings) {
      if (reading.differs) suspects.push_back(reading.cell);
    }
    if (suspects.empty() || !may_run()) continue;
    ASSAY_ASSIGN(const std::vector<Reading> alone, try_alone(suspects));
    finding_.alone.insert(finding_.alone.end(), alone.begin(), alone.end());
    const auto born = std::ranges::find_if(alone, differs);
    if (born == alone.end()) continue;
    finding_.first = born->cell;
    finding_.piece = {born->cell};
    finding_.confirmed = true;
    return true;
  }
  const auto first = std::ranges::find_if(finding_.in_model, differs);
  if (first == finding_.in_model.end() || options_.outputs_agree) return false;
  finding_.first = first->cell;
  const auto alone = std::ranges::find(finding_.alone, first->cell, &Reading::cell);
  ASSAY_TRY(take_piece(
      {.anchor = first->cell, .agrees_alone = alone != finding_.alone.end(), .known_bad = ancestors(first->cell)}));
  return true;
}

base::Expected<bool> Search::mark_some() {
  ASSAY_ASSIGN(Descent descent,
               descend(graph_, first_output_, probe_,
                       {.memory_budget = options_.memory_budget, .reserved_runs = options_.reserved_runs + 1}));
  finding_.in_model = std::move(descent.readings);
  finding_.disturbed = descent.disturbed;
  if (descent.disturbed || descent.refused) return false;
  finding_.way = Way::some;
  finding_.first = descent.cell;
  finding_.exhausted = !descent.complete;
  ASSAY_TRY(take_piece({.anchor = descent.cell, .agrees_alone = false, .known_bad = ancestors(descent.cell)}));
  return true;
}

std::vector<CellId> Search::ancestors(CellId cell) const {
  const std::vector<int> distances = distances_to(graph_, cell);
  std::vector<CellId> cells;
  for (std::size_t i = 0; i < distances.size(); ++i) {
    if (distances[i] >= 0) cells.push_back(static_cast<CellId>(i));
  }
  return cells;
}

// Returns how many of the first suspects fit into the budget together, with their inputs and their results.
std::size_t Search::fitting(std::span<const CellId> suspects) const {
  std::uint64_t bytes = 0;
  std::size_t count = 0;
  for (const CellId cell : suspects) {
    bytes += graph_.bytes[static_cast<std::size_t>(cell)];
    for (const CellId parent : graph_.parents[static_cast<std::size_t>(cell)]) {
      bytes += graph_.bytes[static_cast<std::size_t>(parent)];
    }
    if (count > 0 && bytes > options_.memory_budget) break;
    ++count;
  }
  return count;
}

// An engine may refuse all because of one of them, most often a late one, so half of them are tried next. Once that one
// is found, the others are tried without it.
base::Expected<std::vector<Reading>> Search::try_alone(std::span<const CellId> suspects) {
  std::vector<Reading> known;
  std::size_t count = fitting(suspects);
  while (!suspects.empty() && may_run()) {
    count = std::min(count, suspects.size());
    ASSAY_ASSIGN(const auto readings, probe_.run_each_alone(suspects.first(count)));
    if (readings) {
      known.insert(known.end(), readings->begin(), readings->end());
      if (std::ranges::any_of(*readings, differs)) break;
      suspects = suspects.subspan(count);
    } else if (count > 1) {
      count = (count + 1) / 2;
    } else if (may_run()) {  // otherwise, it wasn't tried: no run was left
      finding_.not_alone.push_back(suspects.front());
      suspects = suspects.subspan(1);
      count = fitting(suspects);
    }
  }
  return known;
}

base::Expected<std::optional<bool>> Search::prefix_differs(const std::vector<CellId>& order, std::size_t length) {
  ASSAY_ASSIGN(auto readings, probe_.run_piece(std::span(order).first(length)));
  if (!readings) return std::nullopt;
  const bool bad = std::ranges::any_of(*readings, differs);
  if (bad) prefix_readings_ = *std::move(readings);
  return bad;
}

// Returns, for each length of a prefix of `order`, how many of its cells are read outside: the tensors to mark.
std::vector<int> cut_widths(const CellGraph& graph, const std::vector<CellId>& order) {
  const std::size_t end = order.size();
  std::vector<std::size_t> place(graph.size(), end);
  for (std::size_t i = 0; i < end; ++i) place[static_cast<std::size_t>(order[i])] = i;
  std::vector<std::size_t> last_reader(end, 0);  // a reader that isn't in `order` keeps a cell in every cut
  for (std::size_t cell = 0; cell < graph.size(); ++cell) {
    for (const CellId parent : graph.parents[cell]) {
      const std::size_t read = place[static_cast<std::size_t>(parent)];
      if (read < end) last_reader[read] = std::max(last_reader[read], place[cell]);
    }
  }
  std::vector<int> change(end + 2, 0);
  for (std::size_t i = 0; i < end; ++i) {
    ++change[i + 1];
    --change[std::min(std::max(last_reader[i], i + 1), end) + 1];
  }
  std::vector<int> widths(end + 1, 0);
  for (std::size_t length = 1; length <= end; ++length) widths[length] = widths[length - 1] + change[length];
  return widths;
}

// Chooses where to divide next: near the middle, at a place where few tensors have to be marked. If an engine refused a
// prefix, perhaps because of its marks, the place with the fewest marks is chosen, wherever it is.
std::size_t choose_middle(std::size_t good, std::size_t bad, const std::vector<int>& widths,
                          const std::set<std::size_t>& refused) {
  const std::size_t middle = good + (bad - good) / 2;
  const std::size_t reach = refused.empty() ? (bad - good) / 8 : bad - good;
  const auto distance = [&](std::size_t at) { return at > middle ? at - middle : middle - at; };
  std::size_t best = bad;
  for (std::size_t at = good + 1; at < bad; ++at) {
    if (distance(at) > reach || refused.contains(at)) continue;
    const auto cost = [&](std::size_t place) { return std::pair(widths[place], distance(place)); };
    if (best == bad || cost(at) < cost(best)) best = at;
  }
  return best;
}

base::Status Search::bisect() {
  finding_.way = Way::bisection;
  const std::vector<CellId> order = ancestors(first_output_);
  std::size_t good = 0;
  std::size_t bad = order.size();
  const std::vector<int> widths = cut_widths(graph_, order);
  std::set<std::size_t> refused;
  while (bad - good > 1 && may_run()) {
    const std::size_t middle = choose_middle(good, bad, widths, refused);
    if (middle == bad) break;
    ASSAY_ASSIGN(const std::optional<bool> verdict, prefix_differs(order, middle));
    if (!verdict) {
      refused.insert(middle);
    } else {
      (*verdict ? bad : good) = middle;
    }
  }
  const auto worst = std::ranges::find_if(prefix_readings_, differs);
  const CellId last = order[bad - 1];
  const auto of_last = std::ranges::find(prefix_readings_, last, &Reading::cell);
  const bool last_differs = of_last != prefix_readings_.end() && of_last->differs;
  finding_.first = worst == prefix_readings_.end() || last_differs ? last : worst->cell;
  finding_.exhausted = bad - good > 1;
  ASSAY_TRY(take_piece({.anchor = finding_.first,
                        .agrees_alone = false,
                        .known_bad = {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(bad)}}));
  // Without a smaller piece, the result is the shortest prefix that ran and differed, unless that is the whole model.
  finding_.confirmed |= !finding_.exhausted && !prefix_readings_.empty();
  return {};
}

base::Status Search::take_piece(const Around& around) {
  ASSAY_ASSIGN(Piece piece, find_piece(graph_, around, probe_, options_.reserved_runs));
  finding_.piece = std::move(piece.cells);
  finding_.confirmed = piece.confirmed;
  finding_.refused_alone = piece.refused_alone;
  finding_.refused_whole = piece.refused_whole;
  finding_.exhausted |= piece.exhausted;
  if (finding_.piece.size() == 1 && piece.confirmed) {
    finding_.alone.insert(finding_.alone.end(), piece.readings.begin(), piece.readings.end());
  }
  return {};
}

}  // namespace

base::Expected<Finding> search(const CellGraph& graph, const std::vector<CellId>& differing, Probe& probe,
                               const SearchOptions& options) {
  return Search(graph, differing, probe, options).run();
}

}  // namespace assay::locate
