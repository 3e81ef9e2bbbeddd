// Which packages there are, and which each may import: for oxlint.config.ts.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

const root = dirname(import.meta.dirname);

const kinds = { libs: "lib", services: "service", apps: "app" };

/** Every package, named after its folder. */
const packages = [
  ...Object.entries(kinds).flatMap(([parent, kind]) =>
    readdirSync(join(root, parent)).map((name) => ({ folder: `${parent}/${name}`, kind, name })),
  ),
  { folder: "e2e", kind: "e2e", name: "e2e" },
  { folder: "clients/typescript", kind: "client", name: "client" },
].filter(({ folder }) => existsSync(join(root, folder, "package.json")));
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
  markup: ["contracts"],
  picture: ["contracts"],
  texts: ["contracts"],
  database: ["config", "contracts", "observability"],
  messaging: ["config", "contracts", "observability"],
  providers: ["config", "contracts", "egress", "observability"],
  "vector-store": ["config", "contracts", "observability", "egress"],
  retrieval: ["contracts", "vector-store"],
  skills: ["contracts", "egress", "markup", "retrieval"],
  mcp: ["contracts", "egress", "skills"],
  runtime: ["config", "contracts", "observability", "database", "messaging", "egress"],
  testing: ["config", "contracts", "database", "messaging", "runtime", "tools"],
  ...Object.fromEntries(services.map((name) => [name, libraries])),
  gateway: [
    "config",
    "contracts",
    "observability",
    "messaging",
    "runtime",
    "storage",
    "picture",
    "texts",
  ],
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
  bench: ["contracts", "testing", "tools", "chat", "connectors", "ingest", ...libraries],
};
export const places = [
  ...packages,
  { folder: "tools", name: "tools" },
  { folder: "bench", name: "bench" },
];
