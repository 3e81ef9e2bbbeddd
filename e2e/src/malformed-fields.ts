import { endpoints, type Endpoint } from "@carrel/contracts";
import { isThorough, sample } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import type { Api } from "./api.ts";
import { malformedRequests } from "./malformed-requests.ts";

/** Called last, because they end or change the session that the others need. */
const last = ["auth.profile.update", "auth.session.end", "auth.mode.enable-multi-user"];
const rank = ({ name }: Endpoint): number => last.indexOf(name);

/** Routes that refuse other instances than those with accounts. */
const needsAccounts = ({ access }: Endpoint): boolean => access.mode === "multi";

/**
 * Sends malformed requests, as an admin or with a key: to every route without accounts, and with
 * them to those that need them, one in five. A thorough run sends all to both.
 */
export function testMalformedFields(
  mode: "single" | "multi",
  admin: () => Api,
  valid: Record<string, string> = {},
): void {
  describe("malformed fields", () => {
    let slug: string | undefined;
    /** Some routes delete the workspace, and one ends the session. */
    const makeMissingWorkspace = async (): Promise<string> => {
      const { status, text } = await admin().call("GET", `/workspace/${slug}`);
      if (slug === undefined || (status !== 401 && !text.includes(slug)))
        ({ slug } = await admin().makeWorkspace("Malformed fields"));
      return slug;
    };

    /** Made for each route, because some delete keys. */
    const makeCaller = async ({ access }: Endpoint): Promise<Api> => {
      const api = Object.assign(Object.create(admin()) as Api, { token: admin().token });
      const folder = mode === "single" ? "system" : "admin";
      if (access.who === "key")
        api.token = (
          await admin().json<{ apiKey: { secret: string } }>(
            "POST",
            `/${folder}/generate-api-key`,
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
      .filter((endpoint) => isThorough || needsAccounts(endpoint) === (mode === "multi"))
      .sort((a, b) => rank(a) - rank(b));
    it.each(routes.map((endpoint) => [endpoint.name, endpoint] as const))(
      "of %s are never a 500",
      async (_name, endpoint) => {
        const caller = await makeCaller(endpoint);
        const workspace = await makeMissingWorkspace();
        const requests = sample(
          [...malformedRequests(endpoint, { slug: workspace, ...valid })],
          5, // no divisor of the number of values, so fields get different ones
          endpoints.indexOf(endpoint),
        );
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
