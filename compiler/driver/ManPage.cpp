//===- ManPage.cpp - quadrille man ----------------------------------------------------------------------------------------------------===//

#include "CommandTable.h"
#include "Commands.h"
#include "Help.h"
#include "OptionValues.h"

namespace quadrille::compiler {

namespace cl = llvm::cl;

/// Text as roff prints it unchanged.
static std::string roff(llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if ((c == '.' || c == '\'') && result.empty())
      result += std::string("\\&") + c;
    else
      result += c;
  }
  return result;
}

static void describe(cl::SubCommand &command, llvm::raw_ostream &out) {
  const std::string name = roff(command.getName());
  out << ".SS quadrille " << name << " [OPTION...]" << roff(operandsOf(command)) << '\n' << roff(command.getDescription()) << ".\n";
  for (const cl::Option *option : optionsOf(command, shownOptions()))
    out << ".TP\n.B " << roff(usageOf(*option)) << '\n' << roff(descriptionOf(*option, command)) << '\n';
}

int manCommand() {
  llvm::raw_ostream &out = llvm::outs();
  out << ".\\\" Written by `quadrille man`.\n"
         ".TH QUADRILLE 1 \"\" \"quadrille " QUADRILLE_VERSION "\" \"User Commands\"\n"
         ".SH NAME\nquadrille \\- schedules of collective operations, checked, costed, run and emitted as C++\n"
         ".SH SYNOPSIS\n.B quadrille\nCOMMAND [OPTION...] [FILE...]\n.br\n.B quadrille\nFILE...\n.br\n"
         ".B quadrille\n[\\-\\-cflags] [\\-\\-libs] [\\-\\-backend=B]\n"
         ".SH DESCRIPTION\nQuadrille is a language for collective operations \\- broadcast, reduce, all\\-reduce, prefix sums, "
         "barrier, gather, scatter, all\\-to\\-all \\- and a compiler for it.\n"
         ".PP\nFILE is a schedule file, a folder of them, a schedule of the library such as allgather/ring, one schedule of a file such as mine.quad:ring, or \\- for standard "
         "input. Without a command,\n.B check\nis meant, or\n.B config\nwhere its options are given.\n"
         ".PP\nOptions with one letter take their value as the next word or after =, as in \\-p 8; the others as \\-\\-root=3 or "
         "\\-\\-root 3.\n"
         ".SH COMMANDS\n";
  for (cl::SubCommand *command : allCommands())
    describe(*command, out);
  out << ".SH EXIT STATUS\n.TP\n.B 0\nsuccess\n.TP\n.B 1\nthe input is wrong\n.TP\n.B 2\nthe command line is wrong, or the value of an option is\n"
         ".TP\n.B 74\nthe reader of the output has stopped reading\n"
         ".SH ENVIRONMENT\n"
         ".TP\n.B CXX\nthe C++ compiler of\n.B quadrille run\n"
         ".TP\n.B MPIEXEC\nthe command that starts MPI programs, unless\n.B \\-\\-launcher\nnames one\n"
         ".TP\n.B QUADRILLE_CACHE\nwhere proofs and compiled programs are kept\n"
         ".TP\n.B QUADRILLE_LIBRARY\nthe folder of the library of schedules, instead of the installed one\n"
         ".TP\n.B QUADRILLE_LLVM\nthe folder of the LLVM whose lit and FileCheck\n.B quadrille test\ntakes\n"
         ".TP\n.B QUADRILLE_NODES\nwhere ranks pretend to be in\n.BR \"quadrille run\" ,\nunless\n.B \\-\\-nodes\nsays it\n"
         ".TP\n.B QUADRILLE_PATH\nfolders in which used schedules are looked for, a list like PATH\n"
         ".TP\n.B QUADRILLE_PROGRESS\nhow many seconds are between the lines that tell a log how far long work is; 0: there are none; default 30\n"
         ".TP\n.B QUADRILLE_RUNTIME\nthe folder with include/ and lib/ of the runtime, instead of the installed one\n"
         ".TP\n.B NO_COLOR\nturns colours off\n"
         ".TP\n.B TERM\nwhat the terminal can do: where it is dumb or not set, lines that tell how far long work is are those of a log\n"
         ".TP\n.B TMPDIR\nthe folder for temporary files\n"
         ".TP\n.B XDG_CACHE_HOME\nthe folder with the folder\n.B quadrille\nin which proofs and compiled programs are kept, unless QUADRILLE_CACHE names "
         "one; default ~/.cache\n";
  return 0;
}

} // namespace quadrille::compiler
