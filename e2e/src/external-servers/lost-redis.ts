import { waitFor, type TestRedis } from "@carrel/testing";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { Api } from "../api.ts";
import type { Launch } from "../checkout-copy.ts";

/** PostgreSQL is the only source of truth: Redis may lose everything at any time. */
export function testLostRedis(instance: () => Launch, redis: () => TestRedis): void {
  describe("Redis loses everything during work", () => {
    let api: Api;
    beforeAll(() => {
      api = new Api(instance().url);
    });

    it("completes 50 uploads and the deletion of a workspace", async () => {
      const doomed = await api.makeWorkspace("Doomed");
      await api.upload("upload-and-embed", doomed.slug, "a.txt", "This goes with its workspace.");
      const { slug } = await api.makeWorkspace("Flushed");
      const uploads = Array.from({ length: 50 }, (_, n) =>
        api.upload(
          "upload-and-embed",
          slug,
          `report-${n}.txt`,
          `Report ${n}. The pump of station ${n} was replaced in week ${n + 1}. ${"It ran without a fault since. ".repeat(40)}`,
        ),
      );
      const deletion = api.call("DELETE", `/workspace/${doomed.slug}`);
      for (let n = 0; n < 5; n++) {
        await new Promise((done) => setTimeout(done, 150));
        await redis().flush();
      }
      const replies = await Promise.all(
        uploads.map((upload) => upload.catch((error: unknown) => String(error))),
      );
      const deleted = await deletion;
      for (const reply of replies) {
        if (typeof reply === "string") throw new Error(reply);
        expect({ status: reply.status, body: reply.json() }).toMatchObject({
          status: 200,
          body: { success: true },
        });
      }
      expect(deleted.status).toBe(200);
      const done = await waitFor(
        async () => {
          const page = await api.json<{
            total: number;
            documents: { state: string; title: string }[];
          }>("GET", `/workspace/${slug}/documents?limit=200`);
          return (
            page.documents.every((d) => ["searchable", "embedded"].includes(d.state)) &&
            page.total === 50 &&
            page
          );
        },
        { timeoutMs: 90_000 },
      );
      expect(done.documents).toHaveLength(50);
      expect(new Set(done.documents.map((d) => d.title)).size).toBe(done.documents.length);
      expect((await api.ask(slug, "When was the pump of station 17 replaced?")).text).toContain(
        "station 17 was replaced in week 18",
      );
      await waitFor(
        async () =>
          (await api.call("GET", `/workspace/${doomed.slug}`)).text === '{"workspace":null}',
      );
    });
  });
}
