//===- Completion.cpp - quadrille completion ------------------------------------------------------------------------------------===//
//
// Writes scripts for shells from the same declarations as --help. The scripts ask `quadrille completion schedules` for the names in the
// library. Schedules that leave a tree open are not among these, since no command takes them.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "CommandTable.h"
#include "Commands.h"
#include "Help.h"
#include "OptionValues.h"

#include "cache/CacheFolder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace quadrille::compiler {

namespace cl = llvm::cl;

namespace {

bool takesFiles(const cl::SubCommand &command) { return operandsOf(command).contains("FILE"); }
bool takesSchedules(const cl::SubCommand &command) { return takesFiles(command) || operandsOf(command).contains("SCHEDULE"); }
bool isPath(const cl::Option &option) { return option.ValueStr == "PATH" || option.ValueStr == "FILE" || option.ValueStr == "DIR"; }
bool isLetter(const cl::Option &option) { return option.ArgStr.size() == 1; }

/// The words that may be operands of a command, besides files and schedules.
std::string operandWords(const cl::SubCommand &command) {
  if (command.getName() == "cache")
    return llvm::join(llvm::map_range(cacheParts(), [](const CachePart &part) { return part.name; }), " ");
  return command.getName() == "completion" ? "bash zsh fish" : "";
}

std::string valueWords(const cl::Option &option) { return llvm::join(offersOf(option), " "); }

std::string commandNames(const char *between) {
  return llvm::join(llvm::map_range(allCommands(), [](cl::SubCommand *command) { return command->getName().str(); }), between);
}

/// Text in single quotes, for every shell.
std::string quoted(llvm::StringRef text, llvm::StringRef special = "") {
  std::string result = "'";
  for (char c : text) {
    if (special.contains(c))
      result += '\\';
    if (c == '\'')
      result += "'\\''";
    else
      result += c;
  }
  return result + "'";
}

// ---- bash --------------------------------------------------------------------------------------------------------------------

void printBash(llvm::raw_ostream &out) {
  out << R"sh(# Completes command lines of quadrille in bash; written by `quadrille completion bash`.

_quadrille() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=check words= operands=
  COMPREPLY=()
  # --format=text is three words for bash.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case ${COMP_WORDS[1]} in
    )sh" << commandNames(" | ")
      << R"sh()
      ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]} ;;
  esac
  case $command:$previous in
)sh";
  for (cl::SubCommand *command : allCommands())
    for (const cl::Option *option : optionsOf(*command, shownOptions())) {
      if (option->ValueStr.empty())
        continue;
      out << "    " << command->getName() << ':' << spelled(*option) << ") ";
      if (isPath(*option))
        out << "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); return ;;\n";
      else if (const std::string words = valueWords(*option); !words.empty())
        out << "mapfile -t COMPREPLY < <(compgen -W " << quoted(words) << " -- \"$current\"); return ;;\n";
      else
        out << "return ;;\n";
    }
  out << "  esac\n  case $command in\n";
  for (cl::SubCommand *command : allCommands()) {
    std::string options;
    for (const cl::Option *option : optionsOf(*command, shownOptions()))
      options += spelled(*option) + (option->ValueStr.empty() || isLetter(*option) ? "" : "=") + " ";
    out << "    " << command->getName() << ") words=" << quoted(options + "--help");
    if (takesFiles(*command))
      out << " operands=files";
    else if (takesSchedules(*command))
      out << " operands=schedules";
    else if (const std::string words = operandWords(*command); !words.empty())
      out << " operands=" << quoted(words);
    out << " ;;\n";
  }
  out << R"sh(  esac
  if [[ $current == -* ]]; then
    ((COMP_CWORD == 1)) && words+=' --version --cflags --libs'
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
    return
  fi
  ((COMP_CWORD == 1)) && words=')sh"
      << commandNames(" ") << R"sh(' || words=
  case $operands in
    files)
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current"; compgen -f -X '!*.quad' -- "$current"; compgen -d -- "$current")
      words=$(quadrille completion schedules 2>/dev/null)
      ;;
    schedules) words=$(quadrille completion schedules 2>/dev/null) ;;
    *) words=$operands ;;
  esac
  local more
  mapfile -t more < <(compgen -W "$words" -- "$current")
  COMPREPLY+=("${more[@]}")
}
complete -F _quadrille quadrille
)sh";
}

// ---- zsh -----------------------------------------------------------------------------------------------------------------------

void printZsh(llvm::raw_ostream &out) {
  out << R"sh(#compdef quadrille
# Completes command lines of quadrille in zsh; written by `quadrille completion zsh`.

_quadrille_schedules() {
  local -a schedules=(${(f)"$(quadrille completion schedules 2>/dev/null)"})
  compadd -a schedules
}

_quadrille_files() {
  _files -g '*.quad'
  _quadrille_schedules
}

_quadrille() {
  local -a commands=(
)sh";
  for (cl::SubCommand *command : allCommands())
    out << "    " << quoted((command->getName() + ":" + command->getDescription()).str()) << '\n';
  out << R"sh(  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe -t commands command commands
    _quadrille_files
    return
  fi
  local command=check
  if [[ -n ${commands[(r)${words[2]}:*]} ]]; then
    command=$words[2]
    shift words
    (( CURRENT-- ))
  fi
  case $command in
)sh";
  for (cl::SubCommand *command : allCommands()) {
    out << "    " << command->getName() << ")\n      _arguments \\\n";
    for (const cl::Option *option : optionsOf(*command, shownOptions())) {
      // Brackets end the description.
      std::string text = "*" + spelled(*option) + (option->ValueStr.empty() || isLetter(*option) ? "" : "=") + "[";
      for (char c : descriptionOf(*option, *command))
        text += c == '[' || c == ']' || c == '\\' ? std::string("\\") + c : std::string(1, c);
      text += "]";
      if (!option->ValueStr.empty()) {
        text += ":" + option->ValueStr.str() + ":";
        if (isPath(*option))
          text += "_files";
        else if (const std::string words = valueWords(*option); !words.empty())
          text += "(" + words + ")";
      }
      out << "        " << quoted(text) << " \\\n";
    }
    out << "        '--help[this text]'";
    if (takesFiles(*command))
      out << " \\\n        '*:FILE:_quadrille_files'";
    else if (takesSchedules(*command))
      out << " \\\n        '*:SCHEDULE:_quadrille_schedules'";
    else if (const std::string words = operandWords(*command); !words.empty())
      out << " \\\n        '" << (command->getName() == "completion" ? "1:SHELL" : "*:PART") << ":(" << words << ")'";
    else if (!operandsOf(*command).empty())
      out << " \\\n        '*::_files'";
    out << " ;;\n";
  }
  out << "  esac\n}\n\n"
         "# Loaded by compinit, or read by `source`.\n"
         "if [[ $funcstack[1] == _quadrille ]]; then _quadrille \"$@\"; else compdef _quadrille quadrille; fi\n";
}

// ---- fish ----------------------------------------------------------------------------------------------------------------------

void printFish(llvm::raw_ostream &out) {
  out << "# Completes command lines of quadrille in fish; written by `quadrille completion fish`.\n\n"
         "complete -c quadrille -f\n"
         "complete -c quadrille -n __fish_use_subcommand -l help -d 'this text'\n"
         "complete -c quadrille -n __fish_use_subcommand -l version -d 'the version'\n"
         "complete -c quadrille -n __fish_use_subcommand -l cflags -d 'print the flags to compile emitted code with'\n"
         "complete -c quadrille -n __fish_use_subcommand -l libs -d 'print the flags to link it with'\n"
         "complete -c quadrille -n __fish_use_subcommand -a '(__fish_complete_suffix .quad)'\n"
         "complete -c quadrille -n __fish_use_subcommand -a '(quadrille completion schedules 2>/dev/null)'\n";
  for (cl::SubCommand *command : allCommands())
    out << "complete -c quadrille -n __fish_use_subcommand -a " << command->getName() << " -d "
        << quoted(command->getDescription(), "\\") << '\n';
  for (cl::SubCommand *command : allCommands()) {
    const std::string start = "complete -c quadrille -n '__fish_seen_subcommand_from " + command->getName().str() + "'";
    out << '\n';
    for (const cl::Option *option : optionsOf(*command, shownOptions())) {
      out << start << (isLetter(*option) ? " -s " : " -l ") << option->ArgStr;
      if (isPath(*option))
        out << " -r -F";
      else if (const std::string words = valueWords(*option); !words.empty())
        out << " -x -a " << quoted(words);
      else if (!option->ValueStr.empty())
        out << " -x";
      out << " -d " << quoted(descriptionOf(*option, *command), "\\") << '\n';
    }
    out << start << " -l help -d 'this text'\n";
    if (takesFiles(*command))
      out << start << " -a '(__fish_complete_suffix .quad)'\n";
    if (takesSchedules(*command))
      out << start << " -a '(quadrille completion schedules 2>/dev/null)'\n";
    else if (const std::string words = operandWords(*command); !words.empty())
      out << start << " -a " << quoted(words) << '\n';
    else if (!operandsOf(*command).empty())
      out << start << " -F\n";
  }
}

} // namespace

int completionCommand(const Options &options, Library &library) {
  const llvm::StringRef shell = options.files.front();
  if (shell == "bash")
    printBash(llvm::outs());
  else if (shell == "zsh")
    printZsh(llvm::outs());
  else if (shell == "fish")
    printFish(llvm::outs());
  else if (library.loadStandard())
    for (const std::string &name : library.namesToCheck())
      llvm::outs() << name << '\n';
  return 0;
}

} // namespace quadrille::compiler
