import { chosenSearchProvider, clipText } from "@carrel/contracts";
import { EgressError, type ContentClient } from "@carrel/egress";
import { z } from "zod";
import { onOneLine } from "../plain-text.ts";
import { toolFault } from "../tool-fault.ts";
import type { Tool, ToolResult } from "../tool.ts";
import { webSource } from "../web-source.ts";
import { duckDuckGoAddress, searchDuckDuckGo } from "./engines/duckduckgo.ts";
import { jsonEngines } from "./engines/index.ts";
import { searchJson, sharedFetch, type FetchFor } from "./json-search.ts";
import { EngineSetup, maxHits, type JsonEngine, type SearchHit } from "./search-engine.ts";

export interface WebBrowsingOptions {
  /** As `agent_search_provider`; null: none chosen. */
  provider: string | null;
  /** The engines' settings by key. */
  values: Readonly<Record<string, string>>;
  /** For engines whose results are pages. */
  content: ContentClient;
  /** For engines with an API; default: clients that reach their origin only. */
  fetchFor?: FetchFor;
}

const longestQuery = 400;
const longestTitle = 200;
const longestSnippet = 600;
const longestAddress = 2_000;

const input = z.object({
  query: z
    .string()
    .trim()
    .min(1)
    .describe("What to search for, as typed into a search engine, in at most 400 characters."),
});

type SearchInput = z.infer<typeof input>;

/**
 * Skill `web-browsing`: searches the web with the engine that an admin has chosen, by default
 * DuckDuckGo.
 *
 * Whether a search needs an approval depends on what the run has read: a query can carry that to the
 * chosen engine.
 */
export function createWebBrowsing(options: WebBrowsingOptions): Tool[] {
  const provider = chosenSearchProvider(options.provider);
  const setup = new EngineSetup(provider, options.values);
  const engine = jsonEngines.get(provider.id) ?? null;

  async function search(query: string, signal: AbortSignal): Promise<SearchHit[]> {
    if (engine !== null)
      return searchJson(engine, query, setup, {
        fetchFor: options.fetchFor ?? sharedFetch,
        signal,
      });
    try {
      return await searchDuckDuckGo(query, setup, options.content, signal);
    } catch (fault) {
      if (!(fault instanceof EgressError)) throw fault;
      if (fault.reason === "timeout") throw setup.fault("search.timed-out");
      if (fault.reason === "unreachable") throw setup.fault("search.unreachable");
      throw toolFault(fault.fault, "", fault);
    }
  }

  const tool: Tool<SearchInput> = {
    skill: "web-browsing",
    name: "search-web",
    description:
      "Searches the web. Returns titles, addresses and excerpts of pages; read-web-page reads a whole one. " +
      "Use it for what the documents don't contain or what may have changed. Write a short query with the words that the page would contain.",
    input,
    effect: "fetch",
    isUntrusted: true,
    isRepeatable: true,
    approval: "never",
    object: ({ query }) => onOneLine(clipText(query, longestQuery)),
    addresses: () => addressesOf(setup, engine),
    describe: ({ query }) => ({
      destination: provider.name,
      details: [{ label: "query", value: query }],
    }),
    async run({ query }, call) {
      const asked = onOneLine(clipText(query, longestQuery));
      const hits = tidyHits(await search(asked, call.signal));
      return writeResults(asked, provider.name, hits, call.nextSource);
    },
  };
  return [tool as Tool];
}

/** The origin that a search requests; none if the settings don't say, because then it fails. */
function addressesOf(setup: EngineSetup, engine: JsonEngine | null): string[] {
  if (engine === null) return [new URL(duckDuckGoAddress).origin];
  try {
    return [new URL(engine.base(setup)).origin];
  } catch {
    return [];
  }
}

const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** Several engines mark the query's words with tags, and write entities. */
const plain = (text: string): string =>
  text
    .replace(/<\/?(?:strong|b|em|i|mark|span|br)\b[^<>]{0,200}>/gi, "")
    .replace(/&(#x?[\da-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) => {
      if (!name.startsWith("#")) return named[name.toLowerCase()] ?? whole;
      const code = /^#x/i.test(name)
        ? Number.parseInt(name.slice(2), 16)
        : Number.parseInt(name.slice(1), 10);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });

const line = (text: string, most: number): string => {
  // Cut before as well, because some engines send whole pages.
  const one = onOneLine(plain(clipText(text, most * 10)));
  return one.length > most ? `${clipText(one, most - 1)}…` : one;
};

/** Each address once, and only those of the web. */
function tidyHits(hits: readonly SearchHit[]): SearchHit[] {
  const seen = new Set<string>();
  return hits
    .flatMap(({ title, url, snippet, published = "" }) => {
      if (url.length > longestAddress || !URL.canParse(url)) return [];
      const { protocol, href, hostname, username } = new URL(url);
      if (!/^https?:$/.test(protocol) || username !== "" || seen.has(href)) return [];
      seen.add(href);
      return [
        {
          title: line(title, longestTitle) || hostname,
          url: href,
          snippet: line(snippet, longestSnippet),
          published: line(published, 40),
        },
      ];
    })
    .slice(0, maxHits);
}

function writeResults(
  query: string,
  engine: string,
  hits: readonly SearchHit[],
  first: number,
): ToolResult {
  if (hits.length === 0)
    return { text: `${engine} found nothing for: ${query}\nTry other or fewer words.` };
  const entries = hits.map(({ title, url, snippet, published }, index) =>
    [`[${first + index}] ${title}`, url, published, snippet]
      .filter((part) => part !== "" && part !== undefined)
      .join("\n"),
  );
  return {
    text: `Found by ${engine} for: ${query}\nCite a result by its number.\n\n${entries.join("\n\n")}`,
    sources: hits.map(({ title, url, snippet, published }) =>
      webSource({
        url,
        title,
        text: snippet,
        ...(published !== undefined && { published }),
      }),
    ),
    addresses: hits.map(({ url }) => url),
  };
}
