import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./checkout.ts";
import { PlainError } from "./terminal.ts";

const git = (...args: string[]): string[] => {
  try {
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: "pipe" })
      .split("\0")
      .filter(Boolean);
  } catch (error) {
    throw new PlainError(String((error as { stderr?: string }).stderr ?? error).trim());
  }
};

/** Paths from the root. */
export interface Changes {
  present: string[];
  deleted: string[];
}

/** Files that differ from the commit (default: HEAD). */
export function changedFiles(commit = "HEAD"): Changes {
  const changed = git("diff", "--name-only", "--no-renames", "-z", commit, "--");
  const added = git("ls-files", "--others", "--exclude-standard", "-z");
  const files = [...new Set([...changed, ...added])];
  const isPresent = (file: string): boolean => existsSync(join(root, file));
  return { present: files.filter(isPresent), deleted: files.filter((file) => !isPresent(file)) };
}

const packageOf = (file: string): string =>
  file.startsWith("tools/") ? "tools" : file.split("/").slice(0, 2).join("/");

/**
 * The unit tests that import one of the files, directly or through others, as Jest finds them, and
 * the integration tests among them of the packages that changed: those of the whole product take
 * minutes. Paths from the root.
 */
export function relatedTests(files: readonly string[]): string[] {
  const sources = files.filter((file) => /\.(ts|tsx|mts|mjs|cjs|json)$/.test(file));
  if (sources.length === 0) return [];
  const packages = new Set(sources.map(packageOf));
  return execFileSync(
    process.execPath,
    [
      join(root, "node_modules/jest/bin/jest.js"),
      ...["-c", join(root, "jest.related.mjs"), "--listTests", "--findRelatedTests"],
      ...sources.map((file) => join(root, file)),
    ],
    { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
  )
    .split("\n")
    .filter(Boolean)
    .map((path) => path.slice(root.length + 1))
    .filter((test) => !test.endsWith(".int-spec.ts") || packages.has(packageOf(test)))
    .sort();
}
