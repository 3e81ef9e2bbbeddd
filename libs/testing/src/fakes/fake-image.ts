import type { ServerResponse } from "node:http";
import { sendJson } from "./send-json.ts";

/** A one-pixel PNG. */
export const fakeImage =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** /v1/images/generations: ImagesResponse (openai-openapi v2.3.0). */
export function sendImage(response: ServerResponse): void {
  sendJson(response, 200, {
    created: 1_763_689_200,
    background: "opaque",
    output_format: "png",
    quality: "low",
    size: "1024x1024",
    data: [{ b64_json: fakeImage }],
  });
}
