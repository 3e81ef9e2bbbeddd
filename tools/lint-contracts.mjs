// The parts of the contracts that the built web app doesn't include: for oxlint.config.ts.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const source = join(import.meta.dirname, "../libs/contracts/src");
const declaration =
  /^export (?:const (\w+)(: [^=]+?)? =\s+|(?:async )?function (\w+)|class (\w+))/gm;

/** Whether the value of a constant, from its first character on, is an operation or plain data. */
function isBuilt(type, text) {
  if (type?.includes("Contracts")) return false;
  if (text.startsWith("defineOperation(")) return true;
  return /^["'`[{\d-]/.test(text) && !/\bz\.|=>/.test(text.slice(0, text.indexOf(";\n")));
}

/** Names of functions, classes and schemas, which apps/web/vite.config.ts leaves out. */
const names = readdirSync(source, { recursive: true })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".spec.ts"))
  .flatMap((file) => {
    const text = readFileSync(join(source, file), "utf8");
    return [...text.matchAll(declaration)]
      .filter(([match, constant, type], index, all) => {
        const value = text.slice(all[index].index + match.length);
        return constant === undefined || !isBuilt(type, value);
      })
      .map(([, constant, , fn, cls]) => constant ?? fn ?? cls);
  });

export const unbuiltContracts = {
  name: "@carrel/contracts",
  importNames: [...new Set(names)],
  message:
    "The built web app gets only operations and constants (contractTable in vite.config.ts).",
};
