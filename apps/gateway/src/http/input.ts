import { CarrelError, type Endpoint } from "@carrel/contracts";
import type { FastifyRequest } from "fastify";
import { describeFault, describeIssue } from "./describe-faults.ts";

function asFields(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (typeof body !== "object" || Array.isArray(body))
    throw new CarrelError("request.body-not-object");
  return body as Record<string, unknown>;
}

/**
 * PostgreSQL can store neither U+0000 nor half a surrogate pair, and neither can be typed: the
 * former is removed, the latter becomes U+FFFD.
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
 * Merges query, body and path parameters, later ones winning, then validates and coerces them with
 * the endpoint's schema.
 */
export function readInput(
  { input, bodyField }: Pick<Endpoint, "input"> & Partial<Pick<Endpoint, "bodyField">>,
  request: Pick<FastifyRequest, "query" | "body" | "params">,
): unknown {
  const fields = asFields(
    bodyField === undefined ? request.body : { [bodyField]: request.body ?? {} },
  );
  const parsed = input.safeParse(
    {
      ...(makeStorable(request.query) as object),
      ...fields,
      ...(makeStorable(request.params) as object),
    },
    { error: describeFault },
  );
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.slice(0, 5).map(describeIssue).join(" ");
  throw new CarrelError("request.invalid", { faults }, { cause: parsed.error });
}
