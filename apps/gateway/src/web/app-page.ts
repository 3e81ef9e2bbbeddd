import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { pagePolicy } from "../http/security.ts";

/** An unreachable auth service must not delay the page, which reports the problem itself. */
const timeoutMs = 200;

interface PageCopies {
  etag: string;
  plain: Buffer;
  br: Buffer;
  gzip: Buffer;
}

async function copiesOf(html: string): Promise<PageCopies> {
  const plain = Buffer.from(html);
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(plain),
    promisify(gzip)(plain),
  ]);
  const digest = createHash("sha256").update(plain).digest("base64url");
  return { etag: `W/"${digest.slice(0, 22)}"`, plain, br, gzip: zipped };
}

/**
 * Serves index.html from memory. Its inline script may run because the policy names its hash.
 * `data-auth="none"` tells that script that the instance requires no sign-in, so it can show the
 * page's frame right away.
 */
export async function appPage(
  html: string,
  isOpen: () => Promise<boolean>,
): Promise<(request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>> {
  const hashes = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
  const policy = pagePolicy(hashes);
  const [usual, open] = await Promise.all([
    copiesOf(html),
    copiesOf(html.replace("<html ", '<html data-auth="none" ')),
  ]);
  return async (request, reply) => {
    const isKnownOpen = await Promise.race([
      isOpen().catch(() => false),
      sleep(timeoutMs, false, { ref: false }),
    ]);
    const page = isKnownOpen ? open : usual;
    void reply.headers({
      "content-security-policy": policy,
      "cache-control": "no-cache",
      vary: "Accept-Encoding",
      etag: page.etag,
    });
    if (request.headers["if-none-match"] === page.etag) return reply.code(304).send();
    void reply.type("text/html; charset=utf-8");
    const accepted = request.headers["accept-encoding"] ?? "";
    if (/\bbr\b/.test(accepted)) return reply.header("content-encoding", "br").send(page.br);
    if (/\bgzip\b/.test(accepted)) return reply.header("content-encoding", "gzip").send(page.gzip);
    return reply.send(page.plain);
  };
}
