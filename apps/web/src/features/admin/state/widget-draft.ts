import { widgetMessages, type WidgetAttribute, type WidgetMessage } from "@carrel/contracts";
import type { Widget, WidgetFields } from "../api/widgets.ts";

/** Limits on chats, each in any 24 hours. */
export const widgetLimits = ["day", "session", "visitor", "address"] as const;
export type WidgetLimit = (typeof widgetLimits)[number];

/** The attributes that the form sets; others stored by a client are kept. */
const looks = [
  "assistantName",
  "theme",
  "buttonColor",
  "userBgColor",
  "assistantBgColor",
  "chatIcon",
  "position",
] as const satisfies readonly WidgetAttribute[];
export type WidgetLook = (typeof looks)[number];

/** A widget as its form shows it: numbers as typed, lists as lines. */
export interface WidgetDraft {
  name: string;
  workspaceId: string;
  mode: "chat" | "query";
  access: "listed" | "any";
  sites: string;
  hasPage: boolean;
  greeting: string;
  suggested: string;
  showSources: boolean;
  look: Record<WidgetLook, string>;
  limits: Record<WidgetLimit, string>;
  messageLength: string;
  history: string;
  messages: Record<WidgetMessage, string>;
  onlySigned: boolean;
  allowPrompt: boolean;
  allowModel: boolean;
  allowTemperature: boolean;
}

const typed = (value: number | null): string => (value === null ? "" : String(value));

export function draftOf(widget: Widget): WidgetDraft {
  const sites = JSON.parse(widget.allowlist_domains ?? "[]") as string[];
  return {
    name: widget.name ?? "",
    workspaceId: typed(widget.workspace_id),
    mode: widget.chat_mode,
    access: widget.allow_any_origin && sites.length === 0 ? "any" : "listed",
    sites: sites.join("\n"),
    hasPage: widget.page_enabled,
    greeting: widget.greeting ?? "",
    suggested: widget.suggested_messages.join("\n"),
    showSources: widget.show_sources,
    look: Object.fromEntries(
      looks.map((name) => [name, widget.appearance[name] ?? ""]),
    ) as WidgetDraft["look"],
    limits: {
      day: typed(widget.max_chats_per_day),
      session: typed(widget.max_chats_per_session),
      visitor: typed(widget.max_chats_per_visitor),
      address: typed(widget.max_chats_per_address),
    },
    messageLength: typed(widget.max_message_length),
    history: typed(widget.message_limit),
    messages: Object.fromEntries(
      widgetMessages.map((name) => [name, widget.limit_messages[name] ?? ""]),
    ) as WidgetDraft["messages"],
    onlySigned: widget.only_signed_visitors,
    allowPrompt: widget.allow_prompt_override,
    allowModel: widget.allow_model_override,
    allowTemperature: widget.allow_temperature_override,
  };
}

const whole = (text: string): number | null =>
  /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
const isBetween = (text: string, least: number, most: number): boolean => {
  const number = whole(text);
  return number !== null && number >= least && number <= most;
};
export const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

export const longestMessage = 32_000;
export const longestHistory = 100;
export const mostSuggestions = 10;
export const longestSuggestion = 300;

/** Faults to correct, by field; `sites` holds entries that aren't a site's address. */
export function draftFaults(draft: WidgetDraft) {
  const suggested = linesOf(draft.suggested);
  return {
    workspace: draft.workspaceId === "",
    sites: draft.access === "listed" ? readSites(draft.sites).invalid : [],
    suggested:
      suggested.length > mostSuggestions ||
      suggested.some((line) => line.length > longestSuggestion),
    limits: widgetLimits.filter((name) => {
      const text = draft.limits[name].trim();
      return text !== "" && !isBetween(text, 1, 999_999_999);
    }),
    messageLength: !isBetween(draft.messageLength, 1, longestMessage),
    history: !isBetween(draft.history, 1, longestHistory),
  };
}
export type WidgetFaults = ReturnType<typeof draftFaults>;

export const countFaults = (faults: WidgetFaults): number =>
  Object.values(faults).filter((fault) => (Array.isArray(fault) ? fault.length > 0 : fault)).length;

/** The number of fields that differ. */
export const countChanges = (draft: WidgetDraft, saved: WidgetDraft): number =>
  (Object.keys(draft) as (keyof WidgetDraft)[]).filter(
    (key) => JSON.stringify(draft[key]) !== JSON.stringify(saved[key]),
  ).length;

/** The request for a draft without faults. */
export function fieldsOf(draft: WidgetDraft, widget: Widget): WidgetFields {
  const { limits } = draft;
  return {
    name: draft.name.trim(),
    workspace_id: Number(draft.workspaceId),
    chat_mode: draft.mode,
    allowlist_domains: draft.access === "any" ? [] : readSites(draft.sites).origins,
    allow_any_origin: draft.access === "any",
    page_enabled: draft.hasPage,
    greeting: draft.greeting.trim(),
    suggested_messages: linesOf(draft.suggested),
    show_sources: draft.showSources,
    appearance: { ...widget.appearance, ...draft.look },
    max_chats_per_day: whole(limits.day),
    max_chats_per_session: whole(limits.session),
    max_chats_per_visitor: whole(limits.visitor),
    max_chats_per_address: whole(limits.address),
    max_message_length: whole(draft.messageLength) ?? undefined,
    message_limit: whole(draft.history) ?? undefined,
    limit_messages: draft.messages,
    only_signed_visitors: draft.onlySigned,
    allow_prompt_override: draft.allowPrompt,
    allow_model_override: draft.allowModel,
    allow_temperature_override: draft.allowTemperature,
  };
}

/** What visitors would see of a draft, even with faults. */
export const previewOf = (draft: WidgetDraft, { appearance }: Pick<Widget, "appearance">) => ({
  attributes: { ...appearance, ...draft.look },
  greeting: draft.greeting.trim(),
  suggestedMessages: linesOf(draft.suggested),
});

/** Props of each group of fields; the faults are set once they are to be shown. */
export interface WidgetFieldsProps {
  draft: WidgetDraft;
  faults: WidgetFaults | null;
  set: (change: Partial<WidgetDraft>) => void;
}

/**
 * Reads sites as typed, separated by lines, commas or spaces. A site without a scheme gets HTTPS;
 * only the origin of an address counts.
 */
function readSites(text: string): { origins: string[]; invalid: string[] } {
  const origins = new Set<string>();
  const invalid: string[] = [];
  for (const entry of text.split(/[\s,]+/)) {
    if (entry === "") continue;
    const origin = originOf(entry);
    if (origin === null) invalid.push(entry);
    else origins.add(origin);
  }
  return { origins: [...origins], invalid };
}

function originOf(entry: string): string | null {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(entry) ? entry : `https://${entry}`;
  if (!URL.canParse(address)) return null;
  const { protocol, origin, hostname } = new URL(address);
  // Origins are matched exactly, so a pattern would never match. Chromium writes * as %2A.
  return /^https?:$/.test(protocol) && hostname !== "" && !/[*%]/.test(hostname) ? origin : null;
}
