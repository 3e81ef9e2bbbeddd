#!/bin/sh
# What Carrel's Compose file uses of the official image's entry point.
set -eu
[ "${1:-postgres}" = postgres ] || exec "$@"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  USER_NAME=${POSTGRES_USER:-postgres}
  DATABASE=${POSTGRES_DB:-$USER_NAME}
  initdb --username="$USER_NAME" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-local=trust --auth-host=scram-sha-256 >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl -o "-c listen_addresses=''" -w start >/dev/null
  [ "$DATABASE" = postgres ] || createdb --username="$USER_NAME" "$DATABASE"
  pg_ctl -w stop >/dev/null
fi
shift
exec postgres -c listen_addresses='*' "$@"
