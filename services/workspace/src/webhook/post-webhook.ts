import { clipText } from "@carrel/contracts";
import { createProviderFetch } from "@carrel/egress";

/** Until the reply; receivers should answer first and work later. */
const timeoutMs = 15_000;
const maxReply = 2_000;

export interface WebhookReply {
  status: number;
  /** The beginning of the body. */
  reply: string;
}

/**
 * Posts JSON to an address that an admin set: private ones are allowed, metadata services and
 * redirects aren't. Throws EgressError or what fetch throws.
 */
export async function postWebhook(
  url: string,
  message: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<WebhookReply> {
  const post = createProviderFetch({ origin: url, timeoutMs, idleTimeoutMs: timeoutMs });
  const response = await post(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": "Carrel-Webhook/1",
      connection: "close",
      ...message.headers,
    },
    body: message.body,
    signal: AbortSignal.any([message.signal, AbortSignal.timeout(timeoutMs)]),
  });
  return { status: response.status, reply: await readBeginning(response) };
}

/** A reply may be endless, so the rest is not read; one that breaks off counts all the same. */
async function readBeginning(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const part = await reader?.read();
      if (part === undefined || part.done) break;
      text += decoder.decode(part.value, { stream: true });
      if (text.length >= maxReply) break;
    }
  } catch {
    // The status is what counts.
  }
  await reader?.cancel().catch(() => undefined);
  return clipText(text, maxReply).replaceAll("\0", "");
}
