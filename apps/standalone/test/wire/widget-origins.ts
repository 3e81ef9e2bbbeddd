import type { WidgetWire } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import type { TestInstance } from "./instance.ts";

type Raw = (
  path: string,
  headers: Record<string, string>,
  method?: string,
  body?: string,
) => Promise<{ status: number; text: string; headers: Record<string, unknown> }>;

const site = "https://shop.example";
const evil = "https://evil.example";
const unknown = "00000000-0000-4000-8000-00000000ffff";
const allowed = "access-control-allow-origin";

/** Which pages may use a widget (wire-contract 8.2). */
export function testWidgetOrigins(instance: () => TestInstance, raw: Raw): void {
  const create = async (fields: object): Promise<WidgetWire> =>
    (
      (await instance().call("POST", "/api/embeds/new", { workspace_slug: "w", ...fields }))
        .json as { embed: WidgetWire }
    ).embed;

  describe("widgets", () => {
    it("admit listed sites only, and tell others why they are refused", async () => {
      const { uuid } = await create({ allowlist_domains: site });
      const session = `/api/embed/${uuid}/session`;
      const preflight = { origin: site, "access-control-request-method": "DELETE" };
      for (const origin of [site, evil]) {
        const { status, headers } = await raw(session, { ...preflight, origin }, "OPTIONS");
        expect([status, headers]).toMatchObject([
          204,
          {
            [allowed]: "*",
            "access-control-allow-headers": "Content-Type, Carrel-Visitor, Idempotency-Key",
          },
        ]);
        expect(headers["access-control-allow-credentials"]).toBeUndefined();
      }
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
        const isRead = status === 401 ? "*" : headers["origin"] === site ? site : undefined;
        expect([headers, answer.headers[allowed]]).toEqual([headers, isRead]);
      }
      const id = "00000000-0000-4000-8000-000000000000";
      for (const [path, method, body] of [
        [id, "GET"],
        [id, "DELETE"],
        [`${id}/stop`, "POST", "{}"],
        ["stream-chat", "POST", JSON.stringify({ sessionId: id, message: "Hi" })],
      ] as const) {
        const refused = await raw(`/api/embed/${uuid}/${path}`, { origin: evil }, method, body);
        expect([path, refused.status, refused.headers[allowed]]).toEqual([path, 401, "*"]);
        // AnythingLLM's script passes this to its handler and shows `errorMsg` (wire-contract 8.4).
        expect(JSON.parse(refused.text)).toEqual({
          id: expect.any(String),
          type: "abort",
          textResponse: null,
          sources: [],
          close: true,
          error: "Invalid request.",
          errorMsg:
            "This chat isn't available on this site. Its owner can add the site to the widget.",
        });
      }
      for (const [path, method, body, status] of [
        [`/api/embed/${unknown}/stream-chat`, "POST", "{}", 404],
        [`/api/embed/${uuid}/stream-chat`, "POST", "{", 400],
      ] as const) {
        const refused = await raw(path, { origin: evil }, method, body);
        expect([refused.status, refused.headers[allowed]]).toEqual([status, "*"]);
      }
    });

    it("without a list serve any site if existing clients made them, and none if the app did", async () => {
      // As AnythingLLM's form sends it: only texts, and an empty list.
      const form = { chat_mode: "chat", allowlist_domains: "", max_chats_per_day: "" };
      const answers = await Promise.all(
        [form, {}, { allow_any_origin: true }, { allow_any_origin: false }].map(async (fields) => {
          const { uuid } = await create(fields);
          const answer = await raw(`/api/embed/${uuid}/session`, { origin: evil }, "POST", "{}");
          return [answer.status, answer.headers[allowed]];
        }),
      );
      expect(answers).toEqual([
        [200, "*"],
        [200, "*"],
        [200, "*"],
        [401, "*"],
      ]);
    });

    it("stay closed if what an existing client lists is no site", async () => {
      const made = await instance().call("POST", "/api/embeds/new", {
        workspace_slug: "w",
        allowlist_domains: "*.shop.example",
      });
      const error = "Not a valid site address: *.shop.example";
      expect(made).toMatchObject({ status: 400, json: { embed: null, error } });
      const { id } = await create({ allowlist_domains: site });
      const changed = await instance().call("POST", `/api/embed/update/${id}`, {
        allowlist_domains: "*",
      });
      expect(changed).toMatchObject({ status: 400, json: { success: false } });
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
