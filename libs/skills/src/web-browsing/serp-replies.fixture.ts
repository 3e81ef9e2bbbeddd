/*
 * Replies of search engines, shortened, as their published API definitions describe them (November
 * 2026). Each has two pages: one with everything that the engine sends, and one with only what it
 * always sends.
 */

/** What is expected of the first page of each engine. */
export const tide = "https://tides.example/tables";
export const harbour = "https://harbour.example/";

export interface EngineExample {
  id: string;
  /** Where its definition is published. */
  source: string;
  values: Record<string, string>;
  /** The request that is expected. */
  request: {
    origin: string;
    method: "GET" | "POST";
    path: string;
    params?: Record<string, string>;
    headers?: Record<string, string>;
    body?: unknown;
  };
  reply: unknown;
  published?: string;
  /** What the engine sends for a rejected key, if it differs from status 401. */
  rejected?: { status: number; body: unknown };
  /** What it sends once its quota is used up, if that differs from status 429. */
  exhausted?: { status: number; body: unknown };
}

const serp = {
  search_metadata: { id: "abc", status: "Success" },
  organic_results: [
    {
      position: 1,
      title: "Tide tables",
      link: tide,
      displayed_link: "tides.example",
      snippet: "High water at Skarnholm.",
      date: "Mar 3, 2026",
      source: "Tides",
    },
    { position: 2, title: "Harbour", link: harbour },
  ],
};

/** Those of companies that read the result pages of others, and of the large engines. */
export const serpExamples: EngineExample[] = [
  {
    id: "serpapi",
    source: "https://serpapi.com/search-api, https://serpapi.com/api-status-and-error-codes",
    values: { AgentSerpApiKey: "k" },
    request: {
      origin: "https://serpapi.com",
      method: "GET",
      path: "/search.json",
      params: { engine: "google", q: "tides", api_key: "k" },
    },
    reply: serp,
    published: "Mar 3, 2026",
    rejected: {
      status: 401,
      body: { error: "Invalid API key. Your API key should be here: https://serpapi.com" },
    },
    exhausted: { status: 429, body: { error: "Your account has run out of searches." } },
  },
  {
    id: "searchapi",
    source: "https://www.searchapi.io/docs/google",
    values: { AgentSearchApiKey: "k", AgentSearchApiEngine: "google_light" },
    request: {
      origin: "https://www.searchapi.io",
      method: "GET",
      path: "/api/v1/search",
      params: { engine: "google_light", q: "tides" },
      headers: { authorization: "Bearer k" },
    },
    reply: serp,
    published: "Mar 3, 2026",
    exhausted: {
      status: 429,
      body: { error: "You have used all of the searches for the month. Upgrade your plan." },
    },
  },
  {
    id: "serper-dot-dev",
    source: "https://serper.dev/playground",
    values: { AgentSerperApiKey: "k" },
    request: {
      origin: "https://google.serper.dev",
      method: "POST",
      path: "/search",
      headers: { "x-api-key": "k" },
      body: { q: "tides", num: 10 },
    },
    reply: {
      searchParameters: { q: "tides", type: "search", engine: "google" },
      organic: [
        {
          title: "Tide tables",
          link: tide,
          snippet: "High water at Skarnholm.",
          date: "Mar 3, 2026",
          position: 1,
        },
        { title: "Harbour", link: harbour, position: 2 },
      ],
      credits: 1,
    },
    published: "Mar 3, 2026",
    rejected: { status: 403, body: { message: "Unauthorized.", statusCode: 403 } },
    exhausted: { status: 400, body: { message: "Not enough credits", statusCode: 400 } },
  },
  {
    id: "bing-search",
    source:
      "https://learn.microsoft.com/bing/search-apis/bing-web-search/reference/response-objects (v7.0)",
    values: { AgentBingSearchApiKey: "k" },
    request: {
      origin: "https://api.bing.microsoft.com",
      method: "GET",
      path: "/v7.0/search",
      params: { q: "tides", count: "10", textFormat: "Raw", responseFilter: "Webpages" },
      headers: { "ocp-apim-subscription-key": "k" },
    },
    reply: {
      _type: "SearchResponse",
      webPages: {
        value: [
          {
            id: "https://api.bing.microsoft.com/api/v7/#WebPages.0",
            name: "Tide tables",
            url: tide,
            snippet: "High water at Skarnholm.",
            datePublished: "2026-03-03T00:00:00.0000000",
          },
          { name: "Harbour", url: harbour },
        ],
      },
    },
    published: "2026-03-03T00:00:00.0000000",
    exhausted: {
      status: 403,
      body: { error: { code: "403", message: "Out of call volume quota." } },
    },
  },
  {
    id: "baidu-search",
    source: "https://ai.baidu.com/ai-doc/AppBuilder (Baidu AI Search, V2)",
    values: { AgentBaiduSearchApiKey: "k" },
    request: {
      origin: "https://qianfan.baidubce.com",
      method: "POST",
      path: "/v2/ai_search/web_search",
      headers: { authorization: "Bearer k" },
      body: {
        messages: [{ role: "user", content: "tides" }],
        search_source: "baidu_search_v2",
        resource_type_filter: [{ type: "web", top_k: 10 }],
      },
    },
    reply: {
      request_id: "r",
      references: [
        {
          id: 1,
          title: "Tide tables",
          url: tide,
          content: "High water at Skarnholm.",
          date: "2026-03-03 00:00:00",
          type: "web",
        },
        { id: 2, title: "Harbour", url: harbour, type: "web" },
      ],
    },
    published: "2026-03-03 00:00:00",
    rejected: {
      status: 200,
      body: { code: "216003", message: "Authentication error", requestId: "r" },
    },
    exhausted: { status: 429, body: { code: "rpm_rate_limit_exceeded", message: "Rate limit" } },
  },
  {
    id: "serply-engine",
    source: "https://serply.io/docs",
    values: { AgentSerplyApiKey: "k" },
    request: {
      origin: "https://api.serply.io",
      method: "GET",
      path: "/v1/search",
      params: { q: "tides", num: "10" },
      headers: { "x-api-key": "k" },
    },
    reply: {
      results: [
        {
          title: "Tide tables",
          link: tide,
          description: "High water at Skarnholm.",
          realPosition: 1,
        },
        { title: "Harbour", link: harbour },
      ],
    },
  },
];
