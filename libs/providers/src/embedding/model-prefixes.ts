export interface Prefixes {
  passage: string;
  query: string;
}

export const noPrefixes: Prefixes = { passage: "", query: "" };

const onlyQuery = (query: string): Prefixes => ({ passage: "", query });
const searching = "Represent this sentence for searching relevant passages: ";

/**
 * Prefixes that models were trained with for passages and questions, by the models' names, from
 * their model cards (huggingface.co, 2024 to 2026). Servers that run the models don't add them.
 */
const known: readonly (readonly [RegExp, Prefixes])[] = [
  [/nomic-embed-(?:text|code)/, { passage: "search_document: ", query: "search_query: " }],
  [
    /multilingual-e5-large-instruct/,
    onlyQuery("Instruct: Given a question, retrieve passages that answer it\nQuery: "),
  ],
  [/(?:^|[^a-z0-9])e5-(?:small|base|large)/, { passage: "passage: ", query: "query: " }],
  [/embedding-?gemma/, { passage: "title: none | text: ", query: "task: search result | query: " }],
  [/mxbai-embed-large/, onlyQuery(searching)],
  [/snowflake-arctic-embed.*(?:2|v2)/, onlyQuery("query: ")],
  [/snowflake-arctic-embed/, onlyQuery(searching)],
  [/bge-(?:small|base|large)-en/, onlyQuery(searching)],
  [
    /qwen3-embedding/,
    onlyQuery("Instruct: Given a question, retrieve passages that answer it\nQuery:"),
  ],
];

/** Returns no prefixes for models that take none or aren't known. */
export function prefixesOf(model: string): Prefixes {
  const name = model.toLowerCase();
  return known.find(([pattern]) => pattern.test(name))?.[1] ?? noPrefixes;
}
