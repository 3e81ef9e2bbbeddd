import { clipText } from "@carrel/contracts";
import type { SecretBox } from "@carrel/database";

/** The effective settings, which provide the defaults of some labels. */
export interface EffectiveSettings {
  values: ReadonlyMap<string, string>;
}

/** One label in the table of wire-contract 7. */
export interface PreferenceDefinition {
  /** Managers see and set only five labels. */
  by: "manager" | "admin";
  /**
   * Converts a client's value to what is stored: null deletes the preference, undefined leaves it
   * unchanged. Read-only if absent.
   */
  write?: (sent: unknown) => unknown;
  /** Converts the stored value (undefined if unset) to the wire format. Hidden if absent. */
  read?: (kept: unknown, settings: EffectiveSettings) => unknown;
  /** Combines what `write` returned with the stored value; otherwise it replaces that. */
  merge?: (kept: unknown, sent: unknown, box: SecretBox) => unknown;
  /** Pages cache this value. */
  isBranding?: true;
}

/*
 * Converts preferences from clients to stored values (wire-contract 7). undefined leaves the
 * current value, null deletes it.
 */

/**
 * Trims the text, removes control characters, replaces lone surrogates and truncates the result to
 * `longest` UTF-16 code units at a whole character; `lines` keeps line breaks and tabs.
 */
export function cleanText(
  text: string,
  longest: number,
  options: { lines?: boolean } = {},
): string {
  const printable = text.replace(options.lines === true ? /[^\P{Cc}\n\r\t]/gu : /\p{Cc}/gu, "");
  return clipText(printable.trim(), longest);
}

export const readText =
  (longest: number) =>
  (sent: unknown): string | null | undefined => {
    if (sent === null) return null;
    if (typeof sent !== "string" && typeof sent !== "number") return undefined;
    return cleanText(String(sent), longest) || null;
  };

/** An integer of at least `least`, otherwise `fallback`. */
export const readNumber =
  (least: number, fallback: number) =>
  (sent: unknown): number => {
    const value = Math.trunc(
      typeof sent === "number" || (typeof sent === "string" && sent.trim() !== "")
        ? Number(sent)
        : Number.NaN,
    );
    return value >= least ? Math.min(value, 2_147_483_647) : fallback;
  };

export const readFlag = (sent: unknown): boolean =>
  sent === true ||
  sent === 1 ||
  (typeof sent === "string" && ["true", "1", "enabled"].includes(sent.trim().toLowerCase()));

/** Names as a comma-separated string or an array. */
export function readList(sent: unknown): string[] | undefined {
  const names =
    typeof sent === "string"
      ? sent.split(",")
      : Array.isArray(sent)
        ? sent.filter((name): name is string => typeof name === "string")
        : sent === null
          ? []
          : undefined;
  return (
    names && [...new Set(names.map((name) => cleanText(name, 128)).filter(Boolean))].slice(0, 500)
  );
}

const longestAddress = 2_048;
function addressOf(sent: unknown, protocols: readonly string[]): string | null {
  if (typeof sent !== "string") return null;
  const address = sent.trim();
  return address.length <= longestAddress &&
    URL.canParse(address) &&
    protocols.includes(new URL(address).protocol)
    ? cleanText(address, longestAddress)
    : null;
}

/** The http(s) URL of a page or picture; null for anything else. */
export const readWebAddress = (sent: unknown): string | null =>
  addressOf(sent, ["http:", "https:"]);

interface FooterItem {
  icon: string;
  url: string;
}
/**
 * Parses footer items from JSON text. Items without a permitted URL are dropped, then the first
 * three are kept.
 */
export function readFooter(sent: unknown): FooterItem[] {
  return parseList(sent)
    .flatMap((item): FooterItem[] => {
      const { icon, url } = (item ?? {}) as { icon?: unknown; url?: unknown };
      const address = addressOf(url, ["http:", "https:", "mailto:"]);
      return address === null
        ? []
        : [{ icon: typeof icon === "string" ? cleanText(icon, 64) : "", url: address }];
    })
    .slice(0, 3);
}

function parseList(sent: unknown): unknown[] {
  let value = sent;
  if (typeof sent === "string") {
    try {
      value = JSON.parse(sent);
    } catch {
      // On this wire, invalid JSON means an empty footer.
      return [];
    }
  }
  return Array.isArray(value) ? value : [];
}
