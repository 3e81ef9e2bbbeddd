import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** A secret as Standard Webhooks wants it: 32 random bytes. */
export const createSigningSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** The headers of a signed message (Standard Webhooks 1.0.0). */
export const signMessage = (
  secret: string,
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> => ({
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
  "webhook-signature": new Webhook(secret).sign(id, at, body),
});
