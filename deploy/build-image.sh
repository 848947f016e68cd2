#!/bin/sh
# The steps that make the container image. The Dockerfile runs them; the tests of the image run them in
# plain folders, without Docker.
#
#   install        in a checkout: installs the packages and builds the dashboard
#   prune          in a checkout: removes the files that only building needs, and proves that the server runs
#   copy FOLDER    in a checkout: copies to FOLDER the files that the server needs
#   add-user ROOT  adds the server's user and its data folder to the file system at ROOT
set -eu

install() {
  node scripts/bootstrap.js start
}

prune() {
  npm prune --omit=dev --ignore-scripts
  rm -r node_modules/node-linux-*/include
  # The files of a checkout may be readable to its owner alone, and the server runs as another user.
  chmod -R go=u-w packages
  # The server sets up a database once. This leaves the compiled sources, which a read-only container could
  # not write.
  trial=$(mktemp -d)
  chmod 711 "$trial"
  DATA_DIR=$trial/data node_modules/.bin/node packages/server/bin/overworld migrate
  rm -r "$trial"
}

copy() {
  mkdir -p "$1"
  cp -a --parents LICENSE node_modules packages/contract packages/server packages/dashboard/dist "$1"
}

add_user() {
  # PostgreSQL refuses to run as root, and looks up the name of its user.
  echo 'overworld:x:10001:10001::/data:/usr/sbin/nologin' >>"$1/etc/passwd"
  echo 'overworld:x:10001:' >>"$1/etc/group"
  mkdir "$1/data"
  chown 10001:10001 "$1/data"
  chmod 700 "$1/data"
}

case $1 in
  install) install ;;
  prune) prune ;;
  copy) copy "$2" ;;
  add-user) add_user "$2" ;;
  *) echo "There is no step $1" >&2; exit 1 ;;
esac
