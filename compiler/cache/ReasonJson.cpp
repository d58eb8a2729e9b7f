//===- ReasonJson.cpp - Why something is not proved, as JSON -----------------------------------------------------------------===//

#include "ReasonJson.h"

namespace quadrille::compiler {

namespace json = llvm::json;

json::Value toJson(const std::optional<LimitInForce> &limit) {
  if (!limit)
    return nullptr;
  return json::Object{{"name", limit->entry().name}, {"value", static_cast<std::int64_t>(limit->value())}};
}

bool fromJson(const json::Value &value, std::optional<LimitInForce> &limit, json::Path path) {
  limit.reset();
  if (value.getAsNull())
    return true;
  std::string name;
  std::int64_t number = 0;
  json::ObjectMapper map(value, path);
  if (!map || !map.map("name", name) || !map.map("value", number))
    return false;
  limit = limitNamed(name, static_cast<std::uint64_t>(number));
  if (!limit)
    path.report("no limit");
  return limit.has_value();
}

json::Value toJson(const std::optional<prove::Reason> &reason) {
  if (!reason)
    return nullptr;
  return json::Object{{"gap", prove::gapName(reason->gap)}, {"subject", reason->subject}, {"limit", toJson(reason->limit)}};
}

bool fromJson(const json::Value &value, std::optional<prove::Reason> &reason, json::Path path) {
  reason.reset();
  if (value.getAsNull())
    return true;
  std::string name, subject;
  json::ObjectMapper map(value, path);
  if (!map || !map.map("gap", name) || !map.map("subject", subject))
    return false;
  const std::optional<prove::Gap> gap = prove::gapNamed(name);
  const json::Value *limit = value.getAsObject()->get("limit");
  if (!gap || !limit) {
    path.report("no reason");
    return false;
  }
  prove::Reason read{*gap, std::move(subject)};
  if (!fromJson(*limit, read.limit, path.field("limit")))
    return false;
  reason = std::move(read);
  return true;
}

} // namespace quadrille::compiler
