// Which packages there are, and which each may import: for oxlint.config.ts.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

const root = dirname(import.meta.dirname);

/** Every package with the kind and name from its Nx tags. */
const packages = ["libs", "services", "apps", "."]
  .flatMap((parent) =>
    parent === "."
      ? ["e2e", "clients/typescript"]
      : readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
  )
  .filter((folder) => existsSync(join(root, folder, "package.json")))
  .map((folder) => {
    const tags =
      JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")).nx?.tags ?? [];
    const tag = (key) => tags.find((one) => one.startsWith(`${key}:`))?.slice(key.length + 1);
    return { folder, kind: tag("kind"), name: tag("name") };
  });
const named = (kind) => packages.filter((one) => one.kind === kind).map((one) => one.name);
const services = named("service");
export const libraries = named("lib").filter((name) => name !== "testing");

/**
 * Which packages each may import: contracts import nothing, neither a service nor the gateway
 * imports a service, and the web app imports only contracts.
 */
export const arrows = {
  contracts: [],
  config: [],
  observability: ["config"],
  storage: ["config", "contracts", "egress", "observability"],
  egress: ["config", "contracts", "observability"],
  picture: ["contracts"],
  database: ["config", "contracts", "observability"],
  messaging: ["config", "contracts", "observability"],
  providers: ["config", "contracts", "egress", "observability"],
  "vector-store": ["config", "contracts", "observability", "egress"],
  retrieval: ["contracts", "vector-store"],
  runtime: ["config", "contracts", "observability", "database", "messaging"],
  testing: ["config", "contracts", "database", "messaging", "runtime", "tools"],
  ...Object.fromEntries(services.map((name) => [name, libraries])),
  gateway: ["config", "contracts", "observability", "messaging", "runtime", "storage", "picture"],
  web: ["contracts"],
  widget: [],
  extension: [],
  client: [],
  standalone: [
    "config",
    "contracts",
    "observability",
    "database",
    "messaging",
    "runtime",
    "gateway",
    ...services,
  ],
  e2e: ["contracts", "testing", "tools", "bench"],
  // Not packages: the launcher's tools (which the test harness uses for its servers) and the
  // benchmarks.
  tools: ["standalone", ...services],
  bench: ["contracts", "testing", "tools", "chat", "ingest", ...libraries],
};
export const places = [
  ...packages,
  { folder: "tools", name: "tools" },
  { folder: "bench", name: "bench" },
];
