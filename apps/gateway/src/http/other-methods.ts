type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

interface MountedRoute {
  method: string;
  url: string;
}

/** Whether any address matches both patterns, given as segments; a parameter matches any segment. */
const overlap = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length &&
  left.every(
    (segment, at) => segment === right[at] || segment.startsWith(":") || right[at]!.startsWith(":"),
  );

/**
 * The methods each address does not support, for a 405 with Allow. If an address also matches
 * another pattern (`/workspace/new` is a slug for GET), that pattern's methods are left out.
 */
export function listOtherMethods(
  routes: readonly MountedRoute[],
): { url: string; allowed: string[]; methods: Method[] }[] {
  // Of patterns that differ only in parameter names (:id, :slug), keep one.
  const shapes = new Map<string, string>();
  for (const { url } of routes) {
    const shape = url.replace(/:[^/]+/g, ":");
    if (!shapes.has(shape)) shapes.set(shape, url);
  }
  // Split once: every pattern is compared with every other at each start.
  const mounted = routes.map(({ method, url }) => ({ method, segments: url.split("/") }));
  return [...shapes.values()].flatMap((url) => {
    const own = url.split("/");
    const fitting = new Set(
      mounted.filter(({ segments }) => overlap(segments, own)).map(({ method }) => method),
    );
    const others = methods.filter((method) => !fitting.has(method));
    return others.length === 0
      ? []
      : [{ url, allowed: methods.filter((method) => fitting.has(method)), methods: others }];
  });
}
