export * from "./behaviour.ts";
export * from "./fake-embedding.ts";
export * from "./fake-llm.ts";
export * from "./fake-s3.ts";
export * from "./fake-site.ts";
