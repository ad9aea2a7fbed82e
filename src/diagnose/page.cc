#include "diagnose/page.h"

#include "base/strings.h"
#include "diagnose/commands.h"
#include "diagnose/conclusion.h"
#include "pages/graph.h"

namespace assay::diagnose {

report::Page make_page(const Case& task, const State& state) {
  const Conclusion conclusion = conclude(task, state);
  const Facts& facts = state.facts;
  report::Page page;
  page.verdict = conclusion.sentence;
  page.mark = conclusion.outcome == Conclusion::Outcome::healthy ? report::Mark::good
              : conclusion.outcome == Conclusion::Outcome::cause ? report::Mark::bad
                                                                 : report::Mark::unknown;
  for (const Step& step : state.steps) page.steps.push_back(step.answer);
  if (facts.faulty_side >= 0) page.first_side = name_of(task, facts, facts.faulty_side);
  if (facts.good_side != kNoSide) page.second_side = name_of(task, facts, facts.good_side);
  page.graph = pages::graph_of(task.model);
  pages::add_weight_statistics(page.graph, task.model);
  pages::set_errors(page.graph, facts.layers);
  pages::open_at(page.graph, facts.place.tensor);
  if (!facts.minimal.file.empty()) {
    report::MinimalCase minimal{.file = facts.minimal.file,
                                .model_text = base::join(facts.minimal.lines, "\n"),
                                .commands = {facts.minimal.check, facts.minimal.command},
                                .tables = facts.minimal.proof};
    page.minimal_case = std::move(minimal);
  }
  page.checks = facts.minimal.checks;
  return page;
}

report::Page make_stopped_page(const Case& task, const State& state) {
  report::Page page = make_page(task, state);
  page.mark = report::Mark::unknown;
  page.verdict = stopped_sentence(task, state);
  return page;
}

}  // namespace assay::diagnose
