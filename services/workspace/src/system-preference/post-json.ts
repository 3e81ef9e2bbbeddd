import { createProviderFetch } from "@carrel/egress";

const timeoutMs = 10_000;

/**
 * Posts JSON to an address that the operator has set, which may be in a private network. Returns the
 * status; rejects if there is no reply.
 */
export async function postJson(address: string, body: unknown): Promise<number> {
  const send = createProviderFetch({ origin: new URL(address).origin, timeoutMs });
  const reply = await send(address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  await reply.body?.cancel();
  return reply.status;
}
