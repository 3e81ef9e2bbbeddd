import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { extname, join } from "node:path";

const types: Record<string, string> = {
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".bcmap": "application/octet-stream",
  ".pfb": "application/octet-stream",
};

/**
 * Serves a file of the built app, cacheable as on the real gateway. Returns false if there is none
 * at that path.
 */
export function serveFile(dist: string, path: string, response: ServerResponse): boolean {
  const found = join(dist, path);
  if (!existsSync(found) || !statSync(found).isFile()) return false;
  const type = types[extname(found)] ?? "application/octet-stream";
  response.setHeader(
    "Cache-Control",
    path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
  );
  if (existsSync(`${found}.br`)) {
    response.writeHead(200, { "Content-Type": type, "Content-Encoding": "br" });
    response.end(readFileSync(`${found}.br`));
    return true;
  }
  response.writeHead(200, { "Content-Type": type });
  createReadStream(found).pipe(response);
  return true;
}
