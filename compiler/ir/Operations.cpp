//===- Operations.cpp - The table of operations as data -----------------------------------------------------------------===//

#include "Operations.h"

namespace quadrille::compiler::ir {

llvm::ArrayRef<Operation> operations() {
  static constexpr Operation table[] = {
#define SPECIAL(name, form, word) \
  {Op::name, #name, Form::form, word, Op::name == Op::Select ? Binding::Select : Binding::Atom, Signature::Own, Type::Integer, Type::Integer, ""},
#define UNARY(name, function, form, word, binding, result, operand, cpp) \
  {Op::name, #name, Form::form, word, Binding::binding, Signature::Unary, Type::result, Type::operand, cpp},
#define BINARY(name, function, form, word, binding, result, operands, cpp) \
  {Op::name, #name, Form::form, word, Binding::binding, Signature::Binary, Type::result, Type::operands, cpp},
#define EQUALITY(name, function, form, word, binding, result, operands, cpp) \
  {Op::name, #name, Form::form, word, Binding::binding, Signature::Equality, Type::result, Type::operands, cpp},
#include "Operations.def"
  };
  return table;
}

const Operation *operationWritten(Form form, llvm::StringRef word) {
  const auto *found = llvm::find_if(operations(), [&](const Operation &o) { return o.form == form && o.word == word; });
  return found == operations().end() ? nullptr : found;
}

} // namespace quadrille::compiler::ir
