import { z } from "zod";
import { itemsOf, maxHits, text, type JsonEngine } from "../search-engine.ts";

const reply = z.object({
  results: itemsOf(
    z.object({
      title: text,
      url: z.string(),
      publishedDate: text,
      highlights: z.array(z.string()).nullish(),
      text,
    }),
  ),
});

/** https://docs.exa.ai/reference/search */
export const exa: JsonEngine = {
  base: () => "https://api.exa.ai",
  request: (query, setup) => ({
    path: "/search",
    headers: { "x-api-key": setup.need("AgentExaApiKey") },
    body: { query, type: "auto", numResults: maxHits, contents: { highlights: true } },
  }),
  read: (body) =>
    reply.parse(body).results.map((found) => ({
      title: found.title,
      url: found.url,
      snippet: found.highlights?.join(" … ") || found.text,
      published: found.publishedDate,
    })),
};
