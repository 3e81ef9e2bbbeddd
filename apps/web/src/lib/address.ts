import type { Operation } from "@carrel/contracts";

/** Its method, its path below /api, and what it replies with. */
export function routeOf(operation: Operation): { method: string; path: string; kind: string } {
  const [method = "", path = "", kind = "json"] = operation.split(" ");
  return { method, path, kind };
}

/**
 * The URL of an operation: parameters go in the path and, for GET, the rest in the query string.
 * `rest` is what remains for the body.
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
