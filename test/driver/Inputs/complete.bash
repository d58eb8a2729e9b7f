# usage: complete.bash SCRIPT WORD... - what bash offers instead of the last word; an empty word is an empty word.
script=$1
shift
. "$script"
compopt() { :; } # which is for a completion that runs on a terminal
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_quadrille
printf '%s\n' "${COMPREPLY[@]}"
