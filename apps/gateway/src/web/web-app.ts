import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { brandingChanged, getPageBranding, publicPrincipal, type Out } from "@carrel/contracts";
import { Broadcast, RequestClient } from "@carrel/messaging";
import fastifyStatic from "@fastify/static";
import { Injectable, type OnModuleDestroy } from "@nestjs/common";
import type { FastifyReply, FastifyRequest, FastifyInstance } from "fastify";
import { pagePolicy, policySource } from "../http/security.ts";

const defaultRoot = fileURLToPath(new URL("../../../web/dist", import.meta.url));
const yearSeconds = 31_536_000;
/** The folder with the texts of the app's languages; a hash of them is part of its name. */
const languages = "languages-*";

/**
 * Serves the web app's files and their precompressed copies; every other path below / is a page of
 * the app. `isOpen`: whether the instance requires no sign-in; `texts`: its own title and icon.
 */
export async function mountWebApp(
  instance: FastifyInstance,
  isOpen: () => Promise<boolean>,
  texts: () => Promise<PageTexts>,
  root: string = defaultRoot,
): Promise<void> {
  instance.get("/robots.txt", (_request, reply) =>
    reply.type("text/plain; charset=utf-8").send("User-agent: *\nDisallow: /\n"),
  );
  if (!existsSync(`${root}/index.html`)) {
    instance.get("/*", (_request, reply) =>
      reply
        .code(503)
        .type("text/plain; charset=utf-8")
        .send("The web app is not built. Run: npm run build\n"),
    );
    return;
  }
  await instance.register(fastifyStatic, {
    root,
    prefix: "/",
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    etag: true,
    globIgnore: [
      "**/*.br",
      "**/*.gz",
      "**/index.html",
      "**/robots.txt",
      "**/manifest.json",
      `assets/${languages}/**`,
    ],
    setHeaders: (response, path) => {
      // Hashed files never change; everything else must be revalidated.
      void response.header(
        "cache-control",
        /[\\/]assets[\\/]/.test(path) ? `public, max-age=${yearSeconds}, immutable` : "no-cache",
      );
    },
  });
  // The files of 16 languages are one route: a route for each would take a third of a second to add.
  instance.get<{ Params: { folder: string; language: string; file: string } }>(
    "/assets/:folder/:language/:file",
    ({ params: { folder, language, file } }, reply) =>
      folder.startsWith("languages-") && /^[\w-]+\.json$/.test(file) && /^[\w-]+$/.test(language)
        ? reply.sendFile(`assets/${folder}/${language}/${file}`)
        : notFound(reply),
  );
  const index = await appPage(readFileSync(`${root}/index.html`, "utf8"), isOpen, texts);
  instance.get("/", index);
  instance.get("/*", (request, reply) => {
    // A missing file is a 404; only page addresses get the page.
    if (/^\/assets\//.test(request.url)) return notFound(reply);
    return index(request, reply);
  });
}

const notFound = (reply: FastifyReply): FastifyReply =>
  reply.code(404).type("text/plain; charset=utf-8").send("Not Found");

/** How long a lost broadcast may go unnoticed. */
const lifetimeMs = 60_000;
/** An unresponsive service must not delay the page; the title changes with the next one. */
const patienceMs = 200;

type Branding = Out<typeof getPageBranding>;
const none: Branding = { title: null, name: null, favicon: null };

/** Title and icon of the app's page, cached until they change. */
@Injectable()
export class PageBranding implements OnModuleDestroy {
  private known: Branding = none;
  private staleAt = 0;
  private reading: Promise<void> | null = null;
  private readonly stops: (() => void)[];

  constructor(
    private readonly requests: RequestClient,
    broadcast: Broadcast,
  ) {
    const forget = (): void => {
      this.staleAt = 0;
      this.reading = null; // it may have begun before the change
    };
    this.stops = [broadcast.on(`event:${brandingChanged.name}`, forget), broadcast.onGap(forget)];
  }

  onModuleDestroy(): void {
    for (const stop of this.stops) stop();
  }

  async read(): Promise<Branding> {
    if (Date.now() >= this.staleAt) {
      this.reading ??= this.refresh();
      await Promise.race([this.reading, sleep(patienceMs, undefined, { ref: false })]);
    }
    return this.known;
  }

  private refresh(): Promise<void> {
    const scope = { principal: publicPrincipal, workspace: null };
    const reading = this.requests
      .request(getPageBranding, {}, { scope })
      .then((branding) => {
        if (this.reading !== reading) return;
        this.known = branding;
        this.staleAt = Date.now() + lifetimeMs;
      })
      .catch(() => undefined) // the page keeps what it had, and the next one asks again
      .finally(() => {
        if (this.reading === reading) this.reading = null;
      });
    return reading;
  }
}

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

export interface PageTexts {
  title: string | null;
  name: string | null;
  favicon: string | null;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

/** Inserts the instance's own title and icon into the page. */
function branded(html: string, { title, name, favicon }: PageTexts): string {
  const shown = title ?? name;
  const titled =
    shown === null
      ? html
      : html.replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(shown)}</title>`);
  return favicon === null
    ? titled
    : titled.replace(
        /<link rel="icon"[^>]*>/,
        () => `<link rel="icon" href="${escaped(favicon)}">`,
      );
}

/**
 * Serves index.html from memory, with the instance's title and icon. Its inline script may run
 * because the policy names its hash. `data-auth="none"` tells that script that the instance
 * requires no sign-in, so it can show the page's frame right away.
 */
async function appPage(
  html: string,
  isOpen: () => Promise<boolean>,
  texts: () => Promise<PageTexts>,
): Promise<(request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>> {
  const hashes = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
  const prepare = async (shown: PageTexts) => {
    const own = branded(html, shown);
    const [usual, open] = await Promise.all([
      copiesOf(own),
      copiesOf(own.replace("<html ", '<html data-auth="none" ')),
    ]);
    const icon = policySource(shown.favicon ?? "");
    return { usual, open, policy: pagePolicy(hashes, icon === null ? [] : [icon]) };
  };
  const plain: PageTexts = { title: null, name: null, favicon: null };
  let current = { key: JSON.stringify(plain), page: prepare(plain) };
  await current.page;
  const pageFor = (shown: PageTexts): typeof current.page => {
    const key = JSON.stringify(shown);
    if (key !== current.key) current = { key, page: prepare(shown) };
    return current.page;
  };
  return async (request, reply) => {
    const [isKnownOpen, shown] = await Promise.all([
      Promise.race([isOpen().catch(() => false), sleep(timeoutMs, false, { ref: false })]),
      texts(),
    ]);
    const { usual, open, policy } = await pageFor(shown);
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
