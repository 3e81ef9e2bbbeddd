import { z } from "zod";
import { backendFaults } from "./open-backends.ts";

/** The environment is invalid; `faults` lists every problem so that all can be fixed at once. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly faults: readonly string[]) {
    super(`The environment is invalid:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
  }
}

/**
 * Parses the environment once against the zod shape and freezes the result. Empty variables count
 * as unset. On failure all faults are printed together and a `ConfigError` is thrown.
 */
export function loadConfig<S extends z.ZodRawShape>(
  shape: S,
  environment: NodeJS.ProcessEnv = process.env,
): Readonly<z.output<z.ZodObject<S>>> {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const parsed = z.object(shape).safeParse(present);
  const faults = parsed.success
    ? backendFaults(parsed.data as Record<string, unknown>)
    : parsed.error.issues.map(
        (issue) =>
          `${issue.path.join(".")}: ${absent(present, issue) ? "is required" : issue.message}`,
      );
  if (faults.length > 0) {
    const error = new ConfigError(faults);
    process.stderr.write(`${error.message}\n`);
    throw error;
  }
  return Object.freeze(parsed.data as z.output<z.ZodObject<S>>);
}

const absent = (present: Record<string, unknown>, issue: z.core.$ZodIssue): boolean =>
  issue.code === "invalid_type" && !(String(issue.path[0]) in present);
