//===- CommandLine.cpp - Finding the command, and mistakes in the words of the command line -------------------------------===//

#include "CommandLine.h"

#include "Help.h"
#include "OptionValues.h"

#include "sema/ExprSema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace quadrille::compiler {

namespace cl = llvm::cl;

void complain(const llvm::Twine &message, llvm::StringRef command) {
  llvm::errs() << "quadrille: " << message << "\nquadrille: see 'quadrille " << command << (command.empty() ? "" : " ")
               << "--help'\n";
}

namespace {

/// "unknown option '--rot=3'; did you mean '--root'?". LLVM's own options are none.
std::string unknownOption(llvm::StringRef argument, cl::SubCommand &command, const cl::OptionCategory &category) {
  std::vector<std::string> names;
  for (const auto &entry : cl::getRegisteredOptions(command))
    if (llvm::is_contained(entry.second->Categories, &category))
      names.push_back(entry.first().str());
  llvm::sort(names);
  const std::string near = sema::didYouMean(argument.ltrim('-').split('=').first, names);
  return "unknown option '" + argument.str() + "'" + (near.empty() ? "" : "; did you mean '--" + near + "'?");
}

/// Rewords the message of LLVM's command line library about an unknown option:
///   quadrille: Unknown command line argument '--frob'.  Try: '/usr/bin/quadrille --help'
std::string worded(llvm::StringRef errors, cl::SubCommand &command, const cl::OptionCategory &category) {
  auto [before, after] = errors.split("Unknown command line argument '");
  llvm::StringRef option = after.take_until([](char c) { return c == '\''; });
  if (option.empty())
    return "a value does not fit its option";
  return option.starts_with("-") ? unknownOption(option, command, category) : "unexpected argument '" + option.str() + "'";
}

/// Answers --help and --version anywhere on the command line; false if neither is there.
bool answersAtOnce(llvm::ArrayRef<const char *> arguments, cl::SubCommand *command, llvm::ArrayRef<cl::SubCommand *> commands,
                   const cl::OptionCategory &category) {
  for (llvm::StringRef argument : arguments) {
    if (argument == "--version") {
      llvm::outs() << "quadrille " QUADRILLE_VERSION "\n";
      return true;
    }
    if (argument != "--help" && argument != "-help" && argument != "-h")
      continue;
    if (command)
      printHelp(*command, category, llvm::outs());
    else
      printHelp(commands, llvm::outs());
    return true;
  }
  return false;
}

void complainOfUnknown(llvm::StringRef word, llvm::ArrayRef<cl::SubCommand *> commands) {
  std::string nearest;
  for (cl::SubCommand *candidate : commands)
    if (word.edit_distance(candidate->getName()) <= 2)
      nearest = "; did you mean '" + candidate->getName().str() + "'?";
  if (word == "version")
    nearest = "; did you mean '--version'?";
  complain("unknown command '" + word + "'" + nearest);
}

/// The first mistake that is found in the words before LLVM's library reads them; empty: none.
std::string whatIsWrong(llvm::ArrayRef<const char *> arguments, cl::SubCommand &command, cl::OptionCategory &category) {
  llvm::StringMap<cl::Option *> &known = cl::getRegisteredOptions(command);
  bool isValue = false; // of the option before
  for (llvm::StringRef argument : arguments) {
    if (isValue || !argument.starts_with("-") || argument == "-") {
      isValue = false;
      continue;
    }
    if (argument == "--")
      break;
    const llvm::StringRef name = argument.ltrim('-').split('=').first;
    const auto found = known.find(name);
    if (found == known.end()) {
      // LLVM's library would try to read it as several options of one letter each, and complain of those.
      const auto prefix = known.find(name.take_front(1)); // as in -IDIR
      if (name.size() > 1 && (prefix == known.end() || prefix->second->getFormattingFlag() != cl::Prefix))
        return unknownOption(argument, command, category);
      continue;
    }
    // Options that LLVM's library adds do not count as known.
    if (!llvm::is_contained(found->second->Categories, &category))
      return unknownOption(argument, command, category);
    isValue = !argument.contains('=') && found->second->getValueExpectedFlag() == cl::ValueRequired;
    if (argument.contains('=') && found->second->getValueExpectedFlag() == cl::ValueOptional &&
        !llvm::is_contained({"true", "false", "1", "0"}, argument.split('=').second))
      return "option " + spelled(*found->second) + " is either there or not, and takes no value such as '" + argument.split('=').second.str() + "'";
  }
  return isValue ? "option " + llvm::StringRef(arguments.back()).str() + ": a value is missing" : "";
}

/// The first mistake that was found while options were read; empty: none.
std::string whatIsWrong(bool isRead, llvm::StringRef errors, cl::SubCommand &command, cl::OptionCategory &category) {
  if (!refusals().empty())
    return refusals().front();
  if (!isRead)
    return worded(errors, command, category);
  for (auto &entry : cl::getRegisteredOptions(command)) {
    const cl::Option &option = *entry.second;
    if (option.getNumOccurrences() > 1 && option.getNumOccurrencesFlag() == cl::Optional && llvm::is_contained(option.Categories, &category))
      return "option " + spelled(option) + " is given more than once";
  }
  return "";
}

} // namespace

cl::SubCommand *readCommandLine(int argc, char **argv, llvm::ArrayRef<cl::SubCommand *> commands, cl::OptionCategory &category,
                                int &exitStatus) {
  exitStatus = 2;
  if (argc <= 1) {
    complain("no command and no file");
    return nullptr;
  }
  std::vector<const char *> arguments(argv, argv + argc);
  // `help check` and `--help check` are `check --help`.
  if (llvm::is_contained({"help", "--help", "-h"}, llvm::StringRef(arguments[1])) && !llvm::sys::fs::exists(arguments[1])) {
    arguments[1] = "--help";
    if (argc > 2)
      std::swap(arguments[1], arguments[2]);
  }
  const llvm::StringRef first(arguments[1]);
  auto named = llvm::find_if(commands, [&](cl::SubCommand *command) { return command->getName() == first; });
  cl::SubCommand *command = named == commands.end() ? nullptr : *named;
  const bool isWord = llvm::all_of(first, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!command && isWord && !llvm::sys::fs::exists(first)) {
    complainOfUnknown(first, commands);
    return nullptr;
  }
  if (answersAtOnce(llvm::ArrayRef(arguments).drop_front(), command, commands, category)) {
    exitStatus = 0;
    return nullptr;
  }
  if (!command) {
    command = commands.front();
    // As for other libraries, `quadrille --cflags --libs` without a command asks for the flags of programs.
    for (llvm::StringRef argument : arguments)
      if (argument == "--cflags" || argument == "--libs")
        command = *llvm::find_if(commands, [](cl::SubCommand *one) { return one->getName() == "config"; });
    arguments.insert(arguments.begin() + 1, command->getName().data());
  }
  std::string wrong = whatIsWrong(llvm::ArrayRef(arguments).drop_front(), *command, category);
  if (wrong.empty()) {
    std::string errors;
    llvm::raw_string_ostream stream(errors);
    const bool isRead = cl::ParseCommandLineOptions(static_cast<int>(arguments.size()), arguments.data(), "", &stream);
    wrong = whatIsWrong(isRead, errors, *command, category);
  }
  if (!wrong.empty()) {
    complain(wrong, command->getName());
    return nullptr;
  }
  exitStatus = 0;
  return command;
}

} // namespace quadrille::compiler
