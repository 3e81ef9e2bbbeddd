import {
  clipText,
  isErrorCode,
  type ErrorParam,
  type ErrorParams,
  type Fault,
  type NestedFault,
} from "@carrel/contracts";
import type { FastifyReply } from "fastify";

/** Texts and lists are cut to this length, in UTF-16 units and elements. */
interface Limits {
  text: number;
  list: number;
}

/**
 * Tried in turn until the header is small enough: proxies refuse replies whose headers exceed 4 kB.
 */
const limits: Limits[] = [
  { text: 200, list: 5 },
  { text: 60, list: 5 },
  { text: 60, list: 1 },
];
const longestHeader = 2_000;

const clip = (params: ErrorParams, limit: Limits): ErrorParams =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, clipOne(value, limit)]));

function clipOne(value: ErrorParam, limit: Limits): ErrorParam {
  if (typeof value === "string") return clipText(value, limit.text);
  if (typeof value === "number") return value;
  if ("code" in value) return clipFault(value, limit);
  return value.slice(0, limit.list).map((each) => clipFault(each, limit));
}

const clipFault = (fault: NestedFault, limit: Limits): NestedFault =>
  fault.params === undefined ? fault : { ...fault, params: clip(fault.params, limit) };

const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/**
 * Code and parameters as ASCII JSON, because header values can't contain other characters. The
 * parameters are left out if they are too long even when cut.
 */
export function encodeFault({ code, params = {} }: Fault): string {
  if (Object.keys(params).length > 0)
    for (const limit of limits) {
      const header = asciiJson({ code, params: clip(params, limit) });
      if (header.length <= longestHeader) return header;
    }
  return asciiJson({ code });
}

/** Names the fault in a header, whatever status and body the route requires. */
export function setFault(reply: FastifyReply, fault: Fault): void {
  if (isErrorCode(fault.code)) void reply.header("carrel-error", encodeFault(fault));
}
