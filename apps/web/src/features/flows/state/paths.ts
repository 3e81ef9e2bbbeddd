import type { FlowVariableType } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import type { KnownVariable } from "./variables.ts";

/** What a text with variables can offer. */
export interface Offered {
  known: readonly KnownVariable[];
  /** Their values in the last test run. */
  values: Readonly<Record<string, unknown>>;
}

/** The unfinished `${…` that ends at the caret. */
export function openReference(before: string): { start: number; typed: string } | null {
  const match = /\$\{([^{}\n]*)$/.exec(before);
  return match && { start: match.index, typed: match[1] ?? "" };
}

export interface Suggestion {
  path: string;
  type: FlowVariableType | null;
  maybe: boolean;
  /** Its value in the last test run, shortened; null if there is none. */
  preview: string | null;
  /** What is typed to go on to its parts; null if it has none. */
  into: string | null;
}

/** At most this many parts of a value are offered, and of a list fewer at first. */
const mostParts = 50;
const firstItems = 5;

/** Replies of APIs are often JSON as text, into which paths lead too. */
function structureOf(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function typeOf(value: unknown): FlowVariableType | null {
  const whole = structureOf(value);
  if (Array.isArray(whole)) return "list";
  if (typeof whole === "object" && whole !== null) return "json";
  if (typeof whole === "number") return "number";
  if (typeof whole === "boolean") return "boolean";
  return typeof whole === "string" ? "text" : null;
}

function previewOf(value: unknown): string | null {
  if (value === undefined) return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? `${clipText(text, 59)}…` : text;
}

interface Part {
  name: string;
  path: string;
  value: unknown;
}

function partsOf(path: string, whole: unknown): Part[] {
  const value = structureOf(whole);
  if (Array.isArray(value))
    return value.map((each: unknown, index) => ({
      name: String(index),
      path: `${path}[${index}]`,
      value: each,
    }));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const step = stepTo(name);
    return step === null ? [] : [{ name, path: `${path}${step}`, value: each as unknown }];
  });
}

/** What to append to a path to reach a field; null if a path can't express it. */
function stepTo(name: string): string | null {
  if (/^[^.[\]{}"'\s]+$/.test(name)) return `.${name}`;
  if (/[{}]/.test(name) || name === "") return null;
  return name.includes('"') ? (name.includes("'") ? null : `['${name}']`) : `["${name}"]`;
}

/** The steps of a path, as flows read it. */
const stepsIn = (path: string): string[] =>
  [...path.matchAll(/(?:^|\.)([^.[\]]+)|\[(?:(\d+)|"([^"]*)"|'([^']*)')\]/g)].map(
    ([, plain, index, double, single]) => plain ?? index ?? double ?? single ?? "",
  );

function valueAt(values: Readonly<Record<string, unknown>>, path: string): unknown {
  let value: unknown = values;
  for (const name of stepsIn(path)) {
    const whole = structureOf(value);
    if (typeof whole !== "object" || whole === null || !Object.hasOwn(whole, name))
      return undefined;
    value = (whole as Record<string, unknown>)[name];
  }
  return value;
}

/** A path that is being typed: what is complete, and the start of its next step. */
function splitTyped(text: string): { base: string; rest: string } | null {
  const bracket = /^(.+)\[["']?([^\]"']*)$/.exec(text) ?? /^(.+)\.([^.[\]]*)$/.exec(text);
  return bracket && { base: bracket[1] ?? "", rest: bracket[2] ?? "" };
}

/** The path that leads to the parts of a typed one; null at the variables. */
export const baseOf = (typed: string): string | null => splitTyped(typed.trim())?.base ?? null;

/** What a reference can go on to: variables, and the parts of values of the last test run. */
export function suggestPaths(typed: string, { known, values }: Offered): Suggestion[] {
  const text = typed.trim();
  const split = splitTyped(text);
  const fits = (name: string, rest: string): boolean =>
    name.toLowerCase().includes(rest.toLowerCase());
  const within = (base: string, rest: string): Suggestion[] => {
    const whole = valueAt(values, base);
    const parts = partsOf(base, whole).filter(({ name }) => fits(name, rest));
    const most = Array.isArray(structureOf(whole)) && rest === "" ? firstItems : mostParts;
    return parts.slice(0, most).map(({ path, value }) => ({
      path,
      type: typeOf(value),
      maybe: false,
      ...describe(path, value),
    }));
  };
  if (text.endsWith("]")) return within(text, "");
  if (split !== null) return within(split.base, split.rest);
  const variables = known
    .filter(({ name }) => fits(name, text))
    .map(({ name, type, maybe }) => ({
      path: name,
      type: type === null || type === "text" ? (typeOf(values[name]) ?? type) : type,
      maybe,
      ...describe(name, values[name]),
    }));
  return known.some(({ name }) => name === text) ? [...variables, ...within(text, "")] : variables;
}

function describe(path: string, value: unknown): Pick<Suggestion, "preview" | "into"> {
  const whole = structureOf(value);
  const hasParts = typeof whole === "object" && whole !== null && partsOf(path, whole).length > 0;
  return {
    preview: previewOf(value),
    into: hasParts ? `${path}${Array.isArray(whole) ? "[" : "."}` : null,
  };
}
