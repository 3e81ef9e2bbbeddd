/*
 * Variables in the texts of blocks: `${name}`, `${order.items[0].price}`, `${row["unit price"]}`.
 * What is inserted is never read as a template or as code.
 */

export type Variables = ReadonlyMap<string, unknown>;

const reference = /\$\{([^{}]{1,500})\}/g;
const single = /^\s*\$\{([^{}]{1,500})\}\s*$/;
const part = /(?:^|\.)([^.[\]]+)|\[(?:(\d{1,9})|"([^"]*)"|'([^']*)')\]/gy;
/** A text longer than this isn't read as JSON. */
const longestJson = 1_000_000;

/** The steps of a path; null if it is none. */
function readPath(path: string): string[] | null {
  const names: string[] = [];
  part.lastIndex = 0;
  while (part.lastIndex < path.length) {
    const match = part.exec(path);
    if (match === null) return null;
    names.push(match[1] ?? match[2] ?? match[3] ?? match[4]!);
  }
  return names.length === 0 ? null : names;
}

/** The value that JSON stands for; other texts stay as they are. */
export function parseIfJson(text: string): unknown {
  if (text.length > longestJson || !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A part of a value; undefined if it has none of its own by this name. */
export function pick(value: unknown, path: string): unknown {
  if (path.trim() === "") return value;
  const names = readPath(path.trim());
  if (names === null) return undefined;
  let current = value;
  for (const name of names) {
    const holder = typeof current === "string" ? parseIfJson(current) : current;
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, name))
      return undefined;
    current = (holder as Record<string, unknown>)[name];
  }
  return current;
}

function lookUp(variables: Variables, path: string): unknown {
  const key = path.trim();
  if (variables.has(key)) return variables.get(key);
  const names = readPath(key);
  if (names === null || !variables.has(names[0]!)) return undefined;
  const rest = key.slice(key.startsWith("[") ? key.indexOf("]") + 1 : names[0]!.length);
  return pick(variables.get(names[0]!), rest.replace(/^\./, ""));
}

/** A value as text: objects and lists as JSON. */
export const showValue = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** The text with the values of its variables; those that don't exist stay as they are written. */
export const substitute = (template: string, variables: Variables): string =>
  template.replace(reference, (written, path: string) => {
    const value = lookUp(variables, path);
    return value === undefined ? written : showValue(value);
  });

/**
 * The value of a text: of its variable, if it is nothing else, or of the JSON that it is;
 * undefined if it names a variable that doesn't exist.
 */
export function readValue(template: string, variables: Variables): unknown {
  const path = single.exec(template)?.[1];
  const value = path === undefined ? substitute(template, variables) : lookUp(variables, path);
  return typeof value === "string" ? parseIfJson(value) : value;
}

/** Inserts variables into each text of a value, whose structure stays as it is. */
export function substituteWithin(value: unknown, variables: Variables): unknown {
  if (typeof value === "string") return substitute(value, variables);
  if (Array.isArray(value)) return value.map((item) => substituteWithin(item, variables));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      substitute(key, variables),
      substituteWithin(item, variables),
    ]),
  );
}

export const hasVariables = (text: string): boolean => text.search(reference) >= 0;
