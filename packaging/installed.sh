#!/bin/sh
# Before `npm start` and the like in a clone: without its packages there is only "bun: not found".
[ -d node_modules/bun ] && exit 0
echo 'The packages of Coinop are not installed in this folder. Run this first:' >&2
echo '  npm ci --omit=dev     (to work on Coinop itself: npm ci; with Bun alone: bun install)' >&2
exit 1
