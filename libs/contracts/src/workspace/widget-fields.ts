import { z } from "zod";
import { integerOr, rowId, textOrNull } from "../coercion.ts";

/** What the replaceable texts report; null or absent: the built-in text. */
export const widgetMessages = ["disabled", "day", "session", "visitor", "address"] as const;
export type WidgetMessage = (typeof widgetMessages)[number];

/** Script attributes (wire-contract 8.4) that the full-page chat receives. */
export const widgetAttributes = [
  "showThoughts",
  "chatIcon",
  "brandImageUrl",
  "greeting",
  "buttonColor",
  "userBgColor",
  "assistantBgColor",
  "noSponsor",
  "sponsorText",
  "sponsorLink",
  "position",
  "assistantName",
  "assistantIcon",
  "windowHeight",
  "windowWidth",
  "textSize",
  "noHeader",
  "language",
  "sendMessageText",
  "resetChatText",
  "openOnLoad",
  "supportEmail",
  "defaultMessages",
  "theme",
] as const;
export type WidgetAttribute = (typeof widgetAttributes)[number];

const texts = z.partialRecord(z.enum(widgetMessages), z.string());
const appearance = z.partialRecord(z.enum(widgetAttributes), z.string());

export const longestMessage = 32_000;
export const usualMessage = 4_000;
/** Maximum number of suggested messages. */
const mostSuggested = 10;

export const widgetModes = ["chat", "query"] as const;

/** A widget as sent to clients (wire-contract 8.1); the fields after `createdAt` are Carrel's. */
export const widgetWire = z.object({
  id: z.number().int(),
  uuid: z.string(),
  enabled: z.boolean(),
  chat_mode: z.enum(widgetModes),
  /** JSON array of origins; null: none. */
  allowlist_domains: z.string().nullable(),
  allow_model_override: z.boolean(),
  allow_temperature_override: z.boolean(),
  allow_prompt_override: z.boolean(),
  /** In any 24 hours, like all limits; null: unlimited. */
  max_chats_per_day: z.number().int().nullable(),
  max_chats_per_session: z.number().int().nullable(),
  /** How many earlier messages an answer considers. */
  message_limit: z.number().int(),
  workspace_id: z.number().int(),
  createdBy: z.number().int().nullable(),
  usersId: z.number().int().nullable(),
  createdAt: z.string(),
  name: z.string().nullable(),
  max_chats_per_visitor: z.number().int().nullable(),
  max_chats_per_address: z.number().int().nullable(),
  /** In characters. */
  max_message_length: z.number().int(),
  limit_messages: texts,
  /** Whether the closing chunk and the history carry the sources. */
  show_sources: z.boolean(),
  /**
   * With an empty allow-list, any site may use the widget if true, otherwise none may. Clients that
   * don't know the field set it with the list: to them, an empty one means any site.
   */
  allow_any_origin: z.boolean(),
  /** Only sessions started with `POST /embed/:embedUuid/session`. */
  only_signed_visitors: z.boolean(),
  /** The full-page chat (`/embed/:embedUuid/chat`), as a link and in frames on the listed sites. */
  page_enabled: z.boolean(),
  has_identity_secret: z.boolean(),
  greeting: z.string().nullable(),
  suggested_messages: z.array(z.string()),
  appearance,
});
export type WidgetWire = z.infer<typeof widgetWire>;

/** On this wire, anything but a boolean is false. */
const flag = z
  .unknown()
  .meta({ type: "boolean" })
  .transform((value) => value === true);
/** On this wire, anything but a positive number means unlimited. */
const limit = z
  .unknown()
  .meta({ type: ["integer", "null"], minimum: 1 })
  .transform((value) => z.coerce.number().int().positive().safeParse(value).data ?? null)
  .transform((value) => (value === null ? null : Math.min(value, 1_000_000_000)));
const between = (least: number, most: number, usual: number) =>
  integerOr(usual, (n) => (n < least ? usual : Math.min(n, most)));
const text = (longest: number) => z.string().trim().max(longest);
/** Unknown keys and blank texts are dropped. */
const textsBy = <K extends string>(keys: readonly K[], longest: number) =>
  z
    .record(z.string().max(64), z.union([text(longest), z.null()]))
    .transform(
      (given) =>
        Object.fromEntries(
          keys.flatMap((key) =>
            given[key] == null || given[key] === "" ? [] : [[key, given[key]]],
          ),
        ) as Partial<Record<K, string>>,
    );

/** Absent fields keep their values; unknown ones are dropped. */
export const changedWidgetFields = z.object({
  workspace_id: rowId.optional(),
  enabled: flag.optional(),
  chat_mode: z.enum(widgetModes).catch("query").optional(),
  /** Comma-separated, or a list. */
  allowlist_domains: z
    .union([z.string().max(20_000), z.array(z.string().max(300)).max(200), z.null()])
    .optional(),
  allow_model_override: flag.optional(),
  allow_temperature_override: flag.optional(),
  allow_prompt_override: flag.optional(),
  max_chats_per_day: limit.optional(),
  max_chats_per_session: limit.optional(),
  message_limit: between(1, 100, 20).optional(),
  name: textOrNull.pipe(text(100).nullable()).optional(),
  max_chats_per_visitor: limit.optional(),
  max_chats_per_address: limit.optional(),
  max_message_length: between(1, longestMessage, usualMessage).optional(),
  limit_messages: textsBy(widgetMessages, 500).optional(),
  show_sources: flag.optional(),
  allow_any_origin: flag.optional(),
  only_signed_visitors: flag.optional(),
  page_enabled: flag.optional(),
  greeting: textOrNull.pipe(text(1_000).nullable()).optional(),
  suggested_messages: z
    .array(text(300))
    .max(mostSuggested)
    .transform((messages) => messages.filter((message) => message !== ""))
    .optional(),
  appearance: textsBy(widgetAttributes, 2_000).optional(),
});
export type ChangedWidget = z.output<typeof changedWidgetFields>;

/**
 * Limits of a new widget, each in any 24 hours: anyone may ask, and somebody pays for the answers.
 * Enough for a busy site, an office behind one address and a long conversation.
 */
const usualLimits = { day: 1_000, session: 50, address: 200 };

/**
 * The developer API names the workspace by `workspace_slug`. Absent limits get the defaults; null
 * and 0 mean unlimited, as in changes.
 */
export const newWidgetFields = changedWidgetFields.extend({
  max_chats_per_day: limit.default(usualLimits.day),
  max_chats_per_session: limit.default(usualLimits.session),
  max_chats_per_address: limit.default(usualLimits.address),
  workspace_slug: z.string().max(255).optional(),
});
