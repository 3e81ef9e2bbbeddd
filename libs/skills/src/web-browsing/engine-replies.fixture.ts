import { harbour, serpExamples, tide, type EngineExample } from "./serp-replies.fixture.ts";

export const engineExamples: EngineExample[] = [
  ...serpExamples,
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
