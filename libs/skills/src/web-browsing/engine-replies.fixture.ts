/*
 * Replies of search engines, shortened, as their published API definitions describe them (November
 * 2026). Each has two pages: one with everything that the engine sends, and one with only what it
 * always sends.
 */

/** What is expected of the first page of each engine. */
export const tide = "https://tides.example/tables";
export const harbour = "https://harbour.example/";

interface EngineExample {
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

export const engineExamples: EngineExample[] = [
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
  {
    id: "searxng-engine",
    source: "https://docs.searxng.org/dev/search_api.html",
    values: { AgentSearXNGApiUrl: "http://me:se%20cret@search.lan:8888/searxng/" },
    request: {
      origin: "http://search.lan:8888",
      method: "GET",
      path: "/searxng/search",
      params: { q: "tides", format: "json" },
      headers: { authorization: `Basic ${btoa("me:se cret")}` },
    },
    reply: {
      query: "tides",
      number_of_results: 0,
      results: [
        {
          url: tide,
          title: "Tide tables",
          content: "High water at Skarnholm.",
          publishedDate: "2026-03-03T00:00:00",
          engine: "mojeek",
          score: 1,
        },
        { url: harbour, title: "Harbour", publishedDate: null },
      ],
      unresponsive_engines: [["qwant", "timeout"]],
    },
    published: "2026-03-03T00:00:00",
  },
  {
    id: "tavily-search",
    source: "https://docs.tavily.com/documentation/api-reference/endpoint/search",
    values: { AgentTavilyApiKey: "k" },
    request: {
      origin: "https://api.tavily.com",
      method: "POST",
      path: "/search",
      headers: { authorization: "Bearer k" },
      body: { query: "tides", max_results: 10 },
    },
    reply: {
      query: "tides",
      answer: null,
      images: [],
      results: [
        {
          title: "Tide tables",
          url: tide,
          content: "High water at Skarnholm.",
          score: 0.9,
          published_date: "2026-03-03",
        },
        { title: "Harbour", url: harbour, score: 0.5, raw_content: null },
      ],
      response_time: "1.67",
    },
    published: "2026-03-03",
    rejected: {
      status: 401,
      body: { detail: { error: "Unauthorized: missing or invalid API key." } },
    },
    exhausted: {
      status: 432,
      body: { detail: { error: "This request exceeds your plan's set usage limit." } },
    },
  },
  {
    id: "exa-search",
    source: "https://docs.exa.ai/reference/search (OpenAPI 1.2.0)",
    values: { AgentExaApiKey: "k" },
    request: {
      origin: "https://api.exa.ai",
      method: "POST",
      path: "/search",
      headers: { "x-api-key": "k" },
      body: { query: "tides", type: "auto", numResults: 10, contents: { highlights: true } },
    },
    reply: {
      requestId: "r",
      results: [
        {
          id: tide,
          title: "Tide tables",
          url: tide,
          publishedDate: "2026-03-03T00:00:00.000Z",
          author: null,
          highlights: ["High water at Skarnholm."],
        },
        { id: harbour, title: "Harbour", url: harbour },
      ],
      costDollars: { total: 0.005 },
    },
    published: "2026-03-03T00:00:00.000Z",
    exhausted: { status: 402, body: { requestId: "r", error: "…", tag: "NO_MORE_CREDITS" } },
  },
  {
    id: "perplexity-search",
    source: "https://docs.perplexity.ai/api-reference/search-post",
    values: { AgentPerplexityApiKey: "k" },
    request: {
      origin: "https://api.perplexity.ai",
      method: "POST",
      path: "/search",
      headers: { authorization: "Bearer k" },
      body: { query: "tides", max_results: 10, max_tokens_per_page: 256 },
    },
    reply: {
      id: "r",
      results: [
        {
          title: "Tide tables",
          url: tide,
          snippet: "High water at Skarnholm.",
          date: "2026-03-03",
          last_updated: "2026-04-01",
        },
        { title: "Harbour", url: harbour, snippet: "" },
      ],
    },
    published: "2026-03-03",
  },
  {
    id: "brave-search",
    source: "https://api-dashboard.search.brave.com/app/documentation/web-search",
    values: { AgentBraveApiKey: "k" },
    request: {
      origin: "https://api.search.brave.com",
      method: "GET",
      path: "/res/v1/web/search",
      params: { q: "tides", count: "10", text_decorations: "false", result_filter: "web" },
      headers: { "x-subscription-token": "k" },
    },
    reply: {
      type: "search",
      query: { original: "tides" },
      web: {
        type: "search",
        results: [
          {
            type: "search_result",
            title: "Tide tables",
            url: tide,
            description: "High water at <strong>Skarnholm</strong>.",
            page_age: "2026-03-03T00:00:00",
          },
          { title: "Harbour", url: harbour },
        ],
      },
    },
    published: "2026-03-03T00:00:00",
    rejected: {
      status: 422,
      body: {
        type: "ErrorResponse",
        error: { id: "e", status: 422, code: "SUBSCRIPTION_TOKEN_INVALID", detail: "…" },
      },
    },
    exhausted: {
      status: 429,
      body: { type: "ErrorResponse", error: { id: "e", status: 429, code: "QUOTA_LIMITED" } },
    },
  },
  {
    id: "crw-search",
    source: "https://docs.fastcrw.com, crates/crw-server/openapi/openapi.json of fastcrw/crw",
    values: { AgentCrwApiKey: "k" },
    request: {
      origin: "https://fastcrw.com",
      method: "POST",
      path: "/api/v1/search",
      headers: { authorization: "Bearer k" },
      body: { query: "tides", limit: 10 },
    },
    reply: {
      success: true,
      data: [
        { url: tide, title: "Tide tables", description: "High water at Skarnholm.", score: 1 },
        { url: harbour, title: "Harbour" },
      ],
    },
  },
  {
    id: "you-search",
    source: "https://docs.you.com/api-reference/search (v1)",
    values: { AgentYouApiKey: "k" },
    request: {
      origin: "https://ydc-index.io",
      method: "GET",
      path: "/v1/search",
      params: { query: "tides", count: "10" },
      headers: { "x-api-key": "k" },
    },
    reply: {
      results: {
        web: [
          {
            url: tide,
            title: "Tide tables",
            description: "A site about tides.",
            snippets: ["High water at Skarnholm."],
            page_age: "2026-03-03T00:00:00",
          },
        ],
        news: [{ url: harbour, title: "Harbour" }],
      },
      metadata: { query: "tides", search_uuid: "u", latency: 0.1 },
    },
    published: "2026-03-03T00:00:00",
  },
];

/** A result page of html.duckduckgo.com, shortened to what is read: an ad and two results. */
export const duckDuckGoPage = `<!DOCTYPE html><html><body><div id="links" class="results">
<div class="result results_links results_links_deep result--ad">
  <h2 class="result__title"><a rel="nofollow" class="result__a" href="https://duckduckgo.com/y.js?ad_domain=shop.example&amp;u3=x">Buy tides</a></h2>
  <a class="result__snippet" href="https://duckduckgo.com/y.js?ad_domain=shop.example">Ad</a></div>
<div class="result results_links results_links_deep web-result">
  <div class="links_main links_deep result__body"><h2 class="result__title">
  <a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Ftides.example%2Ftables&amp;rut=abc">Tide &amp; tables</a></h2>
  <a class="result__snippet" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Ftides.example%2Ftables">High water at <b>Skarnholm</b>.</a></div></div>
<div class="result results_links results_links_deep web-result">
  <h2 class="result__title"><a class="result__a" href="https://harbour.example/">Harbour</a></h2></div>
</div></body></html>`;

export const duckDuckGoCaptcha = `<html><body><form id="challenge-form" action="//duckduckgo.com/anomaly.js">
<div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form></body></html>`;

export const duckDuckGoNothing = `<html><body><div id="links" class="results">
<div class="result results_links result--no-result"><div class="no-results">No results.</div></div></div></body></html>`;
