import { z } from "zod";

/**
 * Body limits of routes that name thousands of documents; the gateway forwards them in batches. A
 * document to move counts as five values, one that is only named as one.
 */
export const manyPaths = { bodyLimit: 32 * 1024 * 1024, bodyValues: 60_000 };

const longestPath = 1_024;
const path = z.string().max(longestPath);
const mostPaths = 50_000;
/**
 * Checking stops after this many invalid paths: zod's own lists describe each one, blocking for 0.1
 * s.
 */
const mostFaults = 5;

/** Paths of library files. */
export const pathList = z
  .array(z.any() as z.ZodType<string>)
  .max(mostPaths)
  .check(({ value, issues }) => {
    let faults = 0;
    for (let index = 0; index < value.length && faults < mostFaults; index++) {
      const entry: unknown = value[index];
      if (typeof entry === "string" && entry.length <= longestPath) continue;
      faults++;
      for (const { message: _, path: inner, ...issue } of path.safeParse(entry).error!.issues)
        issues.push({ ...issue, input: entry, path: [index, ...inner] } as never);
    }
  })
  .meta({ items: { type: "string", maxLength: longestPath } });
