#!/bin/sh
# Becomes the first interpreter that works here. Words: PYTHON-SCRIPT PERL-SCRIPT ARGUMENTS...
py=$1 pl=$2
shift 2
for p in python3 /usr/libexec/platform-python; do
  command -v "$p" >/dev/null 2>&1 && "$p" -c 'import socket, threading' 2>/dev/null && exec "$p" -c "$py" "$@"
done
command -v perl >/dev/null 2>&1 && perl -MSocket -MFcntl -e1 2>/dev/null && exec perl -e "$pl" -- "$@"
echo none
