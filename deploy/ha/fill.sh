#!/bin/sh
# The files of three machines at their addresses, with new passwords:
#     sh fill.sh FOLDER ADDRESS ADDRESS ADDRESS        FOLDER is a new one
set -eu
umask 077
[ $# -eq 4 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
here=$(dirname "$0") folder=$1
mkdir "$folder" # one that is there stays as it is: the machines have its passwords
blanks="s/@address-1@/$2/g; s/@address-2@/$3/g; s/@address-3@/$4/g"
for whose in superuser replication rest kiebitz; do
    blanks="$blanks; s/@$whose-password@/$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')/g"
done

for number in 1 2 3; do
    machine="$folder/machine-$number"
    mkdir "$machine"
    eval "address=\$$((number + 1))"
    for file in etcd.env patroni.yml patroni.service patroni.txt; do
        sed "$blanks; s/@name@/machine-$number/g; s/@address@/$address/g" "$here/$file" > "$machine/$file"
    done
done
for file in haproxy.cfg kiebitz.env; do
    sed "$blanks" "$here/$file" > "$folder/$file"
done
