//===- MachineDescription.cpp - The costs of startups, words and operator applications on a machine -----------------===//

#include "MachineDescription.h"

#include "diagnostics/InputFile.h"
#include "limits/Limits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>
#include <cmath>
#include <set>

namespace quadrille::compiler {

namespace json = llvm::json;

double MachineParameters::seconds(const Cost &cost) const {
  return static_cast<double>(cost.a) * alpha + static_cast<double>(cost.b) * beta + static_cast<double>(cost.c) * gamma;
}

std::string MachineParameters::text() const {
  return "alpha = " + durationText(alpha) + ", beta = " + durationText(beta) + ", gamma = " + durationText(gamma);
}

MachineParameters MachineDescription::forWordsOf(std::int64_t bytes) const {
  const double ratio = static_cast<double>(bytes) / static_cast<double>(elementBytes);
  return {parameters.alpha, parameters.beta * ratio, parameters.gamma * ratio};
}

// ---- durations

namespace {
struct Unit {
  llvm::StringLiteral name;
  double seconds;
};
constexpr Unit units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}; // `s` must be last: the others end in it
} // namespace

static std::string digits(double value, int count) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*g", count, value);
  return text;
}

std::string durationText(double seconds) {
  if (seconds == 0)
    return "0s";
  const Unit *unit = &units[0];
  for (const Unit &candidate : units)
    if (seconds >= 0.99995 * candidate.seconds) // so that 999.96us is written 1ms
      unit = &candidate;
  return digits(seconds / unit->seconds, 4) + unit->name.str();
}

std::string jsonNumber(double value) {
  char text[32]; // the longest text has 24 characters
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

std::optional<double> parseDuration(llvm::StringRef text) {
  double value = 0;
  for (const Unit &unit : units) {
    llvm::StringRef number = text;
    if (!number.consume_back(unit.name))
      continue;
    // getAsDouble also accepts words such as `inf`.
    if (number.empty() || !llvm::all_of(number, [](char c) { return llvm::isDigit(c) || llvm::StringRef(".eE+-").contains(c); }) ||
        number.getAsDouble(value) || !std::isfinite(value) || std::signbit(value))
      return std::nullopt;
    return value * unit.seconds;
  }
  return std::nullopt;
}

// ---- writing

std::string machineText(const MachineDescription &machine) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream out(stream, 2);
  // Six digits are more than the precision of measurements.
  auto number = [&](llvm::StringRef name, double value) {
    out.attributeBegin(name);
    out.rawValue(digits(value, 6));
    out.attributeEnd();
  };
  out.object([&] {
    out.attribute("format", "quadrille-machine");
    out.attribute("version", MachineDescription::version);
    if (!machine.backend.empty())
      out.attribute("backend", machine.backend);
    if (machine.ranks > 0)
      out.attribute("ranks", machine.ranks);
    out.attributeObject("element", [&] {
      if (!machine.element.empty())
        out.attribute("type", machine.element);
      out.attribute("bytes", machine.elementBytes);
    });
    number("alpha", machine.parameters.alpha);
    number("beta", machine.parameters.beta);
    number("gamma", machine.parameters.gamma);
    if (machine.fits.empty())
      return;
    out.attributeArray("fits", [&] {
      for (const MachineFit &fit : machine.fits)
        out.object([&] {
          out.attribute("pattern", fit.pattern);
          out.attribute("ranks", fit.ranks);
          number("startup", fit.line.startup);
          number("per_word", fit.line.perWord);
          number("r2", fit.line.r2);
          number("worst_relative_error", fit.line.worstRelativeError);
          out.attribute("worst_words", fit.line.worstWords);
          if (!fit.segments.empty())
            out.attributeArray("segments", [&] {
              for (const LineSegment &segment : fit.segments)
                out.object([&] {
                  out.attribute("up_to_words", segment.upToWords);
                  number("startup", segment.startup);
                  number("per_word", segment.perWord);
                });
            });
          out.attributeArray("points", [&] {
            for (const MeasuredPoint &point : fit.points)
              out.object([&] {
                out.attribute("words", point.words);
                number("lower_quartile", point.lowerQuartile);
                number("median", point.median);
                number("upper_quartile", point.upperQuartile);
              });
          });
        });
    });
  });
  stream << '\n';
  return text;
}

// ---- reading

namespace {

/// Reads the members of a JSON object by name. Remembers the first problem.
class Members {
public:
  Members(const json::Value &value, std::string where, std::optional<diag::NoMachine> &problem)
      : object(value.getAsObject()), where(std::move(where)), problem(problem) {
    if (!object)
      fail(this->where.empty() ? diag::NoMachine(diag::NoMachineNoObject{}) : diag::NoMachineMemberNoObject{.member = this->where});
  }
  /// Members that were not read are reported as unknown.
  ~Members() {
    if (!object || problem)
      return;
    std::string unknown; // the first by name: members have no order
    for (const auto &member : *object)
      if (!llvm::is_contained(known, member.first.str()) && (unknown.empty() || std::string(member.first.str()) < unknown))
        unknown = std::string(member.first.str());
    if (!unknown.empty())
      fail(diag::NoMachineMemberUnknown{.member = path(unknown)});
  }
  Members(const Members &) = delete;
  Members &operator=(const Members &) = delete;

  const json::Value *find(llvm::StringRef name, bool isRequired) {
    known.push_back(name.str());
    const json::Value *value = object ? object->get(name) : nullptr;
    if (!value && isRequired)
      fail(diag::NoMachineMemberMissing{.member = path(name)});
    return value;
  }

  void number(llvm::StringRef name, double &into, double least = 0) {
    if (const json::Value *value = find(name, true)) {
      std::optional<double> number = value->getAsNumber();
      if (number && std::isfinite(*number) && *number >= least)
        into = *number;
      else
        fail(diag::NoMachineNoNumber{.member = path(name), .fromZero = least == 0});
    }
  }
  /// Reads a time. It must not be zero, since errors are relative to it.
  void time(llvm::StringRef name, double &into) {
    number(name, into);
    if (object && object->get(name) && into <= 0)
      fail(diag::NoMachineNotPositive{.member = path(name)});
  }
  void integer(llvm::StringRef name, bool isRequired, std::int64_t least, std::int64_t &into) {
    if (const json::Value *value = find(name, isRequired)) {
      std::optional<std::int64_t> number = value->getAsInteger();
      if (number && *number >= least)
        into = *number;
      else
        fail(diag::NoMachineNoInteger{.member = path(name), .least = least});
    }
  }
  void word(llvm::StringRef name, bool isRequired, llvm::ArrayRef<llvm::StringRef> allowed, std::string &into) {
    if (const json::Value *value = find(name, isRequired)) {
      std::optional<llvm::StringRef> text = value->getAsString();
      if (text && (allowed.empty() || llvm::is_contained(allowed, *text)))
        into = text->str();
      else
        fail(allowed.empty() ? diag::NoMachine(diag::NoMachineNoString{.member = path(name)})
                             : diag::NoMachineOtherWord{.member = path(name), .allowed = std::vector<std::string>(allowed.begin(), allowed.end())});
    }
  }
  void each(llvm::StringRef name, bool isRequired, llvm::function_ref<void(Members &)> visit) {
    const json::Value *value = find(name, isRequired);
    if (!value)
      return;
    const json::Array *array = value->getAsArray();
    if (!array)
      return fail(diag::NoMachineNoArray{.member = path(name)});
    for (size_t i = 0; i < array->size() && !problem; ++i) {
      Members member((*array)[i], path(name) + "[" + std::to_string(i) + "]", problem);
      visit(member);
    }
  }
  std::string path(llvm::StringRef name) const { return where.empty() ? name.str() : where + "." + name.str(); }
  void fail(diag::NoMachine what) {
    if (!problem)
      problem = std::move(what);
  }

private:
  const json::Object *object;
  std::string where;
  std::optional<diag::NoMachine> &problem;
  std::vector<std::string> known;
};

void readFit(Members &from, MachineFit &fit) {
  from.word("pattern", true, {"message", "exchange", "shift", "combine"}, fit.pattern);
  from.integer("ranks", true, 1, fit.ranks);
  from.number("startup", fit.line.startup);
  from.number("per_word", fit.line.perWord);
  from.number("r2", fit.line.r2, -HUGE_VAL); // may be far below 0 for a bad fit
  from.number("worst_relative_error", fit.line.worstRelativeError);
  from.integer("worst_words", true, 0, fit.line.worstWords);
  from.each("segments", false, [&](Members &each) {
    LineSegment &segment = fit.segments.emplace_back();
    each.integer("up_to_words", true, 1, segment.upToWords);
    each.number("startup", segment.startup);
    each.number("per_word", segment.perWord);
  });
  from.each("points", true, [&](Members &each) {
    MeasuredPoint &point = fit.points.emplace_back();
    each.integer("words", true, 1, point.words);
    each.time("lower_quartile", point.lowerQuartile);
    each.time("median", point.median);
    each.time("upper_quartile", point.upperQuartile);
  });
}

void readMembers(const json::Value &value, MachineDescription &machine, std::optional<diag::NoMachine> &problem) {
  Members members(value, "", problem);
  std::string format;
  std::int64_t version = 0;
  members.word("format", true, {"quadrille-machine"}, format);
  members.integer("version", true, 1, version);
  if (!problem && version != MachineDescription::version)
    return members.fail(diag::NoMachineVersion{.version = version, .known = MachineDescription::version});
  members.word("backend", false, {"shm", "mpi"}, machine.backend);
  members.integer("ranks", false, 1, machine.ranks);
  if (const json::Value *element = members.find("element", false)) {
    Members of(*element, "element", problem);
    of.word("type", false, {}, machine.element);
    of.integer("bytes", true, 1, machine.elementBytes);
  }
  members.number("alpha", machine.parameters.alpha);
  members.number("beta", machine.parameters.beta);
  members.number("gamma", machine.parameters.gamma);
  members.each("fits", false, [&](Members &from) { readFit(from, machine.fits.emplace_back()); });
}

/// The name of a member that occurs twice in an object of a JSON text; empty if there is none. The parser would drop one of them.
std::string memberGivenTwice(llvm::StringRef text) {
  std::vector<std::set<std::string>> names; // names seen in each open object; empty for arrays
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' || text[i] == '[')
      names.emplace_back();
    else if (text[i] == '}' || text[i] == ']')
      names.pop_back();
    if (text[i] != '"')
      continue;
    const size_t begin = i++;
    for (; text[i] != '"'; ++i)
      i += text[i] == '\\';
    if (!text.substr(i + 1).ltrim().starts_with(":"))
      continue;
    llvm::Expected<json::Value> name = json::parse(text.slice(begin, i + 1)); // without escapes
    if (!name) {
      llvm::consumeError(name.takeError());
      continue;
    }
    if (!names.back().insert(name->getAsString()->str()).second)
      return name->getAsString()->str();
  }
  return {};
}

/// Parses the text. Returns what is wrong with it; nothing if it is right.
std::optional<diag::NoMachine> parseMachine(llvm::StringRef text, MachineDescription &machine) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value) {
    std::string error = llvm::toString(value.takeError());
    return diag::NoMachineNoJson{.said = llvm::StringRef(error).trim()};
  }
  if (const std::string twice = memberGivenTwice(text); !twice.empty())
    return diag::NoMachineMemberTwice{.member = twice};
  std::optional<diag::NoMachine> problem;
  readMembers(*value, machine, problem);
  return problem;
}

} // namespace

std::optional<MachineDescription> readMachine(llvm::StringRef file, Diagnostics &diagnostics) {
  const std::optional<std::string> text = readMeasured(file, diagnostics);
  if (!text)
    return std::nullopt;
  MachineDescription machine;
  const std::optional<diag::NoMachine> problem = text->size() > limits::machineFileBytes
                                                     ? diag::NoMachineTooLarge{.limit = limits::machineFileBytes}
                                                     : parseMachine(*text, machine);
  if (!problem)
    return machine;
  diagnostics.reportFile(file, diag::NotAMachine{.reason = *problem});
  return std::nullopt;
}

} // namespace quadrille::compiler
