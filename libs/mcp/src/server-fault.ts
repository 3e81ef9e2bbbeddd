import { clipText, CarrelError, type KnownFault } from "@carrel/contracts";
import { EgressError } from "@carrel/egress";
import { ToolError } from "@carrel/skills";

/** Bytes in one message of a server. */
export const largestMessage = 16 * 1024 * 1024;

/** A server sent a message that is too large to read. */
export class MessageTooLargeError extends Error {
  override readonly name = "MessageTooLargeError";
}

/** How a server is named and reached, for what people read about a fault. */
export interface ServerLabel {
  name: string;
  /** Of its address; null if it is a command. */
  origin: string | null;
  /** Null if it is at an address. */
  command: string | null;
}

/** Why a connection or a call failed, as a fault. */
export class McpError extends Error {
  override readonly name = "McpError";

  constructor(
    readonly fault: KnownFault,
    options?: ErrorOptions,
  ) {
    super(fault.code, options);
  }
}

/** HTTP status of a failed request; null if there is none. */
const statusOf = (error: unknown): number | null => {
  const { status, code, data } = (error ?? {}) as {
    status?: unknown;
    code?: unknown;
    data?: { status?: unknown };
  };
  const found = [status, data?.status, code].find(
    (value) => typeof value === "number" && value >= 300 && value < 600,
  );
  return (found as number | undefined) ?? null;
};

/** All errors in a chain of causes, outermost first. */
function* causes(error: unknown): Generator<unknown> {
  for (let depth = 0, at = error; depth < 8 && at instanceof Object; depth++) {
    yield at;
    at = (at as { cause?: unknown }).cause;
  }
}

const connectionCodes = /^(E[A-Z]+$|EAI_|UND_ERR_)/;

/** What a sign-in has to ask for besides, if a server refused a call because of it. */
export function missingScopeOf(error: unknown): string | null {
  for (const each of causes(error)) {
    const { name, requiredScope } = each as { name?: unknown; requiredScope?: unknown };
    if (name === "InsufficientScopeError" && typeof requiredScope === "string")
      return requiredScope;
  }
  return null;
}

/** @param error thrown by the SDK, a transport or the HTTP client */
export function toMcpError(error: unknown, { name, origin, command }: ServerLabel): McpError {
  for (const each of causes(error)) {
    if (each instanceof McpError) return each;
    if (each instanceof MessageTooLargeError)
      return new McpError(
        {
          code: "mcp.reply-too-large",
          params: { server: name, megabytes: largestMessage / 1024 / 1024 },
        },
        { cause: error },
      );
    if (each instanceof EgressError)
      return new McpError(
        {
          code: "mcp.address-refused",
          params: { server: name, reason: each.fault },
        },
        { cause: error },
      );
    if (each instanceof CarrelError)
      return new McpError({ code: each.code, params: each.params } as KnownFault, { cause: error });
    const { name: kind, code } = each as { name?: unknown; code?: unknown };
    if (kind === "UnauthorizedError" || kind === "InsufficientScopeError" || statusOf(each) === 401)
      return new McpError(
        { code: "mcp.sign-in-required", params: { server: name } },
        { cause: error },
      );
    if (origin !== null && (kind === "TypeError" || connectionCodes.test(String(code))))
      return new McpError(
        { code: "mcp.unreachable", params: { server: name, origin } },
        { cause: error },
      );
    if ((code === "ENOENT" || code === "EACCES") && command !== null)
      return new McpError(
        { code: "mcp.command-missing", params: { server: name, command } },
        { cause: error },
      );
  }
  const status = statusOf(error);
  if (status !== null)
    return new McpError(
      { code: "mcp.refused", params: { server: name, status } },
      { cause: error },
    );
  const code = String((error as { code?: unknown } | null)?.code ?? "");
  if (code === "CONNECTION_CLOSED" || code === "NOT_CONNECTED" || code === "SEND_FAILED")
    return new McpError({ code: "mcp.exited", params: { server: name } }, { cause: error });
  if (code === "INVALID_RESULT" || code === "" || origin === null)
    return new McpError(
      {
        code: "mcp.reply-invalid",
        params: { server: name, reason: messageOf(error) },
      },
      { cause: error },
    );
  return new McpError(
    { code: "mcp.unreachable", params: { server: name, origin } },
    { cause: error },
  );
}

export const messageOf = (error: unknown): string =>
  clipText((error instanceof Error ? error.message : String(error)).replace(/\s+/g, " "), 300);

/** Whether there is no such program. */
export const isMissing = (error: unknown): boolean =>
  ["ENOENT", "EACCES"].includes(String((error as { code?: unknown } | null)?.code));
/** Whether the server doesn't know the session. */
export const isSessionLost = (error: unknown): boolean => statusOf(error) === 404;
/** Whether requests don't arrive, rather than being refused. */
export const isConnectionLost = (error: Error): boolean =>
  error instanceof ToolError &&
  (error.fault?.code === "mcp.unreachable" ||
    error.fault?.code === "mcp.exited" ||
    error.fault?.code === "mcp.reply-too-large");

/** What a connection that has ended fails with. */
export const closed = (): Error =>
  Object.assign(new Error("closed"), { code: "CONNECTION_CLOSED" });
