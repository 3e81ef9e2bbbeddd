import type { AgentSettings, ApprovalRequest } from "@carrel/contracts";
import type { Tool } from "@carrel/skills";

/*
 * Assumes that the model obeys whoever wrote the text it read last (docs/decisions/agents.md).
 * Everything here is pure: it decides from what the run has read and what the person has typed.
 */

/** What a run has read so far, and where it may go without asking. */
export interface RunTrust {
  /** Content of others: web pages, documents, replies of servers. */
  hasReadUntrusted: boolean;
  /** Content that not everybody may see: documents, databases, mail. */
  hasReadPrivate: boolean;
  /** Addresses that the person has typed or a search has returned, normalised. */
  knownAddresses: ReadonlySet<string>;
  /** Words that the person has typed in this conversation, in lower case. */
  typedWords: ReadonlySet<string>;
  /** Approved for the rest of the run: tool and destination. */
  approved: ReadonlySet<string>;
}

/** Skills whose results anyone can read. */
const publicSkills: ReadonlySet<string> = new Set(["web-browsing", "web-scraping"]);
export const readsPrivate = ({ skill, isUntrusted }: Tool): boolean =>
  isUntrusted && !publicSkills.has(skill);

/** What an approval of a tool "for this run" covers. */
export const approvalKey = (tool: string, destination: string | null): string =>
  JSON.stringify([tool, destination]);

/**
 * Returns why a call needs the person's approval; null if it doesn't.
 *
 * @param o.isWhitelisted whether the person or the operator has approved the skill once and for all,
 *   which counts only while nothing untrusted has been read
 */
export function findApproval(
  tool: Tool,
  input: unknown,
  o: {
    trust: RunTrust;
    rule: AgentSettings["rules"][string] | undefined;
    isWhitelisted: boolean;
    destination: string | null;
  },
): ApprovalRequest["reason"] | null {
  if (o.trust.approved.has(approvalKey(tool.name, o.destination))) return null;
  if (isRisky(tool, input, o.trust)) return "untrusted";
  if (o.rule === "ask") return "required";
  return tool.approval === "always" && !o.isWhitelisted ? "outside" : null;
}

/** Whether someone whose text the run has read could use the call to take or change something. */
function isRisky(tool: Tool, input: unknown, trust: RunTrust): boolean {
  if (!trust.hasReadUntrusted) return false;
  if (tool.effect === "write" || tool.effect === "send") return true;
  if (tool.effect !== "fetch") return tool.approval !== "never";
  // A search goes to an address that an admin chose, but carries what it is asked.
  if (tool.skill === "web-browsing")
    return trust.hasReadPrivate && !isTyped(JSON.stringify(input), trust.typedWords);
  const addresses = tool.addresses?.(input) ?? [];
  return (
    addresses.length === 0 ||
    addresses.some((address) => !trust.knownAddresses.has(normaliseAddress(address)))
  );
}

/** Whether each word has been typed by the person; the names of fields are in no vocabulary. */
function isTyped(json: string, typed: ReadonlySet<string>): boolean {
  const values: string[] = [];
  JSON.parse(json, (_key, value: unknown) => {
    if (typeof value === "string" || typeof value === "number") values.push(String(value));
    return value;
  });
  return listWords(values.join(" ")).every((word) => word.length < 3 || typed.has(word));
}

export const listWords = (text: string): string[] =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Without its fragment, which isn't sent. Text that is no address is left as it is. */
export function normaliseAddress(address: string): string {
  const url = URL.parse(address.trim());
  if (url === null) return address.trim();
  url.hash = "";
  return url.href;
}

const written =
  /https?:\/\/[^\s<>"'`\]]+|(?<![@\w.])(?:[a-z0-9-]+\.)+[a-z]{2,}(?:\/[^\s<>"'`\]]*)?/gi;

/** The addresses in a text that a person has typed; one without a protocol counts with both. */
export function listTypedAddresses(text: string): string[] {
  return Array.from(text.matchAll(written), ([match]) => match.replace(/[.,;:!?)]+$/, "")).flatMap(
    (match) =>
      /^https?:/i.test(match)
        ? [normaliseAddress(match)]
        : [normaliseAddress(`https://${match}`), normaliseAddress(`http://${match}`)],
  );
}

/** Characters that change how a text looks without being seen: shown as their code points. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0]|\u034F|\u17B4|\u17B5/gu;

/** A value as an approval shows it: nothing in it can hide, reverse or imitate other text. */
export const showValue = (value: string): string =>
  value.replace(invisible, (character) =>
    character === "\n" || character === "\t"
      ? character
      : `\u2423U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}\u2423`,
  );

/** An address as an approval shows it: a host with letters of other scripts in both forms. */
export function showDestination(destination: string): string {
  const url = URL.parse(destination);
  return url === null || url.host === "" ? showValue(destination) : showValue(url.href);
}
