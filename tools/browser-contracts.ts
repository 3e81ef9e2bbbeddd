import * as contracts from "@carrel/contracts";

/** Large and not needed by the first page, so these have entries of their own. */
const elsewhere = [
  "agentLabels",
  "agentPreferences",
  "agentSettingKeys",
  "errorCatalogue",
  "searchProviders",
  "settingCaptions",
  "settingLabels",
  "skills",
];

/** Whether a constant can be written as JSON: no schema or function anywhere inside. */
const isPlainData = (value: unknown): boolean =>
  value === null ||
  ["string", "number", "boolean"].includes(typeof value) ||
  (Array.isArray(value) && value.every(isPlainData)) ||
  (typeof value === "object" &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.values(value).every(isPlainData));

const isOperation = (value: unknown): value is contracts.Operation =>
  typeof value === "object" && value !== null && "routes" in value && "success" in value;

function declare(name: string, value: unknown): string[] {
  if (isOperation(value)) {
    const [route] = value.routes; // the web app's own; the others are for other clients
    if (!route) return [];
    const kind = value.success.kind === "json" ? "" : ` ${value.success.kind}`;
    const text = JSON.stringify(`${route.method} ${route.path}${kind}`);
    return [`export const ${name} = ${text} as Operation<typeof contracts.${name}>;`];
  }
  if (!isPlainData(value) || elsewhere.includes(name)) return [];
  return [`export const ${name}: typeof contracts.${name} = ${JSON.stringify(value)};`];
}

/**
 * What a browser needs of the contracts: each operation's method, path and kind of reply, the
 * constants, and all types. Strings, because a bundler writes them where they are used, so that a
 * page's operations are loaded with the page.
 */
export const buildBrowserContracts = (): string =>
  [
    "// Written by `./carrel contracts` (tools/browser-contracts.ts).",
    'import type { Operation } from "./browser-operation.ts";',
    'import type * as contracts from "./index.ts";',
    "",
    'export type * from "./index.ts";',
    'export type { Args, In, Operation, Out } from "./browser-operation.ts";',
    "",
    ...Object.entries(contracts).flatMap(([name, value]) => declare(name, value)),
    "",
  ].join("\n");
