import { z } from "zod";

/**
 * The general kinds of failure. The gateway maps each to a status
 * (`apps/gateway/src/http/error-map.ts`), and a route may override status and body for a kind
 * (`Operation.errors`).
 */
export const errorKinds = [
  "BAD_INPUT",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  /** An invalid API or extension key. */
  "KEY_REFUSED",
  /** A known API key that has expired or lacks the permission. */
  "KEY_FORBIDDEN",
  /** Disabled by the administrator or by the mode of the instance. */
  "DISABLED",
  /** Valid input that a rule forbids; many routes of this wire report it with status 200. */
  "REFUSED",
  "TOO_MANY_ATTEMPTS",
  "NOT_FOUND",
  "WORKSPACE_NOT_FOUND",
  "THREAD_NOT_FOUND",
  "GENERATION_NOT_FOUND",
  "DOCUMENT_NOT_FOUND",
  "CONFLICT",
  "PASSWORD_WRONG",
  "PASSWORD_NOT_SET",
  "SETTING_REFUSED",
  "TOO_LARGE",
  "UNSUPPORTED",
  "DOCUMENT_UNREADABLE",
  "LINK_REFUSED",
  "LINK_UNREACHABLE",
  "PROVIDER_FAILED",
  "BUSY",
  "TIMEOUT",
  "SERVICE_LOST",
  "UNAVAILABLE",
  "INTERNAL",
] as const;
export type ErrorKind = (typeof errorKinds)[number];

/** Kinds whose errors may disappear when the same call is repeated later. */
const retryableKinds: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  "BUSY",
  "TOO_MANY_ATTEMPTS",
  "TIMEOUT",
  "SERVICE_LOST",
  "UNAVAILABLE",
  "INTERNAL",
]);

export interface ErrorDefinition {
  kind: ErrorKind;
  /**
   * The English text that API clients receive; `{{name}}` marks a parameter. The web app has its
   * own texts (`apps/web/src/locales`).
   */
  message: string;
  /** Parameters used only by the web app's text. */
  appParams?: readonly string[];
  /** By default, the kind decides. */
  isRetryable?: boolean;
}

export const isRetryable = (definition: ErrorDefinition): boolean =>
  definition.isRetryable ?? retryableKinds.has(definition.kind);

/** A text or number, or parts of the sentence that are translated with it. */
export type ErrorParam = string | number | NestedFault | readonly NestedFault[];
export type ErrorParams = Readonly<Record<string, ErrorParam>>;
export interface NestedFault {
  readonly code: string;
  readonly params?: ErrorParams | undefined;
}

/** The names of the parameters in a message. */
export type Placeholders<Message extends string> =
  Message extends `${string}{{${infer Name}}}${infer Rest}` ? Name | Placeholders<Rest> : never;

const isErrorParam = (value: unknown): boolean =>
  typeof value === "string" ||
  typeof value === "number" ||
  faultWire.or(z.array(faultWire)).safeParse(value).success;

/** A fault in a reply. A newer server may send a code that its client doesn't know. */
export const faultWire = z.object({
  code: z.string(),
  params: z.record(z.string(), z.custom<ErrorParam>(isErrorParam)).optional(),
});

export type FaultWire = z.infer<typeof faultWire>;

/** Why something failed; plain text if stored before reasons had codes. */
export const reasonWire = z.union([z.string(), faultWire]);

export type ReasonWire = z.infer<typeof reasonWire>;
