import { createHash } from "node:crypto";

const longest = 64;
const plain = /^[A-Za-z0-9_-]{1,64}$/;

/** `<server>-<tool>` (wire-contract 5.10), if models can call that; else shortened with a hash. */
function callName(server: string, tool: string): string {
  const name = `${server}-${tool}`;
  return plain.test(name) ? name : hashedCallName(server, tool);
}

/** The same for a name that another tool has already: different for each server and tool. */
function hashedCallName(server: string, tool: string): string {
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
 * Names for the tools of several servers. They depend on the names of servers and tools only, not
 * on which servers are connected: a call that was approved must never reach another tool.
 *
 * @param servers names of all servers, also of those whose tools aren't known
 */
export function assignCallNames<T extends { server: string; tool: string }>(
  tools: readonly T[],
  servers: readonly string[],
): (T & { callName: string })[] {
  const taken = new Set<string>();
  return tools.map((each) => {
    const { server, tool } = each;
    let name = callName(server, tool);
    // `a` with the tool `b-c` would be called like `a-b` with the tool `c`.
    const isAmbiguous = servers.some(
      (other) => other.startsWith(`${server}-`) && `${server}-${tool}`.startsWith(`${other}-`),
    );
    if (isAmbiguous || taken.has(name)) name = hashedCallName(server, tool);
    taken.add(name);
    return { ...each, callName: name };
  });
}
