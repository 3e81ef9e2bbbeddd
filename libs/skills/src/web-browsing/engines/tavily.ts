import { z } from "zod";
import { itemsOf, maxHits, text, type JsonEngine } from "../search-engine.ts";

const reply = z.object({
  results: itemsOf(z.object({ title: text, url: z.string(), content: text, published_date: text })),
});

/** https://docs.tavily.com/documentation/api-reference/endpoint/search */
export const tavily: JsonEngine = {
  base: () => "https://api.tavily.com",
  request: (query, setup) => ({
    path: "/search",
    headers: { authorization: `Bearer ${setup.need("AgentTavilyApiKey")}` },
    body: { query, max_results: maxHits },
  }),
  read: (body) =>
    reply.parse(body).results.map(({ title, url, content, published_date }) => ({
      title,
      url,
      snippet: content,
      published: published_date,
    })),
  // 432: the limit of the key or plan, 433: that of pay-as-you-go.
  faultOf: (status) => (status === 432 || status === 433 ? "search.quota-exceeded" : null),
};
