// Each verdict is one transaction, and SQLite syncs its log before the transaction returns.
//
// A check that ended before the time limit would have ended in the same way with any longer limit. So only verdicts of
// checks that reached the limit are stored with it, under an identity of their own. A user who sets a limit because a
// check hangs keeps all verdicts so far.
#include "reduce/verdicts/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "reduce/verdicts/hash.h"
#include "reduce/verdicts/journal_file.h"

namespace assay::reduce {
namespace fs = std::filesystem;
namespace {

constexpr const char* kCannotRead = "cannot read the journal of verdicts";
constexpr const char* kCannotWrite = "cannot write the journal of verdicts";

// Visible verdicts: ?1 is the identity, ?2 the same with the time limit, ?3 the time limit.
constexpr const char* kCount =
    "SELECT count(*) FILTER (WHERE (identity = ?1 AND seconds < ?3) OR identity = ?2), count(*) FROM verdicts";
constexpr const char* kFind =
    "SELECT kind, text, output, seconds FROM verdicts WHERE candidate = ?4 AND ((identity = ?1 AND seconds < ?3) OR "
    "identity = ?2)";
constexpr const char* kForget = "DELETE FROM verdicts WHERE (identity = ?1 AND seconds < ?3) OR identity = ?2";
constexpr const char* kHasOthers =
    "SELECT EXISTS (SELECT 1 FROM verdicts WHERE NOT ((identity = ?1 AND seconds < ?3) OR identity = ?2))";
constexpr const char* kInsert =
    "INSERT OR REPLACE INTO verdicts (identity, candidate, kind, text, output, seconds) VALUES (?, ?, ?, ?, ?, ?)";

struct KindRow {
  Verdict::Kind kind;
  Verdict::Cause cause;
  std::string_view name;
};
// Names instead of numbers: new kinds of verdicts don't renumber them, and people can read them.
constexpr std::array kKinds = {
    KindRow{Verdict::Kind::passes, Verdict::Cause::unknown, "passes"},
    KindRow{Verdict::Kind::fails, Verdict::Cause::unknown, "fails"},
    KindRow{Verdict::Kind::unresolved, Verdict::Cause::unknown, "unresolved"},
    KindRow{Verdict::Kind::unresolved, Verdict::Cause::rule, "unresolved by a rule"},
    KindRow{Verdict::Kind::unresolved, Verdict::Cause::limit, "unresolved at a limit"},
    KindRow{Verdict::Kind::unresolved, Verdict::Cause::check, "unresolved by the check"},
    KindRow{Verdict::Kind::unresolved, Verdict::Cause::engine, "unresolved by an engine"},
    KindRow{Verdict::Kind::unresolved, Verdict::Cause::saved_outputs, "unresolved by saved outputs"},
    KindRow{Verdict::Kind::unresolved, Verdict::Cause::other_error, "another error"},
    KindRow{Verdict::Kind::unresolved, Verdict::Cause::other_ending, "another ending"},
};

std::string_view kind_name(const Verdict& verdict) {
  const auto row = std::ranges::find_if(
      kKinds, [&](const KindRow& known) { return known.kind == verdict.kind && known.cause == verdict.cause; });
  return row == kKinds.end() ? std::string_view() : row->name;
}

// Reads the current row of kFind, or returns nothing if it isn't a verdict.
std::optional<Verdict> read_row(const sqlite::Statement& rows) {
  const auto row = std::ranges::find(kKinds, std::string_view{rows.bytes(0)}, &KindRow::name);
  if (row == kKinds.end()) return std::nullopt;
  return Verdict{.kind = row->kind,
                 .text = rows.bytes(1),
                 .output = rows.bytes(2),
                 .seconds = rows.real(3),
                 .source = Verdict::Source::journal,
                 .cause = row->cause};
}

}  // namespace

base::Expected<Journal> Journal::open(const fs::path& path, const std::string& identity,
                                      std::optional<double> time_limit_s) {
  ASSAY_ASSIGN(sqlite::Database database, open_journal_file(path));
  Journal journal(path, identity, time_limit_s, std::move(database));
  if (auto prepared = journal.prepare(); !prepared) return base::fail(prepared.error().error(kCannotRead, path));
  return journal;
}

Journal::Journal(fs::path path, const std::string& identity, std::optional<double> time_limit_s,
                 sqlite::Database database)
    : path_(std::move(path)),
      identity_(hash_of(identity)),
      limited_identity_(time_limit_s ? hash_of(identity + fmt::format("\ntime limit {}", *time_limit_s)) : identity_),
      time_limit_s_(time_limit_s.value_or(std::numeric_limits<double>::infinity())),
      database_(std::move(database)) {}

sqlite::Result<void> Journal::prepare() {
  ASSAY_ASSIGN(find_, database_.prepare(kFind));
  ASSAY_ASSIGN(insert_, database_.prepare(kInsert));
  ASSAY_ASSIGN(sqlite::Statement count, database_.prepare(kCount));
  bind_visible(count);
  ASSAY_TRY(count.step());
  size_ = static_cast<std::size_t>(count.integer(0));
  hidden_ = static_cast<std::size_t>(count.integer(1)) - size_;
  return {};
}

void Journal::bind_visible(sqlite::Statement& statement) const {
  statement.bind(1, identity_);
  statement.bind(2, limited_identity_);
  statement.bind(3, time_limit_s_);
}

std::optional<Verdict> Journal::find(const std::string& candidate) {
  find_.reset();
  bind_visible(find_);
  find_.bind(4, candidate);
  const auto found = find_.step();
  std::optional<Verdict> verdict;
  if (found && *found) verdict = read_row(find_);
  find_.reset();
  return verdict;
}

base::Status Journal::record(const std::string& candidate, const Verdict& verdict) {
  const bool known = find(candidate).has_value();
  const double seconds = std::isfinite(verdict.seconds) ? verdict.seconds : 0.0;  // SQLite has no NaN
  insert_.reset();
  insert_.bind(1, seconds < time_limit_s_ ? identity_ : limited_identity_);
  insert_.bind(2, candidate);
  insert_.bind(3, kind_name(verdict));
  insert_.bind(4, verdict.text);
  insert_.bind(5, shorten_output(verdict.output));
  insert_.bind(6, seconds);
  const auto written = insert_.step();
  insert_.reset();  // ends its transaction
  if (!written) return base::fail(written.error().error(kCannotWrite, path_));
  if (!known) ++size_;
  return {};
}

base::Expected<bool> Journal::forget() {
  for (const char* sql : {kHasOthers, kForget}) {
    auto statement = database_.prepare(sql);
    if (!statement) return base::fail(statement.error().error(kCannotWrite, path_));
    bind_visible(*statement);
    const auto row = statement->step();
    if (!row) return base::fail(row.error().error(kCannotWrite, path_));
    if (*row && statement->integer(0) == 0) return false;
  }
  size_ = 0;
  return true;
}

base::Status Journal::remove(const fs::path& path) {
  for (const char* suffix : {"", "-wal", "-journal"}) {
    std::error_code code;
    fs::remove(path.string() + suffix, code);
    if (code) return base::fail(base::system_error("cannot remove the journal", path.string() + suffix, code.value()));
  }
  return {};
}

}  // namespace assay::reduce
