import { chownSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import pg from "pg";
import { startPostgres } from "../../../tools/postgres.ts";
import { freePort } from "../../../tools/process.ts";
import { redisProgram } from "../../../tools/redis-program.ts";
import { startRedis } from "../../../tools/redis.ts";
import { guardedFolder } from "./guard.ts";

export interface TlsServer {
  /** Without TLS. */
  url: string;
  /** Of the same server with TLS: `rediss://`, and PostgreSQL's port for both. */
  tlsUrl: string;
  stop(): Promise<void>;
}

interface Identity {
  cert: string;
  key: string;
}

/** A PostgreSQL on this machine that also accepts TLS; it ends with this process. */
export async function startTlsPostgres({ cert, key }: Identity): Promise<TlsServer> {
  const server = await startPostgres({
    folder: join(guardedFolder("carrel-test-pg-tls-"), "postgres"),
    settings: { fsync: "off", max_connections: "50" },
  });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory");
    const folder = rows[0]!.data_directory;
    const { uid, gid } = statSync(folder);
    for (const [name, text] of Object.entries({ "server.crt": cert, "server.key": key })) {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      chownSync(join(folder, name), uid, gid);
    }
    await client.query("ALTER SYSTEM SET ssl = on");
    await client.query("SELECT pg_reload_conf()");
  } finally {
    await client.end();
  }
  const tlsUrl = server.url.replace("127.0.0.1", "localhost");
  return { url: server.url, tlsUrl, stop: () => server.stop() };
}

/** A Redis on this machine that also accepts TLS, on another port; it ends with this process. */
export async function startTlsRedis({ cert, key }: Identity): Promise<TlsServer> {
  const folder = guardedFolder("carrel-test-redis-tls-");
  const server = await startRedis({ folder, program: await redisProgram(), appendOnly: false });
  const port = await freePort();
  const [certFile, keyFile] = [join(folder, "server.crt"), join(folder, "server.key")];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key, { mode: 0o600 });
  const client = new Redis(server.url);
  try {
    await client.call("CONFIG", [
      ...["SET", "tls-cert-file", certFile, "tls-key-file", keyFile],
      ...["tls-auth-clients", "no", "tls-port", String(port)],
    ]);
  } finally {
    client.disconnect();
  }
  const tlsUrl = server.url
    .replace("redis:", "rediss:")
    .replace(/127\.0\.0\.1:\d+$/, `localhost:${port}`);
  return { url: server.url, tlsUrl, stop: () => server.stop() };
}
