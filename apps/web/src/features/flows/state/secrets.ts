import type { FlowBlock, FlowStep } from "@carrel/contracts";
import { referTo } from "@carrel/contracts/credential-reference";

/** A text in an API call that looks like a key or a password. */
export interface LiteralSecret {
  field: "url" | "headers" | "body" | "formData";
  value: string;
  /** For a credential that holds it. */
  name: string;
  /** The host that gets it; empty if it isn't known before a run. */
  host: string;
  /** The block's settings with a credential instead. */
  replaceWith: (credential: string) => Partial<FlowBlock<"apiCall">["config"]>;
}

const secretHeader = /^(?:proxy-)?authorization$|api-?key|token|secret|password|^cookie$|^x-auth/i;
const secretField = /^(?:.*[_-])?(?:password|passwd|secret|token|api[_-]?key)$/i;
const scheme = /^(?:Bearer|Basic|Token|ApiKey|Key|Bot)\s+/i;
const shortest = 8;

/** Variables and credentials are no secrets, and neither are short words. */
const isSecret = (text: string): boolean =>
  text.length >= shortest && !/\$\{|\{\{|\s{2}/.test(text);

const suggestName = (text: string): string =>
  (/^(?:proxy-)?authorization$/i.test(text) ? "API_KEY" : text)
    .replace(/^x-/i, "")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^[^A-Za-z]+|_+$/g, "")
    .toUpperCase()
    .slice(0, 64) || "API_KEY";

function hostOf(url: string): string {
  const parsed = URL.parse(url.replace(/\$\{[^}]*\}/g, "$"));
  return parsed === null || /[$%{]/.test(parsed.host) ? "" : parsed.host;
}

const inJson = /"([^"\\]{1,100})"\s*:\s*"((?:[^"\\]|\\.)*)"/g;
const inQuery = /[?&]([\w-]{1,100})=([^&#]*)/g;

const unquoted = (json: string): string => {
  try {
    return String(JSON.parse(`"${json}"`));
  } catch {
    return json;
  }
};

/** The secrets that are written into a block, in the order of its fields. */
export function literalSecrets(step: FlowStep): LiteralSecret[] {
  if (step.type !== "apiCall") return [];
  const { config } = step;
  const found: LiteralSecret[] = [];
  const host = hostOf(config.url);
  const note = (secret: Omit<LiteralSecret, "host" | "name">, name: string): void =>
    void found.push({ ...secret, host, name: suggestName(name) });
  const noteRows = (field: "headers" | "formData", names: RegExp): void =>
    config[field].forEach(({ key, value }, index) => {
      const before = field === "headers" ? (scheme.exec(value)?.[0] ?? "") : "";
      const secret = value.slice(before.length).trim();
      if (!names.test(key.trim()) || !isSecret(secret)) return;
      note(
        {
          field,
          value: secret,
          replaceWith: (credential) => ({
            [field]: config[field].map((row, at) =>
              at === index ? { ...row, value: before + referTo(credential) } : row,
            ),
          }),
        },
        key.trim(),
      );
    });
  const noteMatches = (field: "url" | "body", pattern: RegExp, read: (text: string) => string) => {
    const text = config[field];
    for (const match of text.matchAll(pattern)) {
      const [whole, name = "", written = ""] = match;
      if (!secretField.test(name) || !isSecret(written)) continue;
      // The value is at the end, before a quotation mark in JSON.
      const at = match.index + whole.lastIndexOf(written);
      note(
        {
          field,
          value: read(written),
          replaceWith: (credential) => ({
            [field]: text.slice(0, at) + referTo(credential) + text.slice(at + written.length),
          }),
        },
        name,
      );
    }
  };
  noteMatches("url", inQuery, (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  });
  noteRows("headers", secretHeader);
  if (config.method === "GET" || config.method === "DELETE") return found;
  if (config.bodyType === "form") noteRows("formData", secretField);
  else noteMatches("body", inJson, unquoted);
  return found;
}
