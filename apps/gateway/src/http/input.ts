import { CarrelError, type Endpoint } from "@carrel/contracts";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";

type Raw = z.core.$ZodRawIssue;
type Issue = z.core.$ZodIssue;

const kinds: Readonly<Record<string, string>> = {
  string: "must be text",
  number: "must be a number",
  int: "must be a whole number",
  boolean: "must be true or false",
  array: "must be a list",
  object: "must be an object",
  record: "must be an object",
  null: "must be empty",
};
const kindOf = (expected: string): string => kinds[expected] ?? "has the wrong form";
const count = (value: number | bigint): string => value.toLocaleString("en");

/**
 * Describes the problem with a field, to follow its name; schemas with custom messages keep them.
 */
function describeFault(issue: Raw | Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined &&
        !("message" in issue && issue.message !== undefined && issue.message !== "")
        ? "is missing"
        : kindOf(issue.expected);
    case "too_big":
      if (issue.origin === "string")
        return `is too long: at most ${count(issue.maximum)} characters`;
      return issue.origin === "array" || issue.origin === "set"
        ? `has too many entries: at most ${count(issue.maximum)}`
        : issue.inclusive === false
          ? `must be less than ${count(issue.maximum)}`
          : `is too large: at most ${count(issue.maximum)}`;
    case "too_small":
      if (issue.origin === "string")
        return Number(issue.minimum) <= 1
          ? "must not be empty"
          : `is too short: at least ${count(issue.minimum)} characters`;
      return issue.origin === "array" || issue.origin === "set"
        ? `has too few entries: at least ${count(issue.minimum)}`
        : issue.inclusive === false
          ? `must be greater than ${count(issue.minimum)}`
          : `is too small: at least ${count(issue.minimum)}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return issue.format === "uuid"
        ? "is not an id"
        : `is not a valid ${issue.format.replaceAll("_", " ")}`;
    case "invalid_union": {
      // The closest form explains more than saying that none matches.
      const nearest = issue.errors.flat().find(({ code }) => code !== "invalid_type");
      if (nearest !== undefined) return nearest.message;
      const expected = [
        ...new Set(
          issue.errors
            .flat()
            .flatMap((one) =>
              one.code === "invalid_type" && one.expected !== "null" ? [kindOf(one.expected)] : [],
            ),
        ),
      ];
      return expected.length === 0
        ? "has the wrong form"
        : expected
            .map((words, index) => (index === 0 ? words : words.replace(/^must be /, "")))
            .join(" or ");
    }
    default:
      return "has the wrong form";
  }
}

/** Field names as shown in the UI. */
const names: Readonly<Record<string, string>> = {
  attachments: "list of attachments",
  command: "command",
  defaultSystemPrompt: "system prompt",
  description: "description",
  message: "message",
  name: "name",
  newText: "new text",
  openAiPrompt: "system prompt",
  password: "password",
  prompt: "prompt",
  queryRefusalResponse: "refusal response",
  searchTerm: "search term",
  username: "user name",
  value: "value",
};

/**
 * One sentence per fault: `The system prompt is too long: at most 100,000 characters.` Schema
 * messages that start with a capital letter are used as they are.
 */
function describeIssue({ path, message }: Pick<Issue, "path" | "message">): string {
  if (path.length === 0 || /^\p{Lu}/u.test(message)) return message;
  const [first, ...rest] = path;
  const known = rest.length === 0 ? names[String(first)] : undefined;
  const place = path.reduce<string>(
    (text, part) =>
      typeof part === "number"
        ? `${text}[${part}]`
        : text === ""
          ? String(part)
          : `${text}.${String(part)}`,
    "",
  );
  return `${known === undefined ? `The field ${place}` : `The ${known}`} ${message}.`;
}

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
