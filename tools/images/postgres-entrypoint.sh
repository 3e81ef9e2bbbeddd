#!/bin/sh
# What Carrel's Compose file uses of the official image's entry point.
set -eu
[ "${1:-postgres}" = postgres ] || exec "$@"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # Up to PostgreSQL 17, the data was in the volume's own folder.
  if [ -s /var/lib/postgresql/PG_VERSION ]; then
    echo "There is data of PostgreSQL $(cat /var/lib/postgresql/PG_VERSION) in /var/lib/postgresql" >&2
    exit 1
  fi
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  USER_NAME=${POSTGRES_USER:-postgres}
  DATABASE=${POSTGRES_DB:-$USER_NAME}
  initdb --username="$USER_NAME" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-local=trust --auth-host=scram-sha-256 >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl -o "-c listen_addresses='' -c unix_socket_directories=/var/run/postgresql" -w start >/dev/null
  [ "$DATABASE" = postgres ] || createdb --username="$USER_NAME" "$DATABASE"
  pg_ctl -w stop >/dev/null
fi
shift
exec postgres -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql "$@"
