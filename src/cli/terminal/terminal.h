// Finds out whether output goes to a terminal, how wide that is, and whether the user wants colours.
#pragma once

namespace assay::cli {

struct Terminal {
  int fd = -1;           // -1: the output goes somewhere else
  bool colors = false;   // colours may be used
  bool redraws = false;  // a line can be erased and written again
};

// Looks at a descriptor and at the environment: NO_COLOR (set to anything but "") forbids colours, TERM=dumb forbids
// them and everything else that is more than plain lines.
Terminal find_terminal(int fd);

// Returns the present width in columns, which changes if the user resizes the window; 80 if it is unknown.
int width(const Terminal& terminal);

// Returns the width at which help texts are wrapped: COLUMNS if that is set, else the terminal's width, else 100. It is
// at most 120, since longer lines are hard to read.
int help_width(const Terminal& terminal);

}  // namespace assay::cli
