import { request as httpRequest, type IncomingMessage } from "node:http";
import { poll } from "@carrel/testing";

export interface StreamReader {
  status: number;
  headers: IncomingMessage["headers"];
  text(): string;
  until(part: string): Promise<string>;
  ended: Promise<void>;
  leave(): void;
}

/** Sends a request and reads its response as it arrives. */
export function openStream(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
): Promise<StreamReader> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      url,
      { method: options.method ?? "GET", headers: options.headers ?? {}, agent: false },
      (response) => {
        let text = "";
        response
          .setEncoding("utf8")
          .on("data", (piece: string) => {
            text += piece;
          })
          .on("error", () => undefined);
        const ended = new Promise<void>((end) => response.once("close", () => end()));
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text: () => text,
          ended,
          leave: () => sent.destroy(),
          async until(part) {
            await poll(() => text).toContain(part);
            return text;
          },
        });
      },
    );
    sent.on("error", reject);
    sent.end(options.body === undefined ? undefined : JSON.stringify(options.body));
  });
}
