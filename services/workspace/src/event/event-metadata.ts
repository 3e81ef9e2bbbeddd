import { clipText } from "@carrel/contracts";

/** Limits that keep a page of a hundred entries within one reply, whatever was recorded. */
const longestText = 1_000;
/** More than this isn't searched for secrets, nor kept. */
const longestSearched = 10_000;
const maxItems = 50;

const redacted = "[redacted]";
/** Fields that hold a secret: `newPassword`, `reset_token`. Not `apiKeyId` or `usePassword: true`. */
const secretName =
  /(password|passphrase|secret|token|authorization|cookie|credentials?|private_?key|api_?key|(recovery|one_?time|invite)_?codes?)$/i;
/** Secrets recognisable by themselves. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[\w+/=.~-]{8,}/gi, `$1 ${redacted}`],
  [/\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]{5,}/g, redacted],
  [/\bsk-[\w-]{12,}/g, redacted],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, redacted],
  // Credentials in an address.
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]*@/gi, `$1${redacted}@`],
  [/([?&](?:[\w-]*(?:key|token|secret|password|signature))=)[^&#\s]+/gi, `$1${redacted}`],
];

const withoutSecrets = (text: string): string =>
  secretTexts.reduce((kept, [pattern, instead]) => kept.replace(pattern, instead), text);

/** jsonb accepts neither U+0000 nor lone surrogates, and text typed at a login may contain both. */
function storableText(text: string): string {
  const safe = withoutSecrets(clipText(text, longestSearched));
  return (safe.length > longestText ? `${clipText(safe, longestText)}…` : safe).replaceAll(
    "\0",
    "",
  );
}

/**
 * Makes metadata storable. Long lists and texts are visibly cut; secrets, which callers must not
 * record in the first place, are replaced.
 */
export function storableMetadata(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (Array.isArray(value))
    return [
      ...value.slice(0, maxItems).map(storableMetadata),
      ...(value.length > maxItems ? [`… ${value.length - maxItems} more`] : []),
    ];
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      storableText(key),
      secretName.test(key) && (typeof entry === "string" || typeof entry === "object") && entry
        ? redacted
        : storableMetadata(entry),
    ]),
  );
}
