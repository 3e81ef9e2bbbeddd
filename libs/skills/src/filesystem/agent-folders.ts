import { realpathSync } from "node:fs";
import path from "node:path";

/** A folder of the server that agents may use. */
export interface AgentFolder {
  /** As the model and people know it; unique. */
  name: string;
  /** Absolute; never told to the model. */
  path: string;
  writable: boolean;
}

/**
 * Reads the entries of `CARREL_AGENT_FOLDERS`: `/srv/handbook`, `/srv/reports:rw`, or with a name,
 * `reports=/srv/team/reports:rw`. Throws an Error that says which one is wrong.
 */
export function parseAgentFolders(entries: readonly string[]): AgentFolder[] {
  const folders = entries.map((entry): AgentFolder => {
    const found = /^(?:([^=/]+)=)?(\/[^\0]*?)(:rw|:ro)?$/.exec(entry.trim());
    if (found === null)
      throw new Error(
        `not a folder: ${entry}. Write an absolute path, and :rw to let agents write`,
      );
    const place = path.resolve(found[2]!);
    const name = (found[1] ?? path.basename(place)).trim();
    if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(name))
      throw new Error(`${entry} needs a name of letters and digits, as in name=/path`);
    return { name, path: place, writable: found[3] === ":rw" };
  });
  const names = folders.map((folder) => folder.name.toLowerCase());
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new Error(`two folders are named ${twice}. Name one of them, as in name=/path`);
  return folders;
}

/** Throws an Error if a folder contains the instance's key and everybody's documents. */
export function refuseOwnData(folders: readonly AgentFolder[], home: string): void {
  const own = path.join(resolveLinks(home), "/");
  for (const folder of folders) {
    const place = path.join(resolveLinks(folder.path), "/");
    if (!own.startsWith(place) && !place.startsWith(own)) continue;
    const relation = own.startsWith(place) ? "contains" : "is part of";
    throw new Error(
      `CARREL_AGENT_FOLDERS: ${folder.path} ${relation} Carrel's own data, ${home}. Allow other folders.`,
    );
  }
}

/** What doesn't exist yet may be created below a link. */
function resolveLinks(place: string): string {
  const whole = path.resolve(place);
  try {
    return realpathSync(whole);
  } catch {
    const parent = path.dirname(whole);
    return parent === whole ? whole : path.join(resolveLinks(parent), path.basename(whole));
  }
}
