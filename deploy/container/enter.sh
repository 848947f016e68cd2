#!/bin/sh
# Runs a command in a folder that is its whole file system, as Docker does, but without Docker's engine:
#   unshare --mount --pid --fork --kill-child enter.sh ROOT [--read-only DATA] -- chroot's arguments
# With --read-only nothing can be written except /tmp and the volume /data, which is the folder DATA.
set -eu
root=$1
shift
mkdir -p "$root/dev/shm" "$root/proc" "$root/tmp" "$root/data"
# Single devices, so that nothing in there can remove the machine's own.
devices='null zero full random urandom tty'
for device in $devices; do [ -e "$root/dev/$device" ] || : >"$root/dev/$device"; done
if [ "$1" = --read-only ]; then
  mount --bind "$root" "$root"
  mount -o remount,ro,bind "$root"
  mount -t tmpfs -o mode=1777 tmp "$root/tmp"
  mount --bind "$2" "$root/data"
  shift 2
fi
shift
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777,size=64m shm "$root/dev/shm"
for device in $devices; do mount --bind "/dev/$device" "$root/dev/$device"; done
exec chroot "$@"
