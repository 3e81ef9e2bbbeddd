import { ProviderError } from "../spec/provider-error.ts";
import { describeFault, type CalledVendor, type VendorFault } from "./describe-fault.ts";

/** Web pages are what servers send for a wrong base URL, with status 200. */
export const isWebPage = (contentType: string | null): boolean =>
  contentType?.trim().toLowerCase().startsWith("text/html") === true;

export const webPageError = (origin: string): ProviderError =>
  new ProviderError(
    { code: "provider.not-a-model-server", params: { origin } },
    { kind: "not-found" },
  );

/** The answer ended with an error that the vendor doesn't describe. */
export const stoppedError = ({ name: vendor }: CalledVendor): ProviderError =>
  new ProviderError(
    { code: "provider.stopped-with-error", params: { vendor } },
    { kind: "broken-stream" },
  );

type Body = Record<string, unknown>;

/** What servers call the part of a body that holds the fault. */
const holders = ["error", "errors", "detail", "fault", "Error", "exception"];
const messageNames = [
  "message",
  "Message",
  "msg",
  "detail",
  "error_message",
  "error_msg",
  "error_description",
  "errorMessage",
  "description",
  "faultstring",
  "reason",
  "title",
  "text",
];
const codeNames = ["code", "type", "status", "__type", "error_code", "error_type", "errorCode"];
const statusNames = ["code", "status", "status_code", "statusCode", "http_code", "error_code"];
/** How deep bodies may be nested, because gateways pass them on inside their own. */
const deepest = 5;

const textIn = (body: Body, names: readonly string[]): string | undefined =>
  names
    .map((name) => body[name])
    .find((value): value is string => typeof value === "string" && value.trim() !== "");

/** A number, or a text of one, that is an HTTP error status. */
function statusIn(body: Body): number | undefined {
  return statusNames
    .map((name) => body[name])
    .map((value) => (typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value))
    .find((value): value is number => typeof value === "number" && value >= 400 && value < 600);
}

/** FastAPI names the field that is wrong: `{"loc": ["body", "model"], "msg": "Field required"}`. */
function withPlace({ loc }: Body, message: string): string {
  const place = Array.isArray(loc) ? loc.filter((step) => step !== "body").join(".") : "";
  return place === "" ? message : `${place}: ${message}`;
}

/** OpenRouter's own message is only "Provider returned error"; the provider's is in `raw`. */
function withCause({ metadata }: Body, message: string, depth: number): string {
  if (!isObject(metadata) || typeof metadata.raw !== "string") return message;
  const cause = readFault(parse(metadata.raw), depth + 1)?.message ?? metadata.raw;
  return cause.trim() === "" ? message : `${message}: ${cause}`;
}

/** Gemini's details say how long to wait, as `18s`. */
function retryDelayIn({ details }: Body): number | undefined {
  const list: unknown[] = Array.isArray(details) ? details : [];
  for (const detail of list) {
    const delay = isObject(detail) ? detail.retryDelay : undefined;
    const seconds = typeof delay === "string" ? /^([\d.]+)s$/.exec(delay)?.[1] : undefined;
    if (seconds !== undefined) return Number(seconds) * 1000;
  }
  return undefined;
}

const isObject = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Reads the fault that a body reports, in any of the forms that servers use: `{"error": {…}}`,
 * `{"error": "text"}`, `{"detail": …}`, `{"message": …, "code": …}`, `{"errors": […]}`,
 * `{"object": "error", …}`. Null if it reports none.
 */
export function readFault(body: unknown, depth = 0): VendorFault | null {
  if (depth > deepest) return null;
  if (typeof body === "string") {
    const inner = /^\s*[{[]/.test(body) ? readFault(parse(body), depth + 1) : null;
    return inner ?? (body.trim() === "" ? null : { message: body });
  }
  if (Array.isArray(body)) return readFaults(body, depth);
  if (!isObject(body)) return null;
  return readHolder(body, depth) ?? readPlain(body, depth);
}

function readFaults(list: readonly unknown[], depth: number): VendorFault | null {
  const faults = list
    .slice(0, 5)
    .map((each) => readFault(each, depth + 1))
    .filter((fault) => fault !== null);
  const message = faults.flatMap((fault) => fault.message ?? []).join("; ");
  return faults.length === 0 ? null : { ...faults[0], ...(message !== "" && { message }) };
}

/** Reads the fault in a part of the body; the body itself may add its status or code. */
function readHolder(body: Body, depth: number): VendorFault | null {
  const inMessage = isObject(body.message) ? ["message"] : [];
  for (const holder of [...holders, ...inMessage]) {
    const held = body[holder];
    if (held === undefined || held === null || held === false || held === "") continue;
    const inner = readFault(held, depth + 1) ?? (holder === "error" && depth === 0 ? {} : null);
    if (inner === null) continue;
    const outer = readPlain(body, depth) ?? {};
    const { code = outer.code, statusCode = outer.statusCode } = inner;
    const message = inner.message ?? outer.message;
    return {
      ...inner,
      ...(code !== undefined && { code }),
      ...(statusCode !== undefined && { statusCode }),
      ...(message !== undefined && { message }),
    };
  }
  return null;
}

function readPlain(body: Body, depth: number): VendorFault | null {
  const message = textIn(body, messageNames);
  const code = textIn(body, codeNames);
  const statusCode = statusIn(body);
  const retryAfterMs = retryDelayIn(body);
  if (message === undefined && statusCode === undefined && body.object !== "error") return null;
  return {
    ...(code !== undefined && !/^\d+$/.test(code) && { code }),
    ...(statusCode !== undefined && { statusCode }),
    ...(message !== undefined && { message: withCause(body, withPlace(body, message), depth) }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/**
 * Whether an event without content can only be an error. A message alone isn't one: some servers
 * report progress between events.
 */
export function isFaultEvent(event: object): boolean {
  const body = event as Body;
  return (
    holders.some((name) => body[name] !== undefined && body[name] !== null) ||
    body.object === "error" ||
    statusIn(body) !== undefined ||
    /error|exception/i.test(textIn(body, ["type", "__type"]) ?? "") ||
    /[a-z]{3}/i.test(textIn(body, ["code", "error_code", "errorCode"]) ?? "")
  );
}

/** Throws the fault that an event reports instead of content. */
export function requireNoFault(vendor: CalledVendor, event: object): void {
  const fault = readFault(event);
  if (fault !== null) throw describeFault(vendor, fault);
}
