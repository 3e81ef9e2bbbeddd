import { scopeSchema, type Fault, type Operation } from "@carrel/contracts";
import type { RequestHead } from "./envelope.ts";
import type { MessageCipher } from "./message-cipher.ts";

export interface OpenedRequest {
  head: RequestHead;
  body: string;
  operation: Operation;
}

/** A request from this instance that this version of the service can't run. */
interface UnknownRequest {
  fault: "operation" | "scope";
  head: RequestHead;
}

/**
 * Parses a request from the fields of its entry. Returns "unsealed" if it is incomplete or not
 * sealed by this instance, "operation" or "scope" if this version of the service doesn't know the
 * operation or the form of its scope.
 */
export function openRequest(
  fields: readonly string[],
  cipher: MessageCipher,
  operations: ReadonlyMap<string, Operation>,
): OpenedRequest | { fault: "unsealed" } | UnknownRequest {
  const values = new Map<string, string>();
  for (let index = 0; index + 1 < fields.length; index += 2)
    values.set(fields[index]!, fields[index + 1]!);
  const [headText, sealed] = [values.get("h"), values.get("b")];
  if (headText === undefined || sealed === undefined) return { fault: "unsealed" };
  const body = cipher.open("request", headText, sealed);
  if (body === null) return { fault: "unsealed" };
  const head = JSON.parse(headText) as RequestHead;
  const operation = operations.get(head.contract);
  if (operation === undefined) return { fault: "operation", head };
  return scopeSchema.safeParse(head.scope).success
    ? { head, body, operation }
    : { fault: "scope", head };
}

export const refusalOf = ({ fault, head }: UnknownRequest): Fault =>
  fault === "operation"
    ? { code: "request.no-handler", params: { operation: head.contract } }
    : { code: "request.scope-unknown" };
