import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { root } from "./checkout.ts";
import { processes, services } from "./services.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const sorted = (names: Iterable<string>): string[] => [...names].toSorted();
const all = sorted(processes);

it("every folder in services is a service, and the other way round", () => {
  expect(readdirSync(join(root, "services")).toSorted()).toEqual(sorted(services));
});

it("the Dockerfile builds an image of each process", () => {
  const dockerfile = read("Dockerfile");
  const collected = /collect\.ts \/out (.*) standalone$/m.exec(dockerfile)![1]!.split(" ");
  expect(collected.toSorted()).toEqual(all);
  for (const name of processes)
    expect(dockerfile).toMatch(
      new RegExp(`^FROM service AS ${name}\\nCOPY --from=build /out/${name} \\./$`, "m"),
    );
});

it("Compose runs each process, scrapes it, and starts the gateway last", () => {
  const compose = read("deploy/compose/compose.yaml");
  const built = [
    ...compose.matchAll(/^ {2}([\w-]+):\n(?: {4}.*\n)*? {4}build: .* target: ([\w-]+) /gm),
  ];
  // Jobs in the images of others make the secrets and the schemas.
  expect(Object.fromEntries(built.map(([, name, target]) => [name, target]))).toEqual({
    ...Object.fromEntries(processes.map((name) => [name, name])),
    secrets: "gateway",
    migrate: "ingest",
  });
  const gateway = compose.split(/^ {2}gateway:$/m)[1]!.split(/^ {2}\w+:$/m)[0]!;
  for (const name of services) expect(gateway).toContain(`${name}: *healthy\n`);
  const [, scraped] = /names: \[(.*)\]/.exec(read("deploy/compose/prometheus.yml"))!;
  expect(scraped!.split(", ").toSorted()).toEqual(all);
});

it("the instructions for Compose migrate first, upgrade callees first and stop callers first", () => {
  const instructions = read("deploy/compose/README.md");
  const [migration, upgrade = ""] = instructions.split(/^for service in /m);
  expect(migration).toMatch(/^docker compose run --rm --no-deps -T migrate$/m);
  expect(upgrade.split("; do\n")[0]).toBe(processes.join(" "));
  const [, stopped] = /^docker compose stop (.*)$/m.exec(instructions)!;
  expect(stopped).toBe(processes.toReversed().join(" "));
});

it("the chart has values of each process, migrates each schema and lets each service connect", () => {
  const chart = (file: string): string => read(join("deploy/helm/carrel", file));
  const values = chart("values.yaml")
    .split(/^services:$/m)[1]!
    .split(/^\w/m)[0]!;
  expect([...values.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name!).toSorted()).toEqual(
    all,
  );
  const schema = JSON.parse(chart("values.schema.json")) as {
    properties: { services: { properties: object } };
  };
  expect(sorted(Object.keys(schema.properties.services.properties))).toEqual(all);
  const [, migrated] = /range list (.*) \}\}/.exec(chart("templates/migration.yaml"))!;
  expect(migrated!.replaceAll('"', "").split(" ").toSorted()).toEqual(sorted(services));
  for (const name of services)
    expect(chart("templates/network-policies.yaml")).toMatch(new RegExp(`^ {10}- ${name}$`, "m"));
});

/** sync-worker → syncWorker */
const camelCase = (name: string): string =>
  name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

it("the images, the one process, backups and the linter know each service", () => {
  const files = {
    "apps/standalone/src/standalone.ts": (name: string) => ` ${camelCase(name)}Service,`,
    "tools/backup/service-databases.ts": (name: string) => ` ${camelCase(name)}Service,`,
    "tools/images/contents.ts": (name: string) =>
      name.includes("-") ? `\n  "${name}": ` : `\n  ${name},\n`,
    "tools/lint-layers.mjs": (name: string) =>
      `\n  ${name.includes("-") ? JSON.stringify(name) : name}: [`,
    "libs/contracts/src/operation.ts": (name: string) => `"${name}"`,
  };
  const missing = Object.entries(files).flatMap(([file, mark]) =>
    services.filter((name) => !read(file).includes(mark(name))).map((name) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});
