export interface SettingCaption {
  /** In English; other languages of the app translate it as `settings:field.<label>`. */
  text: string;
  /** What follows the number in the field. */
  unit?: "tokens" | "characters" | "milliseconds";
  /** An embedder's vectors aren't comparable across its values, so a change re-indexes. */
  decidesVectors?: true;
}

/**
 * What the fields of providers and vector stores are called, each under the name that its
 * declaration gives as `label`. Declarations with another label don't compile.
 */
export const settingCaptions = {
  accessKey: { text: "Secret access key" },
  accessKeyId: { text: "Access key ID" },
  accessToken: { text: "Access token" },
  address: { text: "Base URL" },
  applicationToken: { text: "Application token" },
  batchSize: { text: "Batch size" },
  collectionPrefix: { text: "Collection prefix" },
  concurrent: { text: "Concurrent passages" },
  connectionMethod: { text: "Sign-in method" },
  connectionString: { text: "Connection string" },
  contextWindow: { text: "Context window", unit: "tokens" },
  database: { text: "Database" },
  deployment: { text: "Deployment name", decidesVectors: true },
  dimensions: { text: "Dimensions", decidesVectors: true },
  engine: { text: "Search engine" },
  endpoint: { text: "Address" },
  index: { text: "Index" },
  keepLoaded: { text: "Keep the model loaded, in seconds" },
  key: { text: "API key" },
  keyHeader: { text: "Header for the API key" },
  longestAnswer: { text: "Maximum answer length", unit: "tokens" },
  longestPassage: { text: "Maximum passage length", unit: "characters" },
  model: { text: "Model", decidesVectors: true },
  modelDownload: { text: "Download the model" },
  modelType: { text: "Model type" },
  passagePrefix: { text: "Passage prefix", decidesVectors: true },
  password: { text: "Password" },
  performance: { text: "Performance mode" },
  promptCache: { text: "Cache long prompts for" },
  queryPrefix: { text: "Query prefix", decidesVectors: true },
  region: { text: "Region" },
  safety: { text: "Safety filter" },
  sessionToken: { text: "Session token" },
  streamTimeout: { text: "Maximum time per answer", unit: "milliseconds" },
  table: { text: "Table" },
  tenant: { text: "Tenant" },
  username: { text: "Username" },
  voice: { text: "Voice" },
} as const satisfies Record<string, SettingCaption>;

export type SettingLabel = keyof typeof settingCaptions;
export const settingLabels = Object.keys(settingCaptions) as SettingLabel[];
