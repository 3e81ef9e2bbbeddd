import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { poll, type Instance } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { Api } from "../api.ts";

interface Received {
  type: string;
  workspace: { slug: string };
  data: Record<string, unknown>;
}

export function testWebhooks(instance: () => Instance): void {
  describe("webhooks over HTTP", () => {
    let receiver: Server;
    let api: Api;
    let slug: string;
    let webhook: { id: number };
    let secret: string;
    const received: Received[] = [];
    const typesOf = () => received.map(({ type }) => type);

    beforeAll(async () => {
      receiver = createServer((incoming, reply) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("end", () => {
          const body = Buffer.concat(chunks).toString();
          const headers = incoming.headers as Record<string, string>;
          received.push(new Webhook(secret).verify(body, headers) as Received);
          reply.writeHead(204).end();
        });
      }).listen(0, "127.0.0.1");
      await once(receiver, "listening");
      api = new Api(instance().url);
      ({ slug } = await api.makeWorkspace("Hooked"));
      ({ webhook, secret } = await api.json<{ webhook: { id: number }; secret: string }>(
        "POST",
        "/webhooks",
        {
          url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
          events: ["document.ready", "document.failed", "answer.finished"],
        },
      ));
      await api.json("POST", `/webhooks/${webhook.id}/test`);
      await poll(typesOf).toEqual(["webhook.test"]);
      // Chat and ingest learn about the webhook a moment later.
      await poll(async () => {
        await api.ask(slug, "Hello?");
        await api.upload("upload-and-embed", slug, "hello.txt", `Hello at ${Date.now()}.`);
        return typesOf();
      }).toEqual(expect.arrayContaining(["answer.finished", "document.ready"]));
    });
    afterAll(async () => {
      await api?.call("DELETE", `/webhooks/${webhook.id}`);
      receiver?.close().closeAllConnections();
    });

    it("tell of documents that become searchable or fail", async () => {
      const titled = (title: string) => received.filter(({ data }) => data.title === title);
      await api.upload("upload-and-embed", slug, "keys.txt", "The spare key hangs in the cellar.");
      await api.upload("upload-and-embed", slug, "broken.pdf", "%PDF-1.4 nothing");
      await poll(() => titled("keys.txt")).toEqual([
        expect.objectContaining({
          type: "document.ready",
          workspace: expect.objectContaining({ slug }),
          data: expect.objectContaining({ location: expect.stringContaining("keys") }),
        }),
      ]);
      await poll(() => titled("broken.pdf")).toEqual([
        expect.objectContaining({
          type: "document.failed",
          data: expect.objectContaining({ error: expect.any(String) }),
        }),
      ]);
    });

    it("tell of answers", async () => {
      await api.ask(slug, "Where is the spare key?");
      const { turns } = await api.json<{ turns: { id: number }[] }>(
        "GET",
        `/workspace/${slug}/turns`,
      );
      const chatId = turns.at(-1)!.id;
      await poll(() => received.filter(({ data }) => data.chatId === chatId)).toEqual([
        expect.objectContaining({
          type: "answer.finished",
          data: { chatId, threadSlug: null, userId: null, state: "done" },
        }),
      ]);
    });
  });
}
