import { CarrelError } from "@carrel/contracts";
import { z } from "zod";
import { signInHeaders, type SignInCredential } from "../../connector/atlassian-sign-in.ts";
import type { SourceContext } from "../../connector/connector.ts";
import { isUnexpected, JsonApi } from "../../connector/json-api.ts";
import type { ConfluenceApi } from "./confluence-api.ts";
import { ConfluenceCloud } from "./confluence-cloud.ts";
import { readBase, type ConfluenceSettings } from "./confluence-form.ts";
import { ConfluenceServer } from "./confluence-server.ts";

interface Found {
  confluence: ConfluenceApi;
  /** For downloads. */
  api: JsonApi;
}
type Kind = "cloud" | "self-hosted";

const spaces = z.object({ results: z.array(z.unknown()) });
/** What only one of the two has. */
const probes: Record<Kind, string> = {
  cloud: "/api/v2/spaces?limit=1",
  "self-hosted": "/rest/api/space?limit=1",
};

/**
 * Finds Confluence behind an address by asking: with `/wiki` in its paths, as in the cloud, without,
 * behind another path, or where its start page leads. Throws `source.not-recognised`, or what the
 * server said if it refuses the credential.
 */
export async function findConfluence(
  settings: ConfluenceSettings,
  credential: SignInCredential,
  context: SourceContext,
): Promise<Found> {
  const apiAt = (base: string): JsonApi =>
    new JsonApi(context, {
      base,
      headers: signInHeaders(credential),
      trustsAnyCertificate: settings.anyCertificate,
    });
  const { url, deployment } = settings;
  const { hostname, origin } = new URL(url);
  const kinds: Kind[] = hostname.endsWith(".atlassian.net")
    ? ["cloud"]
    : deployment === "cloud"
      ? ["cloud", "self-hosted"]
      : ["self-hosted", "cloud"];
  const below = url.endsWith("/wiki") ? [] : [`${url}/wiki`];
  const bases = deployment === "cloud" ? [...below, url] : [url, ...below];
  let refusal: unknown = null;
  const tried = new Set<string>();
  const probe = async (base: string): Promise<Found | null> => {
    if (tried.has(base)) return null;
    tried.add(base);
    for (const kind of kinds) {
      const api = apiAt(base);
      try {
        await api.get(probes[kind], spaces);
        const Api = kind === "cloud" ? ConfluenceCloud : ConfluenceServer;
        return { confluence: new Api(api, settings.space ?? ""), api };
      } catch (error) {
        if (isCode(error, "source.denied")) refusal ??= error;
        else if (!isCode(error, "source.missing") && !isUnexpected(error)) throw error;
      }
    }
    return null;
  };
  for (const base of bases) {
    const found = await probe(base);
    if (found !== null) return found;
  }
  const start = readBase(
    (
      await context.content.fetch(`${url}/`, {
        signal: context.signal,
        ...(settings.anyCertificate && { trustsAnyCertificate: true }),
      })
    ).url,
  );
  // Only on this server: the credential is sent there.
  if (start !== null && new URL(start).origin === origin) {
    const found = await probe(start);
    if (found !== null) return found;
  }
  throw (
    refusal ??
    new CarrelError("source.not-recognised", { host: new URL(url).host, name: "Confluence" })
  );
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof CarrelError && error.code === code;
