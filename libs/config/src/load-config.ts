import { readFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { z } from "zod";
import { mcpResourceFaults } from "./mcp-resource.ts";
import { refused } from "./secret.ts";

/** Host of a backend URL; '' for a socket path. */
function hostOf(url: URL): string {
  const socket = url.searchParams.get("host");
  return (socket ?? decodeURIComponent(url.hostname)).replace(/^\[|\]$/g, "");
}

const isLocal = (host: string): boolean =>
  host === "" ||
  host.startsWith("/") ||
  host === "localhost" ||
  host.endsWith(".localhost") ||
  host === "::1" ||
  (isIPv4(host) && host.startsWith("127."));

/**
 * Reports a remote PostgreSQL or Redis without a password: anyone on its network could read
 * everything.
 */
function backendFaults(config: Record<string, unknown>): string[] {
  if (config.CARREL_ALLOW_OPEN_BACKENDS === true) return [];
  return ["DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL"].flatMap((name) => {
    const value = config[name];
    if (typeof value !== "string" || !URL.canParse(value)) return [];
    const url = new URL(value);
    if (isLocal(hostOf(url)) || url.password || url.searchParams.get("password")) return [];
    return [
      `${name}: the server at ${url.host} has no password in its URL; set one, or CARREL_ALLOW_OPEN_BACKENDS=1 if its network is closed`,
    ];
  });
}

const faultsOf = (config: Record<string, unknown>): string[] => [
  ...backendFaults(config),
  ...mcpResourceFaults(config),
];

/**
 * Parses the environment once against the zod shape and freezes the result. Empty variables count
 * as unset. `<NAME>_FILE` names a file with the value, such as a mounted secret. On failure all
 * faults are printed together and a `ConfigError` is thrown.
 */
export function loadConfig<S extends z.ZodRawShape>(
  shape: S,
  environment: NodeJS.ProcessEnv = process.env,
): Readonly<z.output<z.ZodObject<S>>> {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const { unreadable, fromFiles } = readFiles(present, Object.keys(shape));
  const parsed = z.object(shape).safeParse(present);
  const invalid = parsed.success
    ? faultsOf(parsed.data as Record<string, unknown>)
    : parsed.error.issues.map(
        (issue) =>
          `${nameOf(issue, fromFiles)}: ${absent(present, issue) ? "is required" : issue.message}`,
      );
  const faults = [...unreadable, ...invalid];
  if (faults.length > 0) throw refused(faults);
  return Object.freeze(parsed.data as z.output<z.ZodObject<S>>);
}

const absent = (present: Record<string, unknown>, issue: z.core.$ZodIssue): boolean =>
  issue.code === "invalid_type" && !(String(issue.path[0]) in present);

/** The variable that was set: the one that names the file, if the value came from one. */
function nameOf({ path }: z.core.$ZodIssue, fromFiles: ReadonlySet<string>): string {
  const name = path.join(".");
  return fromFiles.has(String(path[0])) ? `${name}_FILE` : name;
}

/** Adds the values of variables given as files. */
function readFiles(
  present: Record<string, string | undefined>,
  names: string[],
): { unreadable: string[]; fromFiles: ReadonlySet<string> } {
  const unreadable: string[] = [];
  const fromFiles = new Set<string>();
  for (const name of names) {
    const file = present[`${name}_FILE`];
    if (file === undefined || present[name] !== undefined) continue;
    try {
      const text = readFileSync(file, "utf8").trim();
      if (text === "") continue;
      present[name] = text;
      fromFiles.add(name);
    } catch (error) {
      unreadable.push(
        `${name}_FILE: can't read ${file} (${(error as NodeJS.ErrnoException).code})`,
      );
    }
  }
  return { unreadable, fromFiles };
}
