import { credentialReference, parseJson } from "@carrel/contracts";
import { toolFault } from "../tool-fault.ts";

/*
 * Variables in the texts of blocks: `${name}`, `${order.items[0].price}`, `${row["unit price"]}`.
 * What is inserted is never read as a template or as code.
 */

export type Variables = ReadonlyMap<string, unknown>;

const reference = /\$\{([^{}]{1,500})\}/g;
/** Or a credential, whose name is the second group. */
const anyReference = new RegExp(`${reference.source}|${credentialReference.source}`, "g");
const single = /^\s*\$\{([^{}]{1,500})\}\s*$/;
const part = /(?:^|\.)([^.[\]]+)|\[(?:(\d{1,9})|"([^"]*)"|'([^']*)')\]/gy;
/** UTF-16 units that variables may add to one text, which may name them many times. */
const mostInserted = 5_000_000;
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

/** The last text that was read as JSON: blocks often refer to several parts of the same one. */
let lastRead: { text: string; value: unknown } = { text: "", value: "" };

/** The value that JSON stands for; other texts stay as they are. */
export function parseIfJson(text: string): unknown {
  if (lastRead.text !== text) lastRead = { text, value: readJson(text) };
  return lastRead.value;
}

function readJson(text: string): unknown {
  if (text.length > longestJson || !/^\s*[[{]/.test(text)) return text;
  try {
    return parseJson(text);
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

/** What stands for a credential in a text. */
export type InsertCredential = (name: string) => string;

/**
 * The text with the values of its variables; those that don't exist stay as they are written, and
 * so do credentials without `insert`. In one pass, so that a variable can't name a credential.
 * Throws ToolError if it would be too large.
 */
export const substitute = (
  template: string,
  variables: Variables,
  insert?: InsertCredential,
): string => {
  let inserted = 0;
  return template.replace(
    insert === undefined ? reference : anyReference,
    (written, path: string | undefined, credential: unknown) => {
      const value = path === undefined ? insert!(credential as string) : lookUp(variables, path);
      if (value === undefined) return written;
      const text = showValue(value);
      inserted += text.length;
      if (inserted > mostInserted)
        throw toolFault({
          code: "flow-text.too-large",
          params: { megabytes: mostInserted / 1_000_000 },
        });
      return text;
    },
  );
};

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
export function substituteWithin(
  value: unknown,
  variables: Variables,
  insert?: InsertCredential,
): unknown {
  if (typeof value === "string") return substitute(value, variables, insert);
  if (Array.isArray(value)) return value.map((item) => substituteWithin(item, variables, insert));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      substitute(key, variables),
      substituteWithin(item, variables, insert),
    ]),
  );
}

export const hasVariables = (text: string): boolean => text.search(reference) >= 0;
