import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { processes } from "../services.ts";

const folder = mkdtempSync(join(tmpdir(), "carrel-secrets-"));
const read = (file: string): string => readFileSync(join(folder, file), "utf8");
/** Returns what was printed about a fault; "" if there was none. */
const create = (...args: string[]): string => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "create-secrets.mjs"), folder, ...args],
    { encoding: "utf8" },
  );
  expect(status).toBe(stderr === "" ? 0 : 1);
  return stderr;
};
const secrets = () => [read("gateway/instance-secret"), read("gateway/other-secret")];

beforeAll(() => {
  create();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("rotates the instance secret in steps that may be repeated, and only in order", () => {
  const first = read("carrel/instance-secret");
  expect(secrets()).toEqual([first, ""]);
  expect(create("--rotate", "end")).toContain("weren't swapped yet");
  expect(create("--rotate", "swap")).toContain("begin with --rotate next");
  create("--rotate", "next");
  const next = read("chat/other-secret");
  expect(next.length).toBeGreaterThan(40);
  create("--rotate", "next");
  create();
  expect(secrets()).toEqual([first, next]);
  create("--rotate", "swap");
  create("--rotate", "swap");
  create("--rotate", "next");
  expect(secrets()).toEqual([next, first]);
  create("--rotate", "end");
  expect(secrets()).toEqual([next, ""]);
  create();
  expect(secrets()).toEqual([next, ""]);
});

it("keeps the previous secret, so that a rotation that failed can continue or be undone", () => {
  expect(create("--rotate", "back")).toContain("begin with --rotate next");
  const first = read("carrel/instance-secret");
  create("--rotate", "next");
  create("--rotate", "back");
  expect(secrets()[0]).toBe(first);
  create("--rotate", "end");
  create("--rotate", "next");
  create("--rotate", "swap");
  const next = read("carrel/instance-secret");
  create("--rotate", "end");
  expect(secrets()).toEqual([next, ""]);
  expect(read("carrel/previous-secret")).toBe(first);
  create("--rotate", "reopen");
  create("--rotate", "reopen");
  expect(secrets()).toEqual([next, first]);
  create("--rotate", "back");
  create("--rotate", "back");
  expect(secrets()).toEqual([first, next]);
  create("--rotate", "end");
  expect(secrets()).toEqual([first, ""]);
  expect(read("carrel/previous-secret")).toBe(next);
});

it("replaces passwords wherever they are used", () => {
  const [postgres, redis, chat] = [
    read("postgres/password"),
    read("redis/password"),
    read("chat/database-url"),
  ];
  create("--new-password", "postgres");
  expect(read("postgres/password")).not.toBe(postgres);
  expect(read("owner/database-owner-url")).toContain(`:${read("postgres/password")}@`);
  expect(read("chat/database-url")).toBe(chat);
  expect(read("redis/password")).toBe(redis);
  create("--new-password", "services");
  expect(read("chat/database-url")).not.toBe(chat);
  expect(read("owner/database-url-chat")).toBe(read("chat/database-url"));
  create("--new-password", "redis");
  expect(read("redis/password-previous")).toBe(redis);
  expect(read("redis/redis.conf")).toContain(`requirepass ${read("redis/password")}\n`);
  for (const container of ["chat", "gateway", "owner"])
    expect(read(`${container}/redis-url`)).toContain(`:${read("redis/password")}@`);
  expect(create("--new-password", "qdrant")).toContain("Nothing was changed");
});

it("makes no third password of Redis while the previous one is still accepted", () => {
  const passwords = () => [read("redis/password"), read("redis/password-previous")];
  const [second, first] = passwords();
  create("--new-password", "redis");
  expect(passwords()).toEqual([second, first]);
  create("--drop-previous", "redis");
  expect(passwords()).toEqual([second, ""]);
  create("--new-password", "redis");
  expect(passwords()).toEqual([expect.not.stringMatching(`^${second}$`), second]);
});

it("takes the URLs of external servers and the key of a bucket from files", () => {
  const inside = read("owner/database-owner-url");
  const external = join(folder, "external");
  mkdirSync(external);
  writeFileSync(join(external, "database-owner-url"), "postgres://me:mine@db.example:6000/desk\n");
  writeFileSync(join(external, "redis-url"), "rediss://:theirs@redis.example:6380\n");
  writeFileSync(join(external, "s3-secret-access-key"), "a key\n");
  create();
  expect(read("owner/database-owner-url")).toBe("postgres://me:mine@db.example:6000/desk");
  // carrel.env may name it, for all of them.
  for (const container of [...processes, "owner"])
    expect(read(`${container}/s3-secret-access-key`)).toBe("a key");
  expect(read("chat/database-url")).toBe(
    `postgres://desk_chat_login:${read("carrel/chat-password")}@db.example:6000/desk`,
  );
  expect(read("gateway/redis-url")).toBe("rediss://:theirs@redis.example:6380");
  rmSync(external, { recursive: true });
  create();
  expect(read("owner/database-owner-url")).toBe(inside);
});
