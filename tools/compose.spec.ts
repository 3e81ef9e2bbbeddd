import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { parse } from "yaml";
import { root } from "./checkout.ts";
import { processes, services } from "./services.ts";

interface Container {
  command?: string | string[];
  entrypoint?: string | string[];
  healthcheck?: { test?: string[] };
  environment?: Record<string, string>;
  env_file?: string[];
  volumes?: string[];
  networks?: string[];
  network_mode?: string;
  extra_hosts?: string[];
  mem_limit?: string;
  cpus?: string | number;
  pids_limit?: number;
  logging?: { driver: string; options?: Record<string, string> };
  depends_on?: Record<string, { condition: string }>;
}

const text = readFileSync(join(root, "deploy/compose/compose.yaml"), "utf8");
const { services: containers, networks } = parse(text, { merge: true }) as {
  services: Record<string, Container>;
  networks: Record<string, { internal?: boolean }>;
};
const names = Object.keys(containers);
const mounted = (name: string): string[] =>
  (containers[name]!.volumes ?? []).map((volume) => volume.split(":")[0]!);
const secretsOf = (name: string): string[] =>
  mounted(name).filter((volume) => volume.startsWith("secrets-"));

it("limits memory, CPUs and processes of each container, and rotates its logs", () => {
  for (const name of names) {
    const { mem_limit, cpus, pids_limit, logging } = containers[name]!;
    expect([name, mem_limit]).toEqual([name, expect.stringMatching(/\b\d+[mg]\b/)]);
    expect([name, cpus]).toEqual([name, expect.stringMatching(/^\$\{[A-Z]+_?CPUS:-\d\}$/)]);
    expect([name, pids_limit]).toEqual([name, expect.any(Number)]);
    // The output of a backup is the backup, or the key to it.
    expect([name, logging]).toEqual([
      name,
      name === "backup"
        ? { driver: "none" }
        : { driver: "json-file", options: { "max-size": "20m", "max-file": "5" } },
    ]);
  }
});

it("gives each container the secrets of its own, and the owner's URL to no running one", () => {
  for (const name of names)
    expect([name, secretsOf(name)]).toEqual([
      name,
      name === "secrets"
        ? expect.arrayContaining(["secrets-carrel", "secrets-owner", "secrets-gateway"])
        : name === "migrate" || name === "backup"
          ? ["secrets-owner"]
          : ["ollama", "prometheus"].includes(name)
            ? []
            : [`secrets-${name}`],
    ]);
  for (const name of processes) {
    const variables = Object.keys(containers[name]!.environment!).filter((variable) =>
      variable.startsWith("DATABASE"),
    );
    expect([name, variables]).toEqual([name, name === "gateway" ? [] : ["DATABASE_URL_FILE"]]);
  }
  const migration = Object.keys(containers.migrate!.environment!);
  for (const name of services)
    expect(migration).toContain(`DATABASE_URL_${name.toUpperCase().replaceAll("-", "_")}_FILE`);
});

it("leaves the gateway no way to PostgreSQL and Qdrant", () => {
  for (const name of ["postgres", "qdrant"]) expect(containers[name]!.networks).toEqual(["stores"]);
  expect(networks.stores).toEqual({ internal: true });
  expect(networks.backend).toEqual({ internal: true });
  expect(containers.gateway!.networks).toEqual(["backend", "outside"]);
  expect(Object.keys(containers.gateway!.depends_on!)).not.toContain("postgres");
  const inside = names.filter((name) => containers[name]!.networks?.includes("stores"));
  expect(inside.toSorted()).toEqual(
    [...services, "backup", "migrate", "postgres", "qdrant"].toSorted(),
  );
});

it("shows the URLs of external servers only to the container that creates secrets", () => {
  for (const name of names) {
    expect([name, mounted(name).includes("./external")]).toEqual([name, name === "secrets"]);
    expect([name, containers[name]!.env_file ?? ["carrel.env"]]).toEqual([name, ["carrel.env"]]);
  }
  // Compose makes the folder if it is missing. Git keeps it without what is put there.
  const ignored = readFileSync(join(root, "deploy/compose/external/.gitignore"), "utf8");
  expect(ignored).toBe("*\n!.gitignore\n");
});

it("lets Redis refuse writes before its container's memory is used up", () => {
  const { command, mem_limit } = containers.redis!;
  expect(command).toEqual(expect.arrayContaining(["--maxmemory", "${REDIS_MAXMEMORY:-768mb}"]));
  expect(mem_limit).toBe("${REDIS_MEMORY:-1g}");
});

it("migrates before each service starts, but not before a backup is restored", () => {
  for (const name of services)
    expect(containers[name]!.depends_on!.migrate).toEqual({
      condition: "service_completed_successfully",
    });
  expect(Object.keys(containers.backup!.depends_on!)).not.toContain("migrate");
});

it("lets services reach a model on the machine itself", () => {
  for (const name of services)
    expect(containers[name]!.extra_hosts).toEqual(["host.docker.internal:host-gateway"]);
});

it("has no password on a command line or in a variable", () => {
  for (const name of names) {
    const { command = [], entrypoint = [], healthcheck, environment = {} } = containers[name]!;
    const lines = [command, entrypoint, healthcheck?.test ?? []].flat().join(" ");
    expect([name, lines]).toEqual([name, expect.not.stringMatching(/ -a |requirepass|--pass/)]);
    for (const [variable, value] of Object.entries(environment))
      if (
        /PASSWORD|SECRET|KEY|URL/.test(variable) &&
        !variable.endsWith("_FILE") &&
        !variable.endsWith("__FILE")
      )
        expect([name, variable, value]).toEqual([
          name,
          "QDRANT_URL",
          "${QDRANT_URL:-http://qdrant:6333}",
        ]);
  }
  // In the environment of the program, which only its user can read.
  expect(containers.redis!.healthcheck!.test!.at(-1)).toMatch(/^REDISCLI_AUTH="\$\$\(cat /);
});
