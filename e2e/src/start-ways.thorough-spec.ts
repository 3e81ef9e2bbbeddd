import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { guardedFolder } from "@carrel/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import {
  copyCheckout,
  launch,
  programs,
  servers,
  systemUser,
  userOf,
  type Launch,
  type User,
} from "./checkout-copy.ts";

// Each test starts the product, most from a fresh checkout; one downloads a package first.
jest.setTimeout(120_000);

const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? describe : describe.skip; // an ordinary user cannot test what root does

const launches: Launch[] = [];
const start = async (...args: Parameters<typeof launch>): Promise<Launch> => {
  const launched = await launch(...args);
  launches.push(launched);
  return launched;
};
afterEach(async () => {
  for (const one of launches.splice(0)) await one.stop();
});

async function pingAndCheck(one: Launch): Promise<{ postgres: number; redis: number }> {
  const reply = await fetch(`${one.url}/api/ping`);
  expect([reply.status, await reply.json()]).toEqual([200, { online: true }]);
  const { postgres, redis } = servers(one.home);
  expect({ postgres: typeof postgres, redis: typeof redis }).toEqual({
    postgres: "number",
    redis: "number",
  });
  return { postgres: postgres!, redis: redis! };
}

asRoot("as root, under a folder that only root can enter", () => {
  let closed: string;
  let folder: string;
  beforeAll(() => {
    closed = join(guardedFolder("carrel-start-closed-"), "closed");
    mkdirSync(closed, { mode: 0o700 });
    folder = copyCheckout(join(closed, "checkout"));
  });

  it("PostgreSQL runs in a user namespace", async () => {
    const carrel = await start(folder, { env: { CARREL_HOME: undefined } });
    await carrel.ready();
    const { postgres } = await pingAndCheck(carrel);
    expect(userOf(postgres)).toBe(0);
    expect(readFileSync(`/proc/${postgres}/uid_map`, "utf8").trim().split(/\s+/)).toEqual([
      "1000",
      "0",
      "1",
    ]);
    expect(existsSync(join(folder, ".carrel/postgres/data/PG_VERSION"))).toBe(true);
    expect(existsSync(join(folder, ".carrel/postgres/location"))).toBe(false);
  });

  it("where namespaces are forbidden, its data is in /var/lib/carrel, the data folder points to it, and later starts find it", async () => {
    const PATH = programs(join(closed, "programs"), {
      own: { unshare: 'echo "unshare: unshare failed: Operation not permitted" >&2; exit 1' },
    });
    const env = {
      CARREL_HOME: join(closed, "data"),
      PATH: `${process.execPath.replace(/\/[^/]+$/, "")}:${PATH}`,
    };
    let place: string | undefined;
    try {
      const first = await start(folder, { env });
      await first.ready();
      place = readFileSync(join(first.home, "postgres/location"), "utf8").trim();
      expect(place).toMatch(/^\/var\/lib\/carrel\/postgres-[0-9a-f]{12}$/);
      const { postgres } = await pingAndCheck(first);
      expect(userOf(postgres)).toBe(systemUser());
      expect(statSync(place).mode & 0o077).toBe(0);
      const made = await fetch(`${first.url}/api/workspace/new`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: "Kept elsewhere" }),
      });
      expect(made.status).toBe(200);
      await first.stop();
      const second = await start(folder, { env });
      await second.ready();
      const { workspaces } = (await (await fetch(`${second.url}/api/workspaces`)).json()) as {
        workspaces: { name: string }[];
      };
      expect(workspaces.map((one) => one.name)).toEqual(["Kept elsewhere"]);
      await second.stop();
    } finally {
      if (place) rmSync(place, { recursive: true, force: true });
    }
  });
});

describe("as an ordinary user", () => {
  let user: User | undefined; // undefined: the tests themselves run as one
  beforeAll(() => {
    if (!isRoot) return;
    const name = `carreltest${process.pid}`;
    const made = spawnSync("useradd", ["--create-home", "--shell", "/bin/sh", name], {
      encoding: "utf8",
    });
    if (made.status !== 0) throw new Error(made.stderr);
    const [, , uid, gid, , home] = spawnSync("getent", ["passwd", name], { encoding: "utf8" })
      .stdout.trim()
      .split(":");
    user = { name, uid: Number(uid), gid: Number(gid), home: home! };
  });
  afterAll(() => {
    if (user) spawnSync("userdel", ["--remove", user.name]);
  });

  /** A folder that only this user can enter. */
  const closedFolder = (): string => {
    const closed = join(guardedFolder("carrel-start-user-"), "closed");
    mkdirSync(closed, { mode: 0o700 });
    if (user) chownSync(closed, user.uid, user.gid);
    return closed;
  };

  it("everything runs as that user, under a folder that only they can enter; Redis comes from Debian's packages, unpacked into the checkout, if none is installed", async () => {
    const closed = closedFolder();
    const folder = copyCheckout(join(closed, "checkout"), { owner: user });
    const PATH = programs(join(closed, "programs"), { without: /^redis/ });
    chmodSync(closed, 0o700);
    const carrel = await start(folder, {
      user,
      env: { CARREL_HOME: undefined, PATH: `${process.execPath.replace(/\/[^/]+$/, "")}:${PATH}` },
    });
    await carrel.ready();
    const { postgres, redis } = await pingAndCheck(carrel);
    const expected = user?.uid ?? process.getuid!();
    expect([
      userOf(postgres),
      userOf(redis),
      userOf(Number(readFileSync(join(carrel.home, "carrel.pid"), "utf8").split("\n")[0])),
    ]).toEqual([expected, expected, expected]);
    expect(statSync(carrel.home).mode & 0o077).toBe(0);
    expect(carrel.output()).toMatch(/Downloading Redis from Debian's packages/);
    expect(readFileSync(`/proc/${redis}/maps`, "utf8")).toContain(
      join(folder, ".tools/redis/usr/bin/redis-"),
    );
  });
});
