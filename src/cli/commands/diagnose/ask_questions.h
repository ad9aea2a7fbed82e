// Asks the questions of a diagnosis, and shows and logs how far it is. The command and the Python package share this.
#pragma once

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "cli/context/installation.h"
#include "diagnose/case.h"
#include "diagnose/diagnose.h"
#include "diagnose/state.h"
#include "worker/engine.h"

namespace assay::cli {

// Holds references to what the questions need. The caller owns all of it.
struct Asker {
  base::Log& log;  // gets a line for each answer; the details are in the folder's log.txt
  const Installation& installation;
  worker::Pool& pool;
  const base::Stop& stop;
};

// Calls diagnose::diagnose(). Calls `options.step_begins` and `options.step_ends`, too, and sets `options.assay`: the
// reduction is a command that runs inside this process. Errors: those of diagnose::diagnose().
base::Expected<diagnose::State> ask_questions(const diagnose::Case& task, diagnose::State state,
                                              diagnose::DiagnoseOptions options, const Asker& asker);

}  // namespace assay::cli
