//===- Macros.cpp - Names that the preprocessor would replace ----------------------------------------------------------------===//

#include "Names.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace quadrille::compiler::emit {

// Which of these are defined depends on the headers of the C++ library and of MPI that emitted files include, and on what a program
// includes before them. So all of the C library, of POSIX where a C library shows it, and of MPI are here.

/// The beginnings of families.
static constexpr llvm::StringLiteral families[] = {
    "ADJ_", "ATOMIC_", "BUS_", "CLD_", "CLOCKS_", "CLOCK_", "CLONE_", "CPU_", "DBL_", "EXIT_", "FD_", "FLT_", "FPE_", "FP_", "HAVE_",
    "HUGE_VAL", "ILL_", "INT16_", "INT32_", "INT64_", "INT8_", "INTMAX_", "INTPTR_", "INT_", "LC_", "LDBL_", "LLONG_", "LONG_", "MOD_",
    "MPICH_", "MPIO_", "MPIX_", "MPI_", "M_", "OMPI_", "OPAL_", "PLATFORM_COMPILER_", "PMPI_", "POLL_", "PTHREAD_", "PTRDIFF_", "QUADRILLE_",
    "REG_", "SA_", "SCHAR_", "SCHED_", "SEEK_", "SEGV_", "SHRT_", "SIGEV_", "SIG_", "SIZE_", "SI_", "SNAN", "STA_", "TRAP_", "UCHAR_",
    "UINT16_", "UINT32_", "UINT64_", "UINT8_", "UINTMAX_", "UINTPTR_", "UINT_", "ULLONG_", "ULONG_", "USHRT_", "WCHAR_", "WIF", "WINT_",
    "be16", "be32", "be64", "htobe", "htole", "le16", "le32", "le64", "ompi_", "pthread_", "si_", "sigev_", "va_"};

/// Others. Sorted, for a binary search.
static constexpr llvm::StringLiteral macros[] = {
    "BIG_ENDIAN", "BOOL_MAX", "BOOL_WIDTH", "BUFSIZ", "BYTE_ORDER", "CHAR_BIT", "CHAR_MAX", "CHAR_MIN", "CHAR_WIDTH", "CSIGNAL",
    "DECIMAL_DIG", "E2BIG", "EACCES", "EADDRINUSE", "EADDRNOTAVAIL", "EADV", "EAFNOSUPPORT", "EAGAIN", "EALREADY", "EBADE", "EBADF",
    "EBADFD", "EBADMSG", "EBADR", "EBADRQC", "EBADSLT", "EBFONT", "EBUSY", "ECANCELED", "ECHILD", "ECHRNG", "ECOMM", "ECONNABORTED",
    "ECONNREFUSED", "ECONNRESET", "EDEADLK", "EDEADLOCK", "EDESTADDRREQ", "EDOM", "EDOTDOT", "EDQUOT", "EEXIST", "EFAULT", "EFBIG",
    "EHOSTDOWN", "EHOSTUNREACH", "EHWPOISON", "EIDRM", "EILSEQ", "EINPROGRESS", "EINTR", "EINVAL", "EIO", "EISCONN", "EISDIR", "EISNAM",
    "EKEYEXPIRED", "EKEYREJECTED", "EKEYREVOKED", "EL2HLT", "EL2NSYNC", "EL3HLT", "EL3RST", "ELIBACC", "ELIBBAD", "ELIBEXEC", "ELIBMAX",
    "ELIBSCN", "ELNRNG", "ELOOP", "EMEDIUMTYPE", "EMFILE", "EMLINK", "EMSGSIZE", "EMULTIHOP", "ENAMETOOLONG", "ENAVAIL", "ENETDOWN",
    "ENETRESET", "ENETUNREACH", "ENFILE", "ENOANO", "ENOBUFS", "ENOCSI", "ENODATA", "ENODEV", "ENOENT", "ENOEXEC", "ENOKEY", "ENOLCK",
    "ENOLINK", "ENOMEDIUM", "ENOMEM", "ENOMSG", "ENONET", "ENOPKG", "ENOPROTOOPT", "ENOSPC", "ENOSR", "ENOSTR", "ENOSYS", "ENOTBLK",
    "ENOTCONN", "ENOTDIR", "ENOTEMPTY", "ENOTNAM", "ENOTRECOVERABLE", "ENOTSOCK", "ENOTSUP", "ENOTTY", "ENOTUNIQ", "ENXIO", "EOF",
    "EOPNOTSUPP", "EOVERFLOW", "EOWNERDEAD", "EPERM", "EPFNOSUPPORT", "EPIPE", "EPROTO", "EPROTONOSUPPORT", "EPROTOTYPE", "ERANGE",
    "EREMCHG", "EREMOTE", "EREMOTEIO", "ERESTART", "ERFKILL", "EROFS", "ESHUTDOWN", "ESOCKTNOSUPPORT", "ESPIPE", "ESRCH", "ESRMNT", "ESTALE",
    "ESTRPIPE", "ETIME", "ETIMEDOUT", "ETOOMANYREFS", "ETXTBSY", "EUCLEAN", "EUNATCH", "EUSERS", "EWOULDBLOCK", "EXDEV", "EXFULL",
    "FILENAME_MAX", "FOPEN_MAX", "F_LOCK", "F_OK", "F_TEST", "F_TLOCK", "F_ULOCK", "INFINITY", "LINE_MAX", "LITTLE_ENDIAN", "L_INCR",
    "L_SET", "L_tmpnam", "MAXFLOAT", "MAX_CANON", "MAX_INPUT", "MB_CUR_MAX", "MB_LEN_MAX", "MINSIGSTKSZ", "NAME_MAX", "NAN", "NFDBITS",
    "NGREG", "NGROUPS_MAX", "NSIG", "NULL", "NZERO", "OPEN_MPI", "PATH_MAX", "PDP_ENDIAN", "PIPE_BUF", "P_tmpdir", "RAND_MAX", "R_OK",
    "SIGABRT", "SIGALRM", "SIGBUS", "SIGCHLD", "SIGCLD", "SIGCONT", "SIGFPE", "SIGHUP", "SIGILL", "SIGINT", "SIGIO", "SIGIOT", "SIGKILL",
    "SIGPIPE", "SIGPOLL", "SIGPROF", "SIGPWR", "SIGQUIT", "SIGRTMAX", "SIGRTMIN", "SIGSEGV", "SIGSTKFLT", "SIGSTKSZ", "SIGSTOP", "SIGSYS",
    "SIGTERM", "SIGTRAP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGUSR1", "SIGUSR2", "SIGVTALRM", "SIGWINCH", "SIGXCPU", "SIGXFSZ",
    "SSIZE_MAX", "TEMP_FAILURE_RETRY", "THIS_FUNCTION_WAS_REMOVED_IN_MPI30", "THIS_SYMBOL_WAS_REMOVED_IN_MPI30", "TIMER_ABSTIME", "TIME_UTC",
    "TMP_MAX", "WCONTINUED", "WEOF", "WEXITED", "WEXITSTATUS", "WNOHANG", "WNOWAIT", "WORD_BIT", "WSTOPPED", "WSTOPSIG", "WTERMSIG",
    "WUNTRACED", "W_OK", "X_OK", "alloca", "assert", "assert_perror", "errno", "i386", "issubnormal", "linux", "math_errhandling",
    "offsetof", "sa_handler", "sa_sigaction", "sched_priority", "setjmp", "sigmask", "sigsetjmp", "stderr", "stdin", "stdout", "strdupa",
    "strndupa", "unix"};

bool isMacro(llvm::StringRef name) {
  assert(std::is_sorted(std::begin(macros), std::end(macros)));
  // No member of a family ends with an underscore, so that is how names of schedules are mended.
  return std::binary_search(std::begin(macros), std::end(macros), name) ||
         (!name.ends_with("_") && llvm::any_of(families, [&](llvm::StringRef family) { return name.starts_with(family); }));
}

} // namespace quadrille::compiler::emit
