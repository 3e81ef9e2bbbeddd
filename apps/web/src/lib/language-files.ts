/** Loads the texts of one area in one language. */
export type LoadTexts = () => Promise<Record<string, unknown>>;

/**
 * The texts of every language but English, by path. Adding a folder to `locales` adds a language.
 * English is bundled with the code that shows it.
 */
export const languageFiles: Record<string, LoadTexts> = import.meta.glob<Record<string, unknown>>(
  ["../locales/*/*.json", "!../locales/en/*.json"],
  { import: "default" },
);
