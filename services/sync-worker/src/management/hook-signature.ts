import { createHash, createHmac, timingSafeEqual } from "node:crypto";

type Headers = Readonly<Record<string, string>>;

const sha256 = (content: string | Buffer): Buffer => createHash("sha256").update(content).digest();

/** Whether the hexadecimal text is the digest; takes the same time whatever differs. */
function isDigest(text: string, digest: Buffer): boolean {
  const claimed = Buffer.from(text, "hex");
  return claimed.length === digest.length && timingSafeEqual(claimed, digest);
}

/**
 * The key under which a message is remembered, or null if it isn't signed with the secret. GitHub,
 * Gitea, Forgejo and Jira sign the body; GitLab sends the secret itself, and a delivery's id.
 */
export function verifyHook(headers: Headers, body: Buffer, secret: string): string | null {
  const digest = createHmac("sha256", secret).update(body).digest();
  const signatures = [
    headers["x-hub-signature-256"]?.replace(/^sha256=/, ""),
    // Jira's; GitHub's header of this name has a SHA-1.
    headers["x-hub-signature"]?.startsWith("sha256=") === true
      ? headers["x-hub-signature"].slice("sha256=".length)
      : undefined,
    headers["x-gitea-signature"],
    headers["x-forgejo-signature"],
  ];
  if (signatures.some((text) => text !== undefined && isDigest(text, digest)))
    // Not the delivery's id, which isn't signed.
    return `body:${sha256(body).toString("hex")}`;
  const token = headers["x-gitlab-token"];
  if (token === undefined || !timingSafeEqual(sha256(token), sha256(secret))) return null;
  const id = headers["x-gitlab-event-uuid"];
  return id === undefined
    ? `body:${sha256(body).toString("hex")}`
    : `id:${sha256(id).toString("hex")}`;
}
