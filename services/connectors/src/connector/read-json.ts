import { CarrelError, parseJson } from "@carrel/contracts";
import type { ContentResponse } from "@carrel/egress";
import type { z } from "zod";

/** Throws if it isn't JSON, such as a sign-in page, or not of this form. */
export function readJson<Schema extends z.ZodType>(
  { url, body }: Pick<ContentResponse, "url" | "body">,
  schema: Schema,
): z.output<Schema> {
  let value: unknown;
  try {
    value = parseJson(body.toString("utf8"));
  } catch (cause) {
    throw unexpected(url, cause);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw unexpected(url, parsed.error);
  return parsed.data;
}

const unexpected = (url: string, cause: unknown): CarrelError =>
  new CarrelError("egress.unexpected-response", { host: new URL(url).host }, { cause });
