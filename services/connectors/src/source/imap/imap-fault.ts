import { CarrelError } from "@carrel/contracts";

/** What imapflow tells of a failure, besides the codes of Node. */
interface ImapFailure {
  code?: string;
  authenticationFailed?: boolean;
  tlsFailed?: boolean;
  mailboxMissing?: boolean;
  responseStatus?: string;
  serverResponseCode?: string;
  /** What the server says in words: of a command, or of a refused sign-in. */
  responseText?: string;
  response?: unknown;
  throttleReset?: number;
}

/** Codes of answers by which a server says that it may work later (RFC 5530). */
const passing = new Set(["UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "CONTACTADMIN"]);
/** Of those that say so in words only, such as Gmail's. */
const tooMany = /too many|rate limit|throttl|try again/i;
const timeouts = new Set([
  ...["CONNECT_TIMEOUT", "GREETING_TIMEOUT", "UPGRADE_TIMEOUT"],
  ...["ETIMEOUT", "ETIMEDOUT"],
]);
const disconnected = new Set([
  ...["NoConnection", "EConnectionClosed", "StateLogout"],
  ...["ClosedAfterConnectText", "ClosedAfterConnectTLS"],
]);
const untrusted = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|HOSTNAME_MISMATCH/;

/**
 * The fault that a failure means. Its cause isn't kept: it may quote what was sent to the server.
 */
export function toImapFault(error: unknown, host: string): unknown {
  // The address was refused, or the connector itself found the fault.
  if (!(error instanceof Error) || error instanceof CarrelError || error.name === "EgressError")
    return error;
  const failure = error as ImapFailure;
  const { code = "", serverResponseCode = "" } = failure;
  const words = `${failure.responseText ?? ""} ${typeof failure.response === "string" ? failure.response : ""}`;
  if (code === "ETHROTTLE" || passing.has(serverResponseCode) || tooMany.test(words))
    return new CarrelError(
      "source.busy",
      { host },
      { retryAfter: Math.min(3_600, Math.ceil((failure.throttleReset ?? 60_000) / 1_000)) },
    );
  if (failure.authenticationFailed) return new CarrelError("source.sign-in-refused", { host });
  if (failure.mailboxMissing) return new CarrelError("source.missing", { host });
  if (timeouts.has(code)) return new CarrelError("egress.timed-out", { host });
  if (untrusted.test(code) || (failure.tlsFailed && !disconnected.has(code)))
    return new CarrelError("source.encryption-refused", { host });
  if (disconnected.has(code) || /^E[A-Z]+$/.test(code) || code.startsWith("ERR_SSL"))
    return new CarrelError("egress.unreachable", { host });
  // Its answers are malformed, larger than allowed, or a refusal without a reason.
  return code !== "" || failure.responseStatus !== undefined
    ? new CarrelError("egress.unexpected-response", { host })
    : error;
}
