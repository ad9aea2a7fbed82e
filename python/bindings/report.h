// A result as an HTML report, which may be saved later: assay/report.py calls it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "report/page/page.h"
#include "run/engine_runner.h"

namespace assay::python {

// Making a page reads weights and can take seconds, so it is made when it is saved. What it is made from is shared with
// the function and never changes.
class NativeReport {
 public:
  // Returns the page without title, call and environment. Called without the GIL, maybe by several threads.
  using MakePage = std::function<base::Expected<report::Page>()>;

  // `engines`: those whose versions are shown.
  explicit NativeReport(MakePage make, std::vector<run::EngineSetup> engines = {})
      : make_(std::make_shared<const MakePage>(std::move(make))), engines_(std::move(engines)) {}

  // Pairs of a name and a version.
  using Versions = std::vector<std::pair<std::string, std::string>>;

  // Writes the page to a file. `call` takes the place of the command line. `versions`: further ones to show. Errors:
  // io.
  void save(const std::filesystem::path& path, const std::string& title, const std::string& call,
            const Versions& versions) const;

 private:
  std::shared_ptr<const MakePage> make_;
  std::vector<run::EngineSetup> engines_;
};

}  // namespace assay::python
