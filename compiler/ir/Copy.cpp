//===- Copy.cpp - Copies of statements ---------------------------------------------------------------------------------------===//

#include "Copy.h"

namespace quadrille::compiler::ir {

Body copyOf(const Body &body) {
  Body result;
  for (const auto &stmt : body)
    result.push_back(copyOf(*stmt));
  return result;
}

std::unique_ptr<Stmt> copyOf(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::Let:
    return std::make_unique<LetStmt>(llvm::cast<LetStmt>(stmt));
  case StmtKind::Declare:
    return std::make_unique<DeclareStmt>(llvm::cast<DeclareStmt>(stmt));
  case StmtKind::Assign:
    return std::make_unique<AssignStmt>(llvm::cast<AssignStmt>(stmt));
  case StmtKind::Transfer:
    return std::make_unique<TransferStmt>(llvm::cast<TransferStmt>(stmt));
  case StmtKind::Use:
    return std::make_unique<UseStmt>(llvm::cast<UseStmt>(stmt));
  case StmtKind::Step: {
    const auto &step = llvm::cast<StepStmt>(stmt);
    auto result = std::make_unique<StepStmt>(static_cast<const StepHead &>(step));
    result->body = copyOf(step.body);
    return result;
  }
  case StmtKind::If: {
    const auto &branch = llvm::cast<IfStmt>(stmt);
    auto result = std::make_unique<IfStmt>(static_cast<const IfHead &>(branch));
    result->yes = copyOf(branch.yes);
    result->no = copyOf(branch.no);
    return result;
  }
  case StmtKind::For: {
    const auto &loop = llvm::cast<ForStmt>(stmt);
    auto result = std::make_unique<ForStmt>(static_cast<const ForHead &>(loop));
    result->body = copyOf(loop.body);
    return result;
  }
  }
  llvm_unreachable("all kinds of statements are above");
}

} // namespace quadrille::compiler::ir
