import { CarrelError } from "@carrel/contracts";
import {
  createContentClient,
  type ContentClient,
  type ContentRequest,
  type ContentResponse,
} from "@carrel/egress";
import type { SourceContext } from "../../connector/connector.ts";

/** Each may be followed by as many within its server. */
const maxServers = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Asks for a feed and what its publisher names. Once something has come from the internet, it leads
 * to nothing in the intranet, also where the allow-list names it; only the feed's own server was
 * chosen by a person.
 */
export class FeedClient {
  private readonly origin: string;
  private readonly others: ContentClient;

  constructor(
    feed: string,
    private readonly context: SourceContext,
  ) {
    this.origin = new URL(feed).origin;
    this.others = context.others ?? createContentClient();
  }

  /**
   * `isPublic`: whether what named the address may have come from the internet. So does the answer
   * then. `headersFor`: what is sent to a server.
   */
  async fetch(
    address: string,
    isPublic: boolean,
    init: ContentRequest & { headersFor?: (url: string) => Record<string, string> } = {},
  ): Promise<ContentResponse> {
    const { headersFor, mayFollow = () => Promise.resolve(true), ...request } = init;
    let [url, isFromPublic] = [address, isPublic];
    for (let servers = 0; servers <= maxServers; servers += 1) {
      const { origin } = new URL(url);
      const client = isFromPublic && origin !== this.origin ? this.others : this.context.content;
      const reply = await client.fetch(url, {
        ...request,
        signal: this.context.signal,
        headers: { ...(servers === 0 && request.headers), ...headersFor?.(url) },
        mayFollow: async (target) => target.origin === origin && (await mayFollow(target)),
      });
      isFromPublic ||= reply.isPublic;
      const target = readRedirect(reply);
      if (target === null || target.origin === origin || !(await mayFollow(target)))
        return { ...reply, isPublic: isFromPublic };
      url = target.href;
    }
    throw new CarrelError("egress.too-many-redirects", { limit: maxServers });
  }
}

/** Its address was checked by the client. */
function readRedirect({ url, status, headers }: ContentResponse): URL | null {
  const location = headers.get("location");
  return redirects.has(status) && location !== null ? new URL(location, url) : null;
}
