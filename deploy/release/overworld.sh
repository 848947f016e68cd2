#!/bin/sh
# Runs a command of Overworld with the Node of this folder, such as `./overworld start` or `./overworld help`.
set -eu
home=$(dirname "$(readlink -f "$0")")
exec "$home/node_modules/.bin/node" --max-semi-space-size=8 "$home/packages/server/bin/overworld" "$@"
