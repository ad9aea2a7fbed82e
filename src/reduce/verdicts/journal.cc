// Each verdict is one transaction, and SQLite syncs its log before the transaction returns.
#include "reduce/verdicts/journal.h"

#include <cmath>
#include <utility>
#include <vector>

#include "reduce/verdicts/hash.h"
#include "reduce/verdicts/journal_file.h"
#include "reduce/verdicts/journal_row.h"

namespace assay::reduce {
namespace fs = std::filesystem;
namespace {

constexpr const char* kCannotRead = "cannot read the journal of verdicts";
constexpr const char* kCannotWrite = "cannot write the journal of verdicts";

Verdict as_stored(Verdict verdict) {
  if (verdict.output.size() > kKeptOutput) verdict.output.erase(0, verdict.output.size() - kKeptOutput);
  if (!std::isfinite(verdict.seconds)) verdict.seconds = 0;  // SQLite has no NaN
  return verdict;
}

}  // namespace

class Journal::Impl {
 public:
  Impl(fs::path path, std::string identity, sqlite::Database database)
      : path_(std::move(path)), identity_(std::move(identity)), database_(std::move(database)) {}

  base::Status prepare() {
    if (auto prepared = try_prepare(); !prepared) return base::fail(prepared.error().error(kCannotRead, path_));
    return {};
  }

  std::optional<Verdict> find(const std::string& candidate) {
    find_.reset();
    find_.bind(1, identity_);
    find_.bind(2, candidate);
    const auto found = find_.step();
    std::optional<JournalRow> row;
    if (found && *found) row = read_row(find_);
    find_.reset();
    if (!row) return std::nullopt;
    row->verdict.source = Verdict::Source::journal;
    return std::move(row->verdict);
  }

  base::Status record(const std::string& candidate, const Verdict& verdict) {
    const bool known = find(candidate).has_value();
    const auto written = write_row(insert_, {identity_, candidate, as_stored(verdict)});
    if (!written) return base::fail(written.error().error(kCannotWrite, path_));
    if (!known) ++size_;
    return {};
  }

  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  sqlite::Result<void> try_prepare() {
    const std::string of_identity = " FROM verdicts WHERE identity = ?";
    auto count = database_.prepare("SELECT count(*)" + of_identity);
    if (!count) return tl::unexpected(count.error());
    auto find = database_.prepare("SELECT " + std::string(kJournalColumns) + of_identity + " AND candidate = ?");
    if (!find) return tl::unexpected(find.error());
    auto insert = database_.prepare(kJournalInsert);
    if (!insert) return tl::unexpected(insert.error());
    find_ = std::move(*find);
    insert_ = std::move(*insert);
    count->bind(1, identity_);
    if (const auto row = count->step(); !row) return tl::unexpected(row.error());
    size_ = static_cast<std::size_t>(count->integer(0));
    return {};
  }

  fs::path path_;
  std::string identity_;  // its hash
  sqlite::Database database_;
  sqlite::Statement find_;
  sqlite::Statement insert_;
  std::size_t size_ = 0;
};

base::Expected<Journal> Journal::open(const fs::path& path, const std::string& identity) {
  ASSAY_ASSIGN(sqlite::Database database, open_journal_file(path));
  auto impl = std::make_unique<Impl>(path, hash_of(identity), std::move(database));
  ASSAY_TRY(impl->prepare());
  return Journal(std::move(impl));
}

Journal::Journal(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Journal::Journal(Journal&&) noexcept = default;
Journal& Journal::operator=(Journal&&) noexcept = default;
Journal::~Journal() = default;

std::optional<Verdict> Journal::find(const std::string& candidate) const {
  return impl_->find(candidate);
}

base::Status Journal::record(const std::string& candidate, const Verdict& verdict) {
  return impl_->record(candidate, verdict);
}

std::size_t Journal::size() const {
  return impl_->size();
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
