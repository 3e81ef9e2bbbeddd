import type { ContentClient } from "@carrel/egress";
import type { MarkupElement, MarkupNode } from "@carrel/markup";
import { toolFault } from "../../tool-fault.ts";
import type { EngineSetup, SearchHit } from "../search-engine.ts";

/** DuckDuckGo has no API: its page for browsers without scripts, which has no scripts itself. */
export const duckDuckGoAddress = "https://html.duckduckgo.com/html/";

const hasClass = ({ attributes }: MarkupElement, name: string): boolean =>
  (attributes.get("class") ?? "").split(/\s+/).includes(name);

/** All elements that match, outermost first. */
function findAll(nodes: readonly MarkupNode[], matches: (one: MarkupElement) => boolean) {
  const found: MarkupElement[] = [];
  const visit = (node: MarkupNode): void => {
    if (typeof node === "string") return;
    if (matches(node)) found.push(node);
    node.children.forEach(visit);
  };
  nodes.forEach(visit);
  return found;
}

/** The page behind a result's link, which leads through a redirect; null for ads. */
function readTarget(href: string): string | null {
  const base = "https://duckduckgo.com/";
  if (!URL.canParse(href, base)) return null;
  const link = new URL(href, base);
  if (!/(?:^|\.)duckduckgo\.com$/.test(link.hostname)) return link.href;
  return link.pathname === "/l/" ? link.searchParams.get("uddg") : null;
}

/** Throws ToolError for a captcha, and for a page of another form. */
export async function searchDuckDuckGo(
  query: string,
  setup: EngineSetup,
  content: ContentClient,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const reply = await content.fetch(duckDuckGoAddress, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "user-agent": "Mozilla/5.0 (compatible; Carrel/0.1; +self-hosted document workspace)",
      accept: "text/html",
      "accept-language": "en",
    },
    body: new URLSearchParams({ q: query }).toString(),
    maxBytes: 3_000_000,
    timeoutMs: 20_000,
    signal,
  });
  const page = reply.body.toString();
  // The page with the captcha has a status of success.
  if (reply.status === 202 || reply.status === 403 || /anomaly-modal|challenge-form/.test(page))
    throw setup.fault("search.blocked");
  if (reply.status === 429) throw setup.fault("search.quota-exceeded");
  if (reply.status !== 200)
    throw toolFault({
      code: "search.refused",
      params: { provider: setup.provider.name, status: reply.status },
    });
  const hits = await readResults(page);
  if (hits.length === 0 && !/no-results|No results/.test(page))
    throw setup.fault("search.unexpected-response");
  return hits;
}

async function readResults(page: string): Promise<SearchHit[]> {
  const { parseMarkup, textOf } = await import("@carrel/markup");
  const results = findAll(
    parseMarkup(page),
    (one) => hasClass(one, "result") && !hasClass(one, "result--ad"),
  );
  return results.flatMap((result) => {
    const [link] = findAll([result], (one) => hasClass(one, "result__a"));
    const [snippet] = findAll([result], (one) => hasClass(one, "result__snippet"));
    const url = readTarget(link?.attributes.get("href") ?? "");
    return link === undefined || url === null
      ? []
      : [{ title: textOf([link]), url, snippet: snippet === undefined ? "" : textOf([snippet]) }];
  });
}
