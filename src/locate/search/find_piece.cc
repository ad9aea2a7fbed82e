#include "locate/search/find_piece.h"

#include <algorithm>

namespace assay::locate {
namespace {

class Growth {
 public:
  Growth(const CellGraph& graph, CellId anchor, Probe& probe, int reserved)
      : distances_(distances_to(graph, anchor)), probe_(probe), reserved_(reserved) {}

  [[nodiscard]] int farthest() const { return std::ranges::max(distances_); }
  [[nodiscard]] bool may_run() const { return probe_.runs_left() > reserved_; }

  // Returns true if the ancestors within this distance differ, and remembers such a piece as the best so far.
  base::Expected<bool> differs(int distance) {
    std::vector<CellId> cells;
    for (std::size_t i = 0; i < distances_.size(); ++i) {
      if (distances_[i] >= 0 && distances_[i] <= distance) cells.push_back(static_cast<CellId>(i));
    }
    ASSAY_ASSIGN(auto readings, probe_.run_piece(cells));
    if (distance == 0) best_.refused_alone = !readings;
    if (distance == farthest()) best_.refused_whole = !readings;
    if (!readings || std::ranges::none_of(*readings, &Reading::differs)) return false;
    best_.cells = std::move(cells);
    best_.readings = *std::move(readings);
    best_.confirmed = true;
    return true;
  }

  [[nodiscard]] Piece& best() { return best_; }

 private:
  std::vector<int> distances_;
  Probe& probe_;
  int reserved_;
  Piece best_;
};

}  // namespace

base::Expected<Piece> find_piece(const CellGraph& graph, const Around& around, Probe& probe, int reserved) {
  Growth growth(graph, around.anchor, probe, reserved);
  growth.best().cells.assign(around.known_bad.begin(), around.known_bad.end());
  const int farthest = growth.farthest();
  int good = around.agrees_alone ? 0 : -1;  // the largest distance known to agree
  int bad = farthest + 1;                   // the smallest distance known to differ
  for (int next = good + 1; good < farthest;) {
    if (!growth.may_run()) {
      growth.best().exhausted = true;
      return std::move(growth.best());
    }
    const int distance = std::min(next, farthest);
    ASSAY_ASSIGN(const bool differs, growth.differs(distance));
    (differs ? bad : good) = distance;
    if (differs) break;
    next = std::max(1, 2 * distance);
  }
  while (bad <= farthest && bad - good > 1) {
    if (!growth.may_run()) {
      growth.best().exhausted = true;
      break;
    }
    const int middle = good + (bad - good) / 2;
    ASSAY_ASSIGN(const bool differs, growth.differs(middle));
    (differs ? bad : good) = middle;
  }
  return std::move(growth.best());
}

}  // namespace assay::locate
