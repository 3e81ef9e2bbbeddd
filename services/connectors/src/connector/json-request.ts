import { CarrelError } from "@carrel/contracts";
import type { ContentRequest, ContentResponse } from "@carrel/egress";
import type { z } from "zod";
import type { SourceContext } from "./connector.ts";
import { throwStatus } from "./source-fault.ts";

/** Requests a page of an interface that answers in JSON; throws the fault of any other answer. */
export async function requestJson<Schema extends z.ZodType>(
  { content, signal }: SourceContext,
  url: string,
  schema: Schema,
  init: Omit<ContentRequest, "signal"> = {},
): Promise<z.output<Schema>> {
  const reply = await content.fetch(url, {
    ...init,
    signal,
    headers: { accept: "application/json", ...init.headers },
  });
  if (reply.status < 200 || reply.status > 299) throwStatus(reply);
  return readJson(reply, schema);
}

/** Throws if it isn't JSON, such as a sign-in page, or not of this form. */
export function readJson<Schema extends z.ZodType>(
  { url, body }: Pick<ContentResponse, "url" | "body">,
  schema: Schema,
): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw unexpected(url, cause);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw unexpected(url, parsed.error);
  return parsed.data;
}

const unexpected = (url: string, cause: unknown): CarrelError =>
  new CarrelError("egress.unexpected-response", { host: new URL(url).host }, { cause });
