import type { ProviderField } from "./provider.ts";

/** A search engine that agents can use, chosen by `agent_search_provider` (wire-contract 5.7). */
export interface SearchProviderDeclaration {
  id: string;
  name: string;
  /** local: a server of the owner's, so queries stay there as far as it decides. */
  group: "local" | "hosted";
  /** Page where keys are issued. */
  keyUrl?: string;
  /** Keys are those of `update-env` (wire-contract 2.1 and 11). */
  fields: readonly ProviderField[];
}

const key = (name: string): ProviderField => ({
  key: name,
  label: "key",
  kind: "secret",
  required: true,
});

/** What is searched: the web, or news, papers, products and so on. */
const engine = (name: string, options: string[]): ProviderField => ({
  key: name,
  label: "engine",
  kind: "select",
  required: true,
  default: "google",
  options,
});

/** In the order of settings pages; the first is used until another is chosen. */
export const searchProviders: readonly SearchProviderDeclaration[] = [
  { id: "duckduckgo-engine", name: "DuckDuckGo", group: "hosted", fields: [] },
  {
    id: "searxng-engine",
    name: "SearXNG",
    group: "local",
    fields: [
      {
        key: "AgentSearXNGApiUrl",
        label: "address",
        kind: "url",
        required: true,
        placeholder: "http://localhost:8080",
      },
    ],
  },
  {
    id: "brave-search",
    name: "Brave Search",
    group: "hosted",
    keyUrl: "https://api-dashboard.search.brave.com/app/keys",
    fields: [key("AgentBraveApiKey")],
  },
  {
    id: "tavily-search",
    name: "Tavily",
    group: "hosted",
    keyUrl: "https://app.tavily.com/home",
    fields: [key("AgentTavilyApiKey")],
  },
  {
    id: "exa-search",
    name: "Exa",
    group: "hosted",
    keyUrl: "https://dashboard.exa.ai/api-keys",
    fields: [key("AgentExaApiKey")],
  },
  {
    id: "perplexity-search",
    name: "Perplexity Search",
    group: "hosted",
    keyUrl: "https://www.perplexity.ai/account/api/keys",
    fields: [key("AgentPerplexityApiKey")],
  },
  {
    id: "you-search",
    name: "You.com",
    group: "hosted",
    keyUrl: "https://you.com/platform/api-keys",
    fields: [key("AgentYouApiKey")],
  },
  {
    id: "serpapi",
    name: "SerpApi",
    group: "hosted",
    keyUrl: "https://serpapi.com/manage-api-key",
    fields: [
      key("AgentSerpApiKey"),
      engine("AgentSerpApiEngine", [
        "google",
        "google_light",
        "google_news",
        "google_scholar",
        "google_patents",
        "google_jobs",
        "google_maps",
        "google_shopping",
        "bing",
        "duckduckgo",
        "yahoo",
        "yandex",
        "baidu",
        "amazon",
      ]),
    ],
  },
  {
    id: "searchapi",
    name: "SearchApi",
    group: "hosted",
    keyUrl: "https://www.searchapi.io/",
    fields: [
      key("AgentSearchApiKey"),
      engine("AgentSearchApiEngine", [
        "google",
        "google_light",
        "google_news",
        "google_scholar",
        "google_patents",
        "google_jobs",
        "google_maps",
        "google_shopping",
        "bing",
        "bing_news",
        "duckduckgo",
        "yahoo",
        "yandex",
        "baidu",
        "youtube",
        "amazon_search",
      ]),
    ],
  },
  {
    id: "serper-dot-dev",
    name: "Serper",
    group: "hosted",
    keyUrl: "https://serper.dev/api-key",
    fields: [key("AgentSerperApiKey")],
  },
  {
    id: "serply-engine",
    name: "Serply",
    group: "hosted",
    keyUrl: "https://app.serply.io/",
    fields: [key("AgentSerplyApiKey")],
  },
  {
    id: "bing-search",
    name: "Bing Search",
    group: "hosted",
    keyUrl: "https://portal.azure.com/",
    fields: [key("AgentBingSearchApiKey")],
  },
  {
    id: "baidu-search",
    name: "Baidu AI Search",
    group: "hosted",
    keyUrl: "https://console.bce.baidu.com/iam/#/iam/apikey/list",
    fields: [key("AgentBaiduSearchApiKey")],
  },
  {
    id: "crw-search",
    name: "CRW",
    group: "hosted",
    keyUrl: "https://fastcrw.com/dashboard",
    fields: [
      {
        key: "AgentCrwApiUrl",
        label: "address",
        kind: "url",
        required: true,
        default: "https://fastcrw.com/api",
      },
      // A server of one's own may be open.
      { ...key("AgentCrwApiKey"), required: false },
    ],
  },
];

/**
 * The provider that a stored choice stands for: DuckDuckGo if none was made, and for
 * `google-search-engine`, which existing clients may choose though nobody implements it.
 */
export const chosenSearchProvider = (id: string | null): SearchProviderDeclaration =>
  searchProviders.find((provider) => provider.id === id) ?? searchProviders[0]!;
