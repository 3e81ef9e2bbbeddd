import type { ErrorCode } from "@carrel/contracts";
import { errorCatalogue } from "@carrel/contracts/error-catalogue";

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Every message in the catalogue that has text other than its parameters, as a pattern. */
const patterns = Object.entries(errorCatalogue)
  .filter(([, { message }]) => !/^\{\{\w+\}\}$/.test(message))
  .map(([code, { message }]) => ({
    code,
    pattern: new RegExp(
      `^${message
        .split(/\{\{(\w+)\}\}/)
        .map((part, index, parts) => {
          if (index % 2 === 0) return literal(part);
          return parts.indexOf(part) < index ? `\\k<${part}>` : `(?<${part}>.+)`;
        })
        .join("")}$`,
    ),
  }));

/** Reasons for refusing a document or a page, which have no code. */
const reasons: Record<string, ErrorCode> = {
  "Files of this type cannot be read.": "document.unreadable",
  "Private addresses are not fetched.": "link.refused",
};

/**
 * The header in which the gateway names a reply's fault, derived from the English text in its body.
 */
export function faultHeaders(value: unknown, status: number): Record<string, string> {
  const { error, message, success, valid, user, invite, models, result } = (value ?? {}) as Record<
    string,
    unknown
  >;
  const words = typeof value === "string" ? value : (error ?? message);
  // The wire numbers this one (wire-contract 1.4).
  const text = typeof words === "string" ? words.replace(/^\[003\] /, "") : words;
  const failed =
    status >= 400 ||
    success === false ||
    valid === false ||
    user === null ||
    invite === null ||
    result === null ||
    (models !== undefined && error !== null);
  if (!failed || typeof text !== "string" || text === "") return {};
  for (const { code, pattern } of patterns) {
    const match = pattern.exec(text);
    if (match)
      return {
        "carrel-error": JSON.stringify({
          code,
          params: { ...match.groups, seconds: Number.parseInt(match.groups?.["wait"] ?? "0", 10) },
        }),
      };
  }
  // A newer server may send a code that the app doesn't know.
  const code = reasons[text] ?? "newer.code";
  return { "carrel-error": JSON.stringify({ code, params: { reason: text } }) };
}
