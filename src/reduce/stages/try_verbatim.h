// The last resort: does the file itself fail, byte for byte?
#pragma once

#include "base/error.h"
#include "reduce/reducer.h"

namespace assay::reduce {

// Sets `verbatim` of the result if it does. Errors: invalid_input if it doesn't; those of the judge.
base::Status try_verbatim(Reducer& reducer);

}  // namespace assay::reduce
