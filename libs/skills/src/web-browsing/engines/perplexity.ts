import { z } from "zod";
import { itemsOf, maxHits, text, type JsonEngine } from "../search-engine.ts";

const reply = z.object({
  results: itemsOf(
    z.object({ title: text, url: z.string(), snippet: text, date: text, last_updated: text }),
  ),
});

/** https://docs.perplexity.ai/api-reference/search-post */
export const perplexity: JsonEngine = {
  base: () => "https://api.perplexity.ai",
  request: (query, setup) => ({
    path: "/search",
    headers: { authorization: `Bearer ${setup.need("AgentPerplexityApiKey")}` },
    body: { query, max_results: maxHits, max_tokens_per_page: 256 },
  }),
  read: (body) =>
    reply.parse(body).results.map(({ title, url, snippet, date, last_updated }) => ({
      title,
      url,
      snippet,
      published: date || last_updated,
    })),
};
