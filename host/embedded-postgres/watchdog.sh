#!/bin/sh
# Waits until the process at the other end of standard input is gone; see watchdog.ts.
# Arguments: seconds of grace, then the command that retires the server, completed by what was said
# last: the server's process number and its data directory.
set -u
# Ctrl-C, a closed terminal or the end of a service must not end it before its work is done.
trap '' HUP INT TERM
grace=$1
shift
server=0
cluster=
while read -r word number directory; do
  case $word in
    server) server=$number cluster=$directory ;;
    closed) exit 0 ;;
    left) grace=0; break ;;
  esac
done
sleep "$grace"
"$@" "$server" "$cluster" && exit 0
# The command cannot run: its clone was removed.
case $(tr '\0' ' ' <"/proc/$server/cmdline") in
  *" -D $cluster "*) kill -INT "$server" ;;
esac
