import {
  isErrorCode,
  type ErrorParam,
  type ErrorParams,
  type Fault,
  type NestedFault,
} from "@carrel/contracts";
import type { FastifyReply } from "fastify";

/** Longer texts and lists are cut, so that the header stays small. */
const longestParam = 200;
const longestList = 5;

const clip = (params: ErrorParams): ErrorParams =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, clipOne(value)]));

function clipOne(value: ErrorParam): ErrorParam {
  if (typeof value === "string") return value.slice(0, longestParam).toWellFormed();
  if (typeof value === "number") return value;
  return "code" in value ? clipFault(value) : value.slice(0, longestList).map(clipFault);
}

const clipFault = (fault: NestedFault): NestedFault =>
  fault.params === undefined ? fault : { ...fault, params: clip(fault.params) };

/** Code and parameters as ASCII JSON, because header values can't hold other characters. */
export function encodeFault({ code, params = {} }: Fault): string {
  const fault = Object.keys(params).length === 0 ? { code } : { code, params: clip(params) };
  return JSON.stringify(fault).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Names the fault in a header, whatever status and body the route requires. */
export function setFault(reply: FastifyReply, fault: Fault): void {
  if (isErrorCode(fault.code)) void reply.header("carrel-error", encodeFault(fault));
}
