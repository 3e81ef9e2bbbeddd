import { z } from "zod";
import { itemsOf, maxHits, text, type JsonEngine } from "../search-engine.ts";

const reply = z.object({
  type: z.literal("search"),
  web: z
    .object({
      results: itemsOf(
        z.object({
          title: text,
          url: z.string(),
          description: text,
          page_age: text,
          extra_snippets: z.array(z.string()).nullish(),
        }),
      ),
    })
    .optional(),
});
const refusal = z.object({ error: z.object({ code: text }) });

/** https://api-dashboard.search.brave.com/app/documentation/web-search */
export const brave: JsonEngine = {
  base: () => "https://api.search.brave.com",
  request: (query, setup) => ({
    path: "/res/v1/web/search",
    // Longer queries are refused: 400 characters and 50 words.
    params: {
      q: query.split(/\s+/).slice(0, 50).join(" "),
      count: String(maxHits),
      text_decorations: "false",
      result_filter: "web",
    },
    headers: { "x-subscription-token": setup.need("AgentBraveApiKey") },
  }),
  read: (body) =>
    (reply.parse(body).web?.results ?? []).map((found) => ({
      title: found.title,
      url: found.url,
      snippet: [found.description, ...(found.extra_snippets ?? [])].join(" … "),
      published: found.page_age,
    })),
  // An unknown key has status 422.
  faultOf(_, body) {
    const code = refusal.safeParse(body).data?.error.code ?? "";
    if (code.startsWith("SUBSCRIPTION_")) return "search.key-refused";
    return /^(?:RATE|QUOTA)_LIMITED$/.test(code) ? "search.quota-exceeded" : null;
  },
};
