import type { JsonEngine } from "../search-engine.ts";
import { baidu } from "./baidu.ts";
import { bing } from "./bing.ts";
import { brave } from "./brave.ts";
import { crw } from "./crw.ts";
import { exa } from "./exa.ts";
import { perplexity } from "./perplexity.ts";
import { searchApi } from "./searchapi.ts";
import { searXng } from "./searxng.ts";
import { serpApi } from "./serpapi.ts";
import { serper } from "./serper.ts";
import { serply } from "./serply.ts";
import { tavily } from "./tavily.ts";
import { you } from "./you.ts";

/** By the id of their declaration (`searchProviders`); DuckDuckGo, whose replies are pages, is none. */
export const jsonEngines: ReadonlyMap<string, JsonEngine> = new Map([
  ["baidu-search", baidu],
  ["bing-search", bing],
  ["brave-search", brave],
  ["crw-search", crw],
  ["exa-search", exa],
  ["perplexity-search", perplexity],
  ["searchapi", searchApi],
  ["searxng-engine", searXng],
  ["serpapi", serpApi],
  ["serper-dot-dev", serper],
  ["serply-engine", serply],
  ["tavily-search", tavily],
  ["you-search", you],
]);
