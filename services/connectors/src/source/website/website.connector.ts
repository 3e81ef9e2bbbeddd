import { CarrelError, clipText } from "@carrel/contracts";
import { z } from "zod";
import { defineConnector, type SourceContext } from "../../connector/connector.ts";
import { WebsiteCrawl, crawlItem } from "./website-crawl.ts";
import { websiteForm, websiteSettings, type WebsiteSettings } from "./website-form.ts";

/** The pages of a site, found by following links. */
export const connector = defineConnector({
  id: "website",
  form: websiteForm,
  settings: websiteSettings,
  credential: z.object({}),
  item: crawlItem,
  nameOf: ({ url }) => {
    const { host, pathname } = new URL(url);
    return clipText(`${host}${pathname === "/" ? "" : pathname}`, 200);
  },
  folderOf: ({ url }) => new URL(url).hostname.replace(/[^\w.-]/g, ""),
  originOf: ({ url }) => new URL(url).origin,
  open: (settings, _credential, context) => openCrawl(settings, context),
});

async function openCrawl(settings: WebsiteSettings, context: SourceContext) {
  const start = new URL(settings.url);
  const crawl = new WebsiteCrawl(settings, context);
  const robots = await crawl.robotsOf(start.origin);
  const refusal = await crawl.findRefusal(start);
  if (refusal !== null) throw CarrelError.fromFault(refusal);
  return {
    limits: {
      parallel: robots.delayMs > 0 ? 1 : 4,
      pauseMs: robots.delayMs,
      maxDocuments: settings.maxPages,
      // Some of what links lead to are copies or missing; the rest of a trap isn't recorded.
      maxItems: settings.maxPages * 3 + 200,
    },
    check: async () => {
      const { items } = await crawl.list(null);
      if (items.length === 0) throw new CarrelError("source.nothing-found");
    },
    list: (cursor: string | null) => crawl.list(cursor),
    fetch: crawl.fetch.bind(crawl),
  };
}
