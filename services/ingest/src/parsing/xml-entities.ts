import { clipText, type KnownFault } from "@carrel/contracts";
import { UnreadableError } from "./parsed-document.ts";

const declaration = /<!ENTITY\s+(%\s+)?([^\s"'>%]+)\s*(?:"([^"]*)"|'([^']*)'|[^>]*)/gi;
const reference = /&([^\s&;#]{1,100});/g;
const maxEntities = 10_000;
/** Longer values aren't abbreviations; many of them make huge files of small ones. */
const longestValue = 10_000;
const longestSum = 1_000_000;
const deepest = 20;
/** sax takes an empty value for an undeclared entity. */
const nothing = " ";

const decodeNumbers = (value: string): string =>
  value.replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (all, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });

/**
 * The entities that a document type declares, with plain text as values. What is outside the file
 * (other files, pictures, parameters) is left out and never fetched. Throws UnreadableError if one
 * contains others to an absurd length.
 */
export function readEntities(doctype: string, what: KnownFault): Record<string, string> {
  const declared = new Map<string, string>();
  for (const [, parameter, name = "", double, single] of doctype.matchAll(declaration)) {
    if (declared.size >= maxEntities) break;
    // The first declaration counts.
    if (!parameter && !declared.has(name)) declared.set(name, double ?? single ?? "");
  }
  const values = Object.create(null) as Record<string, string>;
  let sum = 0;
  const tooMuch = (name: string): UnreadableError =>
    new UnreadableError({
      code: "file.entities-declared",
      params: { what, name: clipText(name, 40) },
    });
  const resolve = (name: string, depth: number): string => {
    const known = values[name];
    if (known !== undefined) return known;
    if (depth > deepest) throw tooMuch(name);
    const value = decodeNumbers(declared.get(name)!.replace(/<[^<>]*>/g, " "));
    let length = 0;
    const resolved = value.replace(reference, (all, inner: string) => {
      const replaced = declared.has(inner) ? resolve(inner, depth + 1) : all;
      length += replaced.length;
      if (length > longestValue) throw tooMuch(name);
      return replaced;
    });
    sum += resolved.length;
    if (resolved.length > longestValue || sum > longestSum) throw tooMuch(name);
    return (values[name] = resolved === "" ? nothing : resolved);
  };
  for (const name of declared.keys()) resolve(name, 0);
  return values;
}
