#!/bin/sh
# Creates the secrets of mysql.yaml in the folder secrets beside it. What is there already stays as it is.
set -eu
umask 077
mkdir -p "$(dirname "$0")/secrets"
cd "$(dirname "$0")/secrets"

new_key() { openssl rand -base64 32; }

if [ ! -e database_password ]; then
  openssl rand -hex 32 > database_password
  printf 'mysql://hushpush:%s@database:3306/hushpush\n' "$(cat database_password)" > database_url
fi
if [ ! -e master.key ]; then
  printf 'MASTER_KEYS=1:%s\nPEPPER=%s\n' "$(new_key)" "$(new_key)" > master.key
  echo 'Back up secrets/master.key apart from the database: without it, nothing can be decrypted.'
fi
# Containers read these as users of their own; on this machine, only you can open the folder.
chmod 0444 database_password database_url master.key
if [ "$(id -u)" = 0 ]; then
  chown 65532 database_url master.key # the user of the image
  chmod 0400 database_url master.key
fi
