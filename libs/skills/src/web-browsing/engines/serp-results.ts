import { z } from "zod";
import { itemsOf, text, type EngineFault, type SearchHit } from "../search-engine.ts";

/*
 * SerpApi and SearchApi resell the result pages of many engines and name their parts alike: the
 * list depends on the engine, and so does the field with the address.
 */

const name = z.union([z.string(), z.object({ name: z.string() }).transform((one) => one.name)]);

const item = z
  .object({
    title: z.string(),
    link: z.string().optional(),
    product_link: z.string().optional(),
    website: z.string().optional(),
    share_link: z.string().optional(),
    sharing_link: z.string().optional(),
    patent_link: z.string().optional(),
    apply_options: itemsOf(z.object({ link: z.string() })),
    snippet: text,
    description: text,
    date: text.catch(""),
    published_time: text.catch(""),
    publication_date: text.catch(""),
    publication_info: z.object({ summary: text }).optional().catch(undefined),
    source: name.optional().catch(undefined),
    company_name: text.catch(""),
    location: text.catch(""),
    address: text.catch(""),
    price: z.union([z.string(), z.number()]).optional().catch(undefined),
  })
  .transform((found): SearchHit | null => {
    const url =
      found.link ??
      found.product_link ??
      found.website ??
      found.share_link ??
      found.sharing_link ??
      found.patent_link ??
      found.apply_options[0]?.link;
    if (url === undefined) return null;
    const facts = [
      found.company_name,
      found.location,
      found.address,
      String(found.price ?? ""),
      found.publication_info?.summary ?? "",
      found.snippet || found.description,
    ];
    return {
      title: found.title,
      url,
      snippet: facts.filter((fact) => fact !== "").join(" · "),
      published: found.date || found.published_time || found.publication_date || undefined,
    };
  });

const lists = [
  "organic_results",
  "news_results",
  "top_stories",
  "jobs_results",
  "jobs",
  "local_results",
  "shopping_results",
  "videos",
] as const;

const reply = z.looseObject({});
const items = itemsOf(item);

/** Reads the first non-empty list of results. */
export function readSerpResults(body: unknown): SearchHit[] {
  const page = reply.parse(body);
  for (const list of lists) {
    const found = items.safeParse(page[list]).data ?? [];
    const hits = found.filter((hit) => hit !== null);
    if (hits.length > 0) return hits;
  }
  return [];
}

const refusal = z.object({ error: z.string() });

/** Both report faults as a sentence; one that says that nothing was found is none. */
export function readSerpFault(status: number, body: unknown): EngineFault | null {
  const { error = "" } = refusal.safeParse(body).data ?? {};
  if (/api.?key/i.test(error)) return "search.key-refused";
  if (/run out of searches|searches per|throttled|limit|upgrade/i.test(error))
    return "search.quota-exceeded";
  // 200 and "hasn't returned any results" is a search without results.
  return status === 200 && error !== "" && !/any results|no results/i.test(error)
    ? "search.unexpected-response"
    : null;
}
