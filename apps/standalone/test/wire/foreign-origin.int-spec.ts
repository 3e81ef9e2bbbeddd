import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { answerEverything } from "./fixture-answers.ts";
import { startTestInstance, type TestInstance } from "./instance.ts";
import { testWidgetOrigins } from "./widget-origins.ts";

let instance: TestInstance;
beforeAll(async () => {
  instance = await startTestInstance({ CARREL_MAX_UPLOAD: "2000000" });
  answerEverything(instance);
  expect((await instance.call("POST", "/api/workspace/new", { name: "W" })).status).toBe(200);
}, 120_000);
afterAll(() => instance.stop());

/** Sends headers that fetch doesn't allow. */
function raw(
  path: string,
  headers: Record<string, string>,
  method = "GET",
  body?: string,
): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${instance.url}${path}`,
      { method, headers, agent: false },
      (response) => {
        let text = "";
        response
          .setEncoding("utf8")
          .on("data", (piece: string) => {
            text += piece;
          })
          .on("end", () =>
            resolve({ status: response.statusCode!, text, headers: response.headers }),
          );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

describe("origins and hosts without a password", () => {
  it.each([
    ["a foreign Origin", { origin: "https://evil.example" }, 403],
    [
      "a foreign Origin with a token, which proves nothing here",
      { origin: "https://evil.example", authorization: "Bearer whatever" },
      403,
    ],
    ["a page elsewhere", { "sec-fetch-site": "cross-site" }, 403],
    ["another port of this machine", { "sec-fetch-site": "same-site" }, 403],
    ["a sandboxed page", { origin: "null" }, 403],
    ["a foreign Host", { host: "evil.example" }, 403],
    ["our own page", { origin: "OWN", "sec-fetch-site": "same-origin" }, 200],
    ["localhost", { host: "localhost:3001" }, 200],
    ["a token that is the word null", { authorization: "Bearer null" }, 200],
  ])("%s", async (_what, headers, status) => {
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        value === "OWN" ? instance.url : value,
      ]),
    );
    const answer = await raw("/api/workspaces", sent as Record<string, string>);
    expect(answer.status).toBe(status);
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("rejects a change requested as an image by a page that sends no headers", async () => {
    expect((await raw("/api/system/remove-logo", {})).status).toBe(403);
    const elsewhere = { referer: "http://192.168.7.7/page" };
    expect((await raw("/api/system/remove-logo", elsewhere)).status).toBe(403);
    for (const [name, value] of [
      ["authorization", "Bearer null"],
      ["referer", `${instance.url}/x`],
    ] as const)
      expect((await raw("/api/system/remove-logo", { [name]: value })).status).toBe(200);
  });

  it("rejects preflights, framing and DNS rebinding", async () => {
    const preflight = await raw(
      "/api/workspaces",
      { origin: "https://evil.example", "access-control-request-method": "POST" },
      "OPTIONS",
    );
    expect(preflight.status).toBe(403);
    expect((await raw("/", { host: "evil.example" })).status).toBe(403);
    expect(
      (await raw("/", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" })).headers[
        "x-frame-options"
      ],
    ).toBe("DENY");
  });
});

testWidgetOrigins(() => instance, raw);
