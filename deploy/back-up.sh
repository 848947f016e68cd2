#!/bin/sh
# Backs Overworld up into a folder, and keeps only the newest backups there:
#   back-up.sh FOLDER COUNT
# Files get their names when they are complete, only their owner may read them, and after a failed backup
# all older ones stay. overworld-backup.service runs it.
set -eu
umask 077
folder=$1
count=$2
checkout=$(dirname "$(dirname "$(realpath "$0")")")
file=$folder/overworld-$(date -u +%Y-%m-%dT%H%M%SZ).ndjson.gz

"$checkout/node_modules/.bin/node" "$checkout/packages/server/bin/overworld" backup "$file"
# The names sort by time.
find "$folder" -maxdepth 1 -name 'overworld-*.ndjson.gz' | sort -r | tail -n "+$((count + 1))" |
  while read -r old; do rm "$old"; done
