import { once } from "node:events";
import { request } from "node:http";
import type { Instance } from "@carrel/testing";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { Api } from "../api.ts";

/** Sends a body in chunks without a length, until the answer arrives or `pieces` ends. */
function send(
  url: string,
  path: string,
  pieces: Iterable<string>,
  pauseMs: number,
): Promise<{ status: number; text: string; milliseconds: number }> {
  const started = Date.now();
  return new Promise((resolve, reject) => {
    let answered = false;
    const outgoing = request(
      `${url}${path}`,
      {
        method: "POST",
        headers: { "content-type": "application/json", "transfer-encoding": "chunked" },
      },
      (incoming) => {
        answered = true;
        let text = "";
        incoming.on("data", (data: Buffer) => {
          text += data.toString();
        });
        incoming.on("end", () =>
          resolve({ status: incoming.statusCode ?? 0, text, milliseconds: Date.now() - started }),
        );
      },
    );
    outgoing.on("error", (error) => {
      if (!answered) reject(error);
    });
    void (async () => {
      for (const piece of pieces) {
        // Without an answer too: the instance has stopped, if its tests were filtered out.
        if (answered || outgoing.destroyed) return;
        if (!outgoing.write(piece))
          await once(outgoing, "drain", { signal: AbortSignal.timeout(1_000) }).catch(
            () => undefined,
          );
        if (pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs));
      }
      if (!answered) outgoing.end();
    })();
  });
}

export function testRefusedRequests(instance: () => Instance): void {
  // Takes 30 s, in which the tests before this group run.
  let trickled: ReturnType<typeof send>;
  beforeAll(() => {
    const pieces = function* (): Generator<string> {
      yield '{"name":"';
      for (;;) yield "x";
    };
    trickled = send(instance().url, "/api/workspace/new", pieces(), 500);
    trickled.catch(() => undefined); // The test reports it.
  });
  describe("rejected requests", () => {
    let api: Api;
    beforeAll(() => {
      api = new Api(instance().url);
    });

    it("a wrong method on a known path is 405 with Allow, an unknown path 404", async () => {
      for (const [method, path, allow] of [
        ["DELETE", "/workspaces", "GET"],
        ["PUT", "/workspace/new", "GET, POST, DELETE"],
        ["PATCH", "/system/update-env", "POST"],
      ] as const) {
        const reply = await fetch(`${instance().url}/api${path}`, { method });
        expect({
          path,
          status: reply.status,
          allow: reply.headers.get("allow"),
          type: reply.headers.get("content-type"),
        }).toEqual({ path, status: 405, allow, type: expect.stringContaining("application/json") });
        expect(await reply.json()).toEqual({ error: expect.stringContaining(allow) });
      }
      expect((await api.call("GET", "/nothing-here")).status).toBe(404);
      // `new` is a slug like any other for GET.
      expect((await api.call("GET", "/workspace/new")).text).toBe('{"workspace":null}');
    });

    it("a body of 100 MB without a length is rejected with 413", async () => {
      const megabyte = `"${"x".repeat(1_000_000)}",`;
      const reply = await send(
        instance().url,
        "/api/workspace/new",
        (function* () {
          for (let n = 0; n < 100; n += 1) yield megabyte;
        })(),
        0,
      );
      expect(reply.status).toBe(413);
      expect(JSON.parse(reply.text)).toEqual({ error: "The request is too large." });
    });

    it("a body that trickles in is cut off after 30 s", async () => {
      const reply = await trickled;
      expect(reply.status).toBe(408);
      expect(JSON.parse(reply.text)).toEqual({ error: "The request body arrived too slowly." });
      expect(reply.milliseconds).toBeGreaterThan(28_000);
      expect(reply.milliseconds).toBeLessThan(40_000);
      expect((await api.call("GET", "/ping")).status).toBe(200);
    });
  });
}
