import { z } from "zod";
import { itemsOf, maxHits, text, type JsonEngine } from "../search-engine.ts";

const found = itemsOf(
  z.object({ title: text, url: z.string(), description: text, snippet: text, publishedDate: text }),
);
/** Grouped by kind of source if several were asked for. */
const reply = z.object({
  success: z.literal(true),
  data: z.union([
    z.object({ results: z.array(z.unknown()) }).transform(({ results }) => found.parse(results)),
    z.object({ web: z.array(z.unknown()) }).transform(({ web }) => found.parse(web)),
    found,
  ]),
});

/** https://docs.fastcrw.com (POST /v1/search), hosted and self-hosted */
export const crw: JsonEngine = {
  base(setup) {
    const { origin, pathname } = setup.needAddress("AgentCrwApiUrl");
    // Some enter the address with the API's version.
    return `${origin}${pathname.replace(/\/v1(?:\/search)?$/, "").replace(/^\/$/, "")}`;
  },
  request(query, setup) {
    const key = setup.get("AgentCrwApiKey");
    return {
      path: "/v1/search",
      ...(key !== "" && { headers: { authorization: `Bearer ${key}` } }),
      body: { query, limit: maxHits },
    };
  },
  read: (body) =>
    reply.parse(body).data.map(({ title, url, description, snippet, publishedDate }) => ({
      title,
      url,
      snippet: description || snippet,
      published: publishedDate,
    })),
};
