import { readFileSync } from "node:fs";
import { z } from "zod";
import { refused } from "./config-error.ts";
import { backendFaults } from "./open-backends.ts";

/**
 * Parses the environment once against the zod shape and freezes the result. Empty variables count
 * as unset. `<NAME>_FILE` names a file with the value, such as a mounted secret. On failure all faults are printed together and a `ConfigError` is thrown.
 */
export function loadConfig<S extends z.ZodRawShape>(
  shape: S,
  environment: NodeJS.ProcessEnv = process.env,
): Readonly<z.output<z.ZodObject<S>>> {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const unreadable = readFiles(present, Object.keys(shape));
  const parsed = z.object(shape).safeParse(present);
  const invalid = parsed.success
    ? backendFaults(parsed.data as Record<string, unknown>)
    : parsed.error.issues.map(
        (issue) =>
          `${issue.path.join(".")}: ${absent(present, issue) ? "is required" : issue.message}`,
      );
  const faults = [...unreadable, ...invalid];
  if (faults.length > 0) throw refused(faults);
  return Object.freeze(parsed.data as z.output<z.ZodObject<S>>);
}

const absent = (present: Record<string, unknown>, issue: z.core.$ZodIssue): boolean =>
  issue.code === "invalid_type" && !(String(issue.path[0]) in present);

/** Adds the values of variables given as files. Returns the files that can't be read. */
function readFiles(present: Record<string, string | undefined>, names: string[]): string[] {
  const faults: string[] = [];
  for (const name of names) {
    const file = present[`${name}_FILE`];
    if (file === undefined || present[name] !== undefined) continue;
    try {
      const text = readFileSync(file, "utf8").trim();
      if (text !== "") present[name] = text;
    } catch (error) {
      faults.push(`${name}_FILE: can't read ${file} (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return faults;
}
