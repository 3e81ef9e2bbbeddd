import { endpoints, type Endpoint } from "@carrel/contracts";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Api } from "./api.ts";
import { malformedRequests } from "./malformed-requests.ts";

/** Called last, because they end or change the session that the others need. */
const last = ["auth.profile.update", "auth.session.end", "auth.mode.enable-multi-user"];
const rank = ({ name }: Endpoint): number => last.indexOf(name);

/** Sends malformed requests to every route, as an admin or with a key. */
export function testMalformedFields(admin: () => Api, valid: Record<string, string> = {}): void {
  describe("malformed fields", () => {
    let slug: string;
    beforeAll(async () => {
      ({ slug } = await admin().makeWorkspace("Malformed fields"));
    });

    /** Made for each route, because some delete keys. */
    const makeCaller = async ({ access }: Endpoint): Promise<Api> => {
      const api = Object.assign(Object.create(admin()) as Api, { token: admin().token });
      const mode = api.token === null ? "system" : "admin";
      if (access.who === "key")
        api.token = (
          await admin().json<{ apiKey: { secret: string } }>(
            "POST",
            `/${mode}/generate-api-key`,
            {},
          )
        ).apiKey.secret;
      if (access.who === "extension")
        api.token = (
          await admin().json<{ apiKey: string }>("POST", "/browser-extension/api-keys/new", {})
        ).apiKey;
      return api;
    };

    // Not available on the instance: the built-in embedder's model.
    const unavailable = new Map([["gateway.openai.embeddings", 503]]);
    // Change streams never end; their own tests cover them.
    const routes = endpoints
      .filter(({ method, success }) => success.kind !== "sse" || method !== "GET")
      .sort((a, b) => rank(a) - rank(b));
    it.each(routes.map((endpoint) => [endpoint.name, endpoint] as const))(
      "of %s are never a 500",
      async (_name, endpoint) => {
        const caller = await makeCaller(endpoint);
        const requests = [...malformedRequests(endpoint, { slug, ...valid })];
        const faults: string[] = [];
        const send = async (): Promise<void> => {
          for (let next = requests.pop(); next; next = requests.pop()) {
            const { what, path, body, type = "application/json" } = next;
            const reply = await caller.call(endpoint.method, path, body, { "content-type": type });
            if (reply.status >= 500 && reply.status !== unavailable.get(endpoint.name))
              faults.push(`${what}: ${reply.status} ${reply.text.slice(0, 300)}`);
          }
        };
        await Promise.all(Array.from({ length: 4 }, send));
        expect(faults).toEqual([]);
      },
    );
  });
}
