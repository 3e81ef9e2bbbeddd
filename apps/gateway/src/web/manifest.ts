import { getCustomAppName, publicPrincipal } from "@carrel/contracts";
import type { RequestClient } from "@carrel/messaging";
import type { FastifyInstance } from "fastify";

const nameMs = 2_000;

/**
 * /manifest.json of the installed app (wire-contract 0), under the name that was given to this
 * instance.
 */
export function mountManifest(instance: FastifyInstance, requests: RequestClient): void {
  instance.get("/manifest.json", async (_request, reply) => {
    const { customAppName } = await requests
      .request(
        getCustomAppName,
        {},
        { scope: { principal: publicPrincipal, workspace: null }, deadline: Date.now() + nameMs },
      )
      // Without the service the app can be installed all the same.
      .catch(() => ({ customAppName: null }));
    const name = customAppName ?? "Carrel";
    const icons = [{ src: "/logo-mark.svg", type: "image/svg+xml", sizes: "any" }];
    return reply
      .type("application/manifest+json; charset=utf-8")
      .header("cache-control", "no-cache")
      .send(
        JSON.stringify({
          name,
          short_name: name,
          display: "standalone",
          orientation: "portrait",
          start_url: "/",
          icons,
        }),
      );
  });
}
