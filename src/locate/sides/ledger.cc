#include "locate/sides/ledger.h"

namespace assay::locate {

void Ledger::announce_run(const std::string& what, base::Log& log) const {
  log.info("Run {} of at most {}: {}", runs + 1, limit, what);
}

bool Ledger::note_if_stopped(const base::Error& error) {
  const bool is_stop = error.kind == base::ErrorKind::interrupted;
  stopped |= is_stop;
  return is_stop;
}

}  // namespace assay::locate
