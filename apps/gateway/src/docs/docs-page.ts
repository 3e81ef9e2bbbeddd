import { createRequire } from "node:module";
import { dirname } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { buildOpenApi } from "./build-openapi.ts";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Carrel API</title>
<link rel="stylesheet" href="/api/docs/assets/swagger-ui.css">
</head>
<body><div id="swagger-ui"></div>
<script src="/api/docs/assets/swagger-ui-bundle.js"></script><script src="/api/docs/page.js"></script>
</body>
</html>
`;
/**
 * Keys entered are kept only in the page's memory. The API has hundreds of routes, so groups start
 * closed.
 */
const script = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
window.ui = SwaggerUIBundle({
  url: '/api/docs/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/**
 * Serves the API documentation; all assets come from this instance, so it works offline and under
 * the strict CSP.
 */
export async function mountDocs(instance: FastifyInstance): Promise<void> {
  const root = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  let text: string | null = null;
  instance.get("/api/docs", (_request, reply) => reply.type("text/html; charset=utf-8").send(page));
  instance.get("/api/docs/page.js", (_request, reply) =>
    reply.type("text/javascript; charset=utf-8").send(script),
  );
  instance.get("/api/docs/openapi.json", (_request, reply) =>
    reply.type("application/json; charset=utf-8").send((text ??= JSON.stringify(buildOpenApi()))),
  );
  await instance.register(fastifyStatic, {
    root,
    prefix: "/api/docs/assets/",
    decorateReply: false,
    index: false,
    allowedPath: (path) => ["/swagger-ui.css", "/swagger-ui-bundle.js"].includes(path),
  });
}
