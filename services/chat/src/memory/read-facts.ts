import { z } from "zod";

/** Of one look, and characters of one: a model that writes more has not understood. */
export const mostFacts = 5;
export const longestFact = 200;
const shortestFact = 4;

/** Marks of hidden text and of other directions, line breaks included. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;
/**
 * An address in a note is no fact of a person, but what a text that was pasted would want to be
 * repeated.
 */
const address = /:\/\/|\bwww\./i;

const list = z.array(z.unknown()).catch([]);

/**
 * What a model wrote of a person, as notes of one line; what is no list of short texts is nothing.
 */
export function readFacts(written: string): string[] {
  const text = written.replace(/<think>[\s\S]*?(<\/think>|$)/g, "");
  const from = text.indexOf("[");
  const until = text.lastIndexOf("]");
  if (from < 0 || until < from) return [];
  const facts = list
    .parse(readJson(text.slice(from, until + 1)))
    .flatMap((fact) => (typeof fact === "string" ? [fact.replace(invisible, " ").trim()] : []));
  return facts
    .filter(
      (fact) =>
        fact.length >= shortestFact &&
        fact.length <= longestFact &&
        fact.isWellFormed() &&
        !address.test(fact),
    )
    .slice(0, mostFacts);
}

/** Those that say something else than what is known, and than each other. */
export function leaveOutKnown(facts: readonly string[], known: readonly string[]): string[] {
  const seen = new Set(known.map(normalise));
  return facts.filter((fact) => {
    const words = normalise(fact);
    if (words === "" || seen.has(words)) return false;
    seen.add(words);
    return true;
  });
}

/** Letters and digits alone, without case. */
const normalise = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
