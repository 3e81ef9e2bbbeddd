import { getCustomAppName, publicPrincipal } from "@carrel/contracts";
import type { RequestClient } from "@carrel/messaging";
import type { FastifyInstance } from "fastify";

const nameMs = 2_000;

/** Serves /manifest.json for the installed app (wire-contract 0), with this instance's name. */
export function mountManifest(instance: FastifyInstance, requests: RequestClient): void {
  instance.get("/manifest.json", async (_request, reply) => {
    const { customAppName } = await requests
      .request(
        getCustomAppName,
        {},
        { scope: { principal: publicPrincipal, workspace: null }, deadline: Date.now() + nameMs },
      )
      // The app can be installed even if the service is down.
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
