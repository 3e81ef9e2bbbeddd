import { domainToASCII } from "node:url";
import { clipText, type AgentSettings, type ApprovalRequest } from "@carrel/contracts";
import type { ApprovalDetail, Tool } from "@carrel/skills";
import type { AnswerTask } from "../answer/answerer.ts";
import type { ReadContent } from "../turn/turn.entity.ts";
import { callKey } from "./tool-input.ts";

/*
 * Assumes that the model obeys whoever wrote the text it read last (docs/decisions/agents.md).
 * Everything here is pure: it decides from what the run has read and what the person has typed.
 */

/** What a run has read so far, and where it may go without asking. */
export interface RunTrust extends ReadContent {
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

/** Descriptions of these reach the model with the first call, and nobody has approved them. */
export const isDescribedByOthers = ({ hasUnapprovedDescription }: Tool): boolean =>
  hasUnapprovedDescription === true;

/**
 * What a prompt has of others before the first call. Earlier turns count with what their answers
 * had read, even if they turn out not to fit into the prompt.
 */
export function listRead({
  history,
  attachments,
  fullTexts,
  passages,
  memories,
  tools: { exchange },
}: Pick<
  AnswerTask,
  "history" | "attachments" | "fullTexts" | "passages" | "memories" | "tools"
>): ReadContent {
  const hasRead = [attachments, fullTexts, passages, exchange ?? []].some(
    (list) => list.length > 0,
  );
  return {
    hasReadUntrusted: hasRead || history.some((turn) => turn.hasReadUntrusted),
    hasReadPrivate: hasRead || memories.length > 0 || history.some((turn) => turn.hasReadPrivate),
  };
}

/** What an approval of a tool "for this run" covers: a call without a destination only itself. */
export const approvalKey = (tool: string, destination: string | null, input: unknown): string =>
  destination === null ? callKey(tool, input) : JSON.stringify([tool, destination]);

/**
 * Returns why a call needs the person's approval; null if it doesn't. With "outside", it doesn't
 * either if the person or the operator has approved its skill once and for all, which counts only
 * while nothing untrusted has been read.
 */
export function findApproval(
  tool: Tool,
  input: unknown,
  o: {
    trust: RunTrust;
    rule: AgentSettings["rules"][string] | undefined;
    destination: string | null;
  },
): ApprovalRequest["reason"] | null {
  if (o.trust.approved.has(approvalKey(tool.name, o.destination, input))) return null;
  if (isRisky(tool, input, o.trust)) return "untrusted";
  if (o.rule === "ask") return "required";
  return tool.approval === "always" ? "outside" : null;
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

/**
 * Whether the person has typed each word. Short words could spell out a secret, and so could
 * repetitions, capitals, look-alikes or what stands between words: none may be unusual.
 */
function isTyped(json: string, typed: ReadonlySet<string>): boolean {
  const values: string[] = [];
  JSON.parse(json, (_key, value: unknown) => {
    if (typeof value === "string" || typeof value === "number") values.push(String(value));
    return value;
  });
  return values.every((value) => {
    const words = listWords(value);
    return (
      value === value.normalize("NFKC") &&
      words.every((each) => typed.has(each)) &&
      new Set(words).size === words.length &&
      (value.match(word) ?? []).every((each) => usualCase.test(each)) &&
      value.split(word).every((between) => /^[ "'.?-]?$/.test(between))
    );
  });
}

const usualCase = /^(?:.\P{Lu}*|\P{Ll}*)$/u;
/** With combining marks, in which a text could be hidden otherwise. */
const word = /[\p{L}\p{N}\p{M}]+/gu;
const fold = (text: string): string => text.normalize("NFKC").toLowerCase();

export const listWords = (text: string): string[] => fold(text).match(word) ?? [];

/** Without its fragment, which isn't sent. Text that is no address is left as it is. */
export function normaliseAddress(address: string): string {
  const url = URL.parse(address.trim());
  if (url === null) return address.trim();
  url.hash = "";
  return url.href;
}

/** A domain in the middle of a word, as in an e-mail address, has not been typed as an address. */
const written =
  /https?:\/\/[^\s<>"'`\]]+|(?<![@\p{L}\p{M}\p{N}_.-])(?:[\p{L}\p{M}\p{N}-]+\.)+\p{L}[\p{L}\p{M}\p{N}-]+(?:\/[^\s<>"'`\]]*)?/giu;
/** A longer one can still be fetched with an approval. */
const longestAddress = 4_000;
const sentenceMarks = new Set(".,;:!?。、，；：！？…»”’）」】");
const closingBrackets = new Set(")）");

/** In one pass: a person's question may be long, and a regular expression would try each start. */
function stripEnd(text: string, characters: ReadonlySet<string>): string {
  let end = text.length;
  while (end > 0 && characters.has(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** Whether the address ends with brackets of its own, as in `/wiki/A_(b)`. */
function endsWithBrackets(address: string): boolean {
  const opening = address.lastIndexOf("(");
  return opening !== -1 && address.indexOf(")", opening) === address.length - 1;
}

/** The addresses in a text that a person has typed; one without a protocol counts with both. */
export function listTypedAddresses(text: string): string[] {
  const found = Array.from(text.matchAll(written), ([match]) => {
    const address = stripEnd(match, sentenceMarks);
    return endsWithBrackets(address) ? address : stripEnd(address, closingBrackets);
  });
  return [...new Set(found)]
    .filter(({ length }) => length <= longestAddress)
    .flatMap((match) =>
      /^https?:/i.test(match)
        ? [normaliseAddress(match)]
        : [normaliseAddress(`https://${match}`), normaliseAddress(`http://${match}`)],
    );
}

/**
 * Characters that change how a text looks without being seen, look like a plain space or have no
 * agreed look: shown as their code points.
 */
const invisible =
  /(?! )[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Z}\u115F\u1160\u2800\u3164\uFFA0\u{1D159}]|\u034F|\u17B4|\u17B5|[\u180B-\u180F]|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]/gu;
/** Marks that would cover the lines around them. */
const stackedMarks = /(?<=\p{M}{4})\p{M}+/gu;
/** Plain space that would push the rest out of sight. */
const longSpace = /[ \t\n]{80,}|(?:[ \t]*\n){9,}/gu;
const spaceMarks: Readonly<Record<string, string>> = {
  " ": "\u2423",
  "\t": "\u21E5",
  "\n": "\u21B5",
};
/** The length of each stretch of the same character: their order could carry data. */
const measureSpace = (space: string): string =>
  ` ${space.replace(/ +|\t+|\n+/g, (run) => `${spaceMarks[run[0]!]}\u00D7${run.length} `)}`;
/** The host of an address, or of an e-mail address. */
const host = /(?<=@|:\/\/)[^\s/?#@:,;<>"'()[\]\\]+/gu;
const isPlain = (text: string): boolean => /^[\u0021-\u007E]*$/.test(text);

const showPoints = (text: string): string =>
  Array.from(
    text,
    (character) =>
      `\u2423U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}\u2423`,
  ).join("");

/**
 * A value as an approval shows it: nothing in it can hide, reverse or imitate other text. Hosts with
 * letters beyond ASCII are followed by what is looked up.
 */
export const showValue = (value: string): string =>
  value
    .replace(host, (name) => (isPlain(name) ? name : `${name} (${domainToASCII(name) || "?"})`))
    .replace(longSpace, measureSpace)
    .replace(invisible, (character) =>
      character === "\n" || character === "\t" ? character : showPoints(character),
    )
    .replace(stackedMarks, showPoints);

const longestLabel = 100;
/** A label as an approval shows it: one short line. */
export const showLabel = (label: string): string =>
  clipText(showValue(label.replace(/[ \t\r\n]+/g, " ")), longestLabel);

/**
 * What would be sent, as an approval shows it. The names of fields are sent too: one that isn't whole
 * as a label stands before its value. Clients may key values by label, so no two are the same.
 */
export function showDetails(details: readonly ApprovalDetail[]): ApprovalDetail[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return details.map(({ label, value }) => {
    const short = showLabel(label);
    const shown = showValue(value);
    let unique = short;
    let count = counts.get(short) ?? 1;
    while (taken.has(unique)) unique = `${short} (${++count})`;
    counts.set(short, count);
    taken.add(unique);
    const isWhole = short === showValue(label);
    return {
      label: unique,
      value: isWhole ? shown : `${JSON.stringify(showValue(label))}:\n${shown}`,
    };
  });
}

/** Words that mix Latin letters with those of scripts that look like them. */
const mixedWord = /[\p{L}\p{M}\p{N}]+/gu;
const lookAlike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu;

/** A destination as an approval shows it: an address as it is requested, look-alike letters marked. */
export function showDestination(destination: string): string {
  const url = URL.parse(destination);
  if (url !== null && url.host !== "") return showValue(url.href);
  const requested = destination.replace(host, (name) =>
    isPlain(name) ? name : domainToASCII(name) || name,
  );
  return showValue(requested).replace(mixedWord, (each) =>
    /\p{Script=Latin}/u.test(each)
      ? each.replace(lookAlike, (letter) => letter + showPoints(letter))
      : each,
  );
}
