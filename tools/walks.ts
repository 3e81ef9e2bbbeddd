import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A list of docs/walks.md. */
export interface Walk {
  title: string;
  stops: { file: string; why: string }[];
}

/** Reads a `##` heading with a table of files as a walk. */
export function readWalks(markdown: string): Walk[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf("\n")).trim(),
      stops: [...section.matchAll(/^\| `([^`]+)` *\| (.+) \|$/gm)].map(([, file, why]) => ({
        file: file!,
        why: why!.trim(),
      })),
    }));
}

/** Faults of a walk, one line each. */
export function findFaults({ stops }: Walk, root: string): string[] {
  const faults: string[] = [];
  const earlier = new Map<string, string>();
  for (const { file, why } of stops) {
    if (earlier.has(file)) faults.push(`${file} is listed twice`);
    else if (!existsSync(join(root, file))) faults.push(`${file} does not exist`);
    else {
      const code = readFileSync(join(root, file), "utf8");
      const isLinked = [...earlier].some(
        ([other, otherCode]) =>
          imports(file, code, other) ||
          imports(other, otherCode, file) ||
          namesIn(why).some((name) => contains(code, name) && contains(otherCode, name)),
      );
      if (earlier.size > 0 && !isLinked) faults.push(`${file} has no link to an earlier file`);
      earlier.set(file, code);
    }
  }
  return faults;
}

function imports(file: string, code: string, other: string): boolean {
  const paths = [...code.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g)];
  return paths.some(([, path]) => join(dirname(file), path!) === other);
}

/** The names that a line gives in backticks: of a contract, a class, a function. */
const namesIn = (why: string): string[] =>
  [...why.matchAll(/`(\w{6,})`/g)].map(([, name]) => name!);

const contains = (code: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(code);
