import { z } from "zod";
import { itemsOf, maxHits, text, type JsonEngine } from "../search-engine.ts";

const reply = z.object({
  organic: itemsOf(z.object({ title: text, link: z.string(), snippet: text, date: text })),
});
const refusal = z.object({ message: z.string() });

/** https://serper.dev/playground */
export const serper: JsonEngine = {
  base: () => "https://google.serper.dev",
  request: (query, setup) => ({
    path: "/search",
    headers: { "x-api-key": setup.need("AgentSerperApiKey") },
    body: { q: query, num: maxHits },
  }),
  read: (body) =>
    reply.parse(body).organic.map(({ title, link, snippet, date }) => ({
      title,
      url: link,
      snippet,
      published: date,
    })),
  // 400 without credits left.
  faultOf: (_, body) =>
    /credits/i.test(refusal.safeParse(body).data?.message ?? "") ? "search.quota-exceeded" : null,
};
