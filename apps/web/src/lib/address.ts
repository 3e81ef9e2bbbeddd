import type { Operation } from "@carrel/contracts";

/** An operation's method, its path below /api, and the kind of its reply. */
export function routeOf(operation: Operation): { method: string; path: string; kind: string } {
  const [method = "", path = "", kind = "json"] = operation.split(" ");
  return { method, path, kind };
}

/**
 * The URL of an operation: parameters go into the path and, for GET, everything else into the query
 * string. `rest` is left for the body.
 */
export function addressOf(
  operation: Operation,
  input: Record<string, unknown>,
): { url: string; rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = { ...input };
  const { method, path: template } = routeOf(operation);
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  if (method !== "GET") return { url: `/api${path}`, rest };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && each !== null && each !== "") query.append(name, String(each));
  const text = query.toString();
  return { url: `/api${path}${text ? `?${text}` : ""}`, rest: {} };
}
