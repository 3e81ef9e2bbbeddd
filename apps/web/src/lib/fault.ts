import type { ErrorCode, ErrorParam, ErrorParams, FaultWire } from "@carrel/contracts";
import { sourceLanguage } from "@carrel/contracts/languages";
import i18next from "i18next";
import { formatNumber } from "./format.ts";

/** Anything can be thrown; pages need an `Error`. */
export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

export const errorMessage = (thrown: unknown): string => asError(thrown).message;

/** Names the fault of any reply, whatever its status and body (docs/wire-contract.md). */
export const faultHeader = "carrel-error";

/** A fault as received; a newer server may send a code that this version doesn't know. */
export interface ReceivedFault {
  code: ErrorCode | (string & {});
  params: ErrorParams;
}

/** Reads a fault from JSON (the header's value); null if it is absent or malformed. */
export function parseFault(json: string | null): ReceivedFault | null {
  if (json === null) return null;
  try {
    const { code, params = {} } = (JSON.parse(json) ?? {}) as Partial<ReceivedFault>;
    return typeof code === "string" ? { code, params } : null;
  } catch {
    return null;
  }
}

/**
 * The key of a general sentence for replies without a known fault, such as a proxy's error page.
 */
function generalKey(status: number): string {
  if (status === 0) return "failure.unreachable";
  if (status === 401 || status === 403) return "failure.forbidden";
  if (status === 404) return "failure.not-found";
  if (status === 413) return "failure.too-large";
  if (status === 429) return "failure.too-many";
  if (status === 502 || status === 503 || status === 504) return "failure.unavailable";
  return status >= 500 ? "failure.failed" : "failure.refused";
}

let texts: Promise<unknown> | undefined;
/**
 * Loads the sentences for faults, which are needed only when something fails. Without a connection
 * the general ones are used, and the next fault tries again.
 */
export async function loadFaultTexts(): Promise<void> {
  texts ??= import("./fault-texts.ts").then(({ englishFaultTexts }) => {
    i18next.addResourceBundle(sourceLanguage, "errors", englishFaultTexts());
    return i18next.loadNamespaces("errors");
  });
  await texts.catch(() => {
    texts = undefined;
  });
}

/**
 * The translated sentence for a fault (once its texts are loaded) or, if it is unknown, for the
 * status of the reply.
 */
export function describeFault(fault: FaultWire | null, status: number): string {
  const text = fault === null ? null : translateFault(fault);
  return text ?? i18next.t(`common:${generalKey(status)}` as never);
}

/** Next to the form of a setting, "in Settings" would send people away from it. */
const isInForm = (): boolean =>
  typeof location !== "undefined" && /^\/(?:onboarding|settings)(?:\/|$)/.test(location.pathname);

/** null for a code that only a newer server knows, and until the texts are loaded. */
export function translateFault({ code, params = {} }: FaultWire): string | null {
  const key = `errors:${code}`;
  if (!i18next.exists(key)) return null;
  const texts: Record<string, string | number> = {};
  for (const [name, param] of Object.entries(params)) texts[name] = translateParam(param);
  if (isInForm()) texts.context = "here";
  const text: string = i18next.t(key as never, { ...texts });
  return text.trimEnd();
}

function translateParam(param: ErrorParam): string | number {
  // Whole numbers may be ids or status codes.
  if (typeof param === "number" && !Number.isInteger(param)) return formatNumber(param, 1);
  if (typeof param !== "object") return param;
  const faults = "code" in param ? [param] : param;
  return faults.map((fault) => translateFault(fault) ?? "").join(" ");
}
