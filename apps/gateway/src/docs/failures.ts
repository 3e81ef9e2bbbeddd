import { errorKinds, type Endpoint } from "@carrel/contracts";
import { replyTo } from "../http/error-map.ts";
import { contentTypes } from "./content-types.ts";
import { refer, type Schema } from "./named-schemas.ts";

const exampleId = "5f0a5cbe-3f0b-4f0e-9d4a-2b7c1d9e6a10";

/** Shape of a failure unless stated otherwise. */
const anyContent = {
  "application/json": { schema: refer("Failure") },
  "text/plain": { schema: { type: "string" } },
};
export const anyFailure = {
  description: "Any other failure; see the status",
  content: anyContent,
};

const listGuardKinds = ({ access: { who, mode } }: Endpoint): string[] => [
  ...(who === "public"
    ? []
    : [who === "key" || who === "extension" ? "KEY_REFUSED" : "UNAUTHENTICATED"]),
  ...(who === "key" ? ["KEY_FORBIDDEN"] : []),
  ...(who === "manager" || who === "admin" || mode !== undefined ? ["FORBIDDEN"] : []),
];

/** Kinds of error described by the contract, plus those every route of its kind can return. */
export function buildFailures(endpoint: Endpoint): Schema {
  const kinds = new Set<string>([
    ...Object.keys(endpoint.errors),
    "BAD_INPUT",
    ...listGuardKinds(endpoint),
    ...(endpoint.access.workspace === true ? ["WORKSPACE_NOT_FOUND"] : []),
  ]);
  const responses: Record<string, Schema> = {};
  for (const kind of errorKinds) {
    if (!kinds.has(kind)) continue;
    const failure = replyTo(kind, "Why it failed.", endpoint, exampleId);
    const status = String(failure.status);
    if (status === String(endpoint.success.status)) continue;
    // Two kinds may share a status but differ in their body.
    const known = responses[status] ?? { description: kind };
    const content =
      failure.kind === "empty"
        ? {}
        : {
            [contentTypes[failure.kind]]: {
              schema: failure.kind === "json" ? refer("Failure") : { type: "string" },
              example: failure.body,
            },
          };
    responses[status] = {
      description: known.description === kind ? kind : `${String(known.description)}, ${kind}`,
      content: { ...anyContent, ...(known.content as Schema | undefined), ...content },
    };
  }
  return responses;
}
