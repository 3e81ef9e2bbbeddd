import { errorCatalogue } from "@carrel/contracts";
import own from "../locales/en/errors.json" with { type: "json" };

type Texts = Record<string, Record<string, string>>;

/**
 * The English sentences for faults, by noun and fault: the server's, unless the app says it
 * otherwise, since it speaks to people instead of programs. Other languages have all of them.
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
