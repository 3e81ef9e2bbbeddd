import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply } from "fastify";
import { policySource } from "../http/security.ts";
import { escaped } from "../web/web-app.ts";
import type { WidgetPageInfo, WidgetPages } from "./widget-cors.ts";

const defaultRoot = fileURLToPath(new URL("../../../widget/dist", import.meta.url));
const script = "/embed/carrel-widget.js";
const text = "text/plain; charset=utf-8";

/**
 * Serves the script of chat widgets under the names that pages use (wire-contract 8.4), the chat as
 * a page (as a link, and in frames of the sites that may use the widget), and the app's preview.
 */
export async function mountWidget(
  instance: FastifyInstance,
  pages: WidgetPages,
  root: string = defaultRoot,
): Promise<void> {
  instance.get("/embed/:uuid/chat", async (request, reply) => {
    const { uuid } = request.params as { uuid: string };
    const page = await pages.find(uuid);
    if (page?.hasPage !== true) return notFound(reply);
    return reply
      .removeHeader("x-frame-options")
      .headers({ "content-security-policy": chatPolicy(page), "cache-control": "no-cache" })
      .type("text/html; charset=utf-8")
      .send(chatPage(uuid.toLowerCase(), page));
  });
  instance.get("/embed/preview", (_request, reply) =>
    reply
      .removeHeader("x-frame-options")
      .headers({
        "content-security-policy": policyOf("https: http:", ""),
        "cache-control": "no-cache",
      })
      .type("text/html; charset=utf-8")
      .send(previewPage),
  );
  // Not a page of the app, even before the script is built.
  instance.get("/embed/*", (_request, reply) => notFound(reply));
  if (!existsSync(root)) return;
  await instance.register(fastifyStatic, {
    root,
    prefix: "/embed/",
    decorateReply: false,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    etag: true,
    globIgnore: ["**/*.br", "**/*.gz"],
    setHeaders: (response) => {
      void response.header("cache-control", "public, max-age=3600, stale-while-revalidate=604800");
      // Any site may load the script; what it may do depends on the widget.
      void response.header("access-control-allow-origin", "*");
      void response.header("cross-origin-resource-policy", "cross-origin");
    },
  });
}

const notFound = (reply: FastifyReply): FastifyReply =>
  reply.code(404).type(text).send("Not Found");

/** Allows only the script, the instance and the pictures that the widget names. */
function chatPolicy({ origins, appearance }: WidgetPageInfo): string {
  const pictures = [appearance.brandImageUrl, appearance.assistantIcon].flatMap(
    (address) => policySource(address ?? "") ?? [],
  );
  const ancestors = origins?.flatMap((origin) => policySource(origin) ?? []) ?? ["*"];
  return policyOf([...new Set(pictures)].join(" "), ancestors.join(" "));
}

const policyOf = (pictures: string, ancestors: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: ${pictures}`.trim(),
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors 'self' ${ancestors}`.trim(),
  ].join("; ");

/** The widget as edited in the app, which shows this page in a frame and sends it the settings. */
const previewPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Preview</title>
</head>
<body>
<script src="/embed/carrel-widget-preview.js"></script>
</body>
</html>
`;

function chatPage(uuid: string, { name, appearance }: WidgetPageInfo): string {
  const attributes = { ...appearance, embedId: uuid, baseApiUrl: "/api/embed", mode: "page" };
  const data = Object.entries(attributes).map(
    ([key, value]) =>
      `data-${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}="${escaped(value)}"`,
  );
  return `<!doctype html>
<html lang="${escaped(appearance.language ?? "en")}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(name ?? appearance.assistantName ?? "Chat")}</title>
<link rel="icon" href="/icon.svg">
</head>
<body>
<script src="${script}" ${data.join(" ")}></script>
</body>
</html>
`;
}
