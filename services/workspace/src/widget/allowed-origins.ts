import { CarrelError, clipText } from "@carrel/contracts";

/**
 * Reads a list of allowed origins as existing clients send it (wire-contract 8.1): separated by
 * commas, `https://` if there is no scheme, invalid addresses dropped. Throws if nothing is left of
 * a list, because an empty one opens the widget to any site.
 */
export function readAllowlist(given: string | readonly string[] | null): string[] {
  const list = typeof given === "string" ? given.split(",") : (given ?? []);
  const entries = list.map((entry) => entry.trim()).filter((entry) => entry !== "");
  const origins = entries.flatMap((entry) => readOrigin(entry) ?? []);
  if (entries.length > 0 && origins.length === 0)
    throw new CarrelError("widget.sites-invalid", { entries: clipText(entries.join(", "), 200) });
  return [...new Set(origins)];
}

function readOrigin(entry: string): string | null {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(entry) ? entry : `https://${entry}`;
  if (!URL.canParse(address)) return null;
  const { protocol, origin, hostname } = new URL(address);
  // Origins are compared exactly, so a pattern would never match. Other signs end a policy's source.
  const isUsable = /^https?:$/.test(protocol) && /^[\w.:[\]-]+$/.test(hostname);
  return isUsable ? origin : null;
}

export interface Visit {
  origin: string | null;
  isOwnPage: boolean;
}
interface Rule {
  origins: readonly string[];
  allowAnyOrigin: boolean;
}

/** Allowed origins; null: any. `requiresList`: an empty list never means any. */
export const allowedOrigins = (rule: Rule, requiresList: boolean): readonly string[] | null =>
  rule.origins.length === 0 && rule.allowAnyOrigin && !requiresList ? null : rule.origins;

export function isAllowed(rule: Rule, visit: Visit, requiresList: boolean): boolean {
  if (visit.isOwnPage) return true;
  const allowed = allowedOrigins(rule, requiresList);
  return allowed === null || (visit.origin !== null && allowed.includes(visit.origin));
}
