import {
  CarrelError,
  updateDeveloperPreferences,
  updatePreferences,
  updateSettings,
  type Operation,
} from "@carrel/contracts";
import type { FastifyRequest } from "fastify";
import { describeFault, tellFault } from "./describe-faults.ts";

/** Operations whose body is not an object of the input's fields. */
const shapedBody: Record<string, (body: unknown) => unknown> = {
  // The body is the flat map itself (wire-contract 2.2).
  [updateSettings.name]: (body) => ({ values: body }),
  [updatePreferences.name]: (body) => ({ preferences: body }),
  [updateDeveloperPreferences.name]: (body) => ({ preferences: body }),
};

function asFields(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (typeof body !== "object" || Array.isArray(body))
    throw new CarrelError("BAD_INPUT", "The body must be a JSON object.");
  return body as Record<string, unknown>;
}

/**
 * PostgreSQL holds neither U+0000 nor half a surrogate pair, which nobody types: the one is taken
 * out, the other becomes U+FFFD.
 */
export function makeStorable(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("\0", "").toWellFormed();
  if (Array.isArray(value)) return value.map(makeStorable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [makeStorable(key), makeStorable(entry)]),
  );
}

/**
 * Query, then body, then parameters, later ones win; checked and coerced by the operation's schema.
 */
export function readInput(
  operation: Operation,
  request: Pick<FastifyRequest, "query" | "body" | "params">,
): unknown {
  const shape = shapedBody[operation.name];
  const fields = asFields(shape === undefined ? request.body : shape(request.body ?? {}));
  const parsed = operation.input.safeParse(
    makeStorable({ ...(request.query as object), ...fields, ...(request.params as object) }),
    { error: describeFault },
  );
  if (parsed.success) return parsed.data;
  throw new CarrelError("BAD_INPUT", parsed.error.issues.slice(0, 5).map(tellFault).join(" "));
}
