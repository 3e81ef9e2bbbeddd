import { chooseLanguage, knownLanguage, type Language } from "@carrel/contracts/languages";
import { keys, readStored, writeStored } from "./session-storage.ts";

/** The name under which existing clients keep the language, too. */
const cookieName = "i18next";

const inAddress = (): string | null => new URLSearchParams(location.search).get("lng");

/** The language of the signed-in user's profile. */
function inProfile(): string | null {
  try {
    const user = JSON.parse(readStored(keys.user) ?? "null") as { userLang?: unknown } | null;
    return typeof user?.userLang === "string" ? user.userLang : null;
  } catch {
    return null;
  }
}

const inCookie = (): string | null =>
  new RegExp(`(?:^|; )${cookieName}=([\\w-]+)`).exec(document.cookie)?.[1] ?? null;

function inSession(): string | null {
  try {
    return sessionStorage.getItem(keys.language);
  } catch {
    return null; // blocked
  }
}

/** The address names it for one visit, then the profile, then what this browser remembers or prefers. */
export const readLanguage = (): Language =>
  chooseLanguage([
    inAddress(),
    inProfile(),
    inCookie(),
    readStored(keys.language),
    inSession(),
    ...navigator.languages,
    document.documentElement.lang,
  ]);

/** Stores a choice in this browser, and corrects every place that still names another language. */
export function storeLanguage(language: Language): void {
  writeStored(keys.language, language);
  if (inCookie() !== null) document.cookie = `${cookieName}=${language}; path=/; samesite=lax`;
  if (knownLanguage(inAddress()) === null) return;
  const address = new URL(location.href);
  address.searchParams.delete("lng");
  history.replaceState(history.state, "", address);
}
