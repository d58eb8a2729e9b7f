//===- Help.cpp - What --help prints ------------------------------------------------------------------------------------------------===//

#include "Help.h"

#include "OptionValues.h"

#include "report/Text.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"

namespace quadrille::compiler {

namespace cl = llvm::cl;

namespace {
/// Prints two columns, the first one as wide as its longest entry.
class Columns {
public:
  void add(std::string left, llvm::StringRef right) {
    width = std::max(width, left.size());
    rows.push_back({std::move(left), right.str()});
  }
  /// On a terminal, what does not fit goes on below.
  void print(llvm::raw_ostream &out) const {
    for (const auto &[left, right] : rows)
      printBeside("  " + left, width + 4, right, terminalColumns(out), out);
  }

private:
  size_t width = 0;
  std::vector<std::pair<std::string, std::string>> rows;
};
} // namespace

void printHelp(llvm::ArrayRef<cl::SubCommand *> commands, llvm::raw_ostream &out) {
  out << "Quadrille: schedules of collective operations, checked, costed, run and emitted as C++\n\n"
         "usage: quadrille COMMAND [OPTION...] [FILE...]\n"
         "       quadrille FILE...                          checks, as `quadrille check FILE...`\n"
         "       quadrille --cflags --libs [--backend=B]    prints what the C++ compiler needs for emitted code\n\n"
         "commands:\n";
  Columns table;
  for (cl::SubCommand *command : commands)
    table.add(command->getName().str(), command->getDescription());
  table.print(out);
  out << "\nFILE is a schedule file, a folder of them, a schedule of the library such as allgather/ring,\n"
         "one schedule of a file such as mine.quad:ring, or - for standard input.\n\n"
         "options:\n"
         "  --help     this text; `quadrille COMMAND --help` for the options of a command\n"
         "  --version  the version\n\n"
         "exit status: 0 success, 1 the input is wrong, 2 the command line is wrong\n";
}

llvm::StringRef operandsOf(const cl::SubCommand &command) {
  return llvm::StringSwitch<llvm::StringRef>(command.getName())
      .Case("list", " [COLLECTIVE | SCHEDULE]...")
      .Case("colour", " SIZES")
      .Case("explain", " CODE...")
      .Case("new", " DIR")
      .Case("test", " [DIR]")
      .Case("tune", " [COLLECTIVE...|FILE]")
      .Case("completion", " bash|zsh|fish")
      .Case("cache", " [PART...]")
      .Cases("calibrate", "config", "lsp", "man", "")
      .Case("draw", " FILE")
      .Default(" FILE...");
}

std::vector<const cl::Option *> optionsOf(cl::SubCommand &command, const cl::OptionCategory &category) {
  std::vector<const cl::Option *> options;
  for (auto &[spelling, option] : cl::getRegisteredOptions(command))
    if (llvm::is_contained(option->Categories, &category))
      options.push_back(option);
  llvm::sort(options, [](const cl::Option *a, const cl::Option *b) {
    // Options of one letter come first: they are used most.
    return std::make_pair(a->ArgStr.size() > 1, a->ArgStr) < std::make_pair(b->ArgStr.size() > 1, b->ArgStr);
  });
  return options;
}

std::string usageOf(const cl::Option &option) {
  const bool isLetter = option.ArgStr.size() == 1;
  std::string result = (isLetter ? "-" : "--") + option.ArgStr.str();
  if (!option.ValueStr.empty())
    result += (isLetter ? " " : "=") + option.ValueStr.str();
  return result;
}

void printHelp(cl::SubCommand &command, const cl::OptionCategory &category, llvm::raw_ostream &out) {
  llvm::StringRef name = command.getName();
  out << "quadrille " << name << ": " << command.getDescription() << "\n\n"
      << "usage: quadrille " << name << " [OPTION...]" << operandsOf(command) << "\n\n"
      << "options:\n";
  Columns table;
  for (const cl::Option *option : optionsOf(command, category))
    table.add(usageOf(*option), descriptionOf(*option, command));
  table.add("--help", "this text");
  table.print(out);
}

} // namespace quadrille::compiler
