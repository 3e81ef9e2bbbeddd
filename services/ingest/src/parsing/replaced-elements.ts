import { clipText } from "@carrel/contracts";
import { readStartTag } from "./html-tags.ts";

/** Pictures this small are icons. */
const iconSize = 24;
const longestAlt = 1_000;

/** What a picture shows, if its page says so. */
export function describePicture(facts: ReadonlyMap<string, string>, role = ""): string {
  const alt = clipText((facts.get("alt") ?? "").replace(/\s+/g, " "), longestAlt);
  if (alt === "" || /^(?:presentation|none)$/.test(role)) return "";
  const isName = /^[\w%~. -]{1,100}\.(?:png|jpe?g|gif|svg|webp|bmp)$/i.test(alt);
  const isEmoji = /^\P{L}{1,8}$/u.test(alt);
  if (isEmoji) return alt;
  const size = Math.max(Number(facts.get("width")) || 0, Number(facts.get("height")) || 0);
  return isName || (size > 0 && size <= iconSize) ? "" : `[Image: ${alt}]`;
}

const silent = /^(?:hidden|password|submit|button|reset|image|search|file|color|range)$/i;

/** The value of a form's field. */
export function fieldValue(facts: ReadonlyMap<string, string>): string {
  const type = facts.get("type") ?? "text";
  if (/^(?:checkbox|radio)$/i.test(type)) return facts.has("checked") ? "☒ " : "☐ ";
  return silent.test(type) ? "" : (facts.get("value") ?? "");
}

/** The options of a list that are selected. */
export function selectedOptions(source: string): string {
  const texts: string[] = [];
  for (let at = source.indexOf("<"); at >= 0; at = source.indexOf("<", at + 1)) {
    if (!/^<option\b/i.test(source.slice(at, at + 8))) continue;
    const { end } = readStartTag(source, "option", at + 7);
    if (!/\sselected(?=[\s=>/])/i.test(source.slice(at, Math.min(end, at + 500)))) continue;
    const close = source.indexOf("<", end);
    texts.push(source.slice(end, close < 0 ? undefined : close).trim());
  }
  return texts.join(", ");
}
