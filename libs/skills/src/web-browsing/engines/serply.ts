import { z } from "zod";
import { itemsOf, maxHits, text, type JsonEngine } from "../search-engine.ts";

const reply = z.object({
  results: itemsOf(z.object({ title: text, link: z.string(), description: text })),
});

/** https://serply.io/docs */
export const serply: JsonEngine = {
  base: () => "https://api.serply.io",
  request: (query, setup) => ({
    path: "/v1/search",
    params: { q: query, num: String(maxHits) },
    headers: { "x-api-key": setup.need("AgentSerplyApiKey") },
  }),
  read: (body) =>
    reply
      .parse(body)
      .results.map(({ title, link, description }) => ({ title, url: link, snippet: description })),
};
