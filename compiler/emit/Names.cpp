//===- Names.cpp - Settling the names of emitted code --------------------------------------------------------------------===//

#include "Names.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace quadrille::compiler::emit {

// Keywords and alternative tokens of C++17 and C++20, names that emitted code uses, and functions of the C library that a schedule might use
// as names. Sorted, for a binary search.
static constexpr llvm::StringLiteral reserved[] = {
    "Call", "Communicator", "Datatype", "ErrorCode", "Group", "Index", "Node", "Operator", "Persistent", "Region", "Request",
    "Side", "Status", "abs", "alignas", "alignof", "and", "and_eq", "asm", "atomic_cancel", "atomic_commit",
    "atomic_noexcept", "auto", "bad", "bitand", "bitor", "bool", "break", "call", "case", "catch", "char", "char16_t",
    "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "comm", "compl", "concept", "const", "const_cast",
    "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast",
    "else", "enum", "everyone", "explicit", "export", "extern", "false", "first", "float", "for", "friend", "goto", "group",
    "if", "inline", "int", "labs", "llabs", "long", "main", "mutable", "n", "namespace", "new", "noexcept", "none", "not",
    "not_eq", "nullptr", "op", "operator", "or", "or_eq", "private", "protected", "public", "quadrille", "rank", "real",
    "register", "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static", "static_assert",
    "static_cast", "std", "step", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "type",
    "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor",
    "xor_eq"};

bool isReserved(llvm::StringRef name) {
  assert(std::is_sorted(std::begin(reserved), std::end(reserved)));
  if (std::binary_search(std::begin(reserved), std::end(reserved), name) || isMacro(name))
    return true;
  // Identifiers that the C++ standard reserves.
  return name.contains("__") || (name.starts_with("_") && name.size() > 1);
}

bool Names::isFree(llvm::StringRef name) const {
  for (const Names *scope = this; scope; scope = scope->outer)
    if (scope->taken.contains(name))
      return false;
  return true;
}

std::string Names::settle(llvm::StringRef wanted) {
  // Replace double underscores by single ones, also where `schedule_` is put before the name.
  std::string base;
  for (char c : wanted)
    if (c != '_' || base.empty() || base.back() != '_')
      base += c;
  if (base.size() > 1 && base[0] == '_')
    base = "x" + base;
  if (isReserved(base))
    base += "_";
  assert(!base.empty() && !isReserved(base) && "C++ has no other meaning for the name");
  std::string name = base;
  for (unsigned i = 2; !isFree(name); ++i)
    name = base + std::to_string(i);
  taken.insert(name);
  return name;
}

std::string functionName(llvm::StringRef collective, llvm::StringRef schedule) {
  std::string name;
  for (char c : (collective + "_" + schedule).str())
    if (c != '_' || name.empty() || name.back() != '_')
      name += c;
  return name;
}

} // namespace quadrille::compiler::emit
