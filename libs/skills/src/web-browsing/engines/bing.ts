import { z } from "zod";
import { itemsOf, maxHits, text, type JsonEngine } from "../search-engine.ts";

const reply = z.object({
  webPages: z
    .object({
      value: itemsOf(z.object({ name: text, url: z.string(), snippet: text, datePublished: text })),
    })
    .optional(),
});
const refusal = z.object({ error: z.object({ message: text }) });

/** https://learn.microsoft.com/bing/search-apis/bing-web-search/reference (v7.0) */
export const bing: JsonEngine = {
  base: () => "https://api.bing.microsoft.com",
  request: (query, setup) => ({
    path: "/v7.0/search",
    params: { q: query, count: String(maxHits), textFormat: "Raw", responseFilter: "Webpages" },
    headers: { "ocp-apim-subscription-key": setup.need("AgentBingSearchApiKey") },
  }),
  read: (body) =>
    (reply.parse(body).webPages?.value ?? []).map(({ name, url, snippet, datePublished }) => ({
      title: name,
      url,
      snippet,
      published: datePublished,
    })),
  // 403 also says that the month's or day's queries are used up.
  faultOf: (_, body) =>
    /quota/i.test(refusal.safeParse(body).data?.error.message ?? "")
      ? "search.quota-exceeded"
      : null,
};
