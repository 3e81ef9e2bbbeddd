import { errorCatalogue } from "@carrel/contracts/error-catalogue";
import own from "../locales/en/errors.json" with { type: "json" };

type Texts = Record<string, Record<string, string>>;

/**
 * The English sentences for faults, by noun and fault. They are the server's, except where the app,
 * which speaks to people rather than programs, words them differently. In a separate file, because
 * it is loaded only when something fails (`loadFaultTexts`).
 */
export function englishFaultTexts(): Texts {
  const texts: Texts = {};
  const add = (noun: string, fault: string, text: string): void => {
    (texts[noun] ??= {})[fault] = text;
  };
  for (const [code, { message }] of Object.entries(errorCatalogue)) {
    const [noun, fault] = code.split(".") as [string, string];
    add(noun, fault, message);
  }
  for (const [noun, faults] of Object.entries(own))
    for (const [fault, text] of Object.entries(faults)) add(noun, fault, text);
  return texts;
}
