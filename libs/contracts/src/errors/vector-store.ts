import type { ErrorDefinition } from "./error-definition.ts";

/**
 * Faults of vector databases and of the search index in the data folder. `cause` is empty or an
 * error code in parentheses, with a space in front; `said` is empty or `vector-store.said`;
 * `details` is the message of the database or its client.
 */
export const vectorStoreErrors = {
  /** The database's own message, appended to a sentence about the fault. */
  "vector-store.said": { kind: "PROVIDER_FAILED", message: "It says: {{words}}" },
  "vector-store.key-rejected": {
    kind: "PROVIDER_FAILED",
    message: "{{store}} rejected the key ({{status}}). Check it in the settings.",
  },
  "vector-store.login-rejected": {
    kind: "PROVIDER_FAILED",
    message: "{{store}} rejected the username or key ({{status}}). Check it in the settings.",
  },
  "vector-store.password-rejected": {
    kind: "PROVIDER_FAILED",
    message:
      "{{store}} rejected the username or password at {{place}}. Check the connection string in the settings.",
  },
  "vector-store.database-missing": {
    kind: "PROVIDER_FAILED",
    message:
      "This database doesn't exist at {{place}}. Check the connection string in the settings.",
  },
  "vector-store.not-allowed": {
    kind: "PROVIDER_FAILED",
    message: "{{store}}: the user isn't allowed to do this at {{place}}: {{details}}",
  },
  "vector-store.extension-missing": {
    kind: "PROVIDER_FAILED",
    message:
      'The PostgreSQL server at {{place}} doesn\'t have the extension "vector". Install pgvector there.',
  },
  "vector-store.failed": {
    kind: "PROVIDER_FAILED",
    message: "{{store}} failed at {{place}}: {{details}}",
  },
  "vector-store.unreachable": {
    kind: "PROVIDER_FAILED",
    message: "Couldn't reach {{store}} at {{place}}{{cause}}.",
  },
  "vector-store.folder-elsewhere": {
    kind: "PROVIDER_FAILED",
    message:
      "Another replica of the document service keeps the search index in a different folder. All replicas must share the folder index in CARREL_HOME, unless Qdrant holds the index.",
  },
  "vector-store.timed-out": {
    kind: "PROVIDER_FAILED",
    message: "{{store}} didn't respond within {{seconds}} seconds.",
  },
  "vector-store.rate-limited": {
    kind: "PROVIDER_FAILED",
    message: "{{store}} is rate limiting requests ({{status}}). {{said}}",
  },
  "vector-store.internal-error": {
    kind: "PROVIDER_FAILED",
    message: "{{store}} reported an internal error ({{status}}). {{said}}",
  },
  "vector-store.request-rejected": {
    kind: "PROVIDER_FAILED",
    message: "{{store}} rejected the request. {{said}}",
  },
  "vector-store.redirected": {
    kind: "PROVIDER_FAILED",
    message: "{{store}} redirected to {{address}}, which isn't its address.",
  },
  "vector-store.unusable": { kind: "PROVIDER_FAILED", message: "{{details}}" },
  "vector-store.too-many-dimensions": {
    kind: "PROVIDER_FAILED",
    message: "{{store}} supports at most {{limit}} dimensions, but this model has {{dimensions}}.",
  },
  "vector-store.index-missing": {
    kind: "PROVIDER_FAILED",
    message:
      'Pinecone has no index {{index}}. Create it there with the metric "cosine", or enter another name in the settings.',
  },
  "vector-store.index-metric-wrong": {
    kind: "PROVIDER_FAILED",
    message:
      'Carrel needs a Pinecone index of dense vectors with the metric "cosine", but {{index}} uses {{metric}}.',
  },
  "vector-store.index-not-dense": {
    kind: "PROVIDER_FAILED",
    message:
      'Carrel needs a Pinecone index of dense vectors with the metric "cosine", but {{index}} has none.',
  },
  "vector-store.index-not-ready": {
    kind: "UNAVAILABLE",
    message: "The Pinecone index {{index}} isn't ready yet.",
  },
  "vector-store.index-dimensions-differ": {
    kind: "PROVIDER_FAILED",
    message:
      "The Pinecone index {{index}} has {{found}} dimensions, but this embedding model has {{dimensions}}. Create an index with {{dimensions}} dimensions and enter its name in the settings.",
  },
  "vector-store.address-missing": {
    kind: "SETTING_REFUSED",
    message: "{{store}} needs an address. Set it in the settings.",
  },
  "vector-store.address-invalid": {
    kind: "SETTING_REFUSED",
    message: "This isn't a valid {{store}} address: {{address}}",
  },
  "vector-store.key-missing": {
    kind: "SETTING_REFUSED",
    message: "{{store}} needs a key. Set it in the settings.",
  },
  "vector-store.token-missing": {
    kind: "SETTING_REFUSED",
    message: "{{store}} needs an application token. Set it in the settings.",
  },
  "vector-store.tenant-missing": {
    kind: "SETTING_REFUSED",
    message: "{{store}} needs a tenant. Set it in the settings.",
  },
  "vector-store.database-name-missing": {
    kind: "SETTING_REFUSED",
    message: "{{store}} needs a database. Set it in the settings.",
  },
  "vector-store.index-name-missing": {
    kind: "SETTING_REFUSED",
    message: "{{store}} needs the name of an index. Set it in the settings.",
  },
  "vector-store.connection-string-missing": {
    kind: "SETTING_REFUSED",
    message: "{{store}} needs a connection string. Set it in the settings.",
  },
  "vector-store.connection-string-invalid": {
    kind: "SETTING_REFUSED",
    message:
      "This isn't a PostgreSQL connection string. Use the form postgresql://user:password@host:5432/database.",
  },
  "vector-store.unknown": {
    kind: "SETTING_REFUSED",
    message: "Carrel doesn't support the vector database {{store}}.",
  },
  "vector-store.settings-unreadable": {
    kind: "SETTING_REFUSED",
    message: "The settings of {{store}} can't be read anymore. Enter them again.",
  },
  "vector-store.folder-unusable": {
    kind: "UNAVAILABLE",
    message: "Can't use the folder of the search index{{cause}}.",
  },
  "vector-store.index-unreadable": {
    kind: "UNAVAILABLE",
    message: "The search index {{index}} can't be read: {{details}}",
  },
  "vector-store.index-damaged": {
    kind: "UNAVAILABLE",
    message: "The search index {{index}} was damaged and is being rebuilt: {{details}}",
  },
  "vector-store.index-failed": {
    kind: "INTERNAL",
    message: "The search index {{index}} failed: {{details}}",
  },
  /** A bug in Carrel. */
  "vector-store.call-invalid": { kind: "INTERNAL", message: "{{details}}" },
} as const satisfies Record<string, ErrorDefinition>;
