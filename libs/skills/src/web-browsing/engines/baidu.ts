import { z } from "zod";
import { itemsOf, maxHits, text, type JsonEngine } from "../search-engine.ts";

const reply = z.object({
  references: itemsOf(z.object({ title: text, url: z.string(), content: text, date: text })),
});
/** Some refusals have status 200. */
const refusal = z.object({ code: z.union([z.string(), z.number()]), message: text });

/** https://ai.baidu.com/ai-doc/AppBuilder (Baidu AI Search, V2) */
export const baidu: JsonEngine = {
  base: () => "https://qianfan.baidubce.com",
  request: (query, setup) => ({
    path: "/v2/ai_search/web_search",
    headers: { authorization: `Bearer ${setup.need("AgentBaiduSearchApiKey")}` },
    body: {
      messages: [{ role: "user", content: query }],
      search_source: "baidu_search_v2",
      resource_type_filter: [{ type: "web", top_k: maxHits }],
    },
  }),
  read: (body) =>
    reply.parse(body).references.map(({ title, url, content, date }) => ({
      title,
      url,
      snippet: content,
      published: date,
    })),
  faultOf(status, body) {
    const { data } = refusal.safeParse(body);
    if (data === undefined) return null;
    const words = `${data.code} ${data.message}`;
    if (/auth|216003|invalid.{0,20}key|access.?denied/i.test(words)) return "search.key-refused";
    if (/limit|quota|balance|arrears/i.test(words)) return "search.quota-exceeded";
    return status === 200 ? "search.unexpected-response" : null;
  },
};
