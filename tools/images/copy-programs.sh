#!/bin/sh
# Copies Debian's programs, libraries and folders into an image without a package manager, with the libraries that they
# load, and the records and licences of their packages, so that scanners find them: copy-programs.sh <folder> <path>…
set -eu
TARGET=$1
shift
mkdir -p "$TARGET/var/lib/dpkg/status.d"
for file in "$@" $(ldd "$@" 2>/dev/null | grep -o '/[^ :]*' | sort -u); do
  [ -e "$TARGET$file" ] || cp -RL --parents "$file" "$TARGET"
  # Debian's merged folders: packages list files of /lib under /usr/lib or /lib.
  real=$(readlink -f "$file")
  for path in "$file" "$real" "${real#/usr}"; do
    package=$(dpkg-query -S "$path" 2>/dev/null | grep -v '^diversion ' | head -n 1 | cut -d: -f1) || :
    [ -z "$package" ] || break
  done
  [ -n "$package" ] || continue # not of a package, such as Node
  [ ! -e "$TARGET/var/lib/dpkg/status.d/$package" ] || continue
  dpkg-query -s "$package" >"$TARGET/var/lib/dpkg/status.d/$package"
  [ ! -e "/usr/share/doc/$package/copyright" ] || cp -L --parents "/usr/share/doc/$package/copyright" "$TARGET"
done
