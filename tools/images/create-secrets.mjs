// Creates what Carrel's containers have in common, once: passwords of the servers and the instance secret. Each folder
// is a volume that only those containers mount which need it. Existing files are kept. With --key, the instance secret
// is read from standard input, to restore a backup of another installation.
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2] ?? "/secrets";
const key = process.argv[3] === "--key" ? readFileSync(0, "utf8").trim() : null;
if (key !== null && key.length < 32) {
  process.stderr.write("Standard input contains no instance key. Nothing was changed.\n");
  process.exit(1);
}

/**
 * Readable for the users of the containers that mount the volume. Renamed into place, so that an interrupted start
 * leaves no empty secret behind.
 */
function keep(path, text) {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  if (!existsSync(file)) {
    rmSync(`${file}.new`, { force: true });
    writeFileSync(`${file}.new`, text, { mode: 0o444, flag: "wx", flush: true });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, "utf8");
}
const password = (path) => keep(path, randomBytes(24).toString("base64url"));

const postgres = password("postgres/password");
const redis = password("redis/password");
const qdrant = password("qdrant/key");
password("grafana/password");
keep(
  "redis/redis.conf",
  `requirepass ${redis}\nappendonly yes\nmaxmemory-policy noeviction\ndir /data\n`,
);
keep("qdrant/config.yaml", `service:\n  api_key: ${qdrant}\ntelemetry_disabled: true\n`);
const instanceSecret = keep("carrel/instance-secret", key ?? randomBytes(32).toString("base64url"));
keep("carrel/database-url", `postgres://carrel:${postgres}@postgres:5432/carrel`);
keep("carrel/redis-url", `redis://:${redis}@redis:6379`);
keep("carrel/qdrant-key", qdrant);

if (key !== null && instanceSecret !== key) {
  process.stderr.write(
    "This installation has another instance key already. To use the given one, first remove all its data: docker compose down -v\n",
  );
  process.exit(1);
}
