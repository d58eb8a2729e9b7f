//===- SharedAnswers.cpp - Answers that serve several schedules -------------------------------------------------------------===//

#include "SharedAnswers.h"

#include "limits/Limits.h"

namespace quadrille::compiler::prove {

std::optional<SharedAnswers::Answered> SharedAnswers::find(llvm::StringRef key) const {
  const std::lock_guard lock(mutex);
  auto entry = answers.find(key);
  return entry == answers.end() ? std::nullopt : std::optional(entry->second);
}

void SharedAnswers::keep(llvm::StringRef key, Answered answer) {
  const std::lock_guard lock(mutex);
  if (answers.size() < limits::sharedAnswers)
    answers.try_emplace(key, std::move(answer));
}

size_t SharedAnswers::size() const {
  const std::lock_guard lock(mutex);
  return answers.size();
}

} // namespace quadrille::compiler::prove
