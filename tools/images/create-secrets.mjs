// Creates what Carrel's containers have in common, once: passwords of the servers and the instance secret. They are
// kept in the folder `carrel`, which no other container mounts. From them, each start writes a folder for each
// container, a volume that only this container mounts, whose files only its user may read. With --key, the instance
// secret is read from standard input, to restore a backup of another installation. With --rotate, --new-password or
// --drop-previous, one step of docs/runbooks/rotate-secrets.md. The folder `external` has the URLs of external servers
// in place of those in Compose, and the key of a bucket, if there are any.
import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

const folder = process.argv[2] ?? "/secrets";
const key = process.argv[3] === "--key" ? readFileSync(0, "utf8").trim() : null;
if (key !== null && key.length < 32) {
  process.stderr.write("Standard input contains no instance key. Nothing was changed.\n");
  process.exit(1);
}

/** Users of the containers. */
const [root, carrel, postgresUser, redisUser, qdrantUser, grafanaUser] = [
  0, 1000, 999, 999, 1000, 472,
];

/** Renamed into place, so that an interrupted start leaves no empty secret behind. */
function write(path, text, user) {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, text, { mode: 0o400, flag: "wx", flush: true });
  if (user !== root) chownSync(`${file}.new`, user, user);
  renameSync(`${file}.new`, file);
}

/** The kept secret. `previous` is where earlier versions kept it, readable for everyone. */
function keep(name, create, previous = name) {
  const kept = join(folder, "carrel", name);
  const earlier = join(folder, previous);
  const text = existsSync(kept)
    ? readFileSync(kept, "utf8")
    : existsSync(earlier)
      ? readFileSync(earlier, "utf8")
      : create();
  write(join("carrel", name), text, root);
  return text;
}
const password = () => randomBytes(24).toString("base64url");
const newSecret = () => randomBytes(32).toString("base64url");
const read = (name) => {
  const file = join(folder, "carrel", name);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};
const put = (name, text) => write(join("carrel", name), text, root);
const services = ["auth", "workspace", "ingest", "connectors", "sync-worker", "chat"];

/** The secret before the rotation that has begun, the one after it, and whether they were swapped since. */
function rotation() {
  const [before = "", after = "", swapped = ""] = read("rotation").split(" ");
  return { before, after, swapped: swapped !== "" };
}
const begin = (...words) => put("rotation", words.join(" "));
const otherThan = (secret, { before, after }) => (secret === before ? after : before);

/** Uses one secret and accepts the other. What is to become is written first, in case this is interrupted. */
function use(choose) {
  const { before, after } = rotation();
  if (before === "") return "There is no other secret to swap: begin with --rotate next.";
  begin(before, after, "swapped");
  const secret = choose({ before, after });
  put("instance-secret", secret);
  put("other-secret", otherThan(secret, { before, after }));
}

/** Each may be repeated if it was interrupted, until the next step. */
const steps = {
  "--rotate next": () => {
    if (read("instance-secret") === "") return "There is no instance secret to rotate yet.";
    if (read("rotation") === "") begin(read("instance-secret"), newSecret());
    put("other-secret", otherThan(read("instance-secret"), rotation()));
  },
  "--rotate swap": () => use(({ after }) => after),
  "--rotate back": () => use(({ before }) => before),
  "--rotate end": () => {
    if (!rotation().swapped) return "The secrets weren't swapped yet: continue with --rotate swap.";
    // If rotate-secret didn't finish, the database still needs it.
    put("previous-secret", otherThan(read("instance-secret"), rotation()));
    put("other-secret", "");
    put("rotation", "");
  },
  "--rotate reopen": () => {
    if (read("rotation") === "") {
      if (read("previous-secret") === "") return "There is no previous secret to accept again.";
      begin(read("previous-secret"), read("instance-secret"), "swapped");
    }
    put("other-secret", otherThan(read("instance-secret"), rotation()));
  },
  "--new-password postgres": () => put("postgres-password", password()),
  "--new-password services": () => {
    for (const service of services) put(`${service}-password`, password());
  },
  "--new-password redis": () => {
    // With a third one, the password that Redis still has would be forgotten.
    if (read("redis-password-previous") === "")
      put("redis-password-previous", read("redis-password"));
    if (read("redis-password") === read("redis-password-previous"))
      put("redis-password", password());
  },
  "--drop-previous redis": () => put("redis-password-previous", ""),
};
const [option, value] = process.argv.slice(3);
if (option !== undefined && option !== "--key") {
  const step = steps[`${option} ${value}`];
  const fault = step === undefined ? `Use --key, ${Object.keys(steps).join(", ")}.` : step();
  if (fault !== undefined) {
    process.stderr.write(`${fault} Nothing was changed.\n`);
    process.exit(1);
  }
}

const instanceSecret = keep("instance-secret", () => key ?? newSecret());
const otherSecret = read("other-secret");
const postgres = keep("postgres-password", password, "postgres/password");
const redis = keep("redis-password", password, "redis/password");
const qdrant = keep("qdrant-key", password);
const grafana = keep("grafana-password", password, "grafana/password");
for (const path of ["carrel/database-url", "carrel/redis-url", "qdrant/key"])
  rmSync(join(folder, path), { force: true });

const external = (name) => {
  const file = join(folder, "external", name);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
};
const ownerUrl =
  external("database-owner-url") || `postgres://carrel:${postgres}@postgres:5432/carrel`;
const redisUrl = external("redis-url") || `redis://:${redis}@redis:6379`;

/** The URL of the user that a service logs in as; the migration creates this user. */
function serviceUrl(service) {
  const url = new URL(ownerUrl);
  const schema = service.replaceAll("-", "_");
  url.username = `${decodeURIComponent(url.pathname.slice(1))}_${schema}_login`;
  url.password = keep(`${service}-password`, password);
  return url.href;
}

/** What every process of Carrel may read, since all have the same variables in carrel.env. */
function writeShared(container) {
  write(`${container}/instance-secret`, instanceSecret, carrel);
  write(`${container}/other-secret`, otherSecret, carrel);
  write(`${container}/redis-url`, redisUrl, carrel);
  write(`${container}/s3-secret-access-key`, external("s3-secret-access-key"), carrel);
}

for (const container of ["gateway", "owner"]) writeShared(container);
write("owner/database-owner-url", ownerUrl, carrel);
for (const service of services) {
  const url = serviceUrl(service);
  writeShared(service);
  write(`${service}/database-url`, url, carrel);
  write(`owner/database-url-${service}`, url, carrel);
}
write("ingest/qdrant-key", qdrant, carrel);
write("postgres/password", postgres, postgresUser);
write("redis/password", redis, redisUser);
write("redis/password-previous", read("redis-password-previous"), redisUser);
write(
  "redis/redis.conf",
  `requirepass ${redis}\nappendonly yes\nmaxmemory-policy noeviction\ndir /data\n`,
  redisUser,
);
write(
  "qdrant/config.yaml",
  `service:\n  api_key: ${qdrant}\ntelemetry_disabled: true\n`,
  qdrantUser,
);
write("grafana/password", grafana, grafanaUser);

if (key !== null && instanceSecret !== key) {
  process.stderr.write(
    "This installation has another instance key already. To use the given one, first remove all its data: docker compose down -v\n",
  );
  process.exit(1);
}
