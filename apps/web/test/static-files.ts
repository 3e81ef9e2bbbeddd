import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { extname, join } from "node:path";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".bcmap": "application/octet-stream",
  ".pfb": "application/octet-stream",
};

/** Serves a file of the built app; any other path gets its page, as the router expects. */
export function serveFile(dist: string, path: string, response: ServerResponse): void {
  const file = join(dist, path);
  const found = existsSync(file) && statSync(file).isFile() ? file : join(dist, "index.html");
  const type = types[extname(found)] ?? "application/octet-stream";
  if (existsSync(`${found}.br`)) {
    response.writeHead(200, { "Content-Type": type, "Content-Encoding": "br" });
    response.end(readFileSync(`${found}.br`));
    return;
  }
  response.writeHead(200, { "Content-Type": type });
  createReadStream(found).pipe(response);
}
