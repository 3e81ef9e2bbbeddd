import type { ZodType } from "zod";
import { ProviderError } from "../spec/provider-error.ts";
import type { CalledVendor } from "./describe-fault.ts";
import { describeTransportFault } from "./describe-transport-fault.ts";
import { sharedFetch, withOneRetry, type CallLimits } from "./run-request.ts";

/**
 * A vendor's reply to a GET, validated; for another format, the error says that models can't be
 * listed.
 */
export async function fetchModelList<T>({
  vendor,
  url,
  limits,
  headers,
  signal,
  schema,
  refuse,
}: {
  vendor: CalledVendor;
  url: string;
  limits: CallLimits;
  headers: Record<string, string>;
  signal: AbortSignal;
  schema: ZodType<T>;
  /** Describes a reply with an error status. */
  refuse(
    status: number,
    text: string,
    headers: { get(name: string): string | null },
  ): ProviderError;
}): Promise<T> {
  const send = sharedFetch(new URL(url).origin, limits);
  const reply = await withOneRetry(
    signal,
    async () => {
      const {
        ok,
        status,
        headers: own,
        ...response
      } = await readReply(
        await send(url, { headers: { accept: "application/json", ...headers }, signal }),
      );
      if (!ok) throw refuse(status, response.text, own);
      return response.text;
    },
    (fault, started) => describeTransportFault(vendor, fault, started),
  );
  const list = schema.safeParse(readJson(reply));
  if (list.success) return list.data;
  throw new ProviderError(
    { code: "provider.models-unlisted" },
    { kind: "server", cause: list.error },
  );
}

async function readReply(response: Response) {
  const { ok, status, headers } = response;
  return { ok, status, headers, text: await response.text() };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
