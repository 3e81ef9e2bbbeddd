import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceLanguage } from "@carrel/contracts/languages";
import { root } from "../checkout.ts";
import { readTexts } from "./texts.ts";

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Strings in the app's code, and patterns of those that are put together. */
function readStrings(): { strings: Set<string>; patterns: RegExp[] } {
  const strings = new Set<string>();
  const patterns = new Set<string>();
  const files = globSync("apps/web/src/**/*.{ts,tsx}", { cwd: root }).filter(
    (file) => !/\.spec\.tsx?$|\.gen\.ts$/.test(file),
  );
  for (const file of files) {
    const code = readFileSync(join(root, file), "utf8");
    for (const [, text] of code.matchAll(/["']([\w:.-]+)["']/g)) strings.add(text!);
    for (const [, text] of code.matchAll(/(?:\bt\(|[^\w$])`([^`\n]*\$\{[^`\n]*)`/g)) {
      const parts = text!.split(/\$\{[^}]*\}/);
      // What consists of variables alone may be anything.
      if (/[a-zA-Z]{2}/.test(parts.join("")))
        patterns.add(`^${parts.map(escaped).join("[\\w. -]+")}$`);
    }
  }
  return { strings, patterns: [...patterns].map((pattern) => new RegExp(pattern)) };
}

/**
 * Keys that no code names. Codes of errors come from the server; what a key's context adds, such as
 * `_here`, is not part of its name.
 */
export function unusedKeys(): string[] {
  const { strings, patterns } = readStrings();
  return [...readTexts(sourceLanguage).keys()].filter((full) => {
    const [area, key] = full.split(":") as [string, string];
    if (area === "errors") return false;
    const plain = key.replace(/_ordinal$/, "");
    const names = [plain, plain.replace(/_[a-z]+$/i, "")].flatMap((name) => [
      name,
      `${area}:${name}`,
    ]);
    return !names.some(
      (name) => strings.has(name) || patterns.some((pattern) => pattern.test(name)),
    );
  });
}
