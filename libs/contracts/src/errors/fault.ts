import {
  errorCatalogue,
  isErrorCode,
  type CodeParams,
  type CodeWithoutParams,
  type ErrorCode,
} from "./catalogue.ts";
import type { ErrorParam, ErrorParams, FaultWire, ReasonWire } from "./error-definition.ts";

/** Crosses process boundaries and is stored in place of an error text. */
export interface Fault {
  code: ErrorCode;
  params?: ErrorParams;
  retryAfter?: number;
}

/** A fault whose parameters are known to match its code. */
export type KnownFault =
  | { code: CodeWithoutParams; params?: never }
  | { [Code in keyof CodeParams]: { code: Code; params: CodeParams[Code] } }[keyof CodeParams];

function renderParam(param: ErrorParam | undefined): string {
  if (typeof param !== "object") return String(param ?? "");
  return "code" in param ? renderFault(param) : param.map(renderFault).join("\n\n");
}

/**
 * The English text that API clients receive. A parameter that is missing (sent by an older version)
 * is left out; an unknown code (sent or stored by a newer one) becomes `request.failed`.
 */
export function renderFault({ code, params = {} }: FaultWire): string {
  const { message } = errorCatalogue[isErrorCode(code) ? code : "request.failed"];
  return message
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => renderParam(params[name]))
    .trimEnd();
}

/** Plain text, stored before reasons had codes, becomes the only parameter of a fault. */
export const toFault = (reason: ReasonWire): FaultWire =>
  typeof reason === "string" ? { code: "document.not-added", params: { reason } } : reason;

export const renderReason = (reason: ReasonWire): string =>
  typeof reason === "string" ? reason : renderFault(reason);
