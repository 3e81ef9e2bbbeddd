import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { z } from "zod";
import {
  Secret,
  deriveKey,
  duration,
  instanceSecret,
  instanceShape,
  loadConfig,
  mcpResource,
} from "./index.ts";
import type { ConfigError } from "./secret.ts";

const base = {
  DATABASE_URL: "postgres://carrel:pw@db.example:5432/carrel",
  REDIS_URL: "redis://:pw@redis.example:6379",
};
const faultsOf = (environment: NodeJS.ProcessEnv): readonly string[] => {
  try {
    loadConfig(instanceShape, environment);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
};

describe("loadConfig", () => {
  let printed = "";
  beforeEach(() => {
    printed = "";
    jest.spyOn(process.stderr, "write").mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it("returns typed, frozen values with their defaults", () => {
    const config = loadConfig(instanceShape, {
      ...base,
      CARREL_MAX_UPLOAD: "500MB",
      CARREL_CORS_ORIGINS: "https://a.example, https://b.example",
      CARREL_PORT: "4000",
      CARREL_MODELS_DIR: "",
    });
    expect(config).toMatchObject({
      CARREL_HOST: "127.0.0.1",
      CARREL_PORT: 4000,
      CARREL_MAX_UPLOAD: 500 * 1024 ** 2,
      CARREL_CORS_ORIGINS: ["https://a.example", "https://b.example"],
      CARREL_ALLOW_OPEN_BACKENDS: false,
    });
    expect(config.CARREL_MODELS_DIR).toBeUndefined();
    expect(Object.isFrozen(config)).toBe(true);
  });

  it("takes a model hub that is a URL, or none", () => {
    const hub = (value?: string) =>
      loadConfig(instanceShape, { ...base, ...(value && { CARREL_MODEL_HUB: value }) })
        .CARREL_MODEL_HUB;
    expect([hub(), hub("off"), hub("http://hub.local/")]).toEqual([
      "https://huggingface.co",
      null,
      "http://hub.local",
    ]);
    for (const wrong of ["huggingface.co", "ftp://hub", "https://"])
      expect(() => hub(wrong)).toThrow(/CARREL_MODEL_HUB/);
  });

  it("takes access tokens for MCP only with an issuer and an address", () => {
    const on = { ...base, CARREL_MCP_OAUTH: "1", CARREL_OIDC_ISSUER: "https://id.example" };
    expect(faultsOf(on)).toEqual([
      "CARREL_MCP_OAUTH: needs CARREL_OIDC_CLIENT_ID, CARREL_PUBLIC_URL",
    ]);
    const complete = {
      ...on,
      CARREL_OIDC_CLIENT_ID: "carrel",
      CARREL_PUBLIC_URL: "https://carrel.example/",
    };
    expect(mcpResource(loadConfig(instanceShape, complete))).toEqual({
      address: "https://carrel.example/api/mcp",
      issuer: "https://id.example",
    });
    expect(mcpResource(loadConfig(instanceShape, { ...complete, CARREL_MCP_OAUTH: "0" }))).toBe(
      null,
    );
  });

  it("reads the trusted proxies", () => {
    const read = (list: string) =>
      loadConfig(instanceShape, { ...base, CARREL_TRUST_PROXY: list }).CARREL_TRUST_PROXY;
    expect(loadConfig(instanceShape, base).CARREL_TRUST_PROXY).toEqual([]);
    expect(read("192.0.2.7, 10.1.0.0/16,2001:db8::/32 ,::1")).toEqual([
      "192.0.2.7",
      "10.1.0.0/16",
      "2001:db8::/32",
      "::1",
    ]);
    expect(read("loopback,Private")).toEqual([
      "127.0.0.0/8",
      "::1/128",
      "10.0.0.0/8",
      "172.16.0.0/12",
      "192.168.0.0/16",
      "fc00::/7",
    ]);
    for (const wrong of [
      "true",
      "1",
      "*",
      "10.0.0.0/33",
      "0.0.0.0/0",
      "10.0.0.0/8/8",
      "proxy.example",
      "10.0.0",
      "fe80::1%eth0",
      "10.0.0.1:80",
    ]) {
      expect(faultsOf({ ...base, CARREL_TRUST_PROXY: `loopback,${wrong}` })).toEqual([
        `CARREL_TRUST_PROXY: '${wrong}' is not an address such as 10.0.0.5, a range such as 10.0.0.0/8, loopback or private`,
      ]);
    }
  });

  it("lists and prints all faults together", () => {
    const faults = faultsOf({
      REDIS_URL: "http://nowhere",
      CARREL_PORT: "many",
      CARREL_MAX_UPLOAD: "big",
      CARREL_SECRET: "short",
    });
    expect(faults.map((fault) => fault.split(":")[0])).toEqual(
      expect.arrayContaining([
        "DATABASE_URL",
        "REDIS_URL",
        "CARREL_PORT",
        "CARREL_MAX_UPLOAD",
        "CARREL_SECRET",
      ]),
    );
    expect(faults).toContain("DATABASE_URL: is required");
    expect(printed).toContain("CARREL_MAX_UPLOAD");
    expect(printed).not.toContain("short");
  });

  it.each([
    ["postgres://carrel@db.example/carrel", ["DATABASE_URL"]],
    ["postgres://carrel@10.0.0.5/carrel", ["DATABASE_URL"]],
    ["postgres://carrel@localhost/carrel", []],
    ["postgres://carrel@127.0.0.1/carrel", []],
    ["postgres://carrel@[::1]/carrel", []],
    ["postgres://carrel@localhost/carrel?host=/run/carrel", []],
  ])("rejects a remote server without a password: %s", (url, refused) => {
    expect(faultsOf({ ...base, DATABASE_URL: url }).map((fault) => fault.split(":")[0])).toEqual(
      refused,
    );
    expect(faultsOf({ ...base, DATABASE_URL: url, CARREL_ALLOW_OPEN_BACKENDS: "1" })).toEqual([]);
  });

  it("rejects a remote Redis without a password", () => {
    expect(faultsOf({ ...base, REDIS_URL: "redis://redis.example" })[0]).toMatch(
      /^REDIS_URL: .*no password/,
    );
  });

  it("reads values from files, such as mounted secrets", () => {
    const folder = mkdtempSync(join(tmpdir(), "carrel-config-"));
    try {
      const file = join(folder, "redis-url");
      writeFileSync(file, "redis://:pw@from-file:6379\n");
      const { REDIS_URL, ...rest } = base;
      expect(loadConfig(instanceShape, { ...rest, REDIS_URL_FILE: file }).REDIS_URL).toBe(
        "redis://:pw@from-file:6379",
      );
      expect(loadConfig(instanceShape, { ...base, REDIS_URL_FILE: file }).REDIS_URL).toBe(
        REDIS_URL,
      );
      const missing = join(folder, "missing");
      expect(faultsOf({ ...rest, REDIS_URL_FILE: missing })).toContain(
        `REDIS_URL_FILE: can't read ${missing} (ENOENT)`,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("reads durations", () => {
    expect(z.object({ a: duration }).parse({ a: "5m" }).a).toBe(300_000);
    expect(z.object({ a: duration }).safeParse({ a: "soon" }).success).toBe(false);
  });
});

describe("secrets", () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "carrel-config-"));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it("never print themselves", () => {
    const secret = new Secret("hunter2");
    expect(
      [
        String(secret),
        JSON.stringify({ secret }),
        inspect(secret),
        inspect({ deep: { secret } }),
        `${secret}`,
      ].join(" "),
    ).not.toContain("hunter2");
    expect(secret.reveal()).toBe("hunter2");
  });

  it("come from one key file that only its owner can read", () => {
    const first = instanceSecret({ CARREL_HOME: home });
    expect(first.reveal().length).toBeGreaterThanOrEqual(32);
    expect(instanceSecret({ CARREL_HOME: home }).reveal()).toBe(first.reveal());
    expect(statSync(join(home, "secret.key")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(home, "secret.key"), "utf8").trim()).toBe(first.reveal());
    writeFileSync(join(home, "secret.key"), "cut");
    expect(() => instanceSecret({ CARREL_HOME: home })).toThrow("damaged");
    expect(
      instanceSecret({ CARREL_HOME: home, CARREL_SECRET: new Secret("x".repeat(32)) }).reveal(),
    ).toBe("x".repeat(32));
  });

  it("derive a different, stable key for each purpose", () => {
    const secret = new Secret("x".repeat(32));
    const keys = (["messages", "columns", "tokens", "links", "database"] as const).map((purpose) =>
      deriveKey(secret, purpose).toString("hex"),
    );
    expect(new Set(keys).size).toBe(5);
    expect(deriveKey(secret, "messages").toString("hex")).toBe(keys[0]);
    expect(deriveKey(secret, "database", "chat")).toHaveLength(32);
    expect(
      deriveKey(secret, "database", "chat").equals(deriveKey(secret, "database", "auth")),
    ).toBe(false);
  });
});
