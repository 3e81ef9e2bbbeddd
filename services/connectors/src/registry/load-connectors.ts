import { readdir } from "node:fs/promises";
import type { Connector } from "../connector/connector.ts";

/**
 * Loads every connector: the `connector` of each `<name>/<name>.connector.ts` in `source`.
 * tools/bundle.ts replaces this module with imports of the same files.
 */
export async function loadConnectors(): Promise<Connector[]> {
  const folder = new URL("../source/", import.meta.url);
  const ending = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const names = (await readdir(folder)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const file = new URL(`${name}/${name}.connector.${ending}`, folder);
      return ((await import(file.href)) as { connector: Connector }).connector;
    }),
  );
}
