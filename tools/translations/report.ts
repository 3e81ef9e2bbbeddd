import { PlainError } from "../terminal.ts";
import { staleKeys, translatedInto, writeOrigins } from "./origins.ts";
import { readEnglish, readTexts } from "./texts.ts";
import { unusedKeys } from "./unused.ts";

/** At most this many keys are listed. */
const most = 20;

const list = (title: string, keys: readonly string[]): void => {
  if (keys.length === 0) return;
  const more = keys.length > most ? `\n  and ${keys.length - most} more` : "";
  process.stdout.write(`${title}:\n  ${keys.slice(0, most).join("\n  ")}${more}\n`);
};

/**
 * `./carrel translations` prints what each language lacks, what changed in English since it was
 * translated, and English texts that no code uses. `--translated [language…]` records that these
 * languages (default all) match the current English.
 */
export function showTranslations([option, ...named]: readonly string[]): void {
  const english = readEnglish();
  if (option === "--translated") {
    const unknown = named.find((name) => !(translatedInto as readonly string[]).includes(name));
    if (unknown !== undefined)
      throw new PlainError(
        `There is no language "${unknown}".\nWhat to do: choose from ${translatedInto.join(", ")}.`,
      );
    writeOrigins(named.length > 0 ? named : translatedInto, english);
  } else if (option !== undefined)
    throw new PlainError(
      `Unknown option "${option}".\nWhat to do: write --translated, or nothing.`,
    );
  for (const language of translatedInto) {
    const texts = readTexts(language);
    const missing = [...english.keys()].filter((key) => !texts.has(key));
    const stale = staleKeys(language, english).filter((key) => texts.has(key));
    const share = (100 * (english.size - missing.length)) / english.size;
    process.stdout.write(
      `${language.padEnd(6)}${share.toFixed(1).padStart(6)} %${String(missing.length).padStart(6)} missing${String(stale.length).padStart(6)} changed in English\n`,
    );
    list("Missing", missing);
    list("Changed in English", stale);
  }
  list("Not used", unusedKeys());
}
