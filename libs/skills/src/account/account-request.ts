import { CarrelError, clipText, renderFault } from "@carrel/contracts";
import { EgressError } from "@carrel/egress";
import { ToolError, type Tool, type ToolCall, type ToolResult } from "../tool.ts";

/** One request to a vendor's JSON API. */
export interface AccountRequest {
  send: typeof fetch;
  /** The vendor, for people. */
  name: string;
  url: URL;
  method?: "GET" | "POST" | "PATCH";
  headers?: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  /** Whether it can be repeated if its outcome is unknown. */
  isRepeatable: boolean;
}

export interface AccountReply {
  status: number;
  headers: Headers;
  text: string;
}

/** Bytes of a reply; a mail's body may be long. */
const mostBytes = 20_000_000;
/** The longest that a run waits before a second attempt. */
const longestWaitMs = 10_000;
const defaultWaitMs = 300;

/** Faults before a request was sent: it had no effect. */
const beforeSending =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

function codeOf(fault: unknown): string {
  for (let at = fault; at instanceof Error; at = at.cause)
    if ("code" in at && typeof at.code === "string") return at.code;
  return "";
}

/** Reads Retry-After: seconds or a date, in ms; null if absent or invalid. */
function readRetryAfter(headers: Headers): number | null {
  const text = headers.get("retry-after")?.trim();
  if (!text) return null;
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(milliseconds) ? null : Math.max(0, milliseconds);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

async function readText({ body }: Response, name: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > mostBytes) throw new CarrelError("account.unexpected-response", { name });
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** A failed connection as a fault; the abort's reason if the call was stopped. */
function toFault(fault: unknown, { name, url, signal, isRepeatable }: AccountRequest): unknown {
  if (signal.aborted) return signal.reason;
  if (fault instanceof CarrelError) return fault;
  if (fault instanceof EgressError) return new CarrelError("account.unexpected-response", { name });
  if (beforeSending.test(codeOf(fault)) || isRepeatable)
    return new CarrelError("egress.unreachable", { host: url.hostname }, { cause: fault });
  return new CarrelError("account.outcome-unknown", { name }, { cause: fault });
}

/** Whether the server says that it hasn't begun the request. */
const isRefusal = ({ status, headers }: AccountReply): boolean =>
  status === 429 || (status === 503 && headers.has("retry-after"));

/**
 * Sends a request. It's sent a second time if the server asks to wait a moment, or if it failed and
 * can be repeated. Any status below 500 except 429 is a reply; throws CarrelError otherwise.
 */
export async function requestAccount(request: AccountRequest): Promise<AccountReply> {
  const { send, name, url, method = "GET", headers = {}, body, signal, isRepeatable } = request;
  for (let attempt = 1; ; attempt++) {
    let reply: AccountReply | null = null;
    try {
      const response = await send(url, {
        method,
        headers,
        signal,
        ...(body === undefined ? {} : { body }),
      });
      const text = await readText(response, name);
      reply = { status: response.status, headers: response.headers, text };
    } catch (fault) {
      const known = toFault(fault, request);
      const mayRepeat = isRepeatable && !signal.aborted && !(fault instanceof EgressError);
      if (attempt > 1 || !mayRepeat) throw known;
    }
    if (reply !== null && reply.status < 500 && reply.status !== 429) return reply;
    const asked = reply === null ? null : readRetryAfter(reply.headers);
    const wait = asked ?? defaultWaitMs;
    const mayRepeat = isRepeatable || (reply !== null && isRefusal(reply));
    if (attempt > 1 || !mayRepeat || wait > longestWaitMs) {
      if (reply !== null && isRefusal(reply))
        throw new CarrelError("account.busy", { name }, { retryAfter: Math.ceil(wait / 1_000) });
      throw isRepeatable
        ? new CarrelError("account.failing", { name })
        : new CarrelError("account.outcome-unknown", { name });
    }
    await pause(wait, signal);
  }
}

/** Parses a vendor's reply. Throws CarrelError if it isn't JSON. */
export function readJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CarrelError("account.unexpected-response", { name }, { cause });
  }
}

/** What a vendor says about a refused request, in one short line. */
export const briefly = (details: string): string =>
  clipText(details.replace(/\s+/g, " ").trim(), 300);

/** What the model can do about a fault, besides telling the person. */
const advice: Record<string, string> = {
  "account.item-missing": "Search again for its ID.",
  "account.outcome-unknown": "Don't repeat the call. Search for the item, or tell the person.",
  "account.busy": "Tell the person, or continue without it.",
};

/** Makes a tool whose faults the model and the person can read. */
export function accountTool<Input>(tool: Tool<Input>): Tool {
  return {
    ...tool,
    async run(input: Input, call: ToolCall): Promise<ToolResult> {
      try {
        return await tool.run(input, call);
      } catch (fault) {
        if (!(fault instanceof CarrelError)) throw fault;
        const { code, params } = fault;
        const wait =
          fault.retryAfter === undefined ? "" : ` It asks to wait ${fault.retryAfter} s.`;
        const hint = advice[code] === undefined ? "" : ` ${advice[code]}`;
        const message = `${renderFault({ code, params })}${wait}${hint}`;
        throw new ToolError(message, { code, params: { ...params } }, { cause: fault });
      }
    },
  } as Tool;
}
