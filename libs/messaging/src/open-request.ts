import { scopeSchema, type Fault, type Operation } from "@carrel/contracts";
import type { RequestHead, Signer } from "./envelope.ts";

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
 * Parses a request from the fields of its entry. Returns "unsigned" if it is incomplete or not
 * signed by this instance, "operation" or "scope" if this version of the service doesn't know the
 * operation or the form of its scope.
 */
export function openRequest(
  fields: readonly string[],
  signer: Signer,
  operations: ReadonlyMap<string, Operation>,
): OpenedRequest | { fault: "unsigned" } | UnknownRequest {
  const values = new Map<string, string>();
  for (let index = 0; index + 1 < fields.length; index += 2)
    values.set(fields[index]!, fields[index + 1]!);
  const [headText, body, signature] = [values.get("h"), values.get("b"), values.get("s")];
  if (
    headText === undefined ||
    body === undefined ||
    signature === undefined ||
    !signer.verify("request", headText, body, signature)
  )
    return { fault: "unsigned" };
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
