import { z } from "zod";
import { itemsOf, text, type JsonEngine } from "../search-engine.ts";

const reply = z.object({
  query: z.string(),
  results: itemsOf(z.object({ title: text, url: z.string(), content: text, publishedDate: text })),
});

/** https://docs.searxng.org/dev/search_api.html */
export const searXng: JsonEngine = {
  base(setup) {
    const { origin, pathname } = setup.needAddress("AgentSearXNGApiUrl");
    return `${origin}${pathname === "/" ? "" : pathname}`;
  },
  request(query, setup) {
    const { username, password } = setup.needAddress("AgentSearXNGApiUrl");
    const credential = Buffer.from(
      `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
    ).toString("base64");
    return {
      path: "/search",
      params: { q: query, format: "json" },
      ...(username !== "" && { headers: { authorization: `Basic ${credential}` } }),
    };
  },
  read: (body) =>
    reply.parse(body).results.map(({ title, url, content, publishedDate }) => ({
      title,
      url,
      snippet: content,
      published: publishedDate,
    })),
  // It has no keys: its answer to formats that aren't enabled.
  faultOf: (status) => (status === 403 ? "search.format-disabled" : null),
};
