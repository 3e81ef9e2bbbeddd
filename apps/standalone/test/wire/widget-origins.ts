import { describe, expect, it } from "@jest/globals";
import type { WidgetWire } from "@carrel/contracts";
import type { TestInstance } from "./instance.ts";

type Raw = (
  path: string,
  headers: Record<string, string>,
  method?: string,
  body?: string,
) => Promise<{ status: number; text: string; headers: Record<string, unknown> }>;

const site = "https://shop.example";
const evil = "https://evil.example";
const allowed = "access-control-allow-origin";

/** Which pages may use a widget (wire-contract 8.2). */
export function testWidgetOrigins(instance: () => TestInstance, raw: Raw): void {
  const create = async (fields: object): Promise<WidgetWire> =>
    (
      (await instance().call("POST", "/api/embeds/new", { workspace_slug: "w", ...fields }))
        .json as { embed: WidgetWire }
    ).embed;

  describe("widgets", () => {
    it("admit listed sites only, and tell only them", async () => {
      const { uuid } = await create({ allowlist_domains: site });
      const session = `/api/embed/${uuid}/session`;
      const preflight = { origin: site, "access-control-request-method": "DELETE" };
      const listed = await raw(session, preflight, "OPTIONS");
      expect(listed.status).toBe(204);
      expect(listed.headers).toMatchObject({
        [allowed]: site,
        vary: "Origin",
        "access-control-allow-headers": "Content-Type, Carrel-Visitor, Idempotency-Key",
      });
      const foreign = await raw(session, { ...preflight, origin: evil }, "OPTIONS");
      expect([foreign.status, foreign.headers[allowed]]).toEqual([403, undefined]);
      for (const [headers, status] of [
        [{ origin: site }, 200],
        [{ origin: evil }, 401],
        [{ origin: "null" }, 401],
        [{ origin: `${site}:8443` }, 401],
        [{}, 401],
        [{ origin: evil, referer: `${site}/` }, 401],
        [{ origin: instance().url, "sec-fetch-site": "same-origin" }, 200],
        [{ "sec-fetch-site": "cross-site", referer: `${evil}/` }, 401],
      ] as [Record<string, string>, number][]) {
        const answer = await raw(session, headers, "POST", "{}");
        expect([headers, answer.status]).toEqual([headers, status]);
        expect(answer.headers[allowed]).toBe(headers["origin"] === site ? site : undefined);
      }
      const id = "00000000-0000-4000-8000-000000000000";
      for (const method of ["GET", "DELETE"])
        expect((await raw(`/api/embed/${uuid}/${id}`, { origin: evil }, method)).status).toBe(401);
    });

    it("admit nobody without a list, unless any site is allowed", async () => {
      const closed = await create({});
      const open = await create({ allow_any_origin: true });
      const [one, other] = await Promise.all(
        [closed, open].map(({ uuid }) =>
          raw(`/api/embed/${uuid}/session`, { origin: evil }, "POST", "{}"),
        ),
      );
      expect([one!.status, other!.status, other!.headers[allowed]]).toEqual([401, 200, "*"]);
    });

    it("don't open the management to their sites", async () => {
      const { id } = await create({ allowlist_domains: site });
      for (const [path, method] of [
        ["/api/embeds", "GET"],
        [`/api/embed/${id}`, "DELETE"],
        ["/api/embed/chats", "POST"],
      ] as const)
        expect((await raw(path, { origin: site }, method)).status).toBe(403);
    });

    it("have a page where enabled, framed by their sites only, with nothing else in it", async () => {
      const appearance = {
        assistantName: '"><script>alert(1)</script>',
        brandImageUrl: "https://cdn.example/logo.png",
        assistantIcon: "https://a;sandbox/icon.png",
      };
      const { id, uuid } = await create({ allowlist_domains: `${site}, b.example`, appearance });
      const page = `/embed/${uuid}/chat`;
      expect((await raw(page, {})).status).toBe(404);
      expect((await raw("/embed/preview", {})).headers["content-security-policy"]).toMatch(
        /frame-ancestors 'self'$/,
      );
      await instance().call("POST", `/api/embed/update/${id}`, { page_enabled: true });
      const { status, text, headers } = await raw(page, {});
      expect(status).toBe(200);
      expect(headers["x-frame-options"]).toBeUndefined();
      expect(headers["content-security-policy"]).toBe(
        "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data: https://cdn.example; base-uri 'none'; form-action 'none'; frame-ancestors 'self' https://shop.example https://b.example",
      );
      expect(text).toContain(`data-embed-id="${uuid}"`);
      expect(text).not.toContain("<script>");
      for (const missing of ["/embed/nonsense/chat", "/embed/nothing.js", `/embed/${uuid}`])
        expect((await raw(missing, {})).status).toBe(404);
    });
  });
}
