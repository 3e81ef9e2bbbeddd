import { z } from "zod";
import { itemsOf, maxHits, text, type JsonEngine } from "../search-engine.ts";

const found = itemsOf(
  z.object({
    title: text,
    url: z.string(),
    description: text,
    snippets: z.array(z.string()).nullish(),
    page_age: text,
  }),
);
const reply = z.object({ results: z.object({ web: found, news: found }) });

/** https://docs.you.com/api-reference/search (v1) */
export const you: JsonEngine = {
  base: () => "https://ydc-index.io",
  request: (query, setup) => ({
    path: "/v1/search",
    params: { query, count: String(maxHits) },
    headers: { "x-api-key": setup.need("AgentYouApiKey") },
  }),
  read(body) {
    const { web, news } = reply.parse(body).results;
    return [...web, ...news].map((one) => ({
      title: one.title,
      url: one.url,
      snippet: one.snippets?.join(" … ") || one.description,
      published: one.page_age,
    }));
  },
};
