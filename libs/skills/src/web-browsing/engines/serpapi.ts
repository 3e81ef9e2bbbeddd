import type { JsonEngine } from "../search-engine.ts";
import { readSerpFault, readSerpResults } from "./serp-results.ts";

/** What engines call the query. */
const queryNames: Readonly<Record<string, string>> = { yahoo: "p", yandex: "text", amazon: "k" };

/** https://serpapi.com/search-api; the key is only accepted as a parameter. */
export const serpApi: JsonEngine = {
  base: () => "https://serpapi.com",
  request: (query, setup) => {
    const engine = setup.get("AgentSerpApiEngine");
    return {
      path: "/search.json",
      params: {
        engine,
        [Object.hasOwn(queryNames, engine) ? queryNames[engine]! : "q"]: query,
        api_key: setup.need("AgentSerpApiKey"),
      },
    };
  },
  read: readSerpResults,
  faultOf: readSerpFault,
};
