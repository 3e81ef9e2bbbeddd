import type { JsonEngine } from "../search-engine.ts";
import { readSerpFault, readSerpResults } from "./serp-results.ts";

/** https://www.searchapi.io/docs/google */
export const searchApi: JsonEngine = {
  base: () => "https://www.searchapi.io",
  request: (query, setup) => ({
    path: "/api/v1/search",
    params: { engine: setup.get("AgentSearchApiEngine"), q: query },
    headers: { authorization: `Bearer ${setup.need("AgentSearchApiKey")}` },
  }),
  read: readSerpResults,
  faultOf: readSerpFault,
};
