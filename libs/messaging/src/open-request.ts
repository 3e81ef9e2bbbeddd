import { scopeSchema, type Operation } from "@carrel/contracts";
import type { RequestHead, Signer } from "./envelope.ts";

export interface OpenedRequest {
  head: RequestHead;
  body: string;
  operation: Operation;
}

/**
 * Parses a request from the fields of its entry. Returns "unsigned" if it is incomplete or not
 * signed by this instance, "unknown" if this version of the service doesn't know the operation or
 * the form of its scope.
 */
export function openRequest(
  fields: readonly string[],
  signer: Signer,
  operations: ReadonlyMap<string, Operation>,
): OpenedRequest | { fault: "unsigned" } | { fault: "unknown"; head: RequestHead } {
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
  return operation && scopeSchema.safeParse(head.scope).success
    ? { head, body, operation }
    : { fault: "unknown", head };
}
