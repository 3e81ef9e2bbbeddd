import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { appPage, type PageTexts } from "./app-page.ts";

const defaultRoot = fileURLToPath(new URL("../../../web/dist", import.meta.url));
const yearSeconds = 31_536_000;

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
    globIgnore: ["**/*.br", "**/*.gz", "**/index.html", "**/robots.txt", "**/manifest.json"],
    setHeaders: (response, path) => {
      // Hashed files never change; everything else must be revalidated.
      void response.header(
        "cache-control",
        /[\\/]assets[\\/]/.test(path) ? `public, max-age=${yearSeconds}, immutable` : "no-cache",
      );
    },
  });
  const index = await appPage(readFileSync(`${root}/index.html`, "utf8"), isOpen, texts);
  instance.get("/", index);
  instance.get("/*", (request, reply) => {
    // A missing file is a 404; only page addresses get the page.
    if (/^\/assets\//.test(request.url))
      return reply.code(404).type("text/plain; charset=utf-8").send("Not Found");
    return index(request, reply);
  });
}
