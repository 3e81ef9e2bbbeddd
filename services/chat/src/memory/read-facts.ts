import { z } from "zod";

/**
 * Maximum number of facts per extraction, and of characters in one: a model that writes more has
 * misunderstood the task.
 */
export const maxFacts = 5;
export const longestFact = 200;
const shortestFact = 4;

/** Control, format and bidirectional characters, including line breaks, which can hide text. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;
/** A URL in a memory isn't a fact about a person, but likely an injection from pasted text. */
const address = /:\/\/|\bwww\./i;

const list = z.array(z.unknown()).catch([]);

/**
 * Parses the facts a model wrote about a user, one line each; anything but a list of short texts
 * yields nothing.
 */
export function readFacts(written: string): string[] {
  const from = written.indexOf("[");
  const until = written.lastIndexOf("]");
  if (from < 0 || until < from) return [];
  const facts = list
    .parse(readJson(written.slice(from, until + 1)))
    .flatMap((fact) => (typeof fact === "string" ? [fact.replace(invisible, " ").trim()] : []));
  return facts
    .filter(
      (fact) =>
        fact.length >= shortestFact &&
        fact.length <= longestFact &&
        fact.isWellFormed() &&
        !address.test(fact),
    )
    .slice(0, maxFacts);
}

/** Drops facts that repeat known ones or each other. */
export function excludeKnown(facts: readonly string[], known: readonly string[]): string[] {
  const seen = new Set(known.map(normalise));
  return facts.filter((fact) => {
    const words = normalise(fact);
    if (words === "" || seen.has(words)) return false;
    seen.add(words);
    return true;
  });
}

/** Keeps only letters and digits, ignoring case. */
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
