import { createHash } from "node:crypto";

const longest = 64;
const plain = /^[A-Za-z0-9_-]{1,64}$/;

/** `<server>-<tool>` (wire-contract 5.10), if models can call that; else shortened with a hash. */
export function callName(server: string, tool: string): string {
  const name = `${server}-${tool}`;
  return plain.test(name) ? name : hashedCallName(server, tool);
}

/** The same for a name that another tool has already: different for each server and tool. */
export function hashedCallName(server: string, tool: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([server, tool]))
    .digest("hex")
    .slice(0, 10);
  const readable = `${server}-${tool}`
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, longest - hash.length - 1);
  return `${readable || "tool"}_${hash}`;
}

/**
 * Names for the tools of several servers. A later server's tool never renames an earlier one's, so
 * sort servers by age.
 */
export function assignCallNames<T extends { server: string; tool: string }>(
  tools: readonly T[],
): (T & { callName: string })[] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    let name = callName(tool.server, tool.tool);
    if (taken.has(name)) name = hashedCallName(tool.server, tool.tool);
    taken.add(name);
    return { ...tool, callName: name };
  });
}
